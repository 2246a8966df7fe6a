//! Gemini's own protocol, `generateContent`.
//!
//! Calls have no ids in older models, so a result names its function. Thoughts are signed on the
//! parts that follow them; a signature goes back with its part, or newer models refuse the result.

use serde_json::{Map, Value, json};

use super::read::{self, body_json, fault_within, is_bare_error, missing, number, text, word};
use super::{Provider, arguments_object, max_tokens, post};
use crate::chat::Block;
use crate::stream::{Assembly, CallPiece, Frame, Framing, fields};
use crate::{
    ApiKey, ChatRequest, ChatResponse, Endpoint, FinishReason, HttpRequest, HttpResponse, Image,
    Message, ModelError, Role, Usage,
};

const PROTOCOL: &str = "generateContent";

pub(super) const PROVIDER: Provider = Provider {
    id: "gemini",
    title: "Gemini",
    example_url: "https://generativelanguage.googleapis.com/v1beta",
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
    vec![("x-goog-api-key".into(), key.expose().into())]
}

fn list_models(endpoint: &Endpoint) -> HttpRequest {
    super::get(endpoint.url("models?pageSize=1000"))
}

fn models(http: &HttpResponse) -> Result<Vec<String>, ModelError> {
    let body = body_json(http)?;
    let list = read::models(&body).ok_or_else(|| missing(&body, "`models`", PROTOCOL))?;
    let can_chat = |m: &&Value| {
        let methods = m.get("supportedGenerationMethods").and_then(Value::as_array);
        methods.is_none_or(|all| all.iter().any(|x| x == "generateContent"))
    };
    let name = |m: &Value| Some(m.get("name")?.as_str()?.trim_start_matches("models/").to_owned());
    Ok(list.iter().filter(can_chat).filter_map(name).take(1000).collect())
}

fn request(endpoint: &Endpoint, chat: &ChatRequest, stream: bool) -> HttpRequest {
    let mut body = Map::new();
    let system: Vec<Value> = chat
        .messages
        .iter()
        .filter(|m| m.role == Role::System)
        .map(|m| json!({ "text": m.content }))
        .collect();
    if !system.is_empty() {
        body.insert("systemInstruction".into(), json!({ "parts": system }));
    }
    body.insert("contents".into(), contents(&chat.messages).into());
    if !chat.tools.is_empty() {
        let tools: Vec<Value> = chat
            .tools
            .iter()
            .map(|t| {
                json!({ "name": t.name, "description": t.description,
                        "parametersJsonSchema": t.parameters })
            })
            .collect();
        body.insert("tools".into(), json!([{ "functionDeclarations": tools }]));
        if !chat.tool_choice.is_auto() {
            let config = json!({ "functionCallingConfig": { "mode": "ANY" } });
            body.insert("toolConfig".into(), config);
        }
    }
    let mut config = Map::new();
    if let Some(temperature) = super::temperature(endpoint, chat) {
        config.insert("temperature".into(), temperature.into());
    }
    if let Some(n) = max_tokens(endpoint, chat) {
        config.insert("maxOutputTokens".into(), n.into());
    }
    // A number of 32 bits; a seed beyond is folded, which is a seed too.
    if let Some(seed) = chat.seed {
        config.insert("seed".into(), (seed % (1 << 31)).into());
    }
    if !chat.stop.is_empty() {
        config.insert("stopSequences".into(), chat.stop.clone().into());
    }
    if !config.is_empty() {
        body.insert("generationConfig".into(), config.into());
    }
    let model = path_of(&chat.model);
    let method = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
    post(endpoint.url(&format!("models/{model}:{method}")), body)
}

/// A model's name as a part of an address: what could change the address's meaning is left out.
fn path_of(model: &str) -> String {
    let name = model.trim().trim_start_matches("models/");
    name.chars().filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c)).collect()
}

fn user_parts(message: &Message) -> Vec<Value> {
    let image = |image: &Image| {
        let mime_type = image.kind().media_type();
        Some(json!({ "inlineData": { "mimeType": mime_type, "data": image.base64()? } }))
    };
    let text = json!({ "text": message.text_to_send() });
    std::iter::once(text).chain(message.images.iter().filter_map(image)).collect()
}

fn contents(messages: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    // Which function a call was of, and the id that the endpoint gave it, if it did.
    let mut calls: Vec<(&str, &str, Option<String>)> = Vec::new();
    for message in messages {
        let (role, parts) = match message.role {
            Role::System => continue,
            Role::User => ("user", user_parts(message)),
            Role::Assistant => ("model", write_parts(message, &mut calls)),
            Role::Tool => {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                let call = calls.iter().rfind(|(ours, ..)| *ours == id);
                let result = match serde_json::from_str(&message.content) {
                    Ok(object @ Value::Object(_)) => object,
                    _ => json!({ "result": message.content }),
                };
                let mut answer = Map::new();
                if let Some(theirs) = call.and_then(|(.., theirs)| theirs.clone()) {
                    answer.insert("id".into(), theirs.into());
                }
                answer.insert("name".into(), call.map_or("", |(_, name, _)| *name).into());
                answer.insert("response".into(), result);
                ("user", vec![json!({ "functionResponse": answer })])
            }
        };
        match turns.last_mut() {
            Some((last, turn)) if *last == role => turn.extend(parts),
            _ => turns.push((role, parts)),
        }
    }
    turns
        .into_iter()
        .filter(|(_, parts)| !parts.is_empty())
        .map(|(role, parts)| json!({ "role": role, "parts": parts }))
        .collect()
}

/// What the model said in its parts, with the signatures and ids that came with them.
fn write_parts<'a>(
    message: &'a Message,
    calls: &mut Vec<(&'a str, &'a str, Option<String>)>,
) -> Vec<Value> {
    let mut parts = Vec::new();
    // What is kept of a text alone stands before it.
    let mut of_text = Map::new();
    for block in message.blocks(PROVIDER.id) {
        let (mut part, fields) = match block {
            Block::Other(note) if note.get("text").is_none() && signature(note).is_some() => {
                of_text = note.as_object().cloned().unwrap_or_default();
                continue;
            }
            Block::Other(part) => {
                parts.push(part.clone());
                continue;
            }
            Block::Text(text, mut fields) => {
                fields.append(&mut of_text);
                if text.is_empty() && fields.is_empty() {
                    continue;
                }
                (json!({ "text": text }), fields)
            }
            Block::Call(call, mut fields) => {
                let id = fields.remove("id");
                let theirs = id.as_ref().and_then(Value::as_str).map(str::to_owned);
                calls.push((&call.id, &call.name, theirs));
                let mut inner = Map::new();
                inner.extend(id.map(|id| ("id".to_owned(), id)));
                inner.insert("name".into(), call.name.clone().into());
                inner.insert("args".into(), arguments_object(&call.arguments));
                (json!({ "functionCall": inner }), fields)
            }
        };
        for (name, value) in fields {
            part[name] = value;
        }
        parts.push(part);
    }
    if !of_text.is_empty() {
        of_text.insert("text".into(), "".into());
        parts.push(of_text.into());
    }
    parts
}

fn signature(part: &Value) -> Option<&Value> {
    part.get("thoughtSignature").or_else(|| part.get("thought_signature"))
}

fn response(http: &HttpResponse) -> Result<ChatResponse, ModelError> {
    let body = body_json(http)?;
    let mut assembly = Assembly::default();
    // A stream that is not cut into events is a list of its pieces.
    for piece in body.as_array().map_or(std::slice::from_ref(&body), Vec::as_slice) {
        if piece.get("candidates").is_none() && piece.get("promptFeedback").is_none() {
            return Err(missing(piece, "`candidates`", PROTOCOL));
        }
        take(&mut assembly, piece)?;
    }
    assembly.done();
    assembly.finish(PROVIDER.id)
}

fn event(assembly: &mut Assembly, frame: &Frame) -> Result<(), ModelError> {
    let data = &frame.data;
    if frame.is_error() || (data.get("candidates").is_none() && is_bare_error(data)) {
        return Err(fault_within(data.get(0).unwrap_or(data)));
    }
    take(assembly, data)
}

/// An answer, or a piece of one: they have the same shape.
fn take(assembly: &mut Assembly, body: &Value) -> Result<(), ModelError> {
    if let Some(told) = body.get("usageMetadata") {
        assembly.usage(usage(told));
    }
    let blocked = body.get("promptFeedback").map_or("", |f| text(f, "blockReason"));
    if !blocked.is_empty() {
        assembly.stopped(FinishReason::ContentFilter);
    }
    let Some(candidate) = body.get("candidates").and_then(|c| c.get(0)) else { return Ok(()) };
    let parts = candidate.get("content").and_then(|c| c.get("parts")).and_then(Value::as_array);
    for part in parts.map(Vec::as_slice).unwrap_or_default() {
        let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
        let mut more = fields::others(part, &["text", "thought", "functionCall"]);
        if let Some(call) = part.get("functionCall") {
            let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
            more.extend(id.map(|id| ("id".to_owned(), id.into())));
            // A call comes whole, so each one is a new one; without arguments it has none.
            let empty = json!({});
            assembly.call(CallPiece {
                id,
                index: Some(assembly.n_calls() as u64),
                name: call.get("name").and_then(Value::as_str),
                arguments: Some(call.get("args").unwrap_or(&empty)),
                fields: Some(&more),
                ..CallPiece::default()
            })?;
        } else if is_thought {
            assembly.reasoning(text(part, "text"));
            if !more.is_empty() {
                assembly.other(part.clone());
            }
        } else if part.get("text").is_some() || more.keys().all(|k| k.starts_with("thought")) {
            assembly.text(text(part, "text"));
            if !more.is_empty() {
                assembly.mark_text(more);
            }
        } else {
            assembly.other(part.clone());
        }
    }
    let reason = text(candidate, "finishReason");
    if !reason.is_empty() {
        assembly.stopped(finish(reason));
    }
    Ok(())
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
            FinishReason::ContentFilter
        }
        other => FinishReason::Other(word(other)),
    }
}

/// Thoughts are counted apart from the answer here.
fn usage(usage: &Value) -> Usage {
    let thoughts = number(usage, &["thoughtsTokenCount"]);
    let answer = number(usage, &["candidatesTokenCount"]);
    Usage {
        input_tokens: number(usage, &["promptTokenCount"]),
        output_tokens: match (answer, thoughts) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        },
        cached_tokens: number(usage, &["cachedContentTokenCount"]),
        reasoning_tokens: thoughts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_cannot_change_the_address() {
        assert_eq!(path_of(" models/gemini-2.5-flash "), "gemini-2.5-flash");
        assert_eq!(path_of("../x?key=1#"), "..xkey1");
    }
}
