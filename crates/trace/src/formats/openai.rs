//! OpenAI messages, one run a line: what fine-tuning and most viewers read. Read are the messages of
//! other protocols too, as one list, one conversation a line, or one message a line.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::messages::{self, entry, is_message};
use super::report::Report;
use super::{Format, FormatError, parts, readable};
use crate::{Record, RecordScore};

pub(super) const FORMAT: Format = Format {
    id: "openai",
    title: "OpenAI messages (JSON lines)",
    extensions: &["messages.jsonl", "jsonl", "json"],
    reads: "messages of chat completions, the Responses protocol, Anthropic, Gemini, LangChain and \
            agents' logs, as one list, a conversation a line or a message a line",
    loses: "images, sounds and files, fields that no protocol has",
    keeps: "messages, calls, results; not times, tokens and the graph",
    take: read,
    write: Some(write),
    is_it,
};

fn is_it(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().take(8).any(|v| is_conversation(v) || is_message(v)),
        value => is_conversation(value) || is_message(value) || are_simulations(value),
    }
}

/// A conversation, or a request with its answer in the Responses protocol's fields.
fn is_conversation(value: &Value) -> bool {
    let is_list = |name: &str| value.get(name).is_some_and(Value::is_array);
    let has = |name: &str| parts::list(value, name).iter().take(8).any(is_message);
    is_list("messages") || has("input") || has("traj")
}

/// Results of a benchmark of agents, with the tries of every task.
fn are_simulations(value: &Value) -> bool {
    parts::list(value, "simulations").iter().take(8).any(is_conversation)
}

/// The tries in such results, each with the model that all are of.
fn simulations(value: &mut Value) -> Vec<Value> {
    let model = value["info"]["agent_info"]["llm"].as_str().unwrap_or_default().to_owned();
    let Value::Array(mut tries) = value["simulations"].take() else { return Vec::new() };
    for one in tries.iter_mut().filter_map(Value::as_object_mut) {
        one.entry("model").or_insert_with(|| model.clone().into());
    }
    tries
}

fn write(records: &[Record]) -> String {
    let mut out = String::new();
    for record in records {
        let messages: Vec<Value> = parts::messages_of(&record.trace)
            .iter()
            .map(|(message, _)| parts::message_out(message))
            .collect();
        let mut line = Map::new();
        line.insert("messages".into(), messages.into());
        if !record.trace.tools.is_empty() {
            line.insert("tools".into(), parts::tools_out(&record.trace.tools));
        }
        let mut metadata = record.metadata.clone();
        metadata.insert("id".into(), record.id.clone().into());
        metadata.insert("task".into(), record.task.clone().into());
        metadata.insert("system".into(), record.trace.system.clone().into());
        metadata.insert("model".into(), record.trace.model.clone().into());
        if let Some(score) = &record.score {
            metadata.insert("score".into(), json!(score));
        }
        if let Some(stop) = &record.trace.stop {
            metadata.insert("stop".into(), json!(stop));
        }
        line.insert("metadata".into(), metadata.into());
        out.push_str(&Value::Object(line).to_string());
        out.push('\n');
    }
    out
}

fn read(values: Vec<Value>, report: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut conversations = Vec::new();
    // Logs of agents have one message a line, some those of several sessions.
    let mut sessions: BTreeMap<String, usize> = BTreeMap::new();
    for mut value in values {
        if are_simulations(&value) {
            conversations.extend(simulations(&mut value));
            continue;
        }
        match value {
            Value::Array(list) if list.iter().any(is_conversation) => conversations.extend(list),
            Value::Array(_) => conversations.push(json!({ "messages": value })),
            value if is_conversation(&value) => conversations.push(value),
            value if is_message(&value) => {
                let names = ["sessionId", "session_id", "conversation_id"];
                let session = names.map(|name| parts::text(&value, name)).concat();
                let at = *sessions.entry(session.clone()).or_insert_with(|| {
                    let metadata = json!({ "id": session });
                    conversations.push(json!({ "messages": [], "metadata": metadata }));
                    conversations.len() - 1
                });
                if let Some(messages) = conversations[at]["messages"].as_array_mut() {
                    messages.push(value);
                }
            }
            value => report.left_out("value| of the type", parts::text(&value, "type")),
        }
    }
    if conversations.is_empty() {
        return Err(parts::missing("the file", "list `messages`", "the format"));
    }
    let all = conversations.iter().enumerate().map(|(i, v)| record(v, i, report)).collect();
    readable(all, report)
}

/// Fields of a conversation that are read.
const READ: [&str; 11] = [
    "messages",
    "traj",
    "trial",
    "input",
    "output",
    "system",
    "instructions",
    "metadata",
    "model",
    "tools",
    "functions",
];

/// A score as we write it, or as a number, a truth or a word.
fn score_in(value: Value) -> Option<RecordScore> {
    let number = value.as_f64().or_else(|| value.as_bool().map(f64::from));
    match (number, &value) {
        (Some(number), _) => {
            let name = "score".to_owned();
            Some(RecordScore {
                name,
                label: value.to_string(),
                value: number,
                explanation: String::new(),
            })
        }
        (None, Value::Object(_)) => serde_json::from_value(value).ok(),
        _ => None,
    }
}

fn record(value: &Value, index: usize, report: &mut Report) -> Result<Record, FormatError> {
    let place = format!("conversation {}", index + 1);
    let mut messages = Vec::new();
    // Protocols that have the rules outside of the messages.
    for name in ["system", "instructions"] {
        let rules = json!({ "role": "system", "content": value.get(name) });
        if value.get(name).is_some_and(|v| v.is_string() || v.is_array()) {
            messages::read(&rules, &mut messages, report);
        }
    }
    let list = value
        .get("messages")
        .or_else(|| value.get("input"))
        .or_else(|| value.get("traj"))
        .and_then(Value::as_array)
        .ok_or_else(|| parts::missing(&place, "list `messages`", "the format"))?;
    let mut is_any = list.is_empty();
    for message in list.iter().chain(parts::list(value, "output")) {
        is_any |= messages::read(entry(message), &mut messages, report);
    }
    if !is_any {
        return Err(parts::missing(
            &format!("message 1 of {place}"),
            "`role` of system, user, assistant or tool",
            "the format",
        ));
    }
    let mut metadata =
        value.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut take = |name: &str| match metadata.shift_remove(name) {
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let (id, task, system) = (take("id"), take("task"), take("system"));
    let model = match take("model") {
        model if model.is_empty() => parts::text(value, "model").to_owned(),
        model => model,
    };
    let score = metadata.shift_remove("score").and_then(score_in);
    let stop = metadata.shift_remove("stop").and_then(|s| serde_json::from_value(s).ok());
    let mut trace = parts::assemble(&system, &model, messages, stop, report)?;
    let offered = [parts::list(value, "tools"), parts::list(value, "functions")].concat();
    trace.tools = parts::tools_in(&offered);
    // What a program puts beside the messages says which conversation it is and how good.
    let (mut id, mut task, mut score) = (id, task, score);
    for (name, field) in value.as_object().into_iter().flatten() {
        let is_void = field.is_null() || *field == json!([]) || *field == json!({});
        let short = || field.as_str().map_or_else(|| field.to_string(), str::to_owned);
        match name.as_str() {
            _ if is_void || READ.contains(&name.as_str()) => {}
            "id" | "task_id" | "conversation_id" if id.is_empty() => id = short(),
            "task" if task.is_empty() && field.is_string() => task = short(),
            "score" | "reward" if score.is_none() => {
                score = score_in(field.clone());
                if score.is_none() {
                    metadata.insert(name.clone(), field.clone());
                }
            }
            "reward_info" if score.is_none() && field.get("reward").is_some() => {
                score = score_in(field["reward"].clone());
            }
            _ => _ = metadata.entry(name.clone()).or_insert_with(|| field.clone()),
        }
    }
    let id = if id.is_empty() { (index + 1).to_string() } else { id };
    // Benchmarks of agents put each task several times.
    let id = match value.get("trial").and_then(Value::as_u64) {
        Some(_) if value.get("id").is_some() => id,
        Some(trial) => format!("{id} trial {trial}"),
        None => id,
    };
    Ok(Record { id, task, score, metadata, ..Record::of(trace) })
}
