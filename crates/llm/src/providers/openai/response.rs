//! What comes back, whole and in pieces.

use serde_json::Value;

use super::super::read::{body_json, fault_within, missing, number, word};
use super::{PROTOCOL, PROVIDER};
use crate::stream::{Assembly, CallPiece, Frame};
use crate::{
    ChatResponse, Echo, FinishReason, HttpResponse, Message, ModelError, Role, ToolCall, Usage,
};

pub(super) fn response(http: &HttpResponse) -> Result<ChatResponse, ModelError> {
    let body = body_json(http)?;
    let choice = body
        .get("choices")
        .and_then(|c| c.get(0))
        .ok_or_else(|| missing("`choices[0]`", PROTOCOL))?;
    let reply = choice.get("message").ok_or_else(|| missing("`choices[0].message`", PROTOCOL))?;
    let calls = reply.get("tool_calls").and_then(Value::as_array);
    let tool_calls: Vec<ToolCall> =
        calls.map(Vec::as_slice).unwrap_or_default().iter().map(tool_call).collect();
    let (mut content, mut reasoning) = reply.get("content").map(texts).unwrap_or_default();
    reasoning.insert_str(0, thoughts(reply));
    if content.is_empty()
        && let Some(refusal) = reply.get("refusal").and_then(Value::as_str)
    {
        content = refusal.to_owned();
    }
    let finish = match choice.get("finish_reason").and_then(Value::as_str) {
        _ if !tool_calls.is_empty() => FinishReason::ToolCalls,
        Some(reason) => finish(reason),
        None => FinishReason::Stop,
    };
    let details = reply.get("reasoning_details").and_then(Value::as_array);
    let echo = details
        .filter(|d| !d.is_empty())
        .map(|d| Echo { provider: PROVIDER.id.into(), items: d.clone() });
    Ok(ChatResponse {
        message: Message {
            role: Role::Assistant,
            content,
            tool_calls,
            tool_call_id: None,
            reasoning: (!reasoning.is_empty()).then_some(reasoning),
            echo,
            images: Vec::new(),
        },
        finish,
        usage: usage(body.get("usage")),
    })
}

pub(super) fn event(assembly: &mut Assembly, frame: &Frame) -> Result<(), ModelError> {
    let data = &frame.data;
    if frame.is_done_mark() {
        assembly.done();
        return Ok(());
    }
    if data.get("error").is_some_and(|e| !e.is_null()) || is_bare_error(data) {
        return Err(fault_within(data));
    }
    // Groq tells its usage in a place of its own.
    for place in [data.get("usage"), data.get("x_groq").and_then(|g| g.get("usage"))] {
        assembly.usage(usage(place));
    }
    let Some(choice) = data.get("choices").and_then(|c| c.get(0)) else {
        // The usage stands alone behind the end, as the last of a stream that was asked for it.
        if assembly.is_complete() && data.get("usage").is_some_and(Value::is_object) {
            assembly.done();
        }
        return Ok(());
    };
    // Some servers send a whole message as the only piece.
    if let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) {
        assembly.reasoning(thoughts(delta));
        let (content, reasoning) = delta.get("content").map(texts).unwrap_or_default();
        assembly.reasoning(&reasoning);
        assembly.text(&content);
        if let Some(refusal) = delta.get("refusal").and_then(Value::as_str) {
            assembly.text(refusal);
        }
        if let Some(details) = delta.get("reasoning_details").and_then(Value::as_array) {
            assembly.echoes().extend(details.iter().cloned());
        }
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for call in calls.map(Vec::as_slice).unwrap_or_default() {
            let function = call.get("function").unwrap_or(&Value::Null);
            assembly.call(CallPiece {
                id: call.get("id").and_then(Value::as_str),
                index: call.get("index").and_then(Value::as_u64),
                name: function.get("name").and_then(Value::as_str),
                arguments: function.get("arguments"),
            })?;
        }
    }
    if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str)
        && !reason.is_empty()
    {
        assembly.stopped(finish(reason));
    }
    Ok(())
}

/// An error that is not wrapped: a code and a message, as llama.cpp and vLLM send it.
fn is_bare_error(data: &Value) -> bool {
    data.get("choices").is_none()
        && data.get("message").is_some_and(Value::is_string)
        && (data.get("code").is_some() || data["object"] == "error")
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

fn usage(usage: Option<&Value>) -> Usage {
    let Some(usage) = usage else { return Usage::default() };
    Usage {
        input_tokens: number(usage, &["prompt_tokens"]),
        output_tokens: number(usage, &["completion_tokens"]),
        cached_tokens: number(usage, &["prompt_tokens_details", "cached_tokens"])
            // DeepSeek's own name.
            .or_else(|| number(usage, &["prompt_cache_hit_tokens"])),
        reasoning_tokens: number(usage, &["completion_tokens_details", "reasoning_tokens"]),
    }
}

/// What the model thought, under the names that servers give it.
fn thoughts(message: &Value) -> &str {
    ["reasoning_content", "reasoning"]
        .iter()
        .find_map(|name| message.get(*name)?.as_str())
        .unwrap_or_default()
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

/// One call; what a server leaves out is empty, and the loop makes something of it.
fn tool_call(call: &Value) -> ToolCall {
    let function = call.get("function").unwrap_or(&Value::Null);
    let arguments = match function.get("arguments") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(object) => object.to_string(),
    };
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    ToolCall { id: text(call.get("id")), name: text(function.get("name")), arguments }
}
