//! What is sent.

use serde_json::{Map, Value, json};

use super::super::{max_tokens, post};
use super::PROVIDER;
use super::response::THOUGHTS;
use crate::chat::Block;
use crate::{ChatRequest, Endpoint, HttpRequest, Image, Message, ReplyShape, Role, served};

/// What one host wants otherwise than the rest.
struct Quirks {
    host: &'static str,
    /// The name of the limit on a reply's tokens.
    max_tokens: &'static str,
    /// The name of the seed; empty where there is none.
    seed: &'static str,
    /// Whether a stream is asked to tell its usage. Where not, the host tells it anyway, and
    /// refuses fields that it does not know.
    stream_options: bool,
    /// Whether a field for a grammar does no harm.
    grammar: bool,
}

const USUAL: Quirks = Quirks {
    host: "",
    max_tokens: "max_tokens",
    seed: "seed",
    stream_options: true,
    grammar: true,
};

/// Only what differs; `docs/endpoints.md` says where each is documented.
const QUIRKS: [Quirks; 3] = [
    Quirks { host: "api.openai.com", max_tokens: "max_completion_tokens", grammar: false, ..USUAL },
    Quirks {
        host: "api.mistral.ai",
        seed: "random_seed",
        stream_options: false,
        grammar: false,
        ..USUAL
    },
    Quirks { host: "api.deepseek.com", seed: "", grammar: false, ..USUAL },
];

pub(super) fn request(endpoint: &Endpoint, chat: &ChatRequest, stream: bool) -> HttpRequest {
    let quirks = QUIRKS.iter().find(|q| endpoint.is_at(q.host)).unwrap_or(&USUAL);
    let mut body = Map::new();
    body.insert("model".into(), chat.model.clone().into());
    let messages = chat.messages.iter().map(message).collect();
    body.insert("messages".into(), messages);
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
        if !chat.tool_choice.is_auto() {
            // The word is understood by more servers than the object that names a function.
            body.insert("tool_choice".into(), "required".into());
        }
    }
    if let Some(temperature) = super::super::temperature(endpoint, chat) {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(n) = max_tokens(endpoint, chat) {
        body.insert(quirks.max_tokens.into(), n.into());
    }
    if !chat.stop.is_empty() {
        body.insert("stop".into(), chat.stop.clone().into());
    }
    match &chat.reply_shape {
        Some(ReplyShape::Schema(schema)) => {
            let format = json!({ "name": "reply", "schema": schema });
            body.insert(
                "response_format".into(),
                json!({ "type": "json_schema", "json_schema": format }),
            );
        }
        // Our own side reads a grammar as it is.
        Some(ReplyShape::Grammar(grammar)) if endpoint.base_url == served::IN_PROGRAM => {
            body.insert("grammar".into(), json!(grammar));
        }
        // A field of llama.cpp's server, which others leave unread.
        Some(ReplyShape::Grammar(grammar)) if quirks.grammar => {
            body.insert("grammar".into(), grammar.gbnf().into());
        }
        _ => {}
    }
    // Servers read a signed number.
    if let Some(seed) = chat.seed.and_then(|s| i64::try_from(s).ok())
        && !quirks.seed.is_empty()
    {
        body.insert(quirks.seed.into(), seed.into());
    }
    if stream {
        body.insert("stream".into(), true.into());
        if quirks.stream_options {
            body.insert("stream_options".into(), json!({ "include_usage": true }));
        }
    }
    post(endpoint.url("chat/completions"), body)
}

fn message(message: &Message) -> Value {
    let mut out = Map::new();
    out.insert("role".into(), json!(message.role));
    if message.content.is_empty() && !message.tool_calls.is_empty() {
        out.insert("content".into(), Value::Null);
    } else if !message.images.is_empty() {
        let urls = message.images.iter().filter_map(Image::data_url);
        let parts = urls.map(|url| json!({ "type": "image_url", "image_url": { "url": url } }));
        let text = json!({ "type": "text", "text": message.text_to_send() });
        out.insert("content".into(), std::iter::once(text).chain(parts).collect());
    } else {
        out.insert("content".into(), message.content.clone().into());
    }
    if message.role == Role::Assistant {
        give_back(message, &mut out);
    }
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".into(), id.clone().into());
    }
    Value::Object(out)
}

/// The calls of a turn, and what else came with it from an endpoint of this protocol.
fn give_back(message: &Message, out: &mut Map<String, Value>) {
    let (mut calls, mut details) = (Vec::new(), Vec::new());
    let mut thoughts_in = None;
    for block in message.blocks(PROVIDER.id) {
        match block {
            Block::Text(..) => {}
            Block::Call(call, mut more) => {
                let mut function = Map::new();
                function.insert("name".into(), call.name.clone().into());
                function.insert("arguments".into(), call.arguments.clone().into());
                if let Some(Value::Object(within)) = more.remove("function") {
                    extend(&mut function, within);
                }
                let mut whole = Map::new();
                whole.insert("id".into(), call.id.clone().into());
                whole.insert("type".into(), "function".into());
                whole.insert("function".into(), function.into());
                extend(&mut whole, more);
                calls.push(Value::Object(whole));
            }
            Block::Other(item) => match item.get("message").and_then(Value::as_object) {
                Some(fields) => {
                    extend(out, fields.clone());
                    thoughts_in = item.get("thoughts").and_then(Value::as_str);
                }
                None => details.push(item.clone()),
            },
        }
    }
    // The thoughts that led to calls go back with them, under the name that they came under;
    // those of an answer are wanted nowhere.
    if let (Some(name), Some(thoughts)) = (thoughts_in, &message.reasoning)
        && THOUGHTS.contains(&name)
        && !calls.is_empty()
    {
        out.insert(name.into(), thoughts.clone().into());
    }
    if !details.is_empty() {
        out.insert("reasoning_details".into(), details.into());
    }
    if !calls.is_empty() {
        out.insert("tool_calls".into(), calls.into());
    }
}

/// Adds fields that are not there.
fn extend(out: &mut Map<String, Value>, fields: Map<String, Value>) {
    for (name, value) in fields {
        out.entry(name).or_insert(value);
    }
}
