//! The other side of the protocol of chat completions: what is asked in its words, and how an answer
//! stands in them. For whoever answers in a model's place, as scripts do, and for models that run here.

use crate::{
    ChatRequest, ChatResponse, FinishReason, Message, ReplyShape, Role, ToolCall, ToolChoice,
    ToolSpec, Usage,
};
use serde_json::{Value, json};

/// The address of models that run in the asker's own program, which no server has.
pub const IN_PROGRAM: &str = "page:model";

/// What is asked, and how the answer is to come.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The question.
    pub request: ChatRequest,
    /// As events, while it comes.
    pub is_stream: bool,
    /// Whether a stream ends with its tokens.
    pub tells_usage: bool,
    /// Only the likeliest tokens that have this much of the probability together, from 0 to 1.
    pub top_p: Option<f64>,
    /// Only tokens that are at least this part as likely as the likeliest, from 0 to 1.
    pub min_p: Option<f64>,
}

/// Reads a request. O(body).
///
/// # Errors
/// A field is not what the protocol has there; fields that it does not have are passed over.
pub fn read(body: &Value) -> Result<Wanted, String> {
    let number = |name: &str, least: f64, most: f64| match &body[name] {
        Value::Null => Ok(None),
        value => match value.as_f64().filter(|n| (least..=most).contains(n)) {
            Some(n) => Ok(Some(n)),
            None => Err(format!("`{name}` must be a number from {least} to {most}, not {value}")),
        },
    };
    let whole = |name: &str, least: u64| match &body[name] {
        Value::Null => Ok(None),
        value => match value.as_u64().filter(|n| *n >= least) {
            Some(n) => Ok(Some(n)),
            None => Err(format!("`{name}` must be a whole number of {least} or more, not {value}")),
        },
    };
    if !matches!(body["n"].as_u64(), None | Some(1)) {
        return Err("`n` must be 1: there is one answer".into());
    }
    let max_tokens = match whole("max_completion_tokens", 1)? {
        Some(n) => Some(n),
        None => whole("max_tokens", 1)?,
    };
    let (tools, tool_choice) = tools(body)?;
    Ok(Wanted {
        request: ChatRequest {
            messages: messages(body)?,
            tools,
            tool_choice,
            temperature: number("temperature", 0.0, 2.0)?,
            max_tokens,
            seed: whole("seed", 0)?,
            stop: stop(&body["stop"])?,
            reply_shape: reply_shape(body)?,
            model: body["model"].as_str().unwrap_or_default().to_owned(),
        },
        is_stream: body["stream"] == json!(true),
        tells_usage: body["stream_options"]["include_usage"] == json!(true),
        top_p: number("top_p", 0.0, 1.0)?,
        min_p: number("min_p", 0.0, 1.0)?,
    })
}

fn messages(body: &Value) -> Result<Vec<Message>, String> {
    let Some(messages) = body["messages"].as_array() else {
        return Err("`messages` must be a list of objects with `role` and `content`".into());
    };
    let read = |(i, m)| message(m).map_err(|what| format!("`messages[{i}]`: {what}"));
    messages.iter().enumerate().map(read).collect()
}

/// What may be called, and whether something must be.
fn tools(body: &Value) -> Result<(Vec<ToolSpec>, ToolChoice), String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut tools: Vec<ToolSpec> = body["tools"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .map(|t| ToolSpec {
            name: text(&t["function"]["name"]),
            description: text(&t["function"]["description"]),
            parameters: t["function"]["parameters"].clone(),
        })
        .collect();
    let choice = match &body["tool_choice"] {
        Value::Null => ToolChoice::Auto,
        Value::String(word) if word == "auto" => ToolChoice::Auto,
        Value::String(word) if word == "required" => ToolChoice::Required,
        Value::String(word) if word == "none" => {
            // Whoever wants no calls gets none.
            tools.clear();
            ToolChoice::Auto
        }
        Value::Object(named) if named.get("type") == Some(&json!("function")) => {
            let name = body["tool_choice"]["function"]["name"].as_str().unwrap_or_default();
            tools.retain(|tool| tool.name == name);
            if tools.is_empty() {
                return Err(format!("`tool_choice` names {name:?}, which is not among `tools`"));
            }
            ToolChoice::Required
        }
        other => {
            return Err(format!(
                "`tool_choice` must be \"auto\", \"required\", \"none\" or a function, not {other}"
            ));
        }
    };
    Ok((tools, choice))
}

/// Texts before which the reply ends: one, or a list.
fn stop(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Array(texts) => texts
            .iter()
            .map(|text| text.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or_else(|| "`stop` must be a text or a list of texts".into()),
        _ => Err("`stop` must be a text or a list of texts".into()),
    }
}

/// What the reply keeps to.
fn reply_shape(body: &Value) -> Result<Option<ReplyShape>, String> {
    let format = &body["response_format"];
    match &body["grammar"] {
        Value::Null => {}
        grammar @ Value::Object(_) => {
            let read = serde_json::from_value(grammar.clone());
            let read = read.map_err(|error| format!("`grammar`: {error}"))?;
            return Ok(Some(ReplyShape::Grammar(read)));
        }
        _ => {
            return Err(
                "`grammar` is not read as a text here: ask without it, or hold the reply to \
                        a JSON schema with `response_format`"
                    .into(),
            );
        }
    }
    match format["type"].as_str() {
        None if format.is_null() => Ok(None),
        Some("text") => Ok(None),
        Some("json_object") => Ok(Some(ReplyShape::Schema(json!({ "type": "object" })))),
        Some("json_schema") if format["json_schema"]["schema"].is_object() => {
            Ok(Some(ReplyShape::Schema(format["json_schema"]["schema"].clone())))
        }
        Some("json_schema") => Err("`response_format.json_schema.schema` must be an object".into()),
        _ => {
            Err("`response_format`.type must be \"text\", \"json_object\" or \"json_schema\""
                .into())
        }
    }
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

/// Who answers, as every answer says it.
#[derive(Clone, Debug)]
pub struct Reply {
    /// A name for this answer alone.
    pub id: String,
    /// Seconds since 1970.
    pub created: u64,
    /// The model's name.
    pub model: String,
}

fn finish_word(finish: &FinishReason) -> &'static str {
    match finish {
        FinishReason::ToolCalls => "tool_calls",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        _ => "stop",
    }
}

/// Tokens in the protocol's words; nothing where none are known.
fn usage(usage: &Usage) -> Option<Value> {
    let (input, output) = (usage.input_tokens?, usage.output_tokens.unwrap_or(0));
    Some(json!({
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": input + output,
        "prompt_tokens_details": { "cached_tokens": usage.cached_tokens.unwrap_or(0) },
    }))
}

impl Reply {
    /// A whole answer.
    pub fn whole(&self, answer: &ChatResponse) -> Value {
        let message = &answer.message;
        let calls: Vec<Value> = message
            .tool_calls
            .iter()
            .map(|c| {
                json!({ "id": c.id, "type": "function",
                        "function": { "name": c.name, "arguments": c.arguments } })
            })
            .collect();
        let mut reply = json!({ "role": "assistant", "content": message.content });
        if !calls.is_empty() {
            reply["tool_calls"] = calls.into();
        }
        let finish = finish_word(&answer.finish);
        let mut whole = json!({
            "id": self.id,
            "object": "chat.completion",
            "created": self.created,
            "model": self.model,
            "choices": [{ "index": 0, "message": reply, "finish_reason": finish }],
        });
        if let Some(usage) = usage(&answer.usage) {
            whole["usage"] = usage;
        }
        whole
    }

    fn chunk(&self, choices: Value) -> Value {
        json!({
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": choices,
        })
    }

    /// A piece of an answer.
    pub fn piece(&self, delta: &Value) -> Value {
        self.chunk(json!([{ "index": 0, "delta": delta, "finish_reason": null }]))
    }

    /// The piece with which every answer begins.
    pub fn first(&self) -> Value {
        self.piece(&json!({ "role": "assistant", "content": "" }))
    }

    /// A call in pieces: its name, then its arguments, 24 characters at a time.
    pub fn call(&self, index: usize, call: &ToolCall) -> Vec<Value> {
        let begun = json!({ "index": index, "id": call.id, "type": "function",
            "function": { "name": call.name, "arguments": "" } });
        let mut pieces = vec![self.piece(&json!({ "tool_calls": [begun] }))];
        let letters: Vec<char> = call.arguments.chars().collect();
        for some in letters.chunks(24) {
            let more = json!({ "index": index,
                "function": { "arguments": some.iter().collect::<String>() } });
            pieces.push(self.piece(&json!({ "tool_calls": [more] })));
        }
        pieces
    }

    /// The pieces with which it ends: why, and its tokens where they are wanted and known.
    pub fn last(&self, answer: &ChatResponse, tells_usage: bool) -> Vec<Value> {
        let finish = finish_word(&answer.finish);
        let ended = self.chunk(json!([{ "index": 0, "delta": {}, "finish_reason": finish }]));
        let counted = usage(&answer.usage).filter(|_| tells_usage).map(|usage| {
            let mut chunk = self.chunk(json!([]));
            chunk["usage"] = usage;
            chunk
        });
        std::iter::once(ended).chain(counted).collect()
    }
}

/// An event of a stream.
pub fn event(piece: &Value) -> String {
    format!("data: {piece}\n\n")
}

/// The event with which a stream ends.
pub const DONE: &str = "data: [DONE]\n\n";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decoder, Endpoint, Grammar, HttpHead, providers};

    fn asked() -> ChatRequest {
        let call = ToolCall { id: "c1".into(), name: "f".into(), arguments: "{}".into() };
        ChatRequest {
            model: "m".into(),
            messages: vec![
                Message::system("rules"),
                Message::user("a question"),
                Message { tool_calls: vec![call], ..Message::assistant("") },
                Message::tool("c1", "4"),
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
            reply_shape: Some(ReplyShape::Schema(json!({ "type": "object" }))),
        }
    }

    #[test]
    fn what_is_sent_is_read() {
        let provider = providers::find("openai").unwrap();
        let sent = (provider.request)(&Endpoint::new("openai", "http://h/v1"), &asked(), true);
        let body: Value = serde_json::from_str(&sent.body).unwrap();
        let wanted = read(&body).unwrap();
        assert_eq!(wanted.request, asked());
        assert!(wanted.is_stream && wanted.tells_usage);
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
        let reply = Reply { id: "a".into(), created: 1, model: "m".into() };
        let provider = providers::find("openai").unwrap();
        let head = HttpHead { status: 200, ..HttpHead::default() };
        let whole = head.clone().with_body(reply.whole(&answer).to_string());
        assert_eq!((provider.response)(&whole).unwrap(), answer);
        let head = HttpHead { content_type: Some("text/event-stream".into()), ..head };
        let mut decoder = Decoder::new(provider, head);
        let texts = ["Let me ", "see."].map(|text| reply.piece(&json!({ "content": text })));
        let calls = reply.call(0, &answer.message.tool_calls[0]);
        let pieces =
            [vec![reply.first()], texts.to_vec(), calls, reply.last(&answer, true)].concat();
        for piece in &pieces {
            decoder.feed(event(piece).as_bytes()).unwrap();
        }
        decoder.feed(DONE.as_bytes()).unwrap();
        assert_eq!(decoder.finish().unwrap(), answer);
    }

    #[test]
    fn every_field_comes_over_and_a_wrong_one_is_named() {
        let asked = json!({
            "messages": [{ "role": "developer", "content": "Be short." },
                { "role": "user", "content": [{ "type": "text", "text": "Hello" }] }],
            "tools": [{ "type": "function", "function": { "name": "f", "description": "does f",
                "parameters": { "type": "object" } } },
                { "type": "function", "function": { "name": "g" } }],
            "tool_choice": { "type": "function", "function": { "name": "f" } },
            "temperature": 0.5, "top_p": 0.9, "min_p": 0.1, "seed": 7, "max_tokens": 12,
            "stop": "END", "stream": true, "stream_options": { "include_usage": true },
            "response_format": { "type": "json_schema", "json_schema": { "schema": { "type": "object" } } },
        });
        let wanted = read(&asked).unwrap();
        let request = &wanted.request;
        assert_eq!(request.messages[0].role, Role::System);
        assert_eq!(request.messages[1].content, "Hello");
        let tools: Vec<_> = request.tools.iter().map(|t| (&*t.name, &*t.description)).collect();
        assert_eq!((tools, request.tool_choice), (vec![("f", "does f")], ToolChoice::Required));
        assert_eq!((request.temperature, request.seed), (Some(0.5), Some(7)));
        assert_eq!((request.max_tokens, &*request.stop[0]), (Some(12), "END"));
        let shape = ReplyShape::Schema(json!({ "type": "object" }));
        assert_eq!(request.reply_shape, Some(shape));
        let grammar = Grammar::list(Grammar::one_of(["a", "b"]), "; ", 3);
        let mut with_grammar = asked.clone();
        with_grammar["grammar"] = json!(grammar);
        let shape = ReplyShape::Grammar(grammar);
        assert_eq!(read(&with_grammar).unwrap().request.reply_shape, Some(shape));
        assert_eq!((wanted.top_p, wanted.min_p), (Some(0.9), Some(0.1)));
        assert!(wanted.is_stream && wanted.tells_usage);
        for (field, value) in [
            ("temperature", json!("hot")),
            ("temperature", json!(3)),
            ("top_p", json!(-1)),
            ("max_tokens", json!(0)),
            ("seed", json!(-1)),
            ("stop", json!([1])),
            ("tool_choice", json!("maybe")),
            ("tool_choice", json!({ "type": "function", "function": { "name": "h" } })),
            ("response_format", json!({ "type": "xml" })),
            ("n", json!(2)),
            ("grammar", json!("root ::= \"a\"")),
            ("messages", json!("hello")),
        ] {
            let mut wrong = asked.clone();
            wrong[field] = value;
            let told = read(&wrong).unwrap_err();
            assert!(told.contains(&format!("`{field}")), "{field}: {told}");
        }
    }
}
