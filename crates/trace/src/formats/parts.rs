//! What several formats share: fields of values, messages of the chat completions shape as they are
//! written, and a conversation put together to a trace.

use std::collections::{BTreeMap, VecDeque};

use llm::{FinishReason, Message, Role, ToolCall, ToolSpec, TurnEnd};
use serde_json::{Map, Value, json};

use super::report::Report;
use super::turn::Said;
use super::{FormatError, MAX_STEPS};
use crate::{Effects, MistakeKind, Step, StepBody, Stop, ToolError, ToolResult, Trace};

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
        "system" | "developer" | "SystemMessage" => Role::System,
        "user" | "human" | "HumanMessage" | "HumanMessageChunk" => Role::User,
        "assistant" | "agent" | "model" | "ai" | "gpt" | "chatgpt" | "bot" | "AIMessage"
        | "AIMessageChunk" => Role::Assistant,
        "tool" | "function" | "ToolMessage" | "ToolMessageChunk" | "FunctionMessage" => Role::Tool,
        _ => return None,
    })
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

/// Tools of the chat completions shape, or bare ones.
pub(super) fn tools_in(value: &[Value]) -> Vec<ToolSpec> {
    value
        .iter()
        .filter_map(|tool| {
            let face = tool.get("function").filter(|f| f.is_object()).unwrap_or(tool);
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
pub(super) fn kind_of(code: &str) -> MistakeKind {
    match code {
        "unknown_function" => MistakeKind::UnknownTool,
        "bad_json" => MistakeKind::BadJson,
        // Inspect's word for arguments that do not fit.
        "bad_arguments" | "parsing" => MistakeKind::Schema,
        _ => MistakeKind::Library,
    }
}

/// The calls that wait for a result, in their order.
#[derive(Default)]
struct Open {
    calls: BTreeMap<usize, ToolCall>,
    n: usize,
    // Ids may come twice, and a function is called more than once, so each has a queue.
    by_id: BTreeMap<String, VecDeque<usize>>,
    by_name: BTreeMap<String, VecDeque<usize>>,
}

impl Open {
    fn add(&mut self, call: &mut ToolCall) {
        self.n += 1;
        if call.id.is_empty() {
            call.id = format!("call_{}", self.n);
        }
        self.by_id.entry(call.id.clone()).or_default().push_back(self.n);
        self.by_name.entry(call.name.clone()).or_default().push_back(self.n);
        self.calls.insert(self.n, call.clone());
    }

    /// The call that a result answers: by its id, then by its name, then by its place.
    fn take(&mut self, id: &str, told: Option<&ToolCall>) -> Option<ToolCall> {
        let mut queue = |queue: Option<&mut VecDeque<usize>>| {
            let queue = queue?;
            // What was answered another way is still in its other queue.
            while let Some(n) = queue.pop_front() {
                if let Some(call) = self.calls.remove(&n) {
                    return Some(call);
                }
            }
            None
        };
        if let Some(call) = queue(self.by_id.get_mut(id)) {
            return Some(call);
        }
        match told.filter(|c| !c.name.is_empty()) {
            Some(told) => queue(self.by_name.get_mut(&told.name)),
            None => self.calls.pop_first().map(|(_, call)| call),
        }
    }
}

/// Puts a conversation together to a trace: what stands before the model's first turn is the
/// prompt, a tool's message joins the call that it answers. How the run ended is `stop` where the
/// file says so, else it is read off the last turn.
pub(super) fn assemble(
    system: &str,
    model: &str,
    messages: Vec<Said>,
    stop: Option<Stop>,
    report: &mut Report,
) -> Result<Trace, FormatError> {
    if messages.len() > MAX_STEPS {
        let found = messages.len();
        return Err(FormatError::TooLarge { found, unit: "messages", limit: MAX_STEPS });
    }
    let mut trace = Trace::new(system, model.to_owned(), Vec::new());
    let mut open = Open::default();
    let mut is_known = true;
    for (mut message, turn) in messages {
        let body = match (turn.body, message.role) {
            (Some(body), _) => body,
            (None, Role::Assistant) => {
                message.tool_calls.iter_mut().for_each(|call| open.add(call));
                is_known = turn.finish.is_some();
                let finish = turn.finish.unwrap_or(if message.tool_calls.is_empty() {
                    FinishReason::Stop
                } else {
                    FinishReason::ToolCalls
                });
                let request_hash = String::new();
                StepBody::Model { message, finish, usage: turn.usage, request_hash }
            }
            (None, Role::Tool) => {
                let id = message.tool_call_id.clone().unwrap_or_default();
                let call = open.take(&id, turn.call.as_ref()).or(turn.call);
                let call = call.unwrap_or_else(|| ToolCall {
                    id,
                    name: "unknown".into(),
                    arguments: String::new(),
                });
                let mut result = result_in(&message.content);
                if let (ToolResult::Value { .. }, Some(mut error)) = (&result, turn.failed) {
                    if error.message.is_empty() {
                        error.message.clone_from(&message.content);
                    }
                    result = ToolResult::Error(error);
                }
                // Whatever does not come out the same again is kept as it was read.
                let told = (result.to_model_text() != message.content).then_some(message.content);
                StepBody::Call { call, result, effects: Effects::default(), told }
            }
            (None, Role::System | Role::User) if trace.steps.is_empty() => {
                trace.prompt.push(message);
                continue;
            }
            (None, Role::System | Role::User) => {
                StepBody::Prompt { messages: vec![message], fresh: false }
            }
        };
        let (at_ms, took_ms) = (turn.at_ms, turn.took_ms);
        trace.steps.push(Step { at_ms, took_ms, by_person: false, body });
    }
    let is_step = |step: &&Step| !matches!(step.body, StepBody::Note { .. });
    trace.stop = stop.or_else(|| match &trace.steps.iter().rfind(is_step)?.body {
        StepBody::Model { message, finish, .. } => match TurnEnd::of(message, finish) {
            TurnEnd::Called => None,
            end => {
                if !is_known {
                    report.unknown_ending();
                }
                Some(end.into())
            }
        },
        _ => None,
    });
    Ok(trace)
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
            // As frameworks of code agents hand on what code printed.
            StepBody::Program { .. } => {
                out.push((Message::user(step.body.program_text()), Some(step)));
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
