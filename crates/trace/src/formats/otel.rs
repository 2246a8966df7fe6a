//! Spans of OpenTelemetry: its conventions for generative AI, those of OpenInference, OpenLLMetry,
//! MLflow and Vercel's SDK, as OTLP/JSON, as SDKs and Phoenix print them, and as Jaeger exports them.
//!
//! We write a span `invoke_agent` over spans `chat` and `execute_tool`. The conversation's messages
//! stand once: what was said before the first turn on the agent's span, every answer on its `chat`,
//! every result on its `execute_tool`.

mod write;

use std::collections::{BTreeMap, HashMap};

use llm::{ToolCall, Usage};
use serde_json::{Map, Value, json};

use super::messages::{self, Said};
use super::report::Report;
use super::spans::{self, About, Exchange, Span, What};
use super::{Format, FormatError, moment, parts};
use crate::{Record, RecordScore};

pub(super) const FORMAT: Format = Format {
    id: "otel",
    title: "OpenTelemetry GenAI (OTLP/JSON)",
    extensions: &["otlp.json", "json", "jsonl"],
    reads: "spans and log records with the names of OpenTelemetry's GenAI conventions (all versions), \
            OpenInference, OpenLLMetry, Langfuse, MLflow or Vercel's AI SDK; as OTLP/JSON in one \
            object or a line each, as SDKs print them, as Phoenix, MLflow and Jaeger export them",
    loses: "spans of neither a model nor a tool, images and sounds",
    keeps: "messages, calls, results, times, tokens; not the graph",
    take: read,
    write: Some(write::write),
    is_it,
};

/// The names of lists of spans and of log records, in the order in which they contain each other.
const CONTAINERS: [&str; 12] = [
    "resourceSpans",
    "resource_spans",
    "batches",
    "scopeSpans",
    "scope_spans",
    "instrumentationLibrarySpans",
    "resourceLogs",
    "resource_logs",
    "scopeLogs",
    "scope_logs",
    "logRecords",
    "log_records",
];

fn is_it(value: &Value) -> bool {
    let is_list_of = |n: &&str| value.get(*n).is_some_and(Value::is_array);
    match value {
        Value::Array(list) => list.iter().take(8).any(is_it),
        // Some loggers leave the envelope out and write its entries, one a line.
        _ if CONTAINERS.iter().any(is_list_of) => true,
        _ if is_flat(value) || is_jaeger(value) || is_record(value) => true,
        _ => ["data", "trace", "spans"]
            .iter()
            .filter_map(|name| value.get(*name))
            .any(|inner| (inner.is_array() || inner.is_object()) && is_it(inner)),
    }
}

/// The first of those fields that is there.
fn field<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    names.iter().find_map(|n| value.get(*n).filter(|v| !v.is_null())).unwrap_or(&Value::Null)
}

fn text_field(value: &Value, names: &[&str]) -> String {
    field(value, names).as_str().unwrap_or_default().to_owned()
}

const TRACE_IDS: [&str; 4] = ["traceId", "trace_id", "traceID", "context.trace_id"];
const SPAN_IDS: [&str; 4] = ["spanId", "span_id", "spanID", "context.span_id"];

/// Whether an object is a span with its attributes as an object.
fn is_flat(value: &Value) -> bool {
    let context = value.get("context").unwrap_or(value);
    let is_named = value.get("name").is_some_and(Value::is_string);
    let has = |names: &[&str]| field(context, names).is_string();
    is_named
        && has(&TRACE_IDS)
        && has(&SPAN_IDS)
        && (value.get("attributes").is_some_and(Value::is_object)
            || value.as_object().is_some_and(|m| m.keys().any(|k| k.starts_with("attributes."))))
}

/// Whether an object is a record of a log as an SDK prints it, of a model.
fn is_record(value: &Value) -> bool {
    value.get("body").is_some()
        && value.get("severity_number").is_some()
        && field(value, &TRACE_IDS).is_string()
        && value
            .get("attributes")
            .and_then(Value::as_object)
            .is_some_and(|attributes| attributes.keys().any(|name| name.starts_with("gen_ai.")))
}

fn is_jaeger(value: &Value) -> bool {
    value.get("operationName").is_some_and(Value::is_string)
        && value.get("traceID").is_some_and(Value::is_string)
}

/// A span as it is kept: with its attributes by name.
#[derive(Default)]
struct Raw {
    trace: String,
    id: String,
    parent: String,
    name: String,
    start_ns: u64,
    end_ns: u64,
    attributes: BTreeMap<String, Value>,
    /// What its events and log records say: names with fields.
    events: Vec<(String, Value)>,
    failure: Option<String>,
}

impl Raw {
    fn text(&self, name: &str) -> &str {
        self.attributes.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The first of those attributes that says something.
    fn first(&self, names: &[&str]) -> &str {
        names.iter().map(|name| self.text(name)).find(|t| !t.is_empty()).unwrap_or_default()
    }

    fn number(&self, names: &[&str]) -> Option<u64> {
        names.iter().find_map(|name| {
            let value = self.attributes.get(*name)?;
            value.as_u64().or_else(|| value.as_f64().map(|n| n.max(0.0) as u64))
        })
    }

    /// An attribute that may be a structure or its JSON text.
    fn structure(&self, name: &str) -> Option<Value> {
        match self.attributes.get(name)? {
            Value::String(text) => messages::structure(text),
            value => Some(value.clone()),
        }
    }

    /// What the span is of, by the names of any of the conventions.
    fn kind(&self) -> Sort {
        let names = [
            "gen_ai.operation.name",
            "openinference.span.kind",
            "traceloop.span.kind",
            "llm.request.type",
            "langfuse.observation.type",
            "mlflow.spanType",
            "ai.operationId",
            "operation.name",
        ];
        let kind = self.first(&names).trim_matches('"').to_lowercase();
        // The name of an operation of Vercel's may have that of a function behind it.
        let kind = kind.split(' ').next().unwrap_or_default();
        match kind {
            "llm" | "chat" | "completion" | "text_completion" | "generate_content"
            | "generation" | "chat_model" => Sort::Turn,
            "tool" | "execute_tool" | "ai.toolcall" => Sort::Call,
            "agent" | "chain" | "workflow" | "task" | "invoke_agent" | "invoke_workflow"
            | "create_agent" | "span" | "plan" => Sort::Around,
            kind if kind.starts_with("ai.embed") || kind == "ai.rerank" => Sort::Other,
            kind if kind.starts_with("ai.") => Sort::Turn,
            "" | "unknown" => {
                let has = |name: &&str| self.attributes.contains_key(*name);
                if has(&"gen_ai.tool.name") {
                    Sort::Call
                } else if INPUTS.iter().chain(&OUTPUTS).any(has)
                    || self.events.iter().any(|(name, _)| name.starts_with("gen_ai."))
                {
                    Sort::Turn
                } else if AROUND.iter().any(has) {
                    Sort::Around
                } else {
                    Sort::None
                }
            }
            _ => Sort::Other,
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

/// What a span is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Turn,
    Call,
    Around,
    /// Something of models that is neither.
    Other,
    /// Nothing that has to do with models.
    None,
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
    let map = match value {
        Value::Array(list) => return list.into_iter().map(structured).collect(),
        Value::Object(map) => map,
        value => return value,
    };
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
        "intValue" | "int_value" => inner
            .as_str()
            .and_then(|s| s.parse::<i64>().ok())
            .map_or_else(|| inner.clone(), Value::from),
        "arrayValue" | "array_value" => parts::list(inner, "values").iter().map(value_in).collect(),
        "kvlistValue" | "kvlist_value" => parts::list(inner, "values")
            .iter()
            .map(|kv| (parts::text(kv, "key").to_owned(), value_in(&kv["value"])))
            .collect(),
        _ => inner.clone(),
    }
}

/// The attributes of a span, an event or a record: a list of keys with values, or an object.
fn attributes_in(value: &Value) -> BTreeMap<String, Value> {
    match value.get("attributes") {
        Some(Value::Array(list)) => {
            list.iter().map(|a| (parts::text(a, "key").to_owned(), value_in(&a["value"]))).collect()
        }
        Some(Value::Object(map)) => {
            let mut found = BTreeMap::new();
            for (name, value) in map {
                flatten(name, value, MAX_PATH, &mut found);
            }
            found
        }
        // As a table has it.
        _ => value
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(k, v)| Some((k.strip_prefix("attributes.")?.to_owned(), v.clone())))
            .filter(|(_, v)| !v.is_null())
            .collect(),
    }
}

/// Objects below names without dots are levels of names.
fn flatten(name: &str, value: &Value, depth: usize, into: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(map)
            if depth > 0 && !name.ends_with("arguments") && !name.ends_with("parameters") =>
        {
            for (inner, value) in map {
                flatten(&format!("{name}.{inner}"), value, depth - 1, into);
            }
        }
        value => _ = into.insert(name.to_owned(), value.clone()),
    }
}

/// Nanoseconds since 1970, as a number, its text, or a moment's text.
fn ns(value: &Value) -> u64 {
    let text = value.as_str().unwrap_or_default();
    value
        .as_u64()
        .or_else(|| text.parse().ok())
        .or_else(|| Some((moment::parse(text)? * 1e3) as u64 * 1_000))
        .unwrap_or(0)
}

/// What a file has: spans, and records of a log beside them.
#[derive(Default)]
struct Found {
    spans: Vec<Raw>,
    records: Vec<Raw>,
    evaluations: Vec<(String, BTreeMap<String, Value>)>,
}

impl Found {
    fn take(&mut self, value: &Value, depth: usize, report: &mut Report) {
        if depth > 8 {
            return;
        }
        match value {
            Value::Array(list) => list.iter().for_each(|v| self.take(v, depth + 1, report)),
            value if is_jaeger(value) => self.spans.push(jaeger(value)),
            value if is_flat(value) => self.spans.push(span(value)),
            value if is_record(value) => self.record(value),
            value => {
                let mut is_any = false;
                for name in CONTAINERS {
                    let Some(Value::Array(list)) = value.get(name) else { continue };
                    is_any = true;
                    if name.starts_with("log") {
                        list.iter().for_each(|record| self.record(record));
                    } else {
                        list.iter().for_each(|v| self.take(v, depth + 1, report));
                    }
                }
                if let Some(Value::Array(list)) = value.get("spans") {
                    is_any = true;
                    for value in list {
                        self.spans.push(if is_jaeger(value) { jaeger(value) } else { span(value) });
                    }
                }
                for name in ["data", "trace"] {
                    if let Some(inner) = value.get(name).filter(|v| v.is_array() || v.is_object()) {
                        is_any = true;
                        self.take(inner, depth + 1, report);
                    }
                }
                if !is_any {
                    let keys = value.as_object().and_then(|m| m.keys().next());
                    report.left_out("value| of", keys.map_or("", String::as_str));
                }
            }
        }
    }

    /// A record of a log: a message, or a whole turn of a model.
    fn record(&mut self, record: &Value) {
        let mut attributes = attributes_in(record);
        let body = match record.get("body") {
            Some(body) if record.get("severity_number").is_some() && is_record(record) => {
                body.clone()
            }
            Some(body) if body.is_object() => value_in(body),
            body => body.cloned().unwrap_or_default(),
        };
        let name = text_field(record, &["eventName", "event_name"]);
        let name = match attributes.get("event.name").and_then(Value::as_str) {
            Some(event) if name.is_empty() => event.to_owned(),
            _ => name,
        };
        // Some SDKs print the record without its name.
        let has = |name: &str| body.get(name).is_some_and(|v| !v.is_null());
        let name = match name.as_str() {
            "" if is_record(record) && has("message") => "gen_ai.choice".to_owned(),
            "" if is_record(record) && has("tool_calls") => "gen_ai.assistant.message".to_owned(),
            "" if is_record(record) && has("id") => "gen_ai.tool.message".to_owned(),
            "" if is_record(record) && has("content") => "gen_ai.user.message".to_owned(),
            _ => name,
        };
        let trace = text_field(record, &TRACE_IDS);
        if name == "gen_ai.evaluation.result" {
            self.evaluations.push((trace, attributes));
            return;
        }
        if !name.starts_with("gen_ai.") {
            return;
        }
        if let Value::Object(map) = &body {
            for (name, value) in map.iter().filter(|(name, _)| name.starts_with("gen_ai.")) {
                attributes.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        let start_ns = ns(field(
            record,
            &[
                "timeUnixNano",
                "time_unix_nano",
                "timestamp",
                "observedTimeUnixNano",
                "observed_timestamp",
            ],
        ));
        let id = text_field(record, &SPAN_IDS);
        let events = vec![(name, body)];
        let end_ns = start_ns;
        self.records.push(Raw {
            trace,
            id,
            start_ns,
            end_ns,
            attributes,
            events,
            ..Raw::default()
        });
    }
}

fn span(value: &Value) -> Raw {
    let mut attributes = attributes_in(value);
    if let Some(kind) = value.get("span_kind") {
        attributes.entry("openinference.span.kind".into()).or_insert_with(|| kind.clone());
    }
    let mut failure = None;
    let mut events = Vec::new();
    // Some write the messages, and all write errors, as events of the span.
    for event in parts::list(value, "events") {
        let of_event = attributes_in(event);
        if let Some(Value::String(message)) = of_event.get("exception.message") {
            failure = Some(message.clone());
        }
        let name = parts::text(event, "name");
        if is_message_event(name) {
            events.push((name.to_owned(), of_event.into_iter().collect()));
            continue;
        }
        for (name, value) in of_event {
            if name.starts_with("gen_ai.") {
                attributes.entry(name).or_insert(value);
            }
        }
    }
    // A list of events as an attribute.
    if let Some(Value::Array(list)) = attributes.get("events").and_then(|v| match v {
        Value::String(text) => messages::structure(text),
        value => Some(value.clone()),
    }) {
        let named = list.into_iter().map(|e| (parts::text(&e, "event.name").to_owned(), e));
        events.extend(named.filter(|(name, _)| is_message_event(name)));
    }
    let status = value.get("status").filter(|v| v.is_object()).unwrap_or(value);
    let code = field(status, &["code", "status_code"]);
    if *code == 2 || code.as_str().is_some_and(|c| c.ends_with("ERROR")) {
        let message = text_field(status, &["message", "description", "status_message"]);
        let message = if message.is_empty() { None } else { Some(message) };
        failure = message.or(failure).or(Some("the span ended with an error".into()));
    } else {
        failure = None;
    }
    let context = value.get("context").unwrap_or(value);
    let parents = ["parentSpanId", "parent_span_id", "parent_id", "parentId"];
    Raw {
        trace: text_field(context, &TRACE_IDS),
        id: text_field(context, &SPAN_IDS),
        parent: text_field(value, &parents),
        name: parts::text(value, "name").to_owned(),
        start_ns: ns(field(
            value,
            &["startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime"],
        )),
        end_ns: ns(field(value, &["endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime"])),
        attributes,
        events,
        failure,
    }
}

/// A span as Jaeger exports it: with tags, and times in microseconds.
fn jaeger(value: &Value) -> Raw {
    let tags = |value: &Value, name: &str| -> BTreeMap<String, Value> {
        let all = parts::list(value, name).iter();
        all.map(|tag| (parts::text(tag, "key").to_owned(), tag["value"].clone())).collect()
    };
    let attributes = tags(value, "tags");
    let logs = parts::list(value, "logs").iter().map(|log| tags(log, "fields"));
    let mut events = Vec::new();
    let mut failure = None;
    for log in logs {
        if let Some(Value::String(message)) = log.get("exception.message") {
            failure = Some(message.clone());
        }
        let name = log.get("event").and_then(Value::as_str).unwrap_or_default().to_owned();
        events.push((name, log.into_iter().collect()));
    }
    events.retain(|(name, _)| is_message_event(name));
    let is_failed = attributes.get("error").is_some_and(|v| *v == true || *v == "true")
        || attributes.get("otel.status_code").is_some_and(|v| *v == "ERROR");
    let said = attributes.get("otel.status_description").and_then(Value::as_str);
    let failure = is_failed.then(|| {
        said.map(str::to_owned).or(failure).unwrap_or_else(|| "the span ended with an error".into())
    });
    let of = |v: &Value| v.as_u64().unwrap_or(0);
    let start_ns = of(&value["startTime"]).saturating_mul(1_000);
    let parent = parts::list(value, "references").first();
    Raw {
        trace: parts::text(value, "traceID").to_owned(),
        id: parts::text(value, "spanID").to_owned(),
        parent: parent.map_or("", |p| parts::text(p, "spanID")).to_owned(),
        name: parts::text(value, "operationName").to_owned(),
        start_ns,
        end_ns: start_ns.saturating_add(of(&value["duration"]).saturating_mul(1_000)),
        attributes,
        events,
        failure,
    }
}

fn is_message_event(name: &str) -> bool {
    name == "gen_ai.choice" || (name.starts_with("gen_ai.") && name.ends_with(".message"))
}

/// The message that an event is, and whether the model wrote it.
fn message_of(name: &str, fields: &Value) -> Option<(bool, Value)> {
    if !is_message_event(name) {
        return None;
    }
    let inner = field(fields, &["gen_ai.event.content", "gen_ai.prompt", "gen_ai.completion"]);
    let inner = inner.as_str().and_then(messages::structure);
    let mut fields = inner.filter(Value::is_object).unwrap_or_else(|| fields.clone());
    let is_choice = name == "gen_ai.choice";
    let role = if is_choice {
        "assistant"
    } else {
        name.trim_start_matches("gen_ai.").trim_end_matches(".message")
    };
    let finish = fields.get("finish_reason").cloned();
    let message = match fields.get("message") {
        Some(Value::String(text)) => {
            messages::structure(text).unwrap_or_else(|| json!({ "content": text }))
        }
        Some(message @ Value::Object(_)) => message.clone(),
        _ => fields.take(),
    };
    let Value::Object(mut message) = message else { return None };
    message.retain(|name, _| !name.starts_with("gen_ai.") && !name.starts_with("event."));
    if message.get("role").is_none_or(|v| !v.is_string()) {
        message.insert("role".into(), role.into());
    }
    if role == "tool" && !message.contains_key("tool_call_id") {
        let id = message.get("id").cloned().unwrap_or_default();
        message.insert("tool_call_id".into(), id);
    }
    for name in ["tool_calls", "content"] {
        if let Some(Value::String(text)) = message.get(name)
            && let Some(list @ Value::Array(_)) = messages::structure(text)
            && list[0].is_object()
        {
            message.insert(name.into(), list);
        }
    }
    message.shift_remove("index");
    if let Some(finish) = finish {
        message.insert("finish_reason".into(), finish);
    }
    Some((is_choice, message.into()))
}

/// Where instrumentations put the messages that a model read and those that it wrote: as a
/// structure, or numbered in the names of attributes.
const INPUTS: [&str; 7] = [
    "gen_ai.input.messages",
    "gen_ai.prompt",
    "llm.input_messages",
    "langfuse.observation.input",
    "ai.prompt.messages",
    "ai.prompt",
    "mlflow.spanInputs",
];
const OUTPUTS: [&str; 5] = [
    "gen_ai.output.messages",
    "gen_ai.completion",
    "llm.output_messages",
    "langfuse.observation.output",
    "mlflow.spanOutputs",
];
/// Where they put what any span was given and gave back.
const AROUND: [&str; 4] =
    ["input.value", "traceloop.entity.input", "output.value", "traceloop.entity.output"];

/// The messages under the first of those names that has some.
fn messages_of(span: &Raw, names: &[&str], role: &str, report: &mut Report) -> Vec<Said> {
    for name in names {
        let value = match span.attributes.get(*name) {
            Some(Value::String(text)) => {
                messages::structure(text).unwrap_or_else(|| text.as_str().into())
            }
            Some(value) => value.clone(),
            None => span.numbered(name).into(),
        };
        let value = match structured(value) {
            Value::Array(list) => list
                .into_iter()
                .map(|mut value| {
                    // Some leave the role out where there is only one that it can be.
                    if let Value::Object(map) = &mut value
                        && !map.contains_key("role")
                        && !map.contains_key("type")
                    {
                        map.insert("role".into(), role.into());
                    }
                    value
                })
                .collect(),
            value => value,
        };
        let messages = messages::said_in(&value, role, report);
        if !messages.is_empty() {
            return messages;
        }
    }
    Vec::new()
}

/// The messages under the names for messages, or those of the whole value beside them where that has
/// more: OpenInference writes no parts and no items of the Responses protocol as messages.
fn fullest(
    span: &Raw,
    names: &[&str],
    whole: &[&str],
    role: &str,
    report: &mut Report,
) -> Vec<Said> {
    let says = |(m, t): &&Said| {
        !m.content.is_empty()
            || !m.tool_calls.is_empty()
            || m.reasoning.is_some()
            || t.body.is_some()
    };
    let count = |messages: &[Said]| messages.iter().filter(says).count();
    let messages = messages_of(span, names, role, report);
    if !whole.iter().any(|name| span.attributes.contains_key(*name)) {
        return messages;
    }
    let all = messages_of(span, whole, role, &mut Report::default());
    if count(&all) > count(&messages) { all } else { messages }
}

/// What a span was given, with the rules that stand beside it.
fn input_of(span: &Raw, report: &mut Report) -> Vec<Said> {
    let mut messages = Vec::new();
    let rules = match span.attributes.get("gen_ai.system_instructions") {
        Some(Value::String(text)) => {
            messages::structure(text).unwrap_or_else(|| text.as_str().into())
        }
        Some(rules) => rules.clone(),
        None => Value::Null,
    };
    match rules {
        Value::Array(parts) => {
            for part in parts {
                let rule = json!({ "role": "system", "content": [part] });
                messages::read(&rule, &mut messages, report);
            }
        }
        rules => messages.extend(messages::said_in(&rules, "system", report)),
    }
    let from_events = span.events.iter().filter_map(|(name, fields)| message_of(name, fields));
    let n = messages.len();
    for (_, message) in from_events.filter(|(is_choice, _)| !is_choice) {
        messages::read(&message, &mut messages, report);
    }
    if messages.len() == n {
        messages.extend(fullest(span, &INPUTS, &AROUND[..2], "user", report));
    }
    messages
}

/// What a model answered.
fn output_of(span: &Raw, report: &mut Report) -> Vec<Said> {
    let mut messages = Vec::new();
    let from_events = span.events.iter().filter_map(|(name, fields)| message_of(name, fields));
    for (_, message) in from_events.filter(|(is_choice, _)| *is_choice).take(1) {
        messages::read(&message, &mut messages, report);
    }
    // Vercel's SDK has the parts of the message in attributes of their own.
    let vercel = ["text", "toolCalls", "reasoning", "object"]
        .map(|name| [format!("ai.response.{name}"), format!("ai.result.{name}")])
        .map(|names| {
            names.iter().find_map(|n| span.attributes.get(n)).cloned().unwrap_or_default()
        });
    let [text, calls, thought, object] = vercel;
    if messages.is_empty() && [&text, &calls, &thought, &object].iter().any(|v| !v.is_null()) {
        let calls = calls.as_str().and_then(messages::structure).unwrap_or(calls.clone());
        let said = if text.as_str().is_none_or(str::is_empty) { object } else { text };
        let message = json!({
            "role": "assistant", "content": said, "tool_calls": calls, "reasoning": thought,
        });
        messages::read(&message, &mut messages, report);
    }
    if messages.is_empty() {
        messages = fullest(span, &OUTPUTS, &AROUND[2..], "assistant", report);
    }
    messages
}

fn exchange(span: &Raw, report: &mut Report) -> Exchange {
    let usage = Usage {
        input_tokens: span.number(&[
            "gen_ai.usage.input_tokens",
            "gen_ai.usage.prompt_tokens",
            "llm.token_count.prompt",
            "ai.usage.promptTokens",
            "ai.usage.inputTokens",
            "ai.usage.tokens",
        ]),
        output_tokens: span.number(&[
            "gen_ai.usage.output_tokens",
            "gen_ai.usage.completion_tokens",
            "llm.token_count.completion",
            "ai.usage.completionTokens",
            "ai.usage.outputTokens",
        ]),
        cached_tokens: span.number(&[
            "gen_ai.usage.cache_read.input_tokens",
            "llm.token_count.prompt_details.cache_read",
            "ai.usage.cachedInputTokens",
        ]),
        reasoning_tokens: span.number(&[
            "gen_ai.usage.reasoning.output_tokens",
            "llm.token_count.completion_details.reasoning",
            "ai.usage.reasoningTokens",
        ]),
    };
    let reasons = span.structure("gen_ai.response.finish_reasons");
    let reason = reasons.as_ref().and_then(|r| r.get(0)?.as_str());
    let reason = reason.unwrap_or_else(|| {
        span.first(&["llm.finish_reason", "ai.response.finishReason", "ai.finishReason"])
    });
    let names = [
        "gen_ai.request.model",
        "gen_ai.response.model",
        "llm.model_name",
        "ai.model.id",
        "langfuse.observation.model.name",
    ];
    Exchange {
        input: input_of(span, report),
        output: output_of(span, report),
        model: span.first(&names).to_owned(),
        tools: tools_of(span),
        usage,
        finish: Some(reason).filter(|r| !r.is_empty()).map(messages::finish),
    }
}

fn tools_of(span: &Raw) -> Vec<llm::ToolSpec> {
    for name in ["gen_ai.tool.definitions", "ai.prompt.tools"] {
        if let Some(Value::Array(list)) = span.structure(name) {
            let list: Vec<Value> = list
                .into_iter()
                .map(|v| v.as_str().and_then(messages::structure).unwrap_or(v))
                .collect();
            return parts::tools_in(&list);
        }
    }
    let schemas = span.numbered("llm.tools").into_iter().filter_map(|tool| {
        let schema = field(&tool, &["json_schema", "tool.json_schema"]);
        schema.as_str().and_then(messages::structure)
    });
    let tools = parts::tools_in(&schemas.collect::<Vec<_>>());
    if tools.is_empty() { parts::tools_in(&span.numbered("llm.request.functions")) } else { tools }
}

fn called(span: &Raw) -> What {
    let id = span.first(&["gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id"]);
    let names = [
        "gen_ai.tool.call.result",
        "tool_response",
        "ai.toolCall.result",
        "output.value",
        "traceloop.entity.output",
        "mlflow.spanOutputs",
        "langfuse.observation.output",
    ];
    let found = names.iter().find_map(|n| span.attributes.get(*n));
    let names = ["gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"];
    let name = match span.first(&names) {
        "" => span.name.as_str(),
        name => name,
    };
    let names = [
        "gen_ai.tool.call.arguments",
        "tool_arguments",
        "ai.toolCall.args",
        "input.value",
        "tool.parameters",
        "traceloop.entity.input",
        "mlflow.spanInputs",
        "langfuse.observation.input",
    ];
    let arguments = names.iter().find_map(|n| span.attributes.get(*n));
    let arguments = parts::arguments(arguments);
    let call = ToolCall { id: id.to_owned(), name: name.to_owned(), arguments };
    let code = span.text("error.type").to_owned();
    let result = found.map(|found| parts::arguments(Some(found)));
    What::Call { call, result, code }
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut found = Found::default();
    for value in &values {
        found.take(value, 0, report);
    }
    drop(values);
    let Found { mut spans, records, evaluations } = found;
    // What a log says of a span belongs to it; what it says of none is a turn of its own.
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for (i, span) in spans.iter().enumerate() {
        places.insert((span.trace.clone(), span.id.clone()), i);
    }
    for record in records {
        let key = (record.trace.clone(), record.id.clone());
        let at = *places.entry(key).or_insert_with(|| {
            let Raw { trace, id, start_ns, end_ns, .. } = &record;
            let (trace, id, name) = (trace.clone(), id.clone(), "log record".to_owned());
            spans.push(Raw {
                trace,
                id,
                name,
                start_ns: *start_ns,
                end_ns: *end_ns,
                ..Raw::default()
            });
            spans.len() - 1
        });
        let span = &mut spans[at];
        span.end_ns = span.end_ns.max(record.end_ns);
        span.events.extend(record.events);
        for (name, value) in record.attributes {
            if name.starts_with("gen_ai.") {
                span.attributes.entry(name).or_insert(value);
            }
        }
    }
    let mut all = Vec::new();
    let mut agents: HashMap<String, (u64, BTreeMap<String, Value>)> = HashMap::new();
    for span in spans {
        let sort = span.kind();
        let own = span.structure("graphground.step").and_then(|v| serde_json::from_value(v).ok());
        let what = match (own, sort) {
            (Some(step), _) => What::Step(step),
            (None, Sort::Turn) => What::Turn(Box::new(exchange(&span, report))),
            (None, Sort::Call) => called(&span),
            (None, Sort::Around) => What::Around {
                input: input_of(&span, report),
                output: messages_of(&span, &OUTPUTS, "assistant", report),
            },
            (None, Sort::Other) => {
                let names = ["gen_ai.operation.name", "openinference.span.kind", "ai.operationId"];
                let kind = span.first(&names);
                let kind = if kind.is_empty() { span.name.as_str() } else { kind };
                report.left_out("span| of the kind", kind);
                continue;
            }
            (None, Sort::None) => {
                report.left_out("span| of no model and no tool, named", &span.name);
                continue;
            }
        };
        let Raw { trace, id, parent, name, start_ns, end_ns, attributes, failure, .. } = span;
        if sort == Sort::Around || attributes.contains_key("gen_ai.conversation.id") {
            let kept = agents.entry(trace.clone()).or_insert((start_ns, BTreeMap::new()));
            if start_ns < kept.0 {
                kept.0 = start_ns;
                let later = std::mem::replace(&mut kept.1, attributes);
                for (name, value) in later {
                    kept.1.entry(name).or_insert(value);
                }
            } else {
                for (name, value) in attributes {
                    kept.1.entry(name).or_insert(value);
                }
            }
        }
        all.push(Span { trace, id, parent, name, start_ns, end_ns, failure, what });
    }
    if all.is_empty() {
        return Err(parts::missing(
            "the file",
            "span with `gen_ai.operation.name`, `openinference.span.kind` or `ai.operationId`",
            "a trace of a model",
        ));
    }
    for (trace, attributes) in evaluations {
        let kept = agents.entry(trace).or_default();
        for (name, value) in attributes {
            kept.1.entry(name).or_insert(value);
        }
    }
    let groups = spans::by_trace(all).into_iter().enumerate();
    groups
        .map(|(i, group)| {
            let trace = group.first().map(|s| s.trace.clone()).unwrap_or_default();
            let attributes = agents.remove(&trace).unwrap_or_default().1;
            let about = about(&Raw { trace, attributes, ..Raw::default() });
            spans::record(group, i, about, report)
        })
        .collect()
}

fn about(agent: &Raw) -> About {
    let score = agent.attributes.get("gen_ai.evaluation.score.value").and_then(Value::as_f64);
    let score = score.map(|value| RecordScore {
        name: agent.text("gen_ai.evaluation.name").to_owned(),
        label: agent.text("gen_ai.evaluation.score.label").to_owned(),
        value,
        explanation: agent.text("gen_ai.evaluation.explanation").to_owned(),
    });
    let names = ["gen_ai.conversation.id", "session.id", "langfuse.session.id"];
    let id = match agent.first(&names) {
        "" => agent.trace.as_str(),
        id => id,
    };
    let stop = agent.structure("graphground.stop");
    About {
        id: id.to_owned(),
        task: agent.text("graphground.task").to_owned(),
        system: agent.text("gen_ai.agent.name").to_owned(),
        stop: stop.and_then(|stop| serde_json::from_value(stop).ok()),
        tools: tools_of(agent),
        score,
        ..About::default()
    }
}
