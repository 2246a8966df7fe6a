//! OpenAI's Responses protocol, without anything kept at the endpoint (`store: false`).
//!
//! A reasoning model wants its thoughts back with the results of its calls, or it thinks afresh.
//! They come encrypted, so they are carried along unread, with their place among the other items.

use serde_json::{Map, Value, json};

use super::read::{body_json, fault_within, is_bare_error, missing, number, text, word};
use super::{Provider, max_tokens, openai, post};
use crate::chat::Block;
use crate::stream::{Assembly, CallPiece, Frame, Framing, fields};
use crate::{
    ChatRequest, ChatResponse, Endpoint, FinishReason, HttpRequest, HttpResponse, Image, Message,
    ModelError, Role, Usage,
};

const PROTOCOL: &str = "responses";

pub(super) const PROVIDER: Provider = Provider {
    id: "responses",
    title: "OpenAI Responses",
    example_url: "https://api.openai.com/v1",
    request,
    response,
    framing: Framing::Sse,
    event,
    list_models: openai::list_models,
    models: openai::models,
    auth: openai::auth,
    takes_schema: false,
};

fn request(endpoint: &Endpoint, chat: &ChatRequest, stream: bool) -> HttpRequest {
    let mut body = Map::new();
    body.insert("model".into(), chat.model.clone().into());
    body.insert("input".into(), chat.messages.iter().flat_map(items).collect());
    body.insert("store".into(), false.into());
    if reasons(&chat.model) {
        // Models that do not reason refuse this.
        body.insert("include".into(), json!(["reasoning.encrypted_content"]));
    }
    if !chat.tools.is_empty() {
        let tools: Vec<Value> = chat
            .tools
            .iter()
            .map(|t| {
                // Strict schemas allow no optional arguments, which ours have.
                json!({ "type": "function", "name": t.name, "description": t.description,
                        "parameters": t.parameters, "strict": false })
            })
            .collect();
        body.insert("tools".into(), tools.into());
        if !chat.tool_choice.is_auto() {
            body.insert("tool_choice".into(), "required".into());
        }
    }
    if let Some(temperature) = super::temperature(endpoint, chat) {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(n) = max_tokens(endpoint, chat) {
        body.insert("max_output_tokens".into(), n.into());
    }
    if stream {
        body.insert("stream".into(), true.into());
    }
    post(endpoint.url("responses"), body)
}

/// Whether a model of this name gives its thoughts encrypted: the o series and gpt-5 and later.
fn reasons(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    let digit = |text: &str| text.chars().next().and_then(|c| c.to_digit(10));
    name.strip_prefix('o').and_then(digit).is_some()
        || (name.strip_prefix("gpt-").and_then(digit).is_some_and(|n| n >= 5)
            && !name.contains("chat"))
}

/// A message as the items of this protocol.
fn items(message: &Message) -> Vec<Value> {
    let said = |role: &str, kind: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] });
    match message.role {
        Role::System => vec![said("system", "input_text", &message.content)],
        Role::User => {
            let urls = message.images.iter().filter_map(Image::data_url);
            let parts = urls.map(|url| json!({ "type": "input_image", "image_url": url }));
            let text = json!({ "type": "input_text", "text": message.text_to_send() });
            let content: Vec<Value> = std::iter::once(text).chain(parts).collect();
            vec![json!({ "type": "message", "role": "user", "content": content })]
        }
        Role::Tool => vec![json!({
            "type": "function_call_output",
            "call_id": message.tool_call_id,
            "output": message.content,
        })],
        Role::Assistant => {
            let mut items = Vec::new();
            for block in message.blocks(PROVIDER.id) {
                let (mut item, fields) = match block {
                    Block::Text("", _) => continue,
                    Block::Text(text, fields) => (said("assistant", "output_text", text), fields),
                    Block::Call(c, fields) => {
                        let item = json!({ "type": "function_call", "call_id": c.id,
                                           "name": c.name, "arguments": c.arguments });
                        (item, fields)
                    }
                    Block::Other(item) => (item.clone(), Map::new()),
                };
                for (name, value) in fields {
                    item[name] = value;
                }
                items.push(item);
            }
            items
        }
    }
}

fn response(http: &HttpResponse) -> Result<ChatResponse, ModelError> {
    answer(&body_json(http)?)
}

/// An answer, whole or at the end of a stream.
fn answer(body: &Value) -> Result<ChatResponse, ModelError> {
    if text(body, "status") == "failed" {
        return Err(fault_within(body));
    }
    let mut assembly = Assembly::default();
    match (body.get("output").and_then(Value::as_array), body.get("output_text")) {
        (Some(output), _) => output.iter().try_for_each(|item| take(&mut assembly, item))?,
        // What libraries make of the output stands alone where a server left out the output.
        (None, Some(Value::String(text))) => assembly.text(text),
        _ => return Err(missing(body, "`output`", PROTOCOL)),
    }
    assembly.usage(body.get("usage").map(usage).unwrap_or_default());
    assembly.stopped(match body.get("incomplete_details").map_or("", |d| text(d, "reason")) {
        "max_output_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "" => FinishReason::Stop,
        other => FinishReason::Other(word(other)),
    });
    assembly.finish(PROVIDER.id)
}

/// Takes an item that is whole.
fn take(assembly: &mut Assembly, item: &Value) -> Result<(), ModelError> {
    match text(item, "type") {
        "message" => {
            assembly.open_text("");
            assembly.text(&text_of(item));
            let more = fields::others(item, &["type", "id", "role", "status", "content"]);
            if !more.is_empty() {
                assembly.mark_text(more);
            }
        }
        "function_call" => {
            let known = ["type", "id", "status", "call_id", "name", "arguments"];
            return call(assembly, item, None, &fields::others(item, &known));
        }
        "reasoning" => {
            let pieces = list(item, "summary").iter().chain(list(item, "content"));
            let pieces: Vec<&str> = pieces.map(|p| text(p, "text")).collect();
            assembly.reasoning(&pieces.join("\n"));
            // Without its encrypted form the endpoint would look for it in its store.
            if item.get("encrypted_content").is_some_and(Value::is_string) {
                assembly.other(item.clone());
            }
        }
        _ => {}
    }
    Ok(())
}

/// The text of a message.
fn text_of(item: &Value) -> String {
    let parts = list(item, "content").iter();
    parts.flat_map(|part| [text(part, "text"), text(part, "refusal")]).collect()
}

fn call(
    assembly: &mut Assembly,
    item: &Value,
    index: Option<u64>,
    more: &Map<String, Value>,
) -> Result<(), ModelError> {
    assembly.call(CallPiece {
        id: item.get("call_id").or_else(|| item.get("id")).and_then(Value::as_str),
        index,
        name: item.get("name").and_then(Value::as_str),
        arguments: item.get("arguments"),
        fields: Some(more),
        ..CallPiece::default()
    })
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn usage(usage: &Value) -> Usage {
    Usage {
        input_tokens: number(usage, &["input_tokens"]),
        output_tokens: number(usage, &["output_tokens"]),
        cached_tokens: number(usage, &["input_tokens_details", "cached_tokens"]),
        reasoning_tokens: number(usage, &["output_tokens_details", "reasoning_tokens"]),
    }
}

fn event(assembly: &mut Assembly, frame: &Frame) -> Result<(), ModelError> {
    let data = &frame.data;
    if frame.is_done_mark() {
        // The mark of the other protocol ends a stream here, too, if nothing else did.
        assembly.done();
        return Ok(());
    }
    let index = data.get("output_index").and_then(Value::as_u64);
    match text(data, "type") {
        "response.output_text.delta" | "response.refusal.delta" => {
            assembly.text(text(data, "delta"));
        }
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
            assembly.reasoning(text(data, "delta"));
        }
        "response.output_text.done" => assembly.ended_text(text(data, "text")),
        "response.refusal.done" => assembly.ended_text(text(data, "refusal")),
        kind @ ("response.output_item.added" | "response.output_item.done") => {
            let item = data.get("item").unwrap_or(&Value::Null);
            if text(item, "type") == "function_call" {
                call(assembly, item, index, &Map::new())?;
            }
            if kind == "response.output_item.done" {
                if text(item, "type") == "message" {
                    assembly.ended_text(&text_of(item));
                }
                assembly.keep(item.clone());
            }
        }
        kind @ ("response.function_call_arguments.delta"
        | "response.function_call_arguments.done") => {
            let arguments = data.get(if kind.ends_with("delta") { "delta" } else { "arguments" });
            // An item of a kind that nobody asked for may have arguments, too.
            if assembly.has_call_at(index) {
                assembly.call(CallPiece { index, arguments, ..CallPiece::default() })?;
            }
        }
        kind @ ("response.completed" | "response.incomplete" | "response.done") => {
            let body = data.get("response").unwrap_or(&Value::Null);
            assembly.usage(body.get("usage").map(usage).unwrap_or_default());
            // The end repeats the whole; what came before counts where it does not.
            let mut whole = body.clone();
            let kept = assembly.kept();
            if list(body, "output").is_empty() && whole.is_object() && !kept.is_empty() {
                whole["output"] = kept.into();
            }
            if list(&whole, "output").is_empty() {
                let is_cut = kind == "response.incomplete";
                assembly.stopped(if is_cut { FinishReason::Length } else { FinishReason::Stop });
            } else {
                assembly.whole(answer(&whole)?);
            }
            assembly.done();
        }
        "response.failed" => {
            return Err(fault_within(data.get("response").unwrap_or(data)));
        }
        _ if frame.is_error() || is_bare_error(data) => return Err(fault_within(data)),
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_models_that_reason_are_asked_for_their_thoughts() {
        for (model, does) in [
            ("o4-mini", true),
            ("gpt-5", true),
            ("openai/gpt-5.2", true),
            ("gpt-4o", false),
            ("gpt-5-chat-latest", false),
            ("omni", false),
        ] {
            assert_eq!(reasons(model), does, "{model}");
        }
    }
}
