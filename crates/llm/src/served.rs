//! The other side of OpenAI's protocol: questions are read, answers are written. For whoever answers
//! in a model's place, as scripts do, and for models that run here.

use serde_json::{Value, json};

use crate::{
    ChatRequest, ChatResponse, FinishReason, Message, Role, ToolCall, ToolChoice, ToolSpec,
};

/// What a question says, from the body that asks it.
///
/// # Errors
/// It is none; the words say which field is wrong and what would be right.
pub fn request(body: &Value) -> Result<ChatRequest, String> {
    let Some(messages) = body["messages"].as_array() else {
        return Err("`messages` must be a list of objects with `role` and `content`".into());
    };
    let messages = messages
        .iter()
        .enumerate()
        .map(|(i, m)| message(m).map_err(|what| format!("`messages[{i}]`: {what}")))
        .collect::<Result<Vec<_>, _>>()?;
    // Whoever wants no calls gets none.
    let wants_tools = body["tool_choice"] != "none";
    let tools = body["tools"].as_array().filter(|_| wants_tools).map(Vec::as_slice);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tools = tools
        .unwrap_or_default()
        .iter()
        .map(|t| ToolSpec {
            name: text(&t["function"]["name"]),
            description: text(&t["function"]["description"]),
            parameters: t["function"]["parameters"].clone(),
        })
        .collect();
    let tool_choice = match body["tool_choice"].as_str() {
        Some("required") => ToolChoice::Required,
        _ => ToolChoice::Auto,
    };
    let stop = match &body["stop"] {
        Value::String(one) => vec![one.clone()],
        Value::Array(all) => all.iter().filter_map(|s| s.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    let schema = &body["response_format"]["json_schema"]["schema"];
    Ok(ChatRequest {
        model: text(&body["model"]),
        messages,
        tools,
        tool_choice,
        temperature: body["temperature"].as_f64(),
        max_tokens: ["max_completion_tokens", "max_tokens"].iter().find_map(|n| body[*n].as_u64()),
        seed: body["seed"].as_u64(),
        stop,
        reply_schema: Some(schema).filter(|s| s.is_object()).cloned(),
    })
}

fn message(m: &Value) -> Result<Message, String> {
    let role = match m["role"].as_str() {
        // The protocol's newer word for the same.
        Some("developer") => Role::System,
        _ => serde_json::from_value(m["role"].clone()).map_err(|_| {
            "`role` must be \"system\", \"developer\", \"user\", \"assistant\" or \"tool\""
                .to_owned()
        })?,
    };
    let calls = m["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Message {
        role,
        content: content(&m["content"])?,
        tool_calls: calls
            .iter()
            .map(|c| ToolCall {
                id: text(&c["id"]),
                name: text(&c["function"]["name"]),
                arguments: text(&c["function"]["arguments"]),
            })
            .collect(),
        tool_call_id: m["tool_call_id"].as_str().map(str::to_owned),
        reasoning: None,
        echo: None,
        images: Vec::new(),
    })
}

/// A content: a text, nothing, or a list of parts of which each is a text.
fn content(value: &Value) -> Result<String, String> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) => parts
            .iter()
            .map(|part| match (&part["type"], &part["text"]) {
                (Value::String(of), Value::String(text)) if of == "text" => Ok(text.as_str()),
                (of, _) => Err(format!("only parts of type \"text\" are read here, not {of}")),
            })
            .collect(),
        _ => Err("`content` must be a text or a list of parts".into()),
    }
}

/// The word of the protocol for why an answer ended.
fn finish(reason: &FinishReason) -> &str {
    match reason {
        FinishReason::Stop | FinishReason::Stopped => "stop",
        FinishReason::ToolCalls => "tool_calls",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        FinishReason::Other(word) => word,
    }
}

fn calls(message: &Message) -> Vec<Value> {
    let call = |(index, call): (usize, &ToolCall)| {
        json!({ "index": index, "id": call.id, "type": "function",
                "function": { "name": call.name, "arguments": call.arguments } })
    };
    message.tool_calls.iter().enumerate().map(call).collect()
}

fn usage(answer: &ChatResponse) -> Value {
    let (input, output) = (answer.usage.input_tokens, answer.usage.output_tokens);
    json!({
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": answer.usage.total(),
        "prompt_tokens_details": { "cached_tokens": answer.usage.cached_tokens },
    })
}

/// A whole answer as the body of a reply.
pub fn whole(model: &str, answer: &ChatResponse) -> String {
    let mut message = json!({ "role": "assistant", "content": answer.message.content });
    if !answer.message.tool_calls.is_empty() {
        message["tool_calls"] = calls(&answer.message).into();
    }
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish(&answer.finish) });
    json!({ "object": "chat.completion", "model": model, "choices": [choice], "usage": usage(answer) })
        .to_string()
}

fn event(model: &str, delta: &Value, finish: Option<&str>) -> String {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
    let event = json!({ "object": "chat.completion.chunk", "model": model, "choices": [choice] });
    format!("data: {event}\n\n")
}

/// A piece of an answer's text as an event of a stream.
pub fn piece(model: &str, text: &str) -> String {
    event(model, &json!({ "content": text }), None)
}

/// The end of a stream: calls, why it ended, tokens. The text came before, in pieces.
pub fn end(model: &str, answer: &ChatResponse) -> String {
    let mut all = String::new();
    if !answer.message.tool_calls.is_empty() {
        all.push_str(&event(model, &json!({ "tool_calls": calls(&answer.message) }), None));
    }
    all.push_str(&event(model, &json!({}), Some(finish(&answer.finish))));
    let usage = json!({ "object": "chat.completion.chunk", "model": model, "choices": [],
                        "usage": usage(answer) });
    all.push_str(&format!("data: {usage}\n\ndata: [DONE]\n\n"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decoder, Endpoint, HttpHead, Usage, providers};

    fn asked() -> ChatRequest {
        ChatRequest {
            model: "m".into(),
            messages: vec![
                Message::system("rules"),
                Message::user("a question"),
                Message {
                    tool_calls: vec![ToolCall {
                        id: "c1".into(),
                        name: "f".into(),
                        arguments: "{}".into(),
                    }],
                    ..Message::assistant("")
                },
                Message { role: Role::Tool, tool_call_id: Some("c1".into()), ..Message::user("4") },
            ],
            tools: vec![ToolSpec {
                name: "f".into(),
                description: "does".into(),
                parameters: json!({ "type": "object" }),
            }],
            tool_choice: ToolChoice::Required,
            temperature: Some(0.5),
            max_tokens: Some(7),
            seed: Some(3),
            stop: vec!["END".into()],
            reply_schema: Some(json!({ "type": "object" })),
        }
    }

    #[test]
    fn what_is_sent_is_read() {
        let endpoint = Endpoint::new("openai", "http://h/v1");
        let provider = providers::find("openai").unwrap();
        let sent = (provider.request)(&endpoint, &asked(), true);
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        assert_eq!(request(&body).unwrap(), asked());
        let wrong = request(&json!({ "messages": [{ "role": "king" }] })).unwrap_err();
        assert!(wrong.starts_with("`messages[0]`: `role` must be"), "{wrong}");
    }

    #[test]
    fn what_is_answered_is_read_whole_and_as_a_stream() {
        let answer = ChatResponse {
            message: Message {
                tool_calls: asked().messages[2].tool_calls.clone(),
                ..Message::assistant("Let me see.")
            },
            finish: FinishReason::ToolCalls,
            usage: Usage {
                input_tokens: Some(9),
                output_tokens: Some(2),
                cached_tokens: Some(4),
                reasoning_tokens: None,
            },
        };
        let provider = providers::find("openai").unwrap();
        let head = HttpHead { status: 200, ..HttpHead::default() };
        let read = (provider.response)(&head.clone().with_body(whole("m", &answer))).unwrap();
        assert_eq!(read, answer);
        let head = HttpHead { content_type: Some("text/event-stream".into()), ..head };
        let mut decoder = Decoder::new(provider, head);
        for text in ["Let me ", "see."] {
            decoder.feed(piece("m", text).as_bytes()).unwrap();
        }
        decoder.feed(end("m", &answer).as_bytes()).unwrap();
        assert_eq!(decoder.finish().unwrap(), answer);
    }
}
