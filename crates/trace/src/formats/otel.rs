//! OpenTelemetry's conventions for generative AI, as OTLP/JSON: a span `invoke_agent` over spans
//! `chat` and `execute_tool`.
//!
//! The conversation's messages stand once: what was said before the first turn on the agent's
//! span, every answer on its `chat`, every result on its `execute_tool`. Programs that repeat the
//! whole conversation on every `chat`, and those that use OpenInference's names, are read too.

use std::collections::BTreeMap;

use llm::{FinishReason, Message, Role, ToolCall, Usage};
use serde_json::{Value, json};

use super::parts::{self, Turn};
use super::{Format, FormatError, moment};
use crate::{Record, RecordScore, StepBody, ToolResult};

pub(super) const FORMAT: Format = Format {
    id: "otel",
    title: "OpenTelemetry GenAI (OTLP/JSON)",
    extension: "otlp.json",
    lede: "For anything that reads OpenTelemetry spans, with times and tokens; without the graph.",
    read,
    write,
    is_it,
};

fn is_it(value: &Value) -> bool {
    value.get("resourceSpans").is_some_and(Value::is_array)
}

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

fn write(records: &[Record]) -> String {
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

/// A span with its attributes by name.
struct Span {
    trace: String,
    // Whole numbers: nanoseconds since 1970 are more than a float holds exactly.
    start_ns: u64,
    end_ns: u64,
    attributes: BTreeMap<String, Value>,
}

impl Span {
    fn text(&self, name: &str) -> &str {
        self.attributes.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.attributes.get(name).and_then(Value::as_u64)
    }

    /// An attribute that may be a structure or its JSON text.
    fn structure(&self, name: &str) -> Option<Value> {
        match self.attributes.get(name)? {
            Value::String(text) => serde_json::from_str(text).ok(),
            value => Some(value.clone()),
        }
    }

    fn kind(&self) -> &str {
        match self.text("gen_ai.operation.name") {
            "" => match self.text("openinference.span.kind") {
                "LLM" => "chat",
                "TOOL" => "execute_tool",
                "AGENT" | "CHAIN" => "invoke_agent",
                _ => "",
            },
            "text_completion" | "generate_content" => "chat",
            kind => kind,
        }
    }
}

fn value_in(value: &Value) -> Value {
    let Some((name, inner)) = value.as_object().and_then(|m| m.iter().next()) else {
        return Value::Null;
    };
    match name.as_str() {
        "intValue" => inner
            .as_str()
            .and_then(|s| s.parse::<i64>().ok())
            .map_or_else(|| inner.clone(), Value::from),
        "arrayValue" => parts::list(inner, "values").iter().map(value_in).collect(),
        "kvlistValue" => parts::list(inner, "values")
            .iter()
            .map(|kv| (parts::text(kv, "key").to_owned(), value_in(&kv["value"])))
            .collect(),
        _ => inner.clone(),
    }
}

fn spans_in(file: &Value) -> Vec<Span> {
    let ns = |v: Option<&Value>| {
        v.and_then(|v| v.as_u64().or_else(|| v.as_str()?.parse().ok())).unwrap_or(0)
    };
    let mut spans: Vec<Span> = parts::list(file, "resourceSpans")
        .iter()
        .flat_map(|r| parts::list(r, "scopeSpans"))
        .flat_map(|s| parts::list(s, "spans"))
        .map(|span| Span {
            trace: parts::text(span, "traceId").to_owned(),
            start_ns: ns(span.get("startTimeUnixNano")),
            end_ns: ns(span.get("endTimeUnixNano")),
            attributes: parts::list(span, "attributes")
                .iter()
                .map(|a| (parts::text(a, "key").to_owned(), value_in(&a["value"])))
                .collect(),
        })
        .collect();
    // The sort is stable: spans of one moment stay in the file's order.
    spans.sort_by_key(|s| s.start_ns);
    spans
}

fn messages_in(value: Option<Value>) -> Vec<Message> {
    let Some(Value::Array(list)) = value else { return Vec::new() };
    list.iter().flat_map(message_in).collect()
}

/// One message of the convention; the results of several calls in one become one message each.
fn message_in(value: &Value) -> Vec<Message> {
    let Some(role) = parts::role(parts::text(value, "role")) else { return Vec::new() };
    let mut message = Message { role, ..Message::assistant("") };
    let mut results = Vec::new();
    for part in parts::list(value, "parts") {
        match parts::text(part, "type") {
            "text" => message.content.push_str(parts::text(part, "content")),
            "reasoning" => {
                message.reasoning.get_or_insert_default().push_str(parts::text(part, "content"));
            }
            "tool_call" => message.tool_calls.push(ToolCall {
                id: parts::text(part, "id").to_owned(),
                name: parts::text(part, "name").to_owned(),
                arguments: parts::arguments_back(part.get("arguments")),
            }),
            "tool_call_response" => {
                let found = part.get("response").or_else(|| part.get("result"));
                let id = parts::text(part, "id");
                results.push(Message::tool(id, parts::arguments(found)));
            }
            _ => {}
        }
    }
    if results.is_empty() { vec![message] } else { results }
}

/// OpenInference numbers its messages in the names of attributes.
fn numbered(span: &Span, prefix: &str) -> Vec<Message> {
    (0..)
        .map_while(|i| {
            let at = |name: &str| format!("{prefix}.{i}.message.{name}");
            let role = parts::role(span.text(&at("role")))?;
            let tool_calls = (0..)
                .map_while(|k| {
                    let name = span.text(&at(&format!("tool_calls.{k}.tool_call.function.name")));
                    let arguments =
                        span.text(&at(&format!("tool_calls.{k}.tool_call.function.arguments")));
                    let id = span.text(&at(&format!("tool_calls.{k}.tool_call.id")));
                    (!name.is_empty()).then(|| ToolCall {
                        id: id.to_owned(),
                        name: name.to_owned(),
                        arguments: arguments.to_owned(),
                    })
                })
                .collect();
            let id = span.text(&at("tool_call_id"));
            Some(Message {
                role,
                content: span.text(&at("content")).to_owned(),
                tool_calls,
                tool_call_id: (!id.is_empty()).then(|| id.to_owned()),
                ..Message::assistant("")
            })
        })
        .collect()
}

fn read(text: &str) -> Result<Vec<Record>, FormatError> {
    let file = parts::json(text, "the file")?;
    let spans = spans_in(&file);
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for span in spans {
        if span.kind().is_empty() && !span.attributes.contains_key("graphground.step") {
            continue;
        }
        if !groups.contains_key(&span.trace) {
            order.push(span.trace.clone());
        }
        groups.entry(span.trace.clone()).or_default().push(span);
    }
    if order.is_empty() {
        return Err(parts::missing(
            "the file",
            "span with `gen_ai.operation.name` or `openinference.span.kind`",
            "a trace of a model",
        ));
    }
    order.iter().enumerate().map(|(i, id)| record(&groups[id], i)).collect()
}

fn record(spans: &[Span], index: usize) -> Result<Record, FormatError> {
    let start = spans.iter().map(|s| s.start_ns).min().unwrap_or(0);
    let ms = |ns: u64| ns as f64 / 1e6;
    let agent = spans.iter().find(|s| s.kind() == "invoke_agent");
    let system_of = |span: &Span| -> Vec<Message> {
        match span.structure("gen_ai.system_instructions") {
            Some(Value::Array(list)) => {
                list.iter().map(|p| Message::system(parts::text(p, "content"))).collect()
            }
            _ => Vec::new(),
        }
    };
    let input_of = |span: &Span| -> Vec<Message> {
        let mut messages = system_of(span);
        messages.extend(messages_in(span.structure("gen_ai.input.messages")));
        messages.extend(numbered(span, "llm.input_messages"));
        messages
    };
    let mut messages: Vec<(Message, Turn)> =
        agent.map(input_of).unwrap_or_default().into_iter().map(|m| (m, Turn::default())).collect();
    let has_tool_spans = spans.iter().any(|s| s.kind() == "execute_tool");
    let mut tools = Vec::new();
    let mut notes: Vec<(usize, StepBody, Turn)> = Vec::new();
    let mut model = String::new();
    for span in spans {
        let turn = Turn {
            at_ms: ms(span.start_ns - start),
            took_ms: ms(span.end_ns.saturating_sub(span.start_ns)),
            usage: Usage {
                input_tokens: span
                    .number("gen_ai.usage.input_tokens")
                    .or_else(|| span.number("llm.token_count.prompt")),
                output_tokens: span
                    .number("gen_ai.usage.output_tokens")
                    .or_else(|| span.number("llm.token_count.completion")),
                cached_tokens: span.number("gen_ai.usage.cache_read.input_tokens"),
                reasoning_tokens: span.number("gen_ai.usage.reasoning.output_tokens"),
            },
            finish: None,
        };
        for name in ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name"] {
            if model.is_empty() {
                span.text(name).clone_into(&mut model);
            }
        }
        if let Some(Value::Array(list)) = span.structure("gen_ai.tool.definitions")
            && tools.is_empty()
        {
            tools = parts::tools_in(&list);
        }
        match span.kind() {
            "chat" => {
                // A chat that repeats the conversation brings what is not there yet.
                let input = input_of(span);
                if input.len() > messages.len() && (messages.is_empty() || !has_tool_spans) {
                    let new = input.into_iter().skip(messages.len());
                    messages.extend(new.map(|m| (m, Turn::default())));
                }
                let mut output = messages_in(span.structure("gen_ai.output.messages"));
                output.extend(numbered(span, "llm.output_messages"));
                messages.extend(output.into_iter().map(|m| (m, turn.clone())));
            }
            "execute_tool" => {
                let id = span.text("gen_ai.tool.call.id");
                let found = ["gen_ai.tool.call.result", "output.value"];
                let found = found.iter().find_map(|n| span.attributes.get(*n));
                messages.push((Message::tool(id, parts::arguments(found)), turn));
            }
            _ => {
                if let Some(body) = span.structure("graphground.step")
                    && let Ok(body) = serde_json::from_value(body)
                {
                    notes.push((messages.len(), body, turn));
                }
            }
        }
    }
    let n_prompt = messages.iter().take_while(|(m, _)| m.role != Role::Assistant).count();
    let n_prompt =
        n_prompt - messages[..n_prompt].iter().filter(|(m, _)| m.role == Role::Tool).count();
    let mut trace =
        parts::assemble(agent.map_or("", |a| a.text("gen_ai.agent.name")), &model, messages)?;
    for (offset, (before, body, turn)) in notes.into_iter().enumerate() {
        let at = (before.saturating_sub(n_prompt) + offset).min(trace.steps.len());
        let (at_ms, took_ms) = (turn.at_ms, turn.took_ms);
        trace.steps.insert(at, crate::Step { at_ms, took_ms, by_person: false, body });
    }
    trace.tools = tools;
    let agent_text = |name: &str| agent.map_or("", |a| a.text(name)).to_owned();
    if let Some(stop) = agent.and_then(|a| a.structure("graphground.stop"))
        && let Ok(stop) = serde_json::from_value(stop)
    {
        trace.stop = Some(stop);
    }
    let score = agent.and_then(|a| {
        let value = a.attributes.get("gen_ai.evaluation.score.value")?.as_f64()?;
        Some(RecordScore {
            name: a.text("gen_ai.evaluation.name").to_owned(),
            label: a.text("gen_ai.evaluation.score.label").to_owned(),
            value,
            explanation: a.text("gen_ai.evaluation.explanation").to_owned(),
        })
    });
    let id = match agent_text("gen_ai.conversation.id") {
        id if id.is_empty() => (index + 1).to_string(),
        id => id,
    };
    let started_at = (start > 0).then(|| moment::write(ms(start)));
    Ok(Record { id, task: agent_text("graphground.task"), started_at, score, ..Record::of(trace) })
}
