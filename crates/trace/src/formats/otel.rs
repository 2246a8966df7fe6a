//! OpenTelemetry's conventions for generative AI, as OTLP/JSON: a span `invoke_agent` over spans
//! `chat` and `execute_tool`.
//!
//! The conversation's messages stand once: what was said before the first turn on the agent's
//! span, every answer on its `chat`, every result on its `execute_tool`. Programs that repeat the
//! whole conversation on every `chat`, and those that use OpenInference's names, are read too.

use std::collections::BTreeMap;

use llm::{FinishReason, Message, Role, ToolCall, Usage};
use serde_json::{Map, Value, json};

use super::messages::{self, Said, Turn};
use super::report::Report;
use super::{Format, FormatError, moment, parts};
use crate::{Record, RecordScore, StepBody, Stop, ToolError, ToolResult};

pub(super) const FORMAT: Format = Format {
    id: "otel",
    title: "OpenTelemetry GenAI (OTLP/JSON)",
    extension: "otlp.json",
    lede: "For anything that reads OpenTelemetry spans, with times and tokens; without the graph.",
    take: read,
    write,
    is_it,
};

fn is_it(value: &Value) -> bool {
    // Some loggers leave the envelope out and write its entries, one a line.
    ["resourceSpans", "scopeSpans"].iter().any(|n| value.get(*n).is_some_and(Value::is_array))
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
    name: String,
    // Whole numbers: nanoseconds since 1970 are more than a float holds exactly.
    start_ns: u64,
    end_ns: u64,
    attributes: BTreeMap<String, Value>,
    /// What went wrong, where the span says that something did.
    failure: Option<String>,
}

impl Span {
    fn text(&self, name: &str) -> &str {
        self.attributes.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The first of those attributes that says something.
    fn first(&self, names: &[&str]) -> &str {
        names.iter().map(|name| self.text(name)).find(|t| !t.is_empty()).unwrap_or_default()
    }

    fn number(&self, names: &[&str]) -> Option<u64> {
        names.iter().find_map(|name| self.attributes.get(*name)?.as_u64())
    }

    /// An attribute that may be a structure or its JSON text.
    fn structure(&self, name: &str) -> Option<Value> {
        match self.attributes.get(name)? {
            Value::String(text) => serde_json::from_str(text).ok(),
            value => Some(value.clone()),
        }
    }

    /// What the span is of, by the conventions' names or those of the instrumentations before them.
    fn kind(&self) -> &str {
        let names = [
            "gen_ai.operation.name",
            "openinference.span.kind",
            "traceloop.span.kind",
            "llm.request.type",
        ];
        match self.first(&names) {
            "LLM" | "completion" | "text_completion" | "generate_content" => "chat",
            "TOOL" | "tool" => "execute_tool",
            "AGENT" | "CHAIN" | "agent" | "workflow" | "task" | "invoke_workflow" => "invoke_agent",
            kind => kind,
        }
    }

    /// The attributes below a prefix, which numbers its entries, as the structure that they mean.
    fn numbered(&self, prefix: &str) -> Vec<Value> {
        let prefix = format!("{prefix}.");
        let mut root = Map::new();
        for (name, value) in self.attributes.range(prefix.clone()..) {
            let Some(path) = name.strip_prefix(&prefix) else { break };
            let path: Vec<&str> = path.split('.').collect();
            if path.len() > MAX_PATH {
                continue;
            }
            put(&mut root, &path, value);
        }
        match structured(root.into()) {
            Value::Array(list) => list,
            _ => Vec::new(),
        }
    }
}

/// Puts a value where a path of names leads.
fn put(map: &mut Map<String, Value>, path: &[&str], value: &Value) {
    let [name, rest @ ..] = path else { return };
    if rest.is_empty() {
        map.insert((*name).to_owned(), value.clone());
    } else if let Value::Object(inner) = map.entry(*name).or_insert_with(|| Map::new().into()) {
        put(inner, rest, value);
    }
}

/// The most levels of a structure in the names of attributes.
const MAX_PATH: usize = 16;

/// Objects whose names are numbers as lists, and without the envelopes that OpenInference puts
/// around every entry.
fn structured(value: Value) -> Value {
    let Value::Object(map) = value else { return value };
    let mut map: Map<String, Value> = map.into_iter().map(|(k, v)| (k, structured(v))).collect();
    if let Some(mut numbers) = map.keys().map(|k| k.parse::<u32>().ok()).collect::<Option<Vec<_>>>()
        && !numbers.is_empty()
    {
        numbers.sort_unstable();
        return numbers.iter().filter_map(|n| map.shift_remove(&n.to_string())).collect();
    }
    for envelope in ["message", "message_content", "tool_call", "tool"] {
        if map.len() == 1
            && let Some(inner) = map.get_mut(envelope).filter(|v| v.is_object())
        {
            return inner.take();
        }
    }
    // A list of parts that was written as a text.
    if let Some(Value::String(text)) = map.get("content")
        && text.starts_with("[{")
        && let Ok(Value::Array(parts)) = serde_json::from_str(text)
        && parts.iter().all(|p| p.get("type").is_some())
    {
        map.insert("content".into(), parts.into());
    }
    map.into()
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

fn attributes_in(value: &Value) -> BTreeMap<String, Value> {
    parts::list(value, "attributes")
        .iter()
        .map(|a| (parts::text(a, "key").to_owned(), value_in(&a["value"])))
        .collect()
}

fn spans_in(file: &Value) -> Vec<Span> {
    let ns = |v: Option<&Value>| {
        v.and_then(|v| v.as_u64().or_else(|| v.as_str()?.parse().ok())).unwrap_or(0)
    };
    parts::list(file, "resourceSpans")
        .iter()
        .chain([file])
        .flat_map(|r| [parts::list(r, "scopeSpans"), parts::list(r, "instrumentationLibrarySpans")])
        .flatten()
        .flat_map(|s| parts::list(s, "spans"))
        .map(|span| {
            let mut attributes = attributes_in(span);
            let mut failure = None;
            // Some write the messages, and all write errors, as events of the span.
            for event in parts::list(span, "events") {
                let of_event = attributes_in(event);
                if let Some(Value::String(message)) = of_event.get("exception.message") {
                    failure = Some(message.clone());
                }
                for (name, value) in of_event {
                    if name.starts_with("gen_ai.") {
                        attributes.entry(name).or_insert(value);
                    }
                }
            }
            let status = span.get("status").unwrap_or(&Value::Null);
            let code = status.get("code").unwrap_or(&Value::Null);
            if *code == 2 || *code == "STATUS_CODE_ERROR" {
                let message = parts::text(status, "message");
                let message = if message.is_empty() { None } else { Some(message.to_owned()) };
                failure = message.or(failure).or(Some("the span ended with an error".into()));
            } else {
                failure = None;
            }
            Span {
                trace: parts::text(span, "traceId").to_owned(),
                name: parts::text(span, "name").to_owned(),
                start_ns: ns(span.get("startTimeUnixNano")),
                end_ns: ns(span.get("endTimeUnixNano")),
                attributes,
                failure,
            }
        })
        .collect()
}

/// Where instrumentations put the messages that a model read and those that it wrote: as a
/// structure, or numbered in the names of attributes.
const INPUTS: [&str; 4] =
    ["gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages", "langfuse.observation.input"];
const OUTPUTS: [&str; 4] = [
    "gen_ai.output.messages",
    "gen_ai.completion",
    "llm.output_messages",
    "langfuse.observation.output",
];

/// The messages under the first of those names that has some.
fn messages_of(span: &Span, names: &[&str], role: &str, report: &mut Report) -> Vec<Said> {
    let mut messages = Vec::new();
    for name in names {
        let mut list = match span.structure(name) {
            Some(Value::Array(list)) => list,
            Some(value @ Value::Object(_)) => match value.get("messages") {
                Some(Value::Array(list)) => list.clone(),
                _ => vec![value],
            },
            _ => span.numbered(name),
        };
        for value in &mut list {
            // Some leave the role out where there is only one that it can be.
            if let Value::Object(map) = value
                && !map.contains_key("role")
                && !map.contains_key("type")
            {
                map.insert("role".into(), role.into());
            }
            messages::read(value, &mut messages, report);
        }
        if !messages.is_empty() {
            break;
        }
    }
    messages
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut spans: Vec<Span> = Vec::new();
    for value in &values {
        if !is_it(value) {
            let name = value.as_object().and_then(|m| m.keys().next()).map_or("", String::as_str);
            report.left_out("lines of", name);
        }
        spans.extend(spans_in(value));
    }
    // The sort is stable: spans of one moment stay in the file's order.
    spans.sort_by_key(|s| s.start_ns);
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for span in spans {
        if span.kind().is_empty() && !span.attributes.contains_key("graphground.step") {
            report.left_out("spans of no model and no tool, named", &span.name);
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
    order.iter().enumerate().map(|(i, id)| record(&groups[id], i, report)).collect()
}

/// What of a conversation that a span repeats is not there yet.
///
/// What people said is known by its text. A turn or a result is known by its place, as programs
/// write the same one differently in the span that made it and in those that repeat it.
#[derive(Default)]
struct Known {
    said: BTreeMap<(&'static str, String), usize>,
    n_turns: usize,
    n_results: usize,
}

impl Known {
    fn add(&mut self, message: &Message) {
        match message.role {
            Role::Assistant => self.n_turns += 1,
            Role::Tool => self.n_results += 1,
            role => *self.said.entry(said_key(role, message)).or_default() += 1,
        }
    }

    /// What is new in a conversation, which is known from then on.
    fn new_in(&mut self, input: Vec<Said>) -> Vec<Said> {
        let mut there = Self::default();
        let mut new = Vec::new();
        for said in input {
            there.add(&said.0);
            let is_new = match said.0.role {
                Role::Assistant => there.n_turns > self.n_turns,
                Role::Tool => there.n_results > self.n_results,
                role => {
                    let key = said_key(role, &said.0);
                    there.said.get(&key) > self.said.get(&key)
                }
            };
            if is_new {
                self.add(&said.0);
                new.push(said);
            }
        }
        new
    }
}

fn said_key(role: Role, message: &Message) -> (&'static str, String) {
    (if role == Role::System { "system" } else { "user" }, message.content.trim().to_owned())
}

fn record(spans: &[Span], index: usize, report: &mut Report) -> Result<Record, FormatError> {
    let start = spans.iter().map(|s| s.start_ns).min().unwrap_or(0);
    let ms = |ns: u64| ns as f64 / 1e6;
    let agent = spans.iter().find(|s| s.kind() == "invoke_agent");
    let input_of = |span: &Span, report: &mut Report| -> Vec<Said> {
        let mut messages = Vec::new();
        if let Some(rules) = span.structure("gen_ai.system_instructions") {
            for part in rules.as_array().into_iter().flatten() {
                let rule = json!({ "role": "system", "content": [part] });
                messages::read(&rule, &mut messages, report);
            }
        }
        messages.extend(messages_of(span, &INPUTS, "user", report));
        // Their times and endings are those of the spans that made them.
        messages
            .into_iter()
            .map(|(m, t)| (m, Turn { call: t.call, failed: t.failed, ..Turn::default() }))
            .collect()
    };
    let mut known = Known::default();
    let mut messages = Vec::new();
    if let Some(agent) = agent {
        messages = known.new_in(input_of(agent, report));
    }
    let mut tools = Vec::new();
    let mut model = String::new();
    let mut stop = None;
    for span in spans {
        let turn = Turn {
            at_ms: ms(span.start_ns - start),
            took_ms: ms(span.end_ns.saturating_sub(span.start_ns)),
            usage: Usage {
                input_tokens: span.number(&[
                    "gen_ai.usage.input_tokens",
                    "gen_ai.usage.prompt_tokens",
                    "llm.token_count.prompt",
                ]),
                output_tokens: span.number(&[
                    "gen_ai.usage.output_tokens",
                    "gen_ai.usage.completion_tokens",
                    "llm.token_count.completion",
                ]),
                cached_tokens: span.number(&["gen_ai.usage.cache_read.input_tokens"]),
                reasoning_tokens: span.number(&["gen_ai.usage.reasoning.output_tokens"]),
            },
            ..Turn::default()
        };
        if model.is_empty() {
            let names = ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name"];
            span.first(&names).clone_into(&mut model);
        }
        if tools.is_empty() {
            let list = span.structure("gen_ai.tool.definitions");
            let list = list.and_then(|v| v.as_array().cloned());
            tools =
                parts::tools_in(&list.unwrap_or_else(|| span.numbered("llm.request.functions")));
        }
        match span.kind() {
            "chat" => {
                let input = input_of(span, report);
                let mut output = messages_of(span, &OUTPUTS, "assistant", report);
                if input.is_empty() && output.is_empty() && span.failure.is_none() {
                    report.left_out(
                        "turns of a model without their messages, in spans named",
                        &span.name,
                    );
                }
                messages.extend(known.new_in(input));
                stop = None;
                if let Some(message) = &span.failure
                    && output.is_empty()
                {
                    let message = message.clone();
                    stop = Some(Stop::ModelFailed { message, is_overflow: false });
                }
                let reasons = span.structure("gen_ai.response.finish_reasons");
                let reason = reasons.as_ref().and_then(|r| r.get(0)?.as_str());
                let reason = reason.or_else(|| Some(span.text("llm.finish_reason")));
                let reason = reason.filter(|r| !r.is_empty()).map(messages::finish);
                for (message, said) in &mut output {
                    known.add(message);
                    if message.role == Role::Assistant {
                        let finish = reason.clone().or(said.finish.take());
                        *said = Turn { finish, ..turn.clone() };
                    }
                }
                messages.extend(output);
            }
            "execute_tool" => {
                let id = span.first(&["gen_ai.tool.call.id", "tool_call.id"]);
                let names = ["gen_ai.tool.call.result", "output.value", "traceloop.entity.output"];
                let found = names.iter().find_map(|n| span.attributes.get(*n));
                let names = ["gen_ai.tool.name", "tool.name", "traceloop.entity.name"];
                let name = span.first(&names);
                let names = [
                    "gen_ai.tool.call.arguments",
                    "tool.parameters",
                    "input.value",
                    "traceloop.entity.input",
                ];
                let call = (!name.is_empty()).then(|| ToolCall {
                    id: id.to_owned(),
                    name: name.to_owned(),
                    arguments: span.first(&names).to_owned(),
                });
                let failed = span.failure.as_ref().map(|message| {
                    let code = span.first(&["error.type"]);
                    let code = if code.is_empty() { "error" } else { code }.to_owned();
                    let kind = parts::kind_of(&code);
                    ToolError { kind, code, message: message.clone(), witness: None }
                });
                let message = Message::tool(id, parts::arguments(found));
                known.add(&message);
                messages.push((message, Turn { call, failed, ..turn }));
            }
            _ => {
                if let Some(body) = span.structure("graphground.step")
                    && let Ok(body) = serde_json::from_value(body)
                {
                    messages.push((Message::system(""), Turn { body: Some(body), ..turn }));
                } else if span.kind() != "invoke_agent" {
                    report.left_out("spans of the kind", span.kind());
                }
            }
        }
    }
    let agent_text = |name: &str| agent.map_or("", |a| a.text(name)).to_owned();
    let kept = agent.and_then(|a| serde_json::from_value(a.structure("graphground.stop")?).ok());
    let system = agent_text("gen_ai.agent.name");
    let mut trace = parts::assemble(&system, &model, messages, kept.or(stop), report)?;
    trace.tools = tools;
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
