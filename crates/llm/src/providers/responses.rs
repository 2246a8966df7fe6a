//! OpenAI's Responses protocol, without anything kept at the endpoint (`store: false`).
//!
//! A reasoning model wants its thoughts back with the results of its calls, or it thinks afresh.
//! They come encrypted, so they are carried along unread, with their place among the other items.

use serde_json::{Map, Value, json};

use super::read::{body_json, fault_within, missing, number, text, word};
use super::{Provider, max_tokens, openai, post};
use crate::stream::{Assembly, CallPiece, Frame, Framing};
use crate::{
    ChatRequest, ChatResponse, Echo, Endpoint, FinishReason, HttpRequest, HttpResponse, Image,
    Message, ModelError, Role, ToolCall, Usage,
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
    let said = |role: &str, kind: &str| {
        json!({ "type": "message", "role": role,
                "content": [{ "type": kind, "text": message.content }] })
    };
    match message.role {
        Role::System => vec![said("system", "input_text")],
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
            let said_text = (!message.content.is_empty()).then(|| said("assistant", "output_text"));
            let call = |c: &ToolCall| {
                json!({ "type": "function_call", "call_id": c.id, "name": c.name,
                        "arguments": c.arguments })
            };
            let order = message.echo_of(PROVIDER.id);
            if order.is_empty() {
                return said_text.into_iter().chain(message.tool_calls.iter().map(call)).collect();
            }
            order
                .iter()
                .filter_map(|item| match text(item, "type") {
                    "message" => said_text.clone(),
                    "call" => {
                        let at = usize::try_from(item.get("call")?.as_u64()?).ok()?;
                        message.tool_calls.get(at).map(call)
                    }
                    _ => Some(item.clone()),
                })
                .collect()
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
    let output = body
        .get("output")
        .and_then(Value::as_array)
        .ok_or_else(|| missing("`output`", PROTOCOL))?;
    let (mut content, mut reasoning) = (String::new(), String::new());
    let (mut tool_calls, mut order, mut has_thoughts) = (Vec::new(), Vec::new(), false);
    for item in output {
        match text(item, "type") {
            "message" => {
                for part in list(item, "content") {
                    content.push_str(text(part, "text"));
                    content.push_str(text(part, "refusal"));
                }
                if !order.iter().any(|o| text(o, "type") == "message") {
                    order.push(json!({ "type": "message" }));
                }
            }
            "function_call" => {
                order.push(json!({ "type": "call", "call": tool_calls.len() }));
                tool_calls.push(ToolCall {
                    id: text(item, "call_id").to_owned(),
                    name: text(item, "name").to_owned(),
                    arguments: text(item, "arguments").to_owned(),
                });
            }
            "reasoning" => {
                let pieces: Vec<&str> = list(item, "summary")
                    .iter()
                    .chain(list(item, "content"))
                    .map(|p| text(p, "text"))
                    .collect();
                reasoning.push_str(&pieces.join("\n"));
                // Without its encrypted form the endpoint would look for it in its store.
                if item.get("encrypted_content").is_some_and(Value::is_string) {
                    has_thoughts = true;
                    order.push(item.clone());
                }
            }
            _ => {}
        }
    }
    let reason = body.get("incomplete_details").map_or("", |d| text(d, "reason"));
    let finish = match reason {
        "max_output_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "" if !tool_calls.is_empty() => FinishReason::ToolCalls,
        "" => FinishReason::Stop,
        other => FinishReason::Other(word(other)),
    };
    Ok(ChatResponse {
        message: Message {
            role: Role::Assistant,
            content,
            tool_calls,
            tool_call_id: None,
            reasoning: (!reasoning.is_empty()).then_some(reasoning),
            echo: has_thoughts.then(|| Echo { provider: PROVIDER.id.into(), items: order }),
            images: Vec::new(),
        },
        finish,
        usage: body.get("usage").map(usage).unwrap_or_default(),
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
        "response.output_item.added" => {
            let item = data.get("item").unwrap_or(&Value::Null);
            if text(item, "type") == "function_call" {
                assembly.call(CallPiece {
                    id: item.get("call_id").and_then(Value::as_str),
                    index,
                    name: item.get("name").and_then(Value::as_str),
                    arguments: item.get("arguments"),
                })?;
            }
        }
        "response.function_call_arguments.delta" => {
            assembly.call(CallPiece {
                index,
                arguments: data.get("delta"),
                ..CallPiece::default()
            })?;
        }
        "response.completed" | "response.incomplete" => {
            let body = data.get("response").unwrap_or(&Value::Null);
            assembly.usage(body.get("usage").map(usage).unwrap_or_default());
            // The end repeats the whole; what came in pieces counts where it does not.
            if list(body, "output").is_empty() {
                let is_cut = text(data, "type") == "response.incomplete";
                assembly.stopped(if is_cut { FinishReason::Length } else { FinishReason::Stop });
            } else {
                assembly.whole(answer(body)?);
            }
            assembly.done();
        }
        "response.failed" => {
            return Err(fault_within(data.get("response").unwrap_or(data)));
        }
        "error" => return Err(fault_within(data)),
        _ if data.get("error").is_some_and(|e| !e.is_null()) => return Err(fault_within(data)),
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
