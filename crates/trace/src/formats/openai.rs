//! OpenAI messages, one run a line: what fine-tuning and most viewers read.

use serde_json::{Map, Value, json};

use super::parts::{self, Turn};
use super::{Format, FormatError};
use crate::Record;

pub(super) const FORMAT: Format = Format {
    id: "openai",
    title: "OpenAI messages (JSON lines)",
    extension: "messages.jsonl",
    lede: "One conversation a line, for fine-tuning and viewers; without times and without the \
           graph.",
    read,
    write,
    is_it,
};

fn is_it(value: &Value) -> bool {
    let first = value.get(0).unwrap_or(value);
    first.get("messages").is_some_and(Value::is_array)
        || (value.is_array() && first.get("role").is_some() && first.get("content").is_some())
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
        line.insert("metadata".into(), metadata.into());
        out.push_str(&Value::Object(line).to_string());
        out.push('\n');
    }
    out
}

fn read(text: &str) -> Result<Vec<Record>, FormatError> {
    // One value is one conversation, or a list of them; else every line is one.
    if let Ok(value) = parts::json(text, "the file") {
        return match &value {
            Value::Array(list) if list.iter().all(|v| v.get("messages").is_some()) => {
                list.iter().enumerate().map(|(i, v)| record(v, i)).collect()
            }
            Value::Array(_) => Ok(vec![record(&json!({ "messages": value }), 0)?]),
            _ => Ok(vec![record(&value, 0)?]),
        };
    }
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(i, line)| record(&parts::json(line, &format!("line {}", i + 1))?, i))
        .collect()
}

fn record(value: &Value, index: usize) -> Result<Record, FormatError> {
    let place = format!("conversation {}", index + 1);
    let messages = value
        .get("messages")
        .and_then(Value::as_array)
        .ok_or_else(|| parts::missing(&place, "list `messages`", "the format"))?;
    let messages = messages
        .iter()
        .enumerate()
        .map(|(k, m)| {
            let message = parts::message_in(m).ok_or_else(|| {
                parts::missing(
                    &format!("message {} of {place}", k + 1),
                    "`role` of system, user, assistant or tool",
                    "the format",
                )
            })?;
            Ok((message, Turn::default()))
        })
        .collect::<Result<Vec<_>, FormatError>>()?;
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
    let score = metadata.shift_remove("score").and_then(|s| serde_json::from_value(s).ok());
    let mut trace = parts::assemble(&system, &model, messages)?;
    trace.tools = parts::tools_in(parts::list(value, "tools"));
    let id = if id.is_empty() { (index + 1).to_string() } else { id };
    Ok(Record { id, task, score, metadata, ..Record::of(trace) })
}
