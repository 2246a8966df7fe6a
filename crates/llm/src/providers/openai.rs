//! The chat completions protocol with tools, as OpenAI published it and most servers speak it.
//!
//! Reading is tolerant, because servers differ: `content` may be null or a list of parts,
//! `arguments` may be an object, ids may be missing.

use serde_json::{Map, Value, json};

use super::Provider;
use crate::{
    ApiKey, ChatRequest, ChatResponse, Endpoint, FinishReason, HttpRequest, HttpResponse, Message,
    ModelError, Role, ToolCall, Usage,
};

/// The largest answer that is read, in bytes.
const MAX_BODY: usize = 8_000_000;

pub(super) const PROVIDER: Provider = Provider {
    id: "openai",
    title: "OpenAI-compatible chat completions",
    request,
    response,
    list_models,
    models,
    auth,
};

fn url(endpoint: &Endpoint, path: &str) -> String {
    format!("{}/{path}", endpoint.base_url.trim().trim_end_matches('/'))
}

fn auth(key: &ApiKey) -> (String, String) {
    ("authorization".into(), format!("Bearer {}", key.expose()))
}

fn list_models(endpoint: &Endpoint) -> HttpRequest {
    HttpRequest {
        method: "GET".into(),
        url: url(endpoint, "models"),
        headers: Vec::new(),
        body: String::new(),
    }
}

fn request(endpoint: &Endpoint, chat: &ChatRequest) -> HttpRequest {
    let mut body = Map::new();
    body.insert("model".into(), chat.model.clone().into());
    body.insert("messages".into(), chat.messages.iter().map(message).collect());
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
    if let Some(temperature) = chat.temperature {
        body.insert("temperature".into(), temperature.into());
    }
    if let Some(max_tokens) = chat.max_tokens {
        body.insert("max_tokens".into(), max_tokens.into());
    }
    // Servers read a signed number.
    if let Some(seed) = chat.seed.and_then(|s| i64::try_from(s).ok()) {
        body.insert("seed".into(), seed.into());
    }
    HttpRequest {
        method: "POST".into(),
        url: url(endpoint, "chat/completions"),
        // Nothing more: every further header is one that a server's CORS rules may refuse.
        headers: vec![("content-type".into(), "application/json".into())],
        body: Value::Object(body).to_string(),
    }
}

fn message(message: &Message) -> Value {
    let mut out = Map::new();
    out.insert("role".into(), json!(message.role));
    if message.content.is_empty() && !message.tool_calls.is_empty() {
        out.insert("content".into(), Value::Null);
    } else {
        out.insert("content".into(), message.content.clone().into());
    }
    if !message.tool_calls.is_empty() {
        let calls: Vec<Value> = message
            .tool_calls
            .iter()
            .map(|c| {
                json!({ "id": c.id, "type": "function",
                        "function": { "name": c.name, "arguments": c.arguments } })
            })
            .collect();
        out.insert("tool_calls".into(), calls.into());
    }
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".into(), id.clone().into());
    }
    Value::Object(out)
}

fn body_json(http: &HttpResponse) -> Result<Value, ModelError> {
    if http.body.len() > MAX_BODY {
        return Err(ModelError::TooLarge { size: http.body.len(), limit: MAX_BODY });
    }
    let parsed = serde_json::from_str::<Value>(&http.body);
    if !(200..300).contains(&http.status) {
        let message = parsed
            .ok()
            .as_ref()
            .and_then(error_text)
            .unwrap_or_else(|| look(&http.body, http.content_type.as_deref()));
        let hint = match http.status {
            401 | 403 => "; check the key, and that the server allows this page's origin",
            404 => "; check the address and the model's name",
            429 => "; the endpoint wants fewer requests: wait, or lower the rate",
            500..=599 => "; the fault is on the endpoint's side",
            _ => "",
        };
        return Err(ModelError::Status { status: http.status, message, hint: hint.into() });
    }
    parsed
        .map_err(|_| ModelError::NotJson { found: look(&http.body, http.content_type.as_deref()) })
}

fn error_text(value: &Value) -> Option<String> {
    let error = value.get("error").unwrap_or(value);
    let text = error.as_str().or_else(|| error.get("message")?.as_str())?;
    Some(shorten(text.trim_end_matches('.')))
}

fn shorten(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= 200 {
        return text;
    }
    format!("{}…", text.chars().take(200).collect::<String>())
}

fn look(body: &str, content_type: Option<&str>) -> String {
    let start = body.trim_start();
    if start.is_empty() {
        return "an empty body".into();
    }
    let is_html = content_type.is_some_and(|t| t.contains("html"))
        || start.get(..9).is_some_and(|s| s.eq_ignore_ascii_case("<!doctype"))
        || start.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("<html"));
    if is_html {
        let title = start
            .find("<title>")
            .and_then(|at| start[at + 7..].split('<').next())
            .map(|t| format!(" titled \"{}\"", shorten(t)));
        return format!("an HTML page{}", title.unwrap_or_default());
    }
    format!("\"{}\"", shorten(&start.chars().take(400).collect::<String>()))
}

fn missing(field: &str) -> ModelError {
    ModelError::Shape { missing: field.into(), protocol: "chat completions".into() }
}

fn models(http: &HttpResponse) -> Result<Vec<String>, ModelError> {
    let body = body_json(http)?;
    let list = body
        .get("data")
        .or_else(|| body.get("models"))
        .and_then(Value::as_array)
        .ok_or_else(|| missing("`data`"))?;
    Ok(list
        .iter()
        .filter_map(|m| m.get("id").or_else(|| m.get("name"))?.as_str().map(str::to_owned))
        .take(1000)
        .collect())
}

fn response(http: &HttpResponse) -> Result<ChatResponse, ModelError> {
    let body = body_json(http)?;
    if body.get("choices").is_none()
        && let Some(text) = body.get("error").and(error_text(&body))
    {
        return Err(ModelError::Status { status: http.status, message: text, hint: String::new() });
    }
    let choice =
        body.get("choices").and_then(|c| c.get(0)).ok_or_else(|| missing("`choices[0]`"))?;
    let reply = choice.get("message").ok_or_else(|| missing("`choices[0].message`"))?;
    let tool_calls: Vec<ToolCall> = reply
        .get("tool_calls")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .map(tool_call)
        .collect();
    let mut content = reply.get("content").map(text_of).unwrap_or_default();
    if content.is_empty()
        && let Some(refusal) = reply.get("refusal").and_then(Value::as_str)
    {
        content = refusal.to_owned();
    }
    let finish = match choice.get("finish_reason").and_then(Value::as_str) {
        _ if !tool_calls.is_empty() => FinishReason::ToolCalls,
        Some("stop") | None => FinishReason::Stop,
        Some("length") => FinishReason::Length,
        Some("content_filter") => FinishReason::ContentFilter,
        Some(other) => FinishReason::Other(other.chars().take(40).collect()),
    };
    let usage = body.get("usage");
    let tokens = |name: &str| usage.and_then(|u| u.get(name)).and_then(Value::as_u64);
    Ok(ChatResponse {
        message: Message {
            role: Role::Assistant,
            content,
            tool_calls,
            tool_call_id: None,
            reasoning: None,
        },
        finish,
        usage: Usage {
            input_tokens: tokens("prompt_tokens"),
            output_tokens: tokens("completion_tokens"),
            ..Usage::default()
        },
    })
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|p| p.get("text").and_then(Value::as_str).or_else(|| p.as_str()))
            .collect::<Vec<_>>()
            .join(""),
        _ => String::new(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(body: &str) -> HttpResponse {
        HttpResponse { status: 200, content_type: None, body: body.into() }
    }

    #[test]
    fn a_html_page_is_named_as_such() {
        let page = ok("<!DOCTYPE html><html><title>Welcome to nginx!</title>");
        let error = response(&page).unwrap_err().to_string();
        assert!(error.contains("an HTML page titled \"Welcome to nginx!\""), "{error}");
    }

    #[test]
    fn an_error_body_is_quoted_with_what_to_do() {
        let http = HttpResponse {
            status: 401,
            content_type: None,
            body: r#"{"error":{"message":"Incorrect API key"}}"#.into(),
        };
        let error = response(&http).unwrap_err().to_string();
        assert_eq!(
            error,
            "the endpoint answered 401: Incorrect API key; check the key, and that the server \
             allows this page's origin"
        );
    }

    #[test]
    fn servers_that_differ_are_read() {
        let http = ok(
            r#"{"choices":[{"finish_reason":"stop","message":{"content":[{"type":"text","text":"hi"}],
            "tool_calls":[{"type":"function","function":{"name":"f","arguments":{"a":1}}}]}}]}"#,
        );
        let chat = response(&http).unwrap();
        assert_eq!(chat.message.content, "hi");
        assert_eq!(chat.message.tool_calls[0].id, "", "the loop gives it one");
        assert_eq!(chat.message.tool_calls[0].arguments, r#"{"a":1}"#);
        assert_eq!(chat.finish, FinishReason::ToolCalls);
        assert_eq!(chat.usage.total(), None);
    }

    #[test]
    fn json_of_another_shape_says_what_is_missing() {
        let error = response(&ok(r#"{"hello":1}"#)).unwrap_err().to_string();
        assert!(error.contains("`choices[0]`"), "{error}");
    }

    #[test]
    fn hostile_bodies_do_not_panic() {
        for body in
            ["", "[]", "null", "{\"choices\":[]}", "{\"choices\":[{\"message\":3}]}", "\u{0}"]
        {
            let _ = response(&ok(body));
            let _ = models(&ok(body));
        }
    }

    #[test]
    fn a_key_is_never_printed() {
        let key = ApiKey::new(" sk-canary ").unwrap();
        assert_eq!(format!("{key:?} {key}"), "*** ***");
        assert_eq!(auth(&key).1, "Bearer sk-canary");
    }
}
