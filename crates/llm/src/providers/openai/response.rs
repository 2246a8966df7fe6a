//! What comes back, whole and in pieces.

use serde_json::Value;

use super::super::read::{body_json, fault_within, is_bare_error, missing, number, word};
use super::{PROTOCOL, PROVIDER};
use crate::stream::{Assembly, CallPiece, Frame, fields};
use crate::{ChatResponse, FinishReason, HttpResponse, ModelError, Usage};

pub(super) fn response(http: &HttpResponse) -> Result<ChatResponse, ModelError> {
    let body = body_json(http)?;
    if choices(&body).is_empty() {
        return Err(missing(&body, "`choices[0]`", PROTOCOL));
    }
    if choices(&body).iter().all(|c| c.get("message").is_none() && c.get("text").is_none()) {
        return Err(missing(&body, "`choices[0].message`", PROTOCOL));
    }
    let mut assembly = Assembly::default();
    take(&mut assembly, &body)?;
    assembly.done();
    assembly.finish(PROVIDER.id)
}

pub(super) fn event(assembly: &mut Assembly, frame: &Frame) -> Result<(), ModelError> {
    let data = &frame.data;
    if frame.is_done_mark() {
        assembly.done();
        return Ok(());
    }
    if frame.is_error() || (choices(data).is_empty() && is_bare_error(data)) {
        return Err(fault_within(data));
    }
    take(assembly, data)
}

fn choices(data: &Value) -> &[Value] {
    data.get("choices").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// An answer, or a piece of one.
fn take(assembly: &mut Assembly, data: &Value) -> Result<(), ModelError> {
    let choices = choices(data);
    // The usage stands alone behind the end, as the last of a stream that was asked for it.
    let is_last = assembly.is_complete() && choices.is_empty();
    // Groq and Moonshot tell their usage in places of their own.
    let in_choices = choices.iter().map(|choice| choice.get("usage"));
    let places = [data.get("usage"), data.get("x_groq").and_then(|g| g.get("usage"))];
    for told in places.into_iter().chain(in_choices).flatten() {
        assembly.usage(usage(told));
        if is_last && told.is_object() {
            assembly.done();
        }
    }
    let n_before = assembly.n_calls();
    for choice in choices {
        let says = |part: &&Value| part.as_object().is_some_and(|fields| !fields.is_empty());
        let delta = choice.get("delta").filter(says);
        let index = choice.get("index").and_then(Value::as_u64).unwrap_or_default();
        // Some servers send a whole message as the only piece, or as the last one.
        if let Some(part) = delta.or_else(|| choice.get("message").filter(says)) {
            message(assembly, index, part, delta.is_none().then_some(n_before))?;
        } else if let Some(text) = choice.get("text").and_then(Value::as_str) {
            // The field of the protocol's elder sister, which knows no messages.
            assembly.text(text);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str)
            && !reason.is_empty()
        {
            assembly.stopped(finish(reason));
        }
    }
    Ok(())
}

/// Fields of a message that are read here, or that no endpoint takes back.
const READ: [&str; 13] = [
    "role",
    "content",
    "name",
    "tool_calls",
    "function_call",
    "refusal",
    "annotations",
    "audio",
    "reasoning_content",
    "reasoning",
    "thinking",
    "logprobs",
    "token_ids",
];

/// A message, or a piece of one, of the choice at this index. Of a whole one it says how many calls
/// came before it, in pieces.
fn message(
    assembly: &mut Assembly,
    choice: u64,
    message: &Value,
    whole: Option<usize>,
) -> Result<(), ModelError> {
    let is_whole = whole.is_some();
    let (text, within) = message.get("content").map(texts).unwrap_or_default();
    assembly.fields(&fields::others(message, &READ));
    if let Some((name, thoughts)) = thoughts(message) {
        if !thoughts.is_empty() {
            assembly.thoughts_in(name);
        }
        if is_whole {
            assembly.whole_reasoning(thoughts);
        } else {
            assembly.reasoning(thoughts);
        }
    }
    assembly.reasoning(&within);
    let refusal = message.get("refusal").and_then(Value::as_str).unwrap_or_default();
    for text in [text.as_str(), if text.is_empty() { refusal } else { "" }] {
        if text.is_empty() || !assembly.has_text_of(choice) {
            continue;
        }
        if is_whole { assembly.whole_text(text) } else { assembly.text(text) }
    }
    let calls = message.get("tool_calls").and_then(Value::as_array);
    let calls = calls.map(Vec::as_slice).unwrap_or_default();
    for (place, call) in calls.iter().enumerate() {
        take_call(assembly, call, place, whole)?;
    }
    // The elder form, with one call at most, which some servers send beside the other.
    if let Some(call) = message.get("function_call").filter(|c| c.is_object() && calls.is_empty()) {
        take_call(assembly, call, 0, whole)?;
    }
    Ok(())
}

fn take_call(
    assembly: &mut Assembly,
    call: &Value,
    place: usize,
    whole: Option<usize>,
) -> Result<(), ModelError> {
    let index = match whole {
        None => call.get("index").and_then(Value::as_u64),
        // In a message that is whole the place is the index; what did not come before is a call of
        // its own.
        Some(n_before) if place < n_before => Some(place as u64),
        Some(_) => Some(u64::MAX - assembly.n_calls() as u64),
    };
    let function = call.get("function").filter(|f| f.is_object()).unwrap_or(call);
    let known = ["id", "type", "index", "function", "name", "arguments"];
    let mut more = fields::others(call, &known);
    if !std::ptr::eq(call, function) {
        let within = fields::others(function, &["name", "arguments", "parsed_arguments"]);
        if !within.is_empty() {
            more.insert("function".into(), within.into());
        }
    }
    assembly.call(CallPiece {
        id: call.get("id").and_then(Value::as_str),
        index,
        name: function.get("name").and_then(Value::as_str),
        arguments: function.get("arguments"),
        fields: Some(&more),
        is_whole: whole.is_some_and(|n_before| place < n_before),
    })
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "stop" | "eos" => FinishReason::Stop,
        "tool_calls" | "function_call" => FinishReason::ToolCalls,
        "length" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        other => FinishReason::Other(word(other)),
    }
}

fn usage(usage: &Value) -> Usage {
    Usage {
        input_tokens: number(usage, &["prompt_tokens"]),
        output_tokens: number(usage, &["completion_tokens"]),
        cached_tokens: number(usage, &["prompt_tokens_details", "cached_tokens"])
            // DeepSeek's own name.
            .or_else(|| number(usage, &["prompt_cache_hit_tokens"])),
        reasoning_tokens: number(usage, &["completion_tokens_details", "reasoning_tokens"]),
    }
}

/// The names under which servers tell what a model thought.
pub(super) const THOUGHTS: [&str; 3] = ["reasoning_content", "reasoning", "thinking"];

/// What the model thought, and the name that the server gives it.
fn thoughts(message: &Value) -> Option<(&'static str, &str)> {
    THOUGHTS.iter().find_map(|name| Some((*name, message.get(*name)?.as_str()?)))
}

/// Text and thoughts of a content, which may be a text or a list of parts.
fn texts(content: &Value) -> (String, String) {
    let (mut text, mut thoughts) = (String::new(), String::new());
    match content {
        Value::String(all) => text.push_str(all),
        Value::Array(parts) => {
            for part in parts {
                // Mistral's thoughts are a list within the list.
                if let Some(thinking) = part.get("thinking") {
                    let (inner, _) = texts(thinking);
                    thoughts.push_str(&inner);
                } else if let Some(piece) =
                    part.get("text").and_then(Value::as_str).or_else(|| part.as_str())
                {
                    text.push_str(piece);
                }
            }
        }
        _ => {}
    }
    (text, thoughts)
}
