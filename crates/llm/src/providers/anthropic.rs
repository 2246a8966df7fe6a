//! Anthropic's Messages protocol.
//!
//! All results of a turn go into one message of the user; thoughts are signed, and go back at the
//! places where they came.

use serde_json::{Map, Value, json};

use super::read::{self, body_json, fault_within, is_bare_error, missing, number, text, word};
use super::{Provider, arguments_object, max_tokens, post};
use crate::chat::Block;
use crate::stream::{Assembly, CallPiece, Frame, Framing};
use crate::{
    ApiKey, ChatRequest, ChatResponse, Endpoint, FinishReason, HttpRequest, HttpResponse, Image,
    Message, ModelError, Role, Usage,
};

const PROTOCOL: &str = "messages";
/// The protocol wants a limit. A model that writes less says how much in its refusal, and is asked again
/// for that.
const MAX_TOKENS: u64 = 64_000;

pub(super) const PROVIDER: Provider = Provider {
    id: "anthropic",
    title: "Anthropic Messages",
    example_url: "https://api.anthropic.com/v1",
    request,
    response,
    framing: Framing::Sse,
    event,
    list_models,
    models,
    auth,
    takes_schema: false,
};

fn auth(key: &ApiKey) -> Vec<(String, String)> {
    vec![("x-api-key".into(), key.expose().into())]
}

/// What every request carries beside the key. The last one is what lets a page ask at all.
fn with_version(mut request: HttpRequest) -> HttpRequest {
    for (name, value) in
        [("anthropic-version", "2023-06-01"), ("anthropic-dangerous-direct-browser-access", "true")]
    {
        request.headers.push((name.into(), value.into()));
    }
    request
}

fn list_models(endpoint: &Endpoint) -> HttpRequest {
    with_version(super::get(endpoint.url("models?limit=1000")))
}

fn models(http: &HttpResponse) -> Result<Vec<String>, ModelError> {
    let body = body_json(http)?;
    read::names(&body, &["id", "name"]).ok_or_else(|| missing(&body, "`data`", PROTOCOL))
}

fn request(endpoint: &Endpoint, chat: &ChatRequest, stream: bool) -> HttpRequest {
    let mut body = Map::new();
    body.insert("model".into(), chat.model.clone().into());
    let limit = max_tokens(endpoint, chat).unwrap_or(MAX_TOKENS);
    body.insert("max_tokens".into(), limit.into());
    let system: Vec<&str> = chat
        .messages
        .iter()
        .filter(|m| m.role == Role::System)
        .map(|m| m.content.as_str())
        .collect();
    if !system.is_empty() {
        body.insert("system".into(), system.join("\n\n").into());
    }
    body.insert("messages".into(), messages(&chat.messages).into());
    if !chat.tools.is_empty() {
        let tools: Vec<Value> = chat
            .tools
            .iter()
            .map(|t| {
                json!({ "name": t.name, "description": t.description,
                        "input_schema": t.parameters })
            })
            .collect();
        body.insert("tools".into(), tools.into());
        if !chat.tool_choice.is_auto() {
            body.insert("tool_choice".into(), json!({ "type": "any" }));
        }
    }
    if let Some(temperature) = super::temperature(endpoint, chat) {
        body.insert("temperature".into(), temperature.into());
    }
    if !chat.stop.is_empty() {
        body.insert("stop_sequences".into(), chat.stop.clone().into());
    }
    if stream {
        body.insert("stream".into(), true.into());
    }
    with_version(post(endpoint.url("messages"), body))
}

fn user_blocks(message: &Message) -> Vec<Value> {
    let image = |image: &Image| {
        let media_type = image.kind().media_type();
        let source = json!({ "type": "base64", "media_type": media_type, "data": image.base64()? });
        Some(json!({ "type": "image", "source": source }))
    };
    let text = json!({ "type": "text", "text": message.text_to_send() });
    std::iter::once(text).chain(message.images.iter().filter_map(image)).collect()
}

/// The conversation in turns: what follows one another of one side is one message.
fn messages(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message.role {
            Role::System => continue,
            Role::User => ("user", user_blocks(message)),
            Role::Tool => (
                "user",
                vec![json!({ "type": "tool_result", "tool_use_id": message.tool_call_id,
                             "content": message.content })],
            ),
            Role::Assistant => ("assistant", write_blocks(message)),
        };
        match turns.last_mut() {
            Some((last, turn)) if *last == role => turn.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    turns
        .into_iter()
        .filter(|(_, blocks)| !blocks.is_empty())
        .map(|(role, content)| json!({ "role": role, "content": content }))
        .collect()
}

/// The blocks of a turn in the order in which they came.
fn write_blocks(message: &Message) -> Vec<Value> {
    let block = |block: Block<'_>| match block {
        // An empty text is refused.
        Block::Text("", _) => None,
        Block::Text(text, _) => Some(json!({ "type": "text", "text": text })),
        Block::Call(c, _) => Some(json!({ "type": "tool_use", "id": c.id, "name": c.name,
                                          "input": arguments_object(&c.arguments) })),
        Block::Other(item) => Some(item.clone()),
    };
    message.blocks(PROVIDER.id).into_iter().filter_map(block).collect()
}

fn response(http: &HttpResponse) -> Result<ChatResponse, ModelError> {
    answer(&body_json(http)?)
}

/// A whole answer.
fn answer(body: &Value) -> Result<ChatResponse, ModelError> {
    let mut assembly = Assembly::default();
    match body.get("content") {
        Some(Value::Array(blocks)) => {
            for (index, block) in blocks.iter().enumerate() {
                begin(&mut assembly, block, Some(index as u64), true)?;
            }
        }
        Some(Value::String(text)) => assembly.text(text),
        _ => return Err(missing(body, "`content`", PROTOCOL)),
    }
    assembly.stopped(finish(text(body, "stop_reason")));
    assembly.usage(body.get("usage").map(usage).unwrap_or_default());
    assembly.finish(PROVIDER.id)
}

/// Takes a block: the whole of it, or the place that its start keeps for what comes in pieces.
fn begin(
    assembly: &mut Assembly,
    block: &Value,
    index: Option<u64>,
    is_whole: bool,
) -> Result<(), ModelError> {
    match text(block, "type") {
        "text" => assembly.open_text(text(block, "text")),
        "tool_use" => {
            let input = block.get("input");
            let is_empty = input.and_then(Value::as_object).is_none_or(Map::is_empty);
            return assembly.call(CallPiece {
                id: block.get("id").and_then(Value::as_str),
                index,
                name: block.get("name").and_then(Value::as_str),
                arguments: input.filter(|_| is_whole || !is_empty),
                ..CallPiece::default()
            });
        }
        "thinking" | "redacted_thinking" => {
            assembly.open_reasoning(text(block, "thinking"));
            assembly.other(block.clone());
        }
        _ => {}
    }
    Ok(())
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "end_turn" | "stop_sequence" | "" => FinishReason::Stop,
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::ContentFilter,
        other => FinishReason::Other(word(other)),
    }
}

/// This endpoint counts what came from its cache, and what went into it, apart from the rest.
fn usage(usage: &Value) -> Usage {
    let tokens = |name: &str| number(usage, &[name]);
    let cached = tokens("cache_read_input_tokens");
    let stored = tokens("cache_creation_input_tokens");
    Usage {
        input_tokens: tokens("input_tokens")
            .map(|n| n.saturating_add(cached.unwrap_or(0)).saturating_add(stored.unwrap_or(0))),
        output_tokens: tokens("output_tokens"),
        cached_tokens: cached,
        reasoning_tokens: None,
    }
}

fn event(assembly: &mut Assembly, frame: &Frame) -> Result<(), ModelError> {
    let data = &frame.data;
    let index = data.get("index").and_then(Value::as_u64);
    match text(data, "type") {
        "message_start" => {
            let told = data.get("message").and_then(|m| m.get("usage"));
            assembly.usage(told.map(usage).unwrap_or_default());
        }
        "content_block_start" => {
            begin(assembly, data.get("content_block").unwrap_or(&Value::Null), index, false)?;
        }
        "content_block_delta" => {
            let delta = data.get("delta").unwrap_or(&Value::Null);
            match text(delta, "type") {
                "text_delta" => assembly.text(text(delta, "text")),
                // Calls that the endpoint makes itself, which nobody asked for, have pieces too.
                "input_json_delta" if assembly.has_call_at(index) => assembly.call(CallPiece {
                    index,
                    arguments: delta.get("partial_json"),
                    ..CallPiece::default()
                })?,
                "thinking_delta" => {
                    let new = assembly.reasoning(text(delta, "thinking"));
                    assembly.grow_other("thinking", new);
                }
                "signature_delta" => {
                    assembly.grow_other("signature", text(delta, "signature"));
                }
                _ => {}
            }
        }
        "message_delta" => {
            assembly.usage(data.get("usage").map(usage).unwrap_or_default());
            let reason = data.get("delta").map_or("", |d| text(d, "stop_reason"));
            if !reason.is_empty() {
                assembly.stopped(finish(reason));
            }
        }
        "message_stop" => assembly.done(),
        "ping" => assembly.beat(),
        // A frame with all of the answer, of a server that repeats it.
        "message" => {
            if let Ok(whole) = answer(data) {
                assembly.whole(whole);
            }
        }
        _ if frame.is_error() || is_bare_error(data) => return Err(fault_within(data)),
        _ => {}
    }
    Ok(())
}
