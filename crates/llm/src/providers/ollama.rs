//! Ollama's own protocol, `/api/chat`: the only one in which a client may set the size of the
//! context window.

use serde_json::{Map, Value, json};

use super::read::{self, body_json, fault_within, is_bare_error, missing, number, text, word};
use super::{Provider, arguments_object, max_tokens, openai, post};
use crate::stream::{Assembly, CallPiece, Frame, Framing};
use crate::{
    ChatRequest, ChatResponse, Endpoint, FinishReason, HttpRequest, HttpResponse, Image, Message,
    ModelError, ReplyShape, Role, Usage,
};

const PROTOCOL: &str = "Ollama chat";

pub(super) const PROVIDER: Provider = Provider {
    id: "ollama",
    title: "Ollama's own protocol",
    example_url: "http://127.0.0.1:11434",
    request,
    response,
    framing: Framing::Lines,
    event,
    list_models,
    models,
    auth: openai::auth,
    takes_schema: true,
};

fn list_models(endpoint: &Endpoint) -> HttpRequest {
    super::get(endpoint.url("api/tags"))
}

fn models(http: &HttpResponse) -> Result<Vec<String>, ModelError> {
    let body = body_json(http)?;
    read::names(&body, &["name", "model", "id"]).ok_or_else(|| missing(&body, "`models`", PROTOCOL))
}

fn request(endpoint: &Endpoint, chat: &ChatRequest, stream: bool) -> HttpRequest {
    let mut body = Map::new();
    body.insert("model".into(), chat.model.clone().into());
    body.insert("messages".into(), messages(&chat.messages).into());
    if !chat.tools.is_empty() {
        let tools: Vec<Value> = chat
            .tools
            .iter()
            .map(|t| {
                json!({ "type": "function", "function": {
                    "name": t.name, "description": t.description, "parameters": t.parameters,
                }})
            })
            .collect();
        body.insert("tools".into(), tools.into());
    }
    // Left out means yes here.
    body.insert("stream".into(), stream.into());
    // Rather an error than a conversation whose beginning is quietly left out; servers that do
    // not know the word do as they did.
    body.insert("truncate".into(), false.into());
    let mut options = Map::new();
    if let Some(n) = endpoint.options.num_ctx {
        options.insert("num_ctx".into(), n.into());
    }
    if let Some(temperature) = super::temperature(endpoint, chat) {
        options.insert("temperature".into(), temperature.into());
    }
    if let Some(n) = max_tokens(endpoint, chat) {
        options.insert("num_predict".into(), n.into());
    }
    if let Some(seed) = chat.seed.and_then(|s| i64::try_from(s).ok()) {
        options.insert("seed".into(), seed.into());
    }
    if !chat.stop.is_empty() {
        options.insert("stop".into(), chat.stop.clone().into());
    }
    if let Some(ReplyShape::Schema(schema)) = &chat.reply_shape {
        body.insert("format".into(), schema.clone());
    }
    if !options.is_empty() {
        body.insert("options".into(), options.into());
    }
    post(endpoint.url("api/chat"), body)
}

fn messages(messages: &[Message]) -> Vec<Value> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    messages
        .iter()
        .map(|message| {
            let mut out = Map::new();
            out.insert("role".into(), json!(message.role));
            out.insert("content".into(), message.text_to_send().into());
            let images: Vec<String> = message.images.iter().filter_map(Image::base64).collect();
            if !images.is_empty() {
                out.insert("images".into(), images.into());
            }
            if !message.tool_calls.is_empty() {
                names.extend(message.tool_calls.iter().map(|c| (c.id.as_str(), c.name.as_str())));
                let calls: Vec<Value> = message
                    .tool_calls
                    .iter()
                    .map(|c| {
                        json!({ "function": { "name": c.name,
                                              "arguments": arguments_object(&c.arguments) } })
                    })
                    .collect();
                out.insert("tool_calls".into(), calls.into());
                // A model that thinks is given the thoughts that led to its calls.
                if let Some(thoughts) = &message.reasoning {
                    out.insert("thinking".into(), thoughts.clone().into());
                }
            }
            if message.role == Role::Tool {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                if let Some((_, name)) = names.iter().rfind(|(call, _)| *call == id) {
                    out.insert("tool_name".into(), (*name).into());
                }
            }
            Value::Object(out)
        })
        .collect()
}

fn response(http: &HttpResponse) -> Result<ChatResponse, ModelError> {
    let body = body_json(http)?;
    if body.get("message").is_none() {
        return Err(missing(&body, "`message`", PROTOCOL));
    }
    let mut assembly = Assembly::default();
    take(&mut assembly, &body)?;
    assembly.done();
    assembly.finish(PROVIDER.id)
}

fn event(assembly: &mut Assembly, frame: &Frame) -> Result<(), ModelError> {
    if frame.is_error() || (frame.data.get("message").is_none() && is_bare_error(&frame.data)) {
        return Err(fault_within(&frame.data));
    }
    take(assembly, &frame.data)
}

/// An answer, or a piece of one: they have the same shape.
fn take(assembly: &mut Assembly, body: &Value) -> Result<(), ModelError> {
    let message = body.get("message").unwrap_or(&Value::Null);
    assembly.reasoning(text(message, "thinking"));
    assembly.text(text(message, "content"));
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for call in calls.map(Vec::as_slice).unwrap_or_default() {
        let function = call.get("function").unwrap_or(call);
        // A call comes whole, and its index, where it is sent, may be 0 for all of them.
        let next = assembly.n_calls() as u64;
        let empty = json!({});
        assembly.call(CallPiece {
            id: call.get("id").and_then(Value::as_str),
            index: Some(next),
            name: function.get("name").and_then(Value::as_str),
            arguments: Some(function.get("arguments").unwrap_or(&empty)),
            ..CallPiece::default()
        })?;
    }
    assembly.usage(Usage {
        input_tokens: number(body, &["prompt_eval_count"]),
        output_tokens: number(body, &["eval_count"]),
        ..Usage::default()
    });
    if body.get("done").and_then(Value::as_bool) == Some(true) {
        assembly.stopped(match text(body, "done_reason") {
            "stop" | "" => FinishReason::Stop,
            "length" => FinishReason::Length,
            other => FinishReason::Other(word(other)),
        });
        assembly.done();
    }
    Ok(())
}
