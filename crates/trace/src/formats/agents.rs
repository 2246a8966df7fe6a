//! Traces of OpenAI's Agents SDK, as its exporters write them: traces and spans as objects, in a
//! list or a line each.

use std::collections::BTreeMap;

use llm::ToolCall;
use serde_json::{Map, Value};

use super::report::Report;
use super::spans::{self, About, Exchange, Span, What};
use super::{Format, FormatError, messages, moment, parts};
use crate::{Record, StepBody};

pub(super) const FORMAT: Format = Format {
    id: "agents",
    title: "OpenAI Agents SDK trace",
    extensions: &["json", "jsonl"],
    reads: "traces and their spans: generations, responses, functions, handoffs, guardrails, errors",
    loses: "what a response says, where the file has only its id; spans of speech and of lists of \
            tools",
    keeps: "",
    take: read,
    write: None,
    is_it,
};

fn is_it(value: &Value) -> bool {
    let is_one = |v: &Value| {
        let kind = parts::text(v, "object");
        kind == "trace.span" || (kind == "trace" && v.get("workflow_name").is_some())
    };
    items(value).iter().take(8).any(is_one)
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(list) => list,
        value if !parts::list(value, "data").is_empty() => parts::list(value, "data"),
        value => std::slice::from_ref(value),
    }
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let ns = |text: &str| moment::parse(text).map_or(0, |ms| (ms * 1e3) as u64 * 1_000);
    let mut all = Vec::new();
    let mut about: BTreeMap<String, About> = BTreeMap::new();
    for value in values.iter().flat_map(items) {
        match parts::text(value, "object") {
            "trace" => {
                let id = parts::text(value, "id").to_owned();
                let mut metadata = Map::new();
                for name in ["workflow_name", "group_id", "metadata"] {
                    if let Some(found) = value.get(name).filter(|v| !v.is_null()) {
                        metadata.insert(name.into(), found.clone());
                    }
                }
                about.insert(id.clone(), About { id, metadata, ..About::default() });
            }
            "trace.span" => {
                let data = value.get("span_data").unwrap_or(&Value::Null);
                let Some((name, what)) = what(data, report) else { continue };
                let failure = value.get("error").filter(|e| e.is_object()).map(|error| {
                    let more = error.get("data").filter(|d| !d.is_null());
                    let more = more.map_or_else(String::new, |d| format!(" {d}"));
                    format!("{}{more}", parts::text(error, "message"))
                });
                let start_ns = ns(parts::text(value, "started_at"));
                all.push(Span {
                    trace: parts::text(value, "trace_id").to_owned(),
                    id: parts::text(value, "id").to_owned(),
                    parent: parts::text(value, "parent_id").to_owned(),
                    name,
                    start_ns,
                    end_ns: ns(parts::text(value, "ended_at")).max(start_ns),
                    failure,
                    what,
                });
            }
            other => report.left_out("object| of the kind", other),
        }
    }
    if all.is_empty() {
        return Err(parts::missing("the file", "object `trace.span`", "a trace of the Agents SDK"));
    }
    spans::records(all, about, report)
}

fn what(data: &Value, report: &mut Report) -> Option<(String, What)> {
    let field = |name: &str| data.get(name).unwrap_or(&Value::Null);
    let name = parts::text(data, "name").to_owned();
    let note = |text: String| What::Step(StepBody::Note { text });
    Some(match parts::text(data, "type") {
        "generation" => {
            let exchange = Exchange {
                input: messages::said_in(field("input"), "user", report),
                output: messages::said_in(field("output"), "assistant", report),
                model: parts::text(data, "model").to_owned(),
                usage: messages::usage(data.get("usage")),
                ..Exchange::default()
            };
            ("generation".into(), What::Turn(Box::new(exchange)))
        }
        "response" => {
            let response = field("response");
            let exchange = Exchange {
                input: messages::said_in(field("input"), "user", report),
                output: messages::said_in(response, "assistant", report),
                model: parts::text(response, "model").to_owned(),
                tools: parts::tools_in(parts::list(response, "tools")),
                usage: messages::usage(response.get("usage").or(data.get("usage"))),
                ..Exchange::default()
            };
            ("response".into(), What::Turn(Box::new(exchange)))
        }
        "function" => {
            let arguments = parts::arguments(data.get("input"));
            let result = Some(parts::arguments(data.get("output")));
            let call = ToolCall { id: String::new(), name: name.clone(), arguments };
            (name, What::Call { call, result, code: String::new() })
        }
        // Tasks and turns of the SDK are of the kind that a program's own spans have.
        kind if kind == "agent" || field("data").get("sdk_span_type").is_some() => {
            (name, What::Around { input: Vec::new(), output: Vec::new() })
        }
        "handoff" => {
            let (from, to) = (parts::text(data, "from_agent"), parts::text(data, "to_agent"));
            (name, note(format!("{from} hands over to {to}")))
        }
        "guardrail" => {
            let is_triggered = data.get("triggered") == Some(&Value::Bool(true));
            let words = if is_triggered { "stops the run" } else { "lets it pass" };
            let text = format!("the guardrail {name} {words}");
            (name, note(text))
        }
        kind => {
            report.left_out("span| of the type", kind);
            return None;
        }
    })
}
