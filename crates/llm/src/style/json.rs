//! A call as one JSON object in the text.

use serde_json::{Map, Value, json};

use super::{Found, MAX_CALLS, arguments, words};
use crate::{Message, ToolCall, ToolSpec, repair};

/// The names under which models give the tool, those that they are told first.
const TOOL: [&str; 5] = ["tool", "name", "function", "tool_name", "action"];
/// The names under which they give its arguments.
const ARGUMENTS: [&str; 7] =
    ["arguments", "parameters", "args", "input", "action_input", "tool_input", "params"];
/// Where an answer stands, if it is an object.
const ANSWER: &str = "answer";

/// What is said of the tools.
pub(super) fn rules(tools: &[ToolSpec], must_call: bool) -> String {
    let list: Vec<String> = tools.iter().map(words::tool).collect();
    let end = if must_call {
        "You must call a tool now."
    } else {
        "When you know the answer, write it in plain words, without a call."
    };
    format!(
        "You can call these tools:\n{}\n\nTo call a tool, write one JSON object with its name and \
         its arguments, and nothing after it:\n```json\n{{\"tool\": \"NAME\", \"arguments\": \
         {{\"ARGUMENT\": VALUE}}}}\n```\nThe next message has the result. Never write a result \
         yourself. {end}",
        list.join("\n"),
    )
}

/// What an assistant said, with its calls in the text.
pub(super) fn said(message: &Message) -> String {
    let mut parts = Vec::new();
    if !message.content.trim().is_empty() {
        parts.push(message.content.trim().to_owned());
    }
    for call in &message.tool_calls {
        let text = match serde_json::from_str::<Value>(&call.arguments) {
            Ok(value) => json!({ "tool": call.name, "arguments": value }).to_string(),
            // What could not be read stands as it was written.
            Err(_) => call.arguments.clone(),
        };
        parts.push(format!("```json\n{text}\n```"));
    }
    parts.join("\n")
}

/// What a call gave.
pub(super) fn result(name: &str, text: &str) -> String {
    format!("Result of {}:\n{text}", if name.is_empty() { "the call" } else { name })
}

/// The schema of a reply: a call of one of the tools, or an answer where none is needed.
pub(super) fn schema(tools: &[ToolSpec], must_call: bool) -> Value {
    let object = |properties: Value, names: &[&str]| {
        json!({
            "type": "object", "properties": properties, "required": names,
            "additionalProperties": false,
        })
    };
    let mut all: Vec<Value> = tools
        .iter()
        .map(|tool| {
            let properties = json!({
                "tool": { "type": "string", "enum": [tool.name] },
                "arguments": tool.parameters,
            });
            object(properties, &["tool", "arguments"])
        })
        .collect();
    if !must_call {
        all.push(object(json!({ ANSWER: { "type": "string" } }), &[ANSWER]));
    }
    json!({ "anyOf": all })
}

/// Finds calls in a reply. Where it was cut off, what has no end is no call.
pub(super) fn read(text: &str, tools: &[ToolSpec], was_cut: bool) -> Found {
    let mut found = Found::default();
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, object) = rest.split_at(at);
        let (inner, is_whole) = balanced(object);
        let behind = &object[inner.len()..];
        if found.calls.len() >= MAX_CALLS {
            break;
        }
        // Half a call is none: it may be the wrong one.
        let is_half = was_cut && !is_whole;
        let read = if is_half { None } else { repair::read(inner).ok() };
        let value = read.as_ref().map(|read| &read.value);
        // What had to be repaired and is no call yet may be a call that cannot be read.
        let is_json = is_half || read.as_ref().is_some_and(|read| read.repairs.is_empty());
        let calls = value.map(|value| calls_of(value, tools)).unwrap_or_default();
        let answer = value.and_then(|value| answer_of(value, tools));
        if !calls.is_empty() {
            kept.push_str(before);
            found.calls.extend(calls);
        } else if let Some(answer) = answer {
            kept.push_str(before);
            kept.push_str(&answer);
        } else if let Some(broken) = broken_call(inner, is_json, tools) {
            kept.push_str(before);
            found.calls.push(broken);
        } else {
            kept.push_str(before);
            kept.push_str(inner);
        }
        rest = behind;
    }
    kept.push_str(rest);
    found.text = without_fences(&kept, !found.calls.is_empty());
    found
}

/// An object from its first brace to the one that closes it, and whether one does. Braces in texts
/// do not count. O(n).
fn balanced(text: &str) -> (&str, bool) {
    let (mut depth, mut in_text, mut is_escaped) = (0usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_text => is_escaped = true,
            '"' => in_text = !in_text,
            '{' if !in_text => depth += 1,
            '}' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return (&text[..=at], true);
                }
            }
            // A fence ends what nothing else ends.
            '`' if !in_text && text[at..].starts_with("```") => return (&text[..at], false),
            _ => {}
        }
    }
    (text, false)
}

fn text_of<'v>(object: &'v Map<String, Value>, names: &[&str]) -> Option<&'v str> {
    names.iter().find_map(|name| object.get(*name)?.as_str())
}

/// The calls that a value is: one, those of a list, or those of `tool_calls`.
fn calls_of(value: &Value, tools: &[ToolSpec]) -> Vec<ToolCall> {
    let Value::Object(object) = value else { return Vec::new() };
    if let Some(Value::Array(list)) = object.get("tool_calls") {
        return list.iter().take(MAX_CALLS).flat_map(|one| calls_of(one, tools)).collect();
    }
    // `{"type": "function", "function": {"name": …, "arguments": …}}`
    if let Some(inner @ Value::Object(_)) = object.get("function") {
        return calls_of(inner, tools);
    }
    let given = ARGUMENTS.iter().find_map(|name| object.get(*name));
    if let Some(name) = text_of(object, &TOOL) {
        let is_offered = tools.iter().any(|t| t.name == name);
        // An object with a name and nothing else may be part of an answer.
        if !is_offered && given.is_none() {
            return Vec::new();
        }
        let rest = || {
            let others = object.iter().filter(|(key, _)| !TOOL.contains(&key.as_str()));
            Value::Object(others.map(|(k, v)| (k.clone(), v.clone())).collect())
        };
        let value = given.cloned().unwrap_or_else(rest);
        let (id, name) = (String::new(), name.trim().to_owned());
        return vec![ToolCall { id, name, arguments: arguments(Some(value)) }];
    }
    // `{"has_path": {"source": 0, "target": 4}}`
    let mut only = object.iter();
    if let (Some((name, value @ Value::Object(_))), None) = (only.next(), only.next())
        && tools.iter().any(|t| t.name == *name)
    {
        let (id, arguments) = (String::new(), value.to_string());
        return vec![ToolCall { id, name: name.clone(), arguments }];
    }
    Vec::new()
}

fn answer_of(value: &Value, tools: &[ToolSpec]) -> Option<String> {
    let object = value.as_object()?;
    let name = text_of(object, &TOOL).filter(|name| tools.iter().all(|t| t.name != *name));
    match (object.get(ANSWER)?, object.len()) {
        (Value::String(text), 1) => Some(text.clone()),
        (Value::String(text), 2) if name.is_some() => Some(text.clone()),
        (other, 1) => Some(other.to_string()),
        _ => None,
    }
}

/// A text that was meant as a call and is no JSON: it has a word for the tool and an offered name.
fn broken_call(text: &str, is_json: bool, tools: &[ToolSpec]) -> Option<ToolCall> {
    if is_json || !TOOL.iter().any(|word| text.contains(word)) {
        return None;
    }
    let named = tools.iter().filter_map(|tool| Some((text.find(&tool.name)?, &tool.name)));
    let (_, name) = named.min_by_key(|(at, name)| (*at, std::cmp::Reverse(name.len())))?;
    let (id, arguments) = (String::new(), text.to_owned());
    Some(ToolCall { id, name: name.clone(), arguments })
}

/// The text without the marks that stood around its calls.
fn without_fences(text: &str, has_calls: bool) -> String {
    if !has_calls {
        return text.trim().to_owned();
    }
    let is_mark = |line: &str| {
        let line = line.trim();
        line.strip_prefix("```").is_some_and(|rest| rest.chars().all(char::is_alphanumeric))
            || matches!(line, "<tool_call>" | "</tool_call>" | "[" | "]" | "," | "[]")
    };
    let kept: Vec<&str> = text.lines().filter(|line| !is_mark(line)).collect();
    let text = kept.join("\n");
    let text = text.replace("<tool_call>", "").replace("</tool_call>", "");
    text.trim().to_owned()
}
