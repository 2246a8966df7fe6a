//! Records as OTLP/JSON, by OpenTelemetry's conventions for generative AI.

use llm::{FinishReason, Message, Role};
use serde_json::{Value, json};

use super::super::{moment, parts};
use crate::{Record, StepBody, ToolResult};

fn attribute(key: &str, value: impl Into<Value>) -> Value {
    let value = match value.into() {
        Value::Number(n) if n.is_f64() => json!({ "doubleValue": n }),
        // The JSON encoding of 64-bit numbers is a string.
        Value::Number(n) => json!({ "intValue": n.to_string() }),
        Value::Bool(b) => json!({ "boolValue": b }),
        Value::String(s) => json!({ "stringValue": s }),
        other => json!({ "stringValue": other.to_string() }),
    };
    json!({ "key": key, "value": value })
}

fn message_out(message: &Message) -> Value {
    let mut list = Vec::new();
    if let Some(thought) = &message.reasoning {
        list.push(json!({ "type": "reasoning", "content": thought }));
    }
    if let Some(id) = &message.tool_call_id {
        list.push(json!({ "type": "tool_call_response", "id": id, "response": message.content }));
    } else if !message.content.is_empty() {
        list.push(json!({ "type": "text", "content": message.content }));
    }
    for call in &message.tool_calls {
        list.push(json!({ "type": "tool_call", "id": call.id, "name": call.name,
                          "arguments": parts::arguments_object(call) }));
    }
    json!({ "role": message.role, "parts": list })
}

fn nanos(ms: f64) -> String {
    // Microseconds first: as nanoseconds a moment is more than a float holds exactly.
    match format!("{:.0}", (ms * 1e3).max(0.0)) {
        zero if zero == "0" => zero,
        microseconds => microseconds + "000",
    }
}

pub(super) fn write(records: &[Record]) -> String {
    let spans: Vec<Value> = records.iter().enumerate().flat_map(|(i, r)| spans(r, i)).collect();
    json!({ "resourceSpans": [{
        "resource": { "attributes": [attribute("service.name", "graphground")] },
        "scopeSpans": [{
            "scope": { "name": "graphground", "version": env!("CARGO_PKG_VERSION") },
            "spans": spans,
        }],
    }]})
    .to_string()
}

fn spans(record: &Record, index: usize) -> Vec<Value> {
    let trace = &record.trace;
    let start = record.started_at.as_deref().and_then(moment::parse).unwrap_or(0.0);
    let seed = format!("{}/{index}/{}", record.id, record.input);
    let trace_id =
        format!("{:016x}{:016x}", parts::id_hash(&seed), parts::id_hash(&format!("{seed}/2")));
    let span_id = |i: usize| format!("{:016x}", parts::id_hash(&format!("{seed}/span/{i}")).max(1));
    let root = span_id(0);
    let end = trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms);
    let (rules, said): (Vec<&Message>, Vec<&Message>) =
        trace.prompt.iter().partition(|m| m.role == Role::System);
    let rules: Value =
        rules.iter().map(|m| json!({ "type": "text", "content": m.content })).collect();
    let mut attributes = vec![
        attribute("gen_ai.operation.name", "invoke_agent"),
        attribute("gen_ai.provider.name", "graphground"),
        attribute("gen_ai.agent.name", trace.system.clone()),
        attribute("gen_ai.conversation.id", record.id.clone()),
        attribute("gen_ai.request.model", trace.model.clone()),
        attribute("gen_ai.system_instructions", rules),
        attribute("gen_ai.input.messages", said.iter().map(|m| message_out(m)).collect::<Value>()),
        attribute("graphground.task", record.task.clone()),
    ];
    if !trace.tools.is_empty() {
        attributes.push(attribute("gen_ai.tool.definitions", parts::tools_out(&trace.tools)));
    }
    if let Some(stop) = &trace.stop {
        attributes.push(attribute("graphground.stop", json!(stop)));
    }
    if let Some(score) = &record.score {
        attributes.push(attribute("gen_ai.evaluation.name", score.name.clone()));
        attributes.push(attribute("gen_ai.evaluation.score.value", score.value));
        attributes.push(attribute("gen_ai.evaluation.score.label", score.label.clone()));
        attributes.push(attribute("gen_ai.evaluation.explanation", score.explanation.clone()));
    }
    let span =
        |id: &str, parent: Option<&str>, name: String, at: f64, took: f64, list: Vec<Value>| {
            let mut out = json!({
                "traceId": trace_id, "spanId": id, "name": name,
                "kind": if parent.is_some() { 3 } else { 1 },
                "startTimeUnixNano": nanos(start + at),
                "endTimeUnixNano": nanos(start + at + took),
                "attributes": list, "status": {},
            });
            if let Some(parent) = parent {
                out["parentSpanId"] = parent.into();
            }
            out
        };
    let mut out =
        vec![span(&root, None, format!("invoke_agent {}", trace.system), 0.0, end, attributes)];
    for (i, step) in trace.steps.iter().enumerate() {
        let (name, list) = match &step.body {
            StepBody::Model { message, finish, usage, .. } => {
                let reason = match finish {
                    FinishReason::Other(other) => other.clone(),
                    finish => json!(finish).as_str().unwrap_or_default().to_owned(),
                };
                let mut list = vec![
                    attribute("gen_ai.operation.name", "chat"),
                    attribute("gen_ai.provider.name", "graphground"),
                    attribute("gen_ai.request.model", trace.model.clone()),
                    json!({ "key": "gen_ai.response.finish_reasons",
                            "value": { "arrayValue": { "values": [{ "stringValue": reason }] } } }),
                    attribute("gen_ai.output.messages", json!([message_out(message)])),
                ];
                for (name, n) in [
                    ("gen_ai.usage.input_tokens", usage.input_tokens),
                    ("gen_ai.usage.output_tokens", usage.output_tokens),
                    ("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens),
                    ("gen_ai.usage.reasoning.output_tokens", usage.reasoning_tokens),
                ] {
                    list.extend(n.map(|n| attribute(name, n)));
                }
                (format!("chat {}", trace.model), list)
            }
            StepBody::Call { call, result, told, .. } => {
                let text = told.clone().unwrap_or_else(|| result.to_model_text());
                let mut list = vec![
                    attribute("gen_ai.operation.name", "execute_tool"),
                    attribute("gen_ai.tool.name", call.name.clone()),
                    attribute("gen_ai.tool.type", "function"),
                    attribute("gen_ai.tool.call.id", call.id.clone()),
                    attribute("gen_ai.tool.call.arguments", parts::arguments_object(call)),
                    attribute("gen_ai.tool.call.result", text),
                ];
                if let ToolResult::Error(error) = result {
                    list.push(attribute("error.type", error.code.clone()));
                }
                (format!("execute_tool {}", call.name), list)
            }
            // What we add has no convention; it is kept under a name of our own.
            other => ("note".to_owned(), vec![attribute("graphground.step", json!(other))]),
        };
        out.push(span(&span_id(i + 1), Some(&root), name, step.at_ms, step.took_ms, list));
    }
    out
}
