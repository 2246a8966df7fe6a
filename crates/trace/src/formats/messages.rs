//! One message in any of the forms that programs write: chat completions, the Responses protocol's
//! items, blocks of Anthropic, parts of OpenTelemetry, Gemini and the agents' libraries.

use std::collections::HashSet;

use llm::{FinishReason, Message, Role, ToolCall, Usage};
use serde_json::{Map, Value, json};

use super::parts::{arguments, arguments_back, kind_of, list, role, text};
use super::report::Report;
pub(super) use super::turn::{Said, Turn};
use crate::{StepBody, ToolError};

/// Whether that is an item of the Responses protocol that has no role: a call of any tool, its
/// result, or thoughts.
fn is_item(kind: &str) -> bool {
    kind == "reasoning" || kind.ends_with("_call") || kind.ends_with("_call_output")
}

/// Fields of a message that are read, or that say nothing about the conversation.
const FIELDS: [&str; 45] = [
    "role",
    "content",
    "contents",
    "parts",
    "tool_calls",
    "function_call",
    "tool_call_id",
    "name",
    "reasoning_content",
    "reasoning",
    "thinking",
    "refusal",
    "finish_reason",
    "stop_reason",
    "type",
    "id",
    "error",
    "is_error",
    "status",
    "function",
    "usage",
    "model",
    "metadata",
    "source",
    "timestamp",
    "created_at",
    "stop_sequence",
    "call_id",
    "additional_kwargs",
    "response_metadata",
    "internal",
    "index",
    "weight",
    "cache_control",
    "container",
    "stop_details",
    "usage_metadata",
    "invalid_tool_calls",
    "tool_call_chunks",
    "example",
    "chunk_position",
    "annotations",
    "uuid",
    "provider_data",
    "phase",
];

/// A message of LangChain as one with a role: as it is in memory, as it is kept (`lc`), and as the
/// older way of keeping has it (`data`). Nothing where it is none.
fn langchain(value: &Value) -> Option<Value> {
    let mut kind = text(value, "type");
    let mut fields = value.as_object()?;
    if let Some(inner) = value.get("kwargs").and_then(Value::as_object)
        && kind == "constructor"
    {
        kind = list(value, "id").last().and_then(Value::as_str).unwrap_or_default();
        fields = inner;
    } else if let Some(inner) = value.get("data").and_then(Value::as_object) {
        fields = inner;
    }
    let said = match (kind, fields.get("role").and_then(Value::as_str)) {
        ("chat" | "ChatMessage" | "ChatMessageChunk", Some(said)) => said,
        ("human" | "ai" | "system" | "tool" | "function", None) => kind,
        (kind, None) if kind.contains("Message") => kind,
        _ => return None,
    };
    role(said)?;
    fields.get("content")?;
    let mut message = fields.clone();
    message.insert("role".into(), said.into());
    message.shift_remove("type");
    Some(message.into())
}

/// Whether a value is a message or an item of a conversation, maybe in an envelope.
pub(super) fn is_message(value: &Value) -> bool {
    let value = entry(value);
    let has = |name: &str| value.get(name).is_some();
    let says = ["content", "parts", "tool_calls", "function_call"].into_iter().any(has);
    match text(value, "role") {
        "" => {
            is_item(text(value, "type")) && (has("call_id") || has("summary"))
                || langchain(value).is_some()
        }
        name => role(name).is_some() && says,
    }
}

/// The message in an envelope, as logs of agents write one a line.
pub(super) fn entry(value: &Value) -> &Value {
    let inner = ["message", "payload"].into_iter().filter_map(|name| value.get(name));
    let mut inner = inner.filter(|v| v.get("role").is_some() || v.get("type").is_some());
    if value.get("role").is_some() { value } else { inner.next().unwrap_or(value) }
}

/// Reads a message and puts it to the conversation; false where it is none.
pub(super) fn read(value: &Value, into: &mut Vec<Said>, report: &mut Report) -> bool {
    if value.get("role").is_none()
        && let Some(message) = langchain(value)
    {
        return read(&message, into, report);
    }
    let kind = text(value, "type");
    if value.get("role").is_none() && !kind.is_empty() {
        return item(value, kind, into, report);
    }
    let Some(role) = role(text(value, "role")) else {
        let said = result_text(first(value, &["content", "parts", "text"]), report);
        if said.is_empty() {
            report.left_out("message| of the role", text(value, "role"));
            return false;
        }
        let note = StepBody::Note { text: format!("{}: {said}", text(value, "role")) };
        into.push((Message::system(""), Turn { body: Some(note), ..Turn::default() }));
        return true;
    };
    for (name, field) in value.as_object().into_iter().flatten() {
        let is_empty = match field {
            Value::Null | Value::Bool(false) => true,
            Value::String(text) => text.is_empty(),
            Value::Array(list) => list.is_empty(),
            Value::Object(map) => map.is_empty(),
            _ => false,
        };
        if !is_empty && !FIELDS.contains(&name.as_str()) {
            report.left_out("field| of messages named", name);
        }
    }
    let mut reading = Reading::of(role, value);
    match value.get("content") {
        // Results of several calls that were written as one text.
        Some(Value::String(said)) if role == Role::Tool && is_results(said) => {
            for part in structure(said).as_ref().and_then(Value::as_array).into_iter().flatten() {
                reading.part(part, report);
            }
        }
        Some(Value::String(said)) => reading.message.content.push_str(said),
        Some(part @ Value::Object(_)) => reading.part(part, report),
        _ => {}
    }
    for name in ["content", "parts", "contents"] {
        for part in list(value, name) {
            reading.part(part, report);
        }
    }
    // What LangChain has no field of its own for.
    let further = value.get("additional_kwargs").unwrap_or(&Value::Null);
    let thought = ["reasoning_content", "reasoning", "thinking"].map(|name| text(value, name));
    let thought = thought.into_iter().chain([text(further, "reasoning_content")]);
    if let Some(thought) = thought.into_iter().find(|t| !t.is_empty()) {
        reading.message.reasoning = Some(thought.to_owned());
    }
    if let Some(refusal) = value.get("refusal").and_then(Value::as_str).filter(|r| !r.is_empty()) {
        reading.refuse(refusal);
    }
    let calls = list(value, "tool_calls").iter().chain(list(value, "invalid_tool_calls"));
    let calls = calls.chain(value.get("function_call"));
    // A call may stand among the parts too.
    let ids: HashSet<String> = reading.message.tool_calls.iter().map(|c| c.id.clone()).collect();
    let calls = calls.filter(|c| c.is_object()).map(call);
    reading.message.tool_calls.extend(calls.filter(|c| c.id.is_empty() || !ids.contains(&c.id)));
    if reading.message.tool_calls.is_empty() {
        let calls = list(further, "tool_calls").iter().chain(further.get("function_call"));
        reading.message.tool_calls.extend(calls.filter(|c| c.is_object()).map(call));
    }
    // A message that an agent's log has in pieces, and an item of a turn that only thought so far.
    let joins = |(last, turn): &Said| {
        let is_piece = !turn.id.is_empty() && turn.id == reading.turn.id;
        let is_begun = kind == "message" && last.content.is_empty() && last.tool_calls.is_empty();
        last.role == Role::Assistant && role == Role::Assistant && (is_piece || is_begun)
    };
    if reading.done.is_empty()
        && let Some((last, turn)) = into.last_mut().filter(|said| joins(said))
    {
        let Reading { message, turn: new, .. } = reading;
        last.content.push_str(&message.content);
        last.tool_calls.extend(message.tool_calls);
        if let Some(thought) = message.reasoning {
            last.reasoning.get_or_insert_default().push_str(&thought);
        }
        turn.finish = new.finish.or(turn.finish.take());
        turn.usage = if new.usage.total().is_some() { new.usage } else { turn.usage };
    } else {
        into.extend(reading.finish());
    }
    true
}

/// An item that has no role.
fn item(value: &Value, kind: &str, into: &mut Vec<Said>, report: &mut Report) -> bool {
    let turn_of = |into: &mut Vec<Said>, may_join: fn(&Message) -> bool| {
        if !into.last().is_some_and(|(m, _)| m.role == Role::Assistant && may_join(m)) {
            into.push((Message::assistant(""), Turn::default()));
        }
        into.len() - 1
    };
    match kind {
        kind if kind.ends_with("_call_output") => into.push(result(value, report)),
        kind if kind.ends_with("_call") => {
            let at = turn_of(into, |_| true);
            let mut call = call(value);
            if call.name.is_empty() {
                // Tools that the provider runs have no name beside their type.
                kind.trim_end_matches("_call").clone_into(&mut call.name);
                let asked = first(value, &["action", "queries", "code", "prompt", "query"]);
                call.arguments = arguments(asked);
            }
            let has_run = first(value, &["output", "results", "outputs", "result", "error"]);
            let (id, name) = (call.id.clone(), call.name.clone());
            into[at].0.tool_calls.push(call);
            if has_run.is_some() {
                let (mut message, mut turn) = result(value, report);
                message.tool_call_id = Some(id);
                turn.call = Some(named(&name));
                into.push((message, turn));
            }
        }
        "reasoning" => {
            let said = [list(value, "summary"), list(value, "content")].concat();
            let said: String = said.iter().map(|part| text(part, "text")).collect();
            if said.is_empty() {
                report.left_out("thought| without the text", "");
            }
            let at = turn_of(into, |m| m.content.is_empty());
            if !said.is_empty() {
                into[at].0.reasoning.get_or_insert_default().push_str(&said);
            }
        }
        _ => {
            report.left_out("item| of the type", kind);
            return false;
        }
    }
    true
}

/// A message that is being read; results among its parts are entries of their own.
struct Reading {
    done: Vec<Said>,
    message: Message,
    turn: Turn,
}

impl Reading {
    fn of(role: Role, value: &Value) -> Self {
        let about = value.get("response_metadata").unwrap_or(&Value::Null);
        let words = [value, about].map(|v| ["finish_reason", "stop_reason"].map(|n| text(v, n)));
        let words = words.concat();
        let is_cut = text(value, "status") == "incomplete";
        let word = words.into_iter().find(|w| !w.is_empty()).or(is_cut.then_some("length"));
        let mut turn = Turn {
            usage: usage(first(value, &["usage", "usage_metadata"])),
            finish: word.map(finish),
            id: text(value, "id").to_owned(),
            ..Turn::default()
        };
        let mut message = Message { role, ..Message::assistant("") };
        if role == Role::Tool {
            // τ²-bench has the call's id in the place of a message's own, beside who asked for it.
            let own = value.get("requestor").and_then(|_| value.get("id"));
            let id = first(value, &["tool_call_id", "call_id"]).or(own).and_then(Value::as_str);
            message.tool_call_id = id.map(str::to_owned);
            turn.failed = failed(value);
            let name = ["name", "function"].map(|name| text(value, name));
            turn.call = name.into_iter().find(|n| !n.is_empty()).map(named);
        }
        Self { done: Vec::new(), message, turn }
    }

    fn refuse(&mut self, said: &str) {
        self.message.content.push_str(said);
        self.turn.finish.get_or_insert(FinishReason::Other("refusal".into()));
    }

    fn has_said(&self) -> bool {
        let Message { content, tool_calls, reasoning, .. } = &self.message;
        !content.is_empty() || !tool_calls.is_empty() || reasoning.is_some()
    }

    fn think(&mut self, part: &Value, report: &mut Report) {
        let names = ["reasoning", "thinking", "content", "text"];
        let said: String = names.into_iter().map(|name| text(part, name)).collect();
        let summary = list(part, "summary").iter();
        let said: String = said
            + &summary.map(|p| p.as_str().unwrap_or_else(|| text(p, "text"))).collect::<String>();
        if said.is_empty() {
            report.left_out("thought| without the text", "");
        } else {
            self.message.reasoning.get_or_insert_default().push_str(&said);
        }
    }

    fn add_result(&mut self, said: Said) {
        if self.has_said() {
            let message = Message { role: self.message.role, ..Message::assistant("") };
            let message = std::mem::replace(&mut self.message, message);
            self.done.push((message, Turn { finish: None, ..self.turn.clone() }));
            self.turn.usage = Usage::default();
        }
        self.done.push(said);
    }

    fn part(&mut self, part: &Value, report: &mut Report) {
        if let Some(said) = part.as_str() {
            self.message.content.push_str(said);
            return;
        }
        let inner = |names: [&str; 2]| names.into_iter().find_map(|n| part.get(n));
        match text(part, "type") {
            "" if inner(["functionCall", "function_call"]).is_some() => {
                self.message.tool_calls.extend(inner(["functionCall", "function_call"]).map(call));
            }
            "" if inner(["functionResponse", "function_response"]).is_some() => {
                if let Some(value) = inner(["functionResponse", "function_response"]) {
                    self.add_result(result(value, report));
                }
            }
            "" if part.get("thought") == Some(&Value::Bool(true)) => self.think(part, report),
            "reasoning" | "thinking" | "thought" | "redacted_thinking" => self.think(part, report),
            "refusal" => self.refuse(text(part, "refusal")),
            "tool_use" | "server_tool_use" | "mcp_tool_use" | "tool_call" | "tool-call"
            | "function_call" => {
                self.message.tool_calls.push(call(part));
                // Tools that the provider runs have their result beside the call.
                if first(part, &["result"]).is_some() {
                    let said = result(part, report);
                    self.add_result(said);
                }
            }
            kind if [
                "tool_result",
                "tool-result",
                "tool_call_response",
                "function_call_output",
            ]
            .into_iter()
            .any(|end| kind.ends_with(end)) =>
            {
                self.add_result(result(part, report));
            }
            kind => match part_text(part) {
                Some(said) => self.message.content.push_str(said),
                None => report.left_out("part| of messages of the type", kind),
            },
        }
    }

    fn finish(mut self) -> Vec<Said> {
        if self.done.is_empty() || self.has_said() {
            self.done.push((self.message, self.turn));
        }
        self.done
    }
}

/// The first of those fields that is there and not null.
fn first<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| value.get(name).filter(|v| !v.is_null()))
}

const CALL_IDS: [&str; 5] = ["call_id", "tool_use_id", "tool_call_id", "toolCallId", "id"];

fn call_id(value: &Value) -> &str {
    first(value, &CALL_IDS).and_then(Value::as_str).unwrap_or_default()
}

/// A call that only has its name.
pub(super) fn named(name: &str) -> ToolCall {
    ToolCall { id: String::new(), name: name.to_owned(), arguments: String::new() }
}

/// A call of a tool, whichever way it is written.
pub(super) fn call(value: &Value) -> ToolCall {
    let function = value.get("function").filter(|f| f.is_object()).unwrap_or(value);
    let names = ["name", "toolName", "tool_name", "function_name", "function"];
    let name = names.into_iter().map(|name| text(function, name)).find(|n| !n.is_empty());
    ToolCall {
        id: call_id(value).to_owned(),
        name: name.unwrap_or_default().to_owned(),
        arguments: arguments_back(first(function, &["arguments", "args", "input"])),
    }
}

/// The result of a call, whichever way it is written.
fn result(value: &Value, report: &mut Report) -> Said {
    let found = first(value, &["response", "result", "output", "content", "results", "outputs"]);
    // Some say beside the value what type it has.
    let found = match found {
        Some(typed) if typed.get("type").is_some() && typed.get("value").is_some() => {
            typed.get("value")
        }
        found => found,
    };
    let said = result_text(found, report);
    let name = ["name", "toolName", "tool_name"].map(|name| text(value, name));
    let turn = Turn {
        failed: failed(value),
        call: name.into_iter().find(|n| !n.is_empty()).map(named),
        ..Turn::default()
    };
    (Message::tool(call_id(value), said), turn)
}

/// The text of a part, which may be that of a document or a resource in it.
fn part_text(part: &Value) -> Option<&str> {
    let inner = |name: &str, field: &str| part.get(name)?.get(field)?.as_str();
    let own = first(part, &["text", "content"]).and_then(Value::as_str);
    own.or_else(|| inner("resource", "text")).or_else(|| {
        let is_text = inner("source", "type") == Some("text");
        inner("source", "data").filter(|_| is_text)
    })
}

/// The text of a result; where it is a list of parts, of those that are texts.
pub(super) fn result_text(value: Option<&Value>, report: &mut Report) -> String {
    match value {
        Some(Value::Array(parts))
            if parts.iter().all(|p| p.get("type").is_some()) && !parts.is_empty() =>
        {
            let mut said = String::new();
            for part in parts {
                match part_text(part) {
                    Some(text) => said.push_str(text),
                    None => report.left_out("part| of results of the type", text(part, "type")),
                }
            }
            said
        }
        value => arguments(value),
    }
}

/// The error that a tool's message says beside its content.
fn failed(value: &Value) -> Option<ToolError> {
    let said = |code: &str, message: &str| ToolError {
        kind: kind_of(code),
        code: if code.is_empty() { "error" } else { code }.to_owned(),
        message: message.to_owned(),
        witness: None,
    };
    match value.get("error") {
        Some(Value::String(message)) if !message.is_empty() => Some(said("", message)),
        Some(error @ Value::Object(_)) => Some(said(text(error, "type"), text(error, "message"))),
        _ => {
            let is_error = value.get("is_error") == Some(&Value::Bool(true))
                || value.get("isError") == Some(&Value::Bool(true))
                || text(value, "status") == "error";
            is_error.then(|| said("", ""))
        }
    }
}

/// Why a turn ended, by the word that a program has for it.
pub(super) fn finish(word: &str) -> FinishReason {
    match word.to_lowercase().as_str() {
        "stop" | "end_turn" | "end" | "stop_sequence" | "complete" | "completed" => {
            FinishReason::Stop
        }
        "tool_calls" | "tool_call" | "tool_use" | "tool-calls" | "function_call" => {
            FinishReason::ToolCalls
        }
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "stopped" => FinishReason::Stopped,
        _ => FinishReason::Other(word.to_owned()),
    }
}

/// The tokens of a turn, by any of the names that protocols have.
pub(super) fn usage(value: Option<&Value>) -> Usage {
    let Some(value) = value else { return Usage::default() };
    let number = |v: &Value| v.as_u64().or_else(|| v.as_f64().map(|n| n.max(0.0) as u64));
    let below = |names: &[&str]| value.as_object()?.values().find_map(|v| first(v, names));
    let tokens = |names: &[&str]| first(value, names).or_else(|| below(names)).and_then(number);
    Usage {
        input_tokens: tokens(&["input_tokens", "prompt_tokens", "promptTokens", "input"]),
        output_tokens: tokens(&[
            "output_tokens",
            "completion_tokens",
            "completionTokens",
            "output",
        ]),
        cached_tokens: tokens(&[
            "cache_read_input_tokens",
            "input_tokens_cache_read",
            "cached_tokens",
            "input_cache_read",
            "cache_read",
        ]),
        reasoning_tokens: tokens(&["reasoning_tokens", "output_reasoning", "reasoning"]),
    }
}

/// What was said, in whatever a program keeps as the input or the output of a step: messages, a
/// request, an answer of any protocol, or a value. `role` is whose it is where nothing says so.
pub(super) fn said_in(value: &Value, role: &str, report: &mut Report) -> Vec<Said> {
    let mut said = Vec::new();
    collect(value, role, &mut said, report);
    said
}

/// Fields that have the whole of what an object says.
const WHOLES: [&str; 18] = [
    "input",
    "output",
    "prompt",
    "question",
    "query",
    "text",
    "completion",
    "response",
    "answer",
    "result",
    "message",
    "return_value",
    "outputs",
    "inputs",
    "args",
    "kwargs",
    "state",
    "value",
];

fn collect(value: &Value, role: &str, into: &mut Vec<Said>, report: &mut Report) {
    let say = |text: String, into: &mut Vec<Said>, report: &mut Report| {
        if !text.trim().is_empty() {
            read(&json!({ "role": role, "content": text }), into, report);
        }
    };
    match value {
        Value::Null => {}
        Value::String(text) => match structure(text) {
            Some(inner) if is_saying(&inner) => collect(&inner, role, into, report),
            _ => say(text.clone(), into, report),
        },
        Value::Array(list) if list.iter().all(Value::is_string) && list.len() > 2 => {
            list.iter().for_each(|item| collect(item, role, into, report));
        }
        // A pair of a role and a text.
        Value::Array(pair)
            if let [Value::String(name), Value::String(text)] = pair.as_slice()
                && super::parts::role(name).is_some() =>
        {
            read(&json!({ "role": name, "content": text }), into, report);
        }
        Value::Array(list) => {
            if list.iter().any(is_saying) {
                list.iter().for_each(|item| collect(item, role, into, report));
            } else if let [one] = list.as_slice() {
                collect(one, role, into, report);
            } else if list.iter().all(|part| part.get("type").is_some()) && !list.is_empty() {
                read(&json!({ "role": role, "content": list }), into, report);
            } else if !list.is_empty() {
                say(value.to_string(), into, report);
            }
        }
        Value::Object(map) => {
            if is_message(value) {
                read(entry(value), into, report);
            } else if map.get("messages").is_some_and(|v| v.is_array() || v.is_object()) {
                for name in ["system", "instructions"] {
                    let rules = map.get(name).unwrap_or(&Value::Null);
                    collect(rules, "system", into, report);
                }
                collect(&map["messages"], role, into, report);
            } else if let Some(Value::Array(choices)) = first(value, &["choices", "candidates"]) {
                for choice in choices.iter().take(1) {
                    let at = into.len();
                    let inner = first(choice, &["message", "content", "text"]);
                    collect(inner.unwrap_or(&Value::Null), "assistant", into, report);
                    let word = first(choice, &["finish_reason", "finishReason"]);
                    let word = word.and_then(Value::as_str).map(finish);
                    for (_, turn) in into.iter_mut().skip(at) {
                        turn.finish = turn.finish.take().or(word.clone());
                        turn.usage = usage(first(value, &["usage", "usageMetadata"]));
                    }
                }
                for _ in choices.iter().skip(1) {
                    report.left_out("further choice| of one turn", "");
                }
            } else if let Some(Value::Array(generations)) = map.get("generations") {
                let first_of = |v: &'_ Value| v.as_array().and_then(|l| l.first()).cloned();
                let one = generations.first();
                let one = one.and_then(|v| first_of(v).or_else(|| Some(v.clone())));
                if let Some(one) = one {
                    let at = into.len();
                    let inner = first(&one, &["message", "text"]);
                    collect(inner.unwrap_or(&Value::Null), "assistant", into, report);
                    let about = one.get("generation_info").unwrap_or(&Value::Null);
                    let word = first(about, &["finish_reason", "stop_reason"]);
                    let word = word.and_then(Value::as_str).map(finish);
                    for (_, turn) in into.iter_mut().skip(at) {
                        turn.finish = turn.finish.take().or(word.clone());
                    }
                }
            } else if let Some(Value::Array(items)) = map.get("output")
                && items.iter().any(is_message)
            {
                items.iter().for_each(|item| collect(item, "assistant", into, report));
            } else if let Some(Value::Array(items)) = map.get("input")
                && items.iter().any(is_message)
            {
                collect(map.get("instructions").unwrap_or(&Value::Null), "system", into, report);
                items.iter().for_each(|item| collect(item, role, into, report));
            } else if has_content(map) {
                let mut message = map.clone();
                message.insert("role".into(), role.into());
                // What kind of answer it is says nothing of the message.
                message.shift_remove("type");
                read(&message.into(), into, report);
            } else if map.keys().all(|name| name == "role") {
                // A message that says nothing.
            } else {
                let mut full = map.iter().filter(|(_, v)| !is_void(v));
                match (full.next(), full.next()) {
                    (None, _) => {}
                    (Some((name, inner)), None) if WHOLES.contains(&name.as_str()) => {
                        collect(inner, role, into, report);
                    }
                    (Some((name, inner)), Some((other, _)))
                        if name == "args" && other == "kwargs" && is_void(inner) =>
                    {
                        collect(&map["kwargs"], role, into, report);
                    }
                    _ => say(value.to_string(), into, report),
                }
            }
        }
        other => say(other.to_string(), into, report),
    }
}

/// Whether a text is a list of results, as Vercel's SDK has them.
fn is_results(text: &str) -> bool {
    text.starts_with("[{") && text.contains("\"tool-result\"")
}

/// A text that is JSON, as the structure that it means.
pub(super) fn structure(text: &str) -> Option<Value> {
    let text = text.trim();
    // Some write JSON as a text of JSON.
    if text.starts_with("\"{") || text.starts_with("\"[") {
        let inner: String = serde_json::from_str(text).ok()?;
        return serde_json::from_str(&inner).ok();
    }
    text.starts_with(['{', '[']).then(|| super::json::value(text, "it").ok()).flatten()
}

fn is_void(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// Whether an object is a message that does not say whose.
fn has_content(map: &Map<String, Value>) -> bool {
    let is = |name: &str| map.get(name).is_some_and(|v| v.is_string() || v.is_array());
    ["content", "parts", "contents", "tool_calls"].into_iter().any(is)
        && map.keys().all(|k| FIELDS.contains(&k.as_str()))
}

/// Whether a value is a conversation, a message or an answer, and no value of a program's own.
fn is_saying(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().take(8).any(is_saying),
        Value::Object(map) => {
            is_message(value)
                || ["messages", "choices", "candidates", "generations"]
                    .iter()
                    .any(|name| map.get(*name).is_some_and(Value::is_array))
                || ["input", "output"].iter().any(|name| list(value, name).iter().any(is_message))
        }
        _ => false,
    }
}
