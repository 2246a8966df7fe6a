//! Traces of Langfuse, as its API, its page and its storage export them: traces with their
//! observations in them, traces alone, or observations alone.

use std::collections::{BTreeMap, HashSet};

use llm::ToolCall;
use serde_json::{Map, Value, json};

use super::messages::{self, Said};
use super::report::Report;
use super::spans::{self, About, Exchange, Span, What};
use super::{Format, FormatError, moment, parts};
use crate::{Record, RecordScore};

pub(super) const FORMAT: Format = Format {
    id: "langfuse",
    title: "Langfuse export",
    extensions: &["json", "jsonl"],
    reads: "traces with their observations, traces alone or observations alone, from the API, the \
            page or the storage; generations, tools, errors, tokens, the first score",
    loses: "observations of other kinds, images and sounds",
    keeps: "",
    take: read,
    write: None,
    is_it,
};

const KINDS: [&str; 10] = [
    "SPAN",
    "GENERATION",
    "EVENT",
    "AGENT",
    "TOOL",
    "CHAIN",
    "RETRIEVER",
    "EVALUATOR",
    "EMBEDDING",
    "GUARDRAIL",
];

/// A field by its name, which the storage writes with underscores.
fn get<'a>(value: &'a Value, name: &str) -> &'a Value {
    let found = value.get(name).or_else(|| {
        let mut other = String::new();
        for c in name.chars() {
            if c.is_uppercase() {
                other.push('_');
            }
            other.push(c.to_ascii_lowercase());
        }
        value.get(&other)
    });
    found.unwrap_or(&Value::Null)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    get(value, name).as_str().unwrap_or_default()
}

fn is_observation(value: &Value) -> bool {
    !text(value, "traceId").is_empty()
        && !text(value, "startTime").is_empty()
        && KINDS.contains(&text(value, "type").to_uppercase().as_str())
}

fn is_trace(value: &Value) -> bool {
    let has = |name: &str| !get(value, name).is_null();
    let is_kept = value.as_object().is_some_and(|m| {
        ["projectId", "project_id", "htmlPath", "bookmarked", "sessionId", "session_id"]
            .iter()
            .any(|name| m.contains_key(*name))
    });
    has("id")
        && has("timestamp")
        && (is_kept || value.get("observations").is_some_and(Value::is_array))
        && (has("input") || has("output") || has("observations"))
}

fn is_it(value: &Value) -> bool {
    items(value).iter().take(8).any(|v| is_observation(v) || is_trace(v))
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        value if !parts::list(value, "data").is_empty() => parts::list(value, "data"),
        // As the page downloads one trace.
        value if value.get("trace").is_some_and(is_trace) => std::slice::from_ref(&value["trace"]),
        value => std::slice::from_ref(value),
    }
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut all = Vec::new();
    let mut about: BTreeMap<String, About> = BTreeMap::new();
    // The download of one trace has its observations twice, and in one place without what they say.
    let downloaded = values.iter().filter(|v| v.get("trace").is_some_and(is_trace));
    let beside: Vec<Value> =
        downloaded.flat_map(|v| parts::list(v, "observations")).cloned().collect();
    let of_beside: HashSet<&str> = beside.iter().map(|v| text(v, "id")).collect();
    for value in values.iter().flat_map(items).chain(&beside) {
        if is_observation(value) {
            let id = text(value, "traceId").to_owned();
            if text(value, "parentObservationId").is_empty() && !about.contains_key(&id) {
                about.insert(id.clone(), about_of(value, id, report));
            }
            all.extend(observation(value, report));
        } else if is_trace(value) {
            let id = text(value, "id").to_owned();
            let start_ns = ns(text(value, "timestamp"));
            let mut inner = Vec::new();
            for observation_of in parts::list(value, "observations") {
                if of_beside.contains(text(observation_of, "id")) {
                    continue;
                }
                if is_observation(observation_of) {
                    inner.extend(observation(observation_of, report));
                } else {
                    report.left_out("observation| without its fields", "");
                }
            }
            // The trace is around its observations, which have no parent.
            let what = around(value, report);
            let name = text(value, "name").to_owned();
            all.push(Span {
                trace: id.clone(),
                id: String::new(),
                parent: String::new(),
                name,
                start_ns,
                end_ns: inner.iter().map(|s| s.end_ns).max().unwrap_or(start_ns),
                failure: None,
                what,
            });
            all.append(&mut inner);
            about.insert(id.clone(), about_of(value, id, report));
        } else {
            report.left_out("value| that are neither traces nor observations", "");
        }
    }
    if all.is_empty() {
        return Err(parts::missing("the file", "trace with `observations`", "a Langfuse export"));
    }
    spans::records(all, about, report)
}

fn about_of(value: &Value, id: String, report: &mut Report) -> About {
    let mut metadata = Map::new();
    for name in ["name", "sessionId", "userId", "tags", "metadata", "version", "release"] {
        let found = get(value, name);
        let is_void = found.is_null() || *found == json!([]) || *found == json!({}) || *found == "";
        if !is_void {
            metadata.insert(name.into(), found.clone());
        }
    }
    let mut scores = parts::list(value, "scores").iter().filter(|s| s.is_object());
    let score = scores.next().map(|score| {
        let word = text(score, "stringValue");
        let value = get(score, "value");
        let label = match (word, value) {
            ("", Value::String(label)) => label.clone(),
            ("", value) => value.to_string(),
            (word, _) => word.to_owned(),
        };
        RecordScore {
            name: text(score, "name").to_owned(),
            label,
            value: value.as_f64().unwrap_or(0.0),
            explanation: text(score, "comment").to_owned(),
        }
    });
    for score in scores {
        report.left_out("further score| named", text(score, "name"));
    }
    About { id, score, metadata, ..About::default() }
}

fn around(value: &Value, report: &mut Report) -> What {
    let (input, output) = (get(value, "input"), get(value, "output"));
    What::Around {
        input: messages::said_in(input, "user", report),
        output: messages::said_in(output, "assistant", report),
    }
}

fn ns(text: &str) -> u64 {
    moment::parse(text).map_or(0, |ms| (ms * 1e3) as u64 * 1_000)
}

fn observation(value: &Value, report: &mut Report) -> Option<Span> {
    let name = text(value, "name").to_owned();
    let what = match text(value, "type").to_uppercase().as_str() {
        "GENERATION" => What::Turn(Box::new(generation(value, report))),
        "TOOL" => {
            let (input, output) = (get(value, "input"), get(value, "output"));
            let id =
                get(value, "metadata").get("tool_call_id").or_else(|| output.get("tool_call_id"));
            let id = id.and_then(Value::as_str).unwrap_or_default().to_owned();
            let result =
                match output.get("content").filter(|_| output.get("tool_call_id").is_some()) {
                    Some(content) => messages::result_text(Some(content), report),
                    None => parts::arguments(Some(output)),
                };
            let call =
                ToolCall { id, name: name.clone(), arguments: parts::arguments(Some(input)) };
            let result = (!output.is_null()).then_some(result);
            What::Call { call, result, code: String::new() }
        }
        "SPAN" | "AGENT" | "CHAIN" => around(value, report),
        kind => {
            report.left_out("observation| of the type", kind);
            return None;
        }
    };
    let failed = text(value, "level") == "ERROR";
    let words = text(value, "statusMessage");
    let words = if words.is_empty() { "the observation ended with an error" } else { words };
    let start_ns = ns(text(value, "startTime"));
    Some(Span {
        trace: text(value, "traceId").to_owned(),
        id: text(value, "id").to_owned(),
        parent: text(value, "parentObservationId").to_owned(),
        name,
        start_ns,
        end_ns: ns(text(value, "endTime")).max(start_ns),
        failure: failed.then(|| words.to_owned()),
        what,
    })
}

fn generation(value: &Value, report: &mut Report) -> Exchange {
    let parsed = |name: &str| match get(value, name) {
        Value::String(text) => messages::structure(text).unwrap_or_else(|| text.as_str().into()),
        other => other.clone(),
    };
    let (mut input, output) = (parsed("input"), parsed("output"));
    let mut tools = parts::tools_in(parts::list(&input, "tools"));
    // LangChain's tools stand among the messages.
    let list = match &mut input {
        Value::Array(list) => Some(list),
        Value::Object(map) => map.get_mut("messages").and_then(Value::as_array_mut),
        _ => None,
    };
    if let Some(list) = list {
        let is_tool = |v: &Value| {
            parts::text(v, "role") == "tool"
                && v.get("content").is_some_and(|c| parts::text(c, "type") == "function")
        };
        let (offered, said): (Vec<Value>, Vec<Value>) =
            std::mem::take(list).into_iter().partition(is_tool);
        let offered: Vec<Value> = offered.iter().map(|v| v["content"].clone()).collect();
        tools.extend(parts::tools_in(&offered));
        *list = said;
    }
    let mut usage = messages::usage(Some(get(value, "usageDetails")));
    if usage.total().is_none() {
        usage = messages::usage(Some(get(value, "usage")));
    }
    if usage.total().is_none() {
        usage = messages::usage(Some(value));
    }
    let output: Vec<Said> = messages::said_in(&output, "assistant", report);
    Exchange {
        input: messages::said_in(&input, "user", report),
        output,
        model: text(value, "model").to_owned(),
        tools,
        usage,
        finish: None,
    }
}
