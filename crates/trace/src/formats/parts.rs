//! What several formats share: reading JSON that may be hostile, messages of the chat completions
//! shape, and a conversation put together to a trace.

use std::borrow::Cow;
use std::collections::BTreeMap;

use llm::{FinishReason, Message, Role, ToolCall, ToolSpec, Usage};
use serde_json::{Map, Value, json};

use super::{FormatError, MAX_STEPS};
use crate::{Effects, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace};

/// Parses JSON. Lone halves of surrogate pairs, which other programs write, become U+FFFD; more
/// than 128 levels of nesting are an error.
pub(super) fn json(text: &str, place: &str) -> Result<Value, FormatError> {
    let failed = |e: serde_json::Error| FormatError::NotJson {
        place: place.to_owned(),
        reason: e.to_string(),
    };
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) => {
            let Cow::Owned(repaired) = without_lone_surrogates(text) else {
                return Err(failed(error));
            };
            serde_json::from_str(&repaired).map_err(failed)
        }
    }
}

/// Replaces `\uD800` to `\uDFFF` that are no pairs; borrowed if there are none.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| -> Option<u32> {
        let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(hex, 16).ok()
    };
    let bytes = text.as_bytes();
    let mut out: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                let out = out.get_or_insert_default();
                out.push_str(&text[copied..at]);
                out.push_str("\\uFFFD");
                at += 6;
                copied = at;
            }
            // The character after a backslash is not the start of another escape. It may be the
            // start of a longer character, whose further bytes are no backslashes.
            _ => at += 2,
        }
    }
    match out {
        Some(mut out) => {
            out.push_str(&text[copied..]);
            Cow::Owned(out)
        }
        None => Cow::Borrowed(text),
    }
}

pub(super) fn missing(place: &str, missing: &str, format: &'static str) -> FormatError {
    FormatError::Shape { place: place.to_owned(), missing: missing.to_owned(), format }
}

pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A role by any of the names that programs use.
pub(super) fn role(name: &str) -> Option<Role> {
    Some(match name {
        "system" | "developer" => Role::System,
        "user" | "human" => Role::User,
        "assistant" | "agent" | "model" | "ai" => Role::Assistant,
        "tool" | "function" => Role::Tool,
        _ => return None,
    })
}

/// A text that may be a list of parts; `reasoning` parts come apart.
pub(super) fn content(value: Option<&Value>) -> (String, Option<String>) {
    match value {
        Some(Value::String(text)) => (text.clone(), None),
        Some(Value::Array(parts)) => {
            let (mut said, mut thought) = (String::new(), String::new());
            for part in parts {
                match text(part, "type") {
                    "reasoning" | "thinking" => {
                        for name in ["reasoning", "thinking", "content", "text"] {
                            thought.push_str(text(part, name));
                        }
                    }
                    _ => said.push_str(part.as_str().unwrap_or_else(|| text(part, "text"))),
                }
            }
            (said, (!thought.is_empty()).then_some(thought))
        }
        _ => (String::new(), None),
    }
}

/// Arguments as a string, whichever way a format has them.
pub(super) fn arguments(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(value) => value.to_string(),
    }
}

/// Arguments as an object, for formats that want one; what is not JSON is kept as a string.
pub(super) fn arguments_object(call: &ToolCall) -> Value {
    match serde_json::from_str::<Value>(&call.arguments) {
        Ok(Value::Object(map)) => Value::Object(map),
        Ok(other) => json!({ "_value": other }),
        Err(_) if call.arguments.trim().is_empty() => json!({}),
        Err(_) => json!({ "_not_json": call.arguments }),
    }
}

/// The other way round.
pub(super) fn arguments_back(value: Option<&Value>) -> String {
    if let Some(Value::Object(map)) = value
        && map.len() == 1
    {
        if let Some(Value::String(text)) = map.get("_not_json") {
            return text.clone();
        }
        if let Some(value) = map.get("_value") {
            return value.to_string();
        }
    }
    arguments(value)
}

/// A message of the chat completions shape.
pub(super) fn message_out(message: &Message) -> Value {
    let mut out = Map::new();
    out.insert("role".into(), json!(message.role));
    out.insert("content".into(), message.content.clone().into());
    if let Some(reasoning) = &message.reasoning {
        out.insert("reasoning_content".into(), reasoning.clone().into());
    }
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|c| {
            json!({ "id": c.id, "type": "function",
                    "function": { "name": c.name, "arguments": c.arguments } })
        });
        out.insert("tool_calls".into(), calls.collect());
    }
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".into(), id.clone().into());
    }
    Value::Object(out)
}

/// Reads a message in the form of OpenAI; nothing where it has no role.
pub(super) fn message_in(value: &Value) -> Option<Message> {
    let role = role(text(value, "role"))?;
    let (content, thought) = content(value.get("content"));
    let tool_calls = list(value, "tool_calls")
        .iter()
        .map(|call| {
            let function = call.get("function").filter(|f| f.is_object()).unwrap_or(call);
            let name = match text(function, "name") {
                "" => text(call, "function"),
                name => name,
            };
            ToolCall {
                id: text(call, "id").to_owned(),
                name: name.to_owned(),
                arguments: arguments_back(function.get("arguments")),
            }
        })
        .collect();
    let reasoning = value.get("reasoning_content").and_then(Value::as_str).map(str::to_owned);
    Some(Message {
        role,
        content,
        tool_calls,
        tool_call_id: value.get("tool_call_id").and_then(Value::as_str).map(str::to_owned),
        reasoning: reasoning.or(thought),
        ..Message::assistant("")
    })
}

/// Tools of the chat completions shape, or bare ones.
pub(super) fn tools_in(value: &[Value]) -> Vec<ToolSpec> {
    value
        .iter()
        .filter_map(|tool| {
            let face = tool.get("function").unwrap_or(tool);
            let parameters = ["parameters", "input_schema", "inputSchema"]
                .iter()
                .find_map(|name| face.get(*name))
                .cloned()
                .unwrap_or_else(|| json!({ "type": "object" }));
            let name = text(face, "name");
            (!name.is_empty()).then(|| ToolSpec {
                name: name.to_owned(),
                description: text(face, "description").to_owned(),
                parameters,
            })
        })
        .collect()
}

pub(super) fn tools_out(tools: &[ToolSpec]) -> Value {
    tools
        .iter()
        .map(|t| {
            json!({ "type": "function", "function": {
                "name": t.name, "description": t.description, "parameters": t.parameters,
            }})
        })
        .collect()
}

/// What a tool's message says of a result: ours are one JSON object with `result` or `error`.
pub(super) fn result_in(content: &str) -> ToolResult {
    let value: Value = serde_json::from_str(content).unwrap_or_else(|_| content.into());
    if let Value::Object(map) = &value {
        if let Some(error) = map.get("error").filter(|_| map.len() == 1) {
            let (code, said) = match error {
                Value::String(said) => ("error", said.as_str()),
                error => (text(error, "type"), text(error, "message")),
            };
            return ToolResult::Error(ToolError {
                kind: kind_of(code),
                code: code.to_owned(),
                message: said.to_owned(),
                witness: error.get("witness").cloned(),
            });
        }
        if let Some(result) = map.get("result")
            && map.keys().all(|k| k == "result" || k == "notes")
        {
            let notes = list(&value, "notes");
            let notes = notes.iter().filter_map(|n| n.as_str().map(str::to_owned)).collect();
            return ToolResult::Value { value: result.clone(), notes };
        }
    }
    ToolResult::Value { value, notes: Vec::new() }
}

/// The kind of mistake that our codes stand for.
fn kind_of(code: &str) -> MistakeKind {
    match code {
        "unknown_function" => MistakeKind::UnknownTool,
        "bad_json" => MistakeKind::BadJson,
        "bad_arguments" => MistakeKind::Schema,
        _ => MistakeKind::Library,
    }
}

/// What is known of a turn beside its message.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub(super) at_ms: f64,
    pub(super) took_ms: f64,
    pub(super) usage: Usage,
    pub(super) finish: Option<FinishReason>,
}

/// Puts a conversation together to a trace: what stands before the model's first turn is the
/// prompt, a tool's message joins the call that it answers, by its id or by its place.
pub(super) fn assemble(
    system: &str,
    model: &str,
    messages: Vec<(Message, Turn)>,
) -> Result<Trace, FormatError> {
    if messages.len() > MAX_STEPS {
        let found = messages.len();
        return Err(FormatError::TooLarge { found, unit: "messages", limit: MAX_STEPS });
    }
    let mut trace = Trace::new(system, model.to_owned(), Vec::new());
    // By id, the calls that wait for a result; ids may come twice, so each has a queue.
    let mut open: BTreeMap<String, Vec<ToolCall>> = BTreeMap::new();
    let mut n_calls = 0;
    for (mut message, turn) in messages {
        let body = match message.role {
            Role::Assistant => {
                for call in &mut message.tool_calls {
                    n_calls += 1;
                    if call.id.is_empty() {
                        call.id = format!("call_{n_calls}");
                    }
                    open.entry(call.id.clone()).or_default().push(call.clone());
                }
                let finish = turn.finish.clone().unwrap_or(if message.tool_calls.is_empty() {
                    FinishReason::Stop
                } else {
                    FinishReason::ToolCalls
                });
                let request_hash = String::new();
                StepBody::Model { message, finish, usage: turn.usage, request_hash }
            }
            Role::Tool => {
                let id = message.tool_call_id.clone().unwrap_or_default();
                let call = match open.get_mut(&id).filter(|q| !q.is_empty()) {
                    Some(queue) => queue.remove(0),
                    None => first_open(&mut open).unwrap_or_else(|| ToolCall {
                        id,
                        name: "unknown".into(),
                        arguments: String::new(),
                    }),
                };
                let result = result_in(&message.content);
                // Whatever does not come out the same again is kept as it was read.
                let told = (result.to_model_text() != message.content).then_some(message.content);
                StepBody::Call { call, result, effects: Effects::default(), told }
            }
            Role::System | Role::User if trace.steps.is_empty() => {
                trace.prompt.push(message);
                continue;
            }
            Role::System | Role::User => StepBody::Note { text: message.content },
        };
        let (at_ms, took_ms) = (turn.at_ms, turn.took_ms);
        trace.steps.push(Step { at_ms, took_ms, by_person: false, body });
    }
    trace.stop = match trace.steps.last().map(|s| &s.body) {
        Some(StepBody::Model { message, .. }) if message.tool_calls.is_empty() => {
            Some(Stop::Answered)
        }
        _ => None,
    };
    Ok(trace)
}

fn first_open(open: &mut BTreeMap<String, Vec<ToolCall>>) -> Option<ToolCall> {
    open.values_mut().find(|q| !q.is_empty()).map(|q| q.remove(0))
}

/// Every message of a trace, with the step that it comes from.
pub(super) fn messages_of(trace: &Trace) -> Vec<(Message, Option<&Step>)> {
    let mut out: Vec<(Message, Option<&Step>)> =
        trace.prompt.iter().map(|m| (m.clone(), None)).collect();
    for step in &trace.steps {
        match &step.body {
            StepBody::Model { message, .. } => out.push((message.clone(), Some(step))),
            StepBody::Call { call, result, told, .. } => {
                let text = told.clone().unwrap_or_else(|| result.to_model_text());
                out.push((Message::tool(&call.id, text), Some(step)));
            }
            StepBody::Prompt { messages, .. } => {
                out.extend(messages.iter().map(|m| (m.clone(), Some(step))));
            }
            StepBody::Choice { .. }
            | StepBody::Note { .. }
            | StepBody::Findings { .. }
            | StepBody::Vote { .. } => {}
        }
    }
    out
}

/// The first 64 bits of a name, for formats that want ids of hexadecimal digits.
pub(super) fn id_hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_mended_and_pairs_stay() {
        let value = json(r#"{"a":"\ud83d\ude00 \ud800x \\ud800 \udc00"}"#, "it").unwrap();
        assert_eq!(value["a"], "😀 \u{fffd}x \\ud800 \u{fffd}");
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let text = "[".repeat(100_000);
        assert!(json(&text, "it").unwrap_err().to_string().contains("recursion limit"));
    }
}
