//! Runs of LangSmith, as its page and its SDK export them: a list or a line for each run, or a tree.

use std::collections::BTreeMap;

use llm::ToolCall;
use serde_json::{Map, Value};

use super::report::Report;
use super::spans::{self, About, Exchange, Span, What};
use super::{Format, FormatError, messages, moment, parts};
use crate::{Record, RecordScore};

pub(super) const FORMAT: Format = Format {
    id: "langsmith",
    title: "LangSmith export",
    extensions: &["json", "jsonl"],
    reads: "runs in a list, a line each or nested; models, tools, errors, tokens, the first feedback",
    loses: "runs of other types, images and sounds",
    keeps: "",
    take: read,
    write: None,
    is_it,
};

fn is_run(value: &Value) -> bool {
    value.get("run_type").is_some_and(Value::is_string)
        && ["inputs", "outputs", "trace_id", "child_runs"].iter().any(|n| value.get(*n).is_some())
}

fn is_it(value: &Value) -> bool {
    items(value).iter().take(8).any(is_run)
}

fn items(value: &Value) -> &[Value] {
    let within = ["runs", "data", "traces"].into_iter().map(|name| parts::list(value, name));
    match value {
        Value::Array(list) => list,
        value => within.into_iter().find(|l| !l.is_empty()).unwrap_or(std::slice::from_ref(value)),
    }
}

fn ns(value: Option<&Value>) -> u64 {
    match value {
        Some(Value::String(text)) => moment::parse(text).map_or(0, |ms| (ms * 1e3) as u64 * 1_000),
        // Milliseconds, as JavaScript has them.
        Some(value) => value.as_f64().map_or(0, |ms| (ms * 1e3) as u64 * 1_000),
        None => 0,
    }
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut all = Vec::new();
    let mut about: BTreeMap<String, About> = BTreeMap::new();
    // A tree as a list, those around others first.
    let mut open: Vec<(&Value, &str, &str)> =
        values.iter().flat_map(items).rev().map(|v| (v, "", "")).collect();
    while let Some((value, trace, parent)) = open.pop() {
        if !is_run(value) {
            report.left_out("value| that are no runs", "");
            continue;
        }
        let id = parts::text(value, "id");
        let own = |name: &str, else_: &'_ str| match parts::text(value, name) {
            "" => else_.to_owned(),
            found => found.to_owned(),
        };
        let parent = own("parent_run_id", parent);
        let trace_of = own("trace_id", if trace.is_empty() { id } else { trace });
        if parent.is_empty() || !about.contains_key(&trace_of) {
            about.insert(trace_of.clone(), about_of(value, trace_of.clone(), report));
        }
        let kept = if trace.is_empty() { id } else { trace };
        open.extend(parts::list(value, "child_runs").iter().rev().map(|v| (v, kept, id)));
        if let Some(what) = what(value, report) {
            let start_ns = ns(value.get("start_time"));
            let failure = parts::text(value, "error");
            all.push(Span {
                trace: trace_of,
                id: id.to_owned(),
                parent,
                name: parts::text(value, "name").to_owned(),
                start_ns,
                end_ns: ns(value.get("end_time")).max(start_ns),
                failure: (!failure.is_empty()).then(|| failure.to_owned()),
                what,
            });
        }
    }
    if all.is_empty() {
        return Err(parts::missing("the file", "run with `run_type`", "a LangSmith export"));
    }
    let groups = spans::by_trace(all).into_iter().enumerate();
    groups
        .map(|(i, group)| {
            let id = group.first().map(|s| s.trace.clone()).unwrap_or_default();
            let about = about.remove(&id).unwrap_or_default();
            spans::record(group, i, about, report)
        })
        .collect()
}

fn about_of(value: &Value, id: String, report: &mut Report) -> About {
    let mut metadata = Map::new();
    for name in ["name", "tags", "session_name", "reference_example_id"] {
        if let Some(found) = value.get(name).filter(|v| !v.is_null()) {
            metadata.insert(name.into(), found.clone());
        }
    }
    if let Some(Value::Object(map)) = value.get("extra").and_then(|e| e.get("metadata")) {
        metadata.extend(map.clone());
    }
    let stats = value.get("feedback_stats").and_then(Value::as_object).into_iter().flatten();
    let mut stats = stats.filter(|(_, v)| v.get("avg").is_some());
    let score = stats.next().map(|(name, found)| {
        let value = found.get("avg").and_then(Value::as_f64).unwrap_or(0.0);
        let words = parts::list(found, "comments").iter().filter_map(Value::as_str);
        let explanation = words.collect::<Vec<_>>().join("; ");
        RecordScore { name: name.clone(), label: value.to_string(), value, explanation }
    });
    for (name, _) in stats {
        report.left_out("further score| named", name);
    }
    About { id, score, metadata, ..About::default() }
}

fn what(value: &Value, report: &mut Report) -> Option<What> {
    let field = |name: &str| value.get(name).unwrap_or(&Value::Null);
    let (inputs, outputs) = (field("inputs"), field("outputs"));
    Some(match parts::text(value, "run_type") {
        "llm" => {
            let params = value.get("extra").and_then(|e| e.get("invocation_params"));
            let params = params.unwrap_or(&Value::Null);
            let about = value.get("extra").and_then(|e| e.get("metadata")).unwrap_or(&Value::Null);
            let names = [
                parts::text(about, "ls_model_name"),
                parts::text(params, "model"),
                parts::text(params, "model_name"),
                parts::text(inputs, "model"),
            ];
            let offered = [parts::list(params, "tools"), parts::list(inputs, "tools")].concat();
            let mut usage = messages::usage(Some(value));
            for inner in ["usage_metadata", "usage", "llm_output"] {
                let found = outputs.get(inner).or_else(|| about.get(inner));
                let found = found.map(|v| v.get("token_usage").unwrap_or(v));
                if usage.total().is_none() {
                    usage = messages::usage(found);
                }
            }
            What::Turn(Box::new(Exchange {
                input: messages::said_in(inputs, "user", report),
                output: messages::said_in(outputs, "assistant", report),
                model: names.into_iter().find(|n| !n.is_empty()).unwrap_or_default().to_owned(),
                tools: parts::tools_in(&offered),
                usage,
                finish: None,
            }))
        }
        "tool" => {
            let single = |v: &Value, name: &str| match v.as_object() {
                Some(map) if map.len() == 1 => map.get(name).cloned(),
                _ => None,
            };
            let arguments = single(inputs, "input").unwrap_or_else(|| inputs.clone());
            let output = single(outputs, "output").unwrap_or_else(|| outputs.clone());
            let mut said = Vec::new();
            // A tool's message has the id of its call, and its error.
            if messages::is_message(&output) {
                messages::read(&output, &mut said, report);
            }
            let (id, result, failed) = match said.pop() {
                Some((message, turn)) => {
                    let id = message.tool_call_id.unwrap_or_default();
                    (id, message.content, turn.failed.map(|e| e.code))
                }
                None => (String::new(), parts::arguments(Some(&output)), None),
            };
            let name = parts::text(value, "name").to_owned();
            let call = ToolCall { id, name, arguments: parts::arguments(Some(&arguments)) };
            let result = (!result.is_empty() || !outputs.is_null()).then_some(result);
            What::Call { call, result, code: failed.unwrap_or_default() }
        }
        "chain" | "prompt" | "parser" => What::Around {
            input: messages::said_in(inputs, "user", report),
            output: messages::said_in(outputs, "assistant", report),
        },
        kind => {
            report.left_out("run| of the type", kind);
            return None;
        }
    })
}
