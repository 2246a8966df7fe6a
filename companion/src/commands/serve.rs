//! `graphground serve`: the scripted models as an OpenAI-compatible endpoint on the loopback,
//! whole or as a stream. It tells no tokens: a script has none.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use llm::{ChatRequest, Message, Role, ToolCall, ToolSpec};
use serde_json::{Value, json};
use systems::grounded::scripted::Script;
use systems::kgetool::scripted::KgScript;
use tiny_http::{Method, Request, Server, StatusCode};

use crate::output;

/// The largest request that is read, in bytes.
const MAX_BODY: u64 = 8_000_000;
/// Requests that are answered at once.
const THREADS: usize = 4;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The port on the loopback.
    #[arg(long, default_value_t = 8190)]
    port: u16,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let server =
        Server::http(("127.0.0.1", args.port)).map_err(|e| anyhow::anyhow!("{e}")).with_context(
            || format!("cannot listen on port {}: give a free one with --port", args.port),
        )?;
    let server = Arc::new(server);
    let mut out = output::stdout();
    writeln!(out, "scripted models at http://127.0.0.1:{}/v1 (Ctrl+C stops it)", args.port)?;
    out.flush()?;
    drop(out);
    let workers: Vec<_> = (0..THREADS)
        .map(|_| {
            let server = server.clone();
            std::thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    answer(request);
                }
            })
        })
        .collect();
    for worker in workers {
        let _ = worker.join();
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(mut request: Request) {
    let header = |name: &'static str| {
        request.headers().iter().find(|h| h.field.equiv(name)).map(|h| h.value.as_str().to_owned())
    };
    // A page from a disk says `null`; it is answered like any other.
    let origin = header("Origin");
    let path = request.url().split('?').next().unwrap_or_default().to_owned();
    let (status, body) = match (request.method(), path.as_str()) {
        (Method::Options, _) => (204, Value::Null),
        (Method::Get, "/v1/models") => (200, models()),
        (Method::Post, "/v1/chat/completions") => {
            let mut text = String::new();
            match request.as_reader().take(MAX_BODY + 1).read_to_string(&mut text) {
                Ok(n) if n as u64 > MAX_BODY => fault(413, "the request has more than 8 MB"),
                Ok(_) => {
                    let (status, body) = complete(&text);
                    if status == 200 && wants_stream(&text) {
                        let origin = origin.as_deref().unwrap_or("*");
                        let _ = write_stream(request, origin, &body);
                        return;
                    }
                    (status, body)
                }
                Err(_) => fault(400, "the request is not UTF-8 text"),
            }
        }
        (Method::Get, "/") => (
            200,
            json!({ "graphground": "scripted models", "try": ["/v1/models", "/v1/chat/completions"] }),
        ),
        _ => fault(
            404,
            &format!("there is no {path}; there are /v1/models and /v1/chat/completions"),
        ),
    };
    let text = if body.is_null() { String::new() } else { body.to_string() };
    let origin = origin.as_deref().unwrap_or("*");
    // Whoever asked may be gone; there is nobody to tell.
    let _ = write_answer(request, status, origin, &text);
}

/// Writes an answer that ends its connection: the library hands several connections to one thread,
/// and those that a browser keeps open would hold up the others for good.
pub(super) fn write_answer(
    request: Request,
    status: u16,
    origin: &str,
    text: &str,
) -> std::io::Result<()> {
    let mut out = request.into_writer();
    write_head(&mut out, status, origin, "application/json")?;
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// What stands before every answer, up to the length of its body.
fn write_head(
    out: &mut dyn std::io::Write,
    status: u16,
    origin: &str,
    content_type: &str,
) -> std::io::Result<()> {
    // What a client sent as its origin goes back as one line, whatever is in it.
    let origin: String = origin.chars().filter(|c| !c.is_control()).take(300).collect();
    let words = StatusCode(status).default_reason_phrase();
    write!(out, "HTTP/1.1 {status} {words}\r\nConnection: close\r\n")?;
    for (name, value) in [
        ("Content-Type", content_type),
        ("Access-Control-Allow-Origin", origin.as_str()),
        ("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
        ("Access-Control-Allow-Headers", "content-type, authorization"),
        ("Access-Control-Allow-Private-Network", "true"),
        ("Access-Control-Max-Age", "600"),
        ("Vary", "Origin"),
    ] {
        write!(out, "{name}: {value}\r\n")?;
    }
    Ok(())
}

fn wants_stream(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|body| body["stream"] == json!(true))
}

/// Writes a completion as events, a few words at a time, each in a chunk of its own: the
/// connection may outlive the answer.
fn write_stream(request: Request, origin: &str, completion: &Value) -> std::io::Result<()> {
    let mut out = request.into_writer();
    write_head(&mut out, 200, origin, "text/event-stream")?;
    write!(out, "Cache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    let events = pieces(completion).into_iter().map(|event| event.to_string());
    for event in events.chain(["[DONE]".to_owned()]) {
        let text = format!("data: {event}\n\n");
        write!(out, "{:x}\r\n{text}\r\n", text.len())?;
        out.flush()?;
    }
    write!(out, "0\r\n\r\n")?;
    out.flush()
}

/// The pieces of a completion, in the protocol's own shape.
fn pieces(completion: &Value) -> Vec<Value> {
    let choice = &completion["choices"][0];
    let message = &choice["message"];
    let piece = |delta: Value, finish: Value| {
        json!({
            "id": completion["id"],
            "object": "chat.completion.chunk",
            "created": completion["created"],
            "model": completion["model"],
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        })
    };
    let mut pieces = vec![piece(json!({ "role": "assistant", "content": "" }), Value::Null)];
    let text = message["content"].as_str().unwrap_or_default();
    for words in text.split_inclusive(' ').collect::<Vec<_>>().chunks(4) {
        pieces.push(piece(json!({ "content": words.concat() }), Value::Null));
    }
    let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (index, call) in calls.iter().enumerate() {
        let function = &call["function"];
        let begun = json!({ "index": index, "id": call["id"], "type": "function",
            "function": { "name": function["name"], "arguments": "" } });
        pieces.push(piece(json!({ "tool_calls": [begun] }), Value::Null));
        let letters: Vec<char> =
            function["arguments"].as_str().unwrap_or_default().chars().collect();
        for some in letters.chunks(24) {
            let more = json!({ "index": index,
                "function": { "arguments": some.iter().collect::<String>() } });
            pieces.push(piece(json!({ "tool_calls": [more] }), Value::Null));
        }
    }
    pieces.push(piece(json!({}), choice["finish_reason"].clone()));
    pieces
}

fn fault(status: u16, message: &str) -> (u16, Value) {
    (status, json!({ "error": { "type": "invalid_request_error", "message": message } }))
}

/// What stands before the names of the scripts that play the models of KGETool.
const KGETOOL: &str = "kgetool/";

fn models() -> Value {
    let family = KgScript::ALL.map(|s| (format!("{KGETOOL}{}", s.name()), s.title().to_owned()));
    let data: Vec<Value> = Script::names()
        .into_iter()
        .map(|(id, about)| (id.to_string(), about.to_string()))
        .chain(family)
        .map(|(id, about)| {
            json!({ "id": id, "object": "model", "owned_by": "graphground", "description": about })
        })
        .collect();
    json!({ "object": "list", "data": data })
}

fn complete(text: &str) -> (u16, Value) {
    let body: Value = match serde_json::from_str(text) {
        Ok(body) => body,
        Err(error) => return fault(400, &format!("the request is not JSON: {error}")),
    };
    let name = body["model"].as_str().unwrap_or_default();
    let family = name.strip_prefix(KGETOOL).and_then(KgScript::by_name);
    let Some(script) = Script::by_name(name).filter(|_| family.is_none()) else {
        if let (Some(script), Some(request)) = (family, chat_request(&body)) {
            return (200, completion(name, &script.turn(&request)));
        }
        return fault(404, &format!("there is no model {name:?}; GET /v1/models lists them"));
    };
    let Some(request) = chat_request(&body) else {
        return fault(400, "`messages` must be a list of objects with `role` and `content`");
    };
    match script.turn(&request) {
        Ok(message) => (200, completion(name, &message)),
        Err(error) => fault(400, &error.to_string()),
    }
}

/// The words of the protocol as ours.
fn chat_request(body: &Value) -> Option<ChatRequest> {
    let messages = body["messages"]
        .as_array()?
        .iter()
        .map(|m| {
            let role: Role = serde_json::from_value(m["role"].clone()).ok()?;
            let calls = m["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
            Some(Message {
                role,
                content: m["content"].as_str().unwrap_or_default().to_owned(),
                tool_calls: calls
                    .iter()
                    .map(|c| ToolCall {
                        id: c["id"].as_str().unwrap_or_default().to_owned(),
                        name: c["function"]["name"].as_str().unwrap_or_default().to_owned(),
                        arguments: c["function"]["arguments"]
                            .as_str()
                            .unwrap_or_default()
                            .to_owned(),
                    })
                    .collect(),
                tool_call_id: m["tool_call_id"].as_str().map(str::to_owned),
                reasoning: None,
                echo: None,
            })
        })
        .collect::<Option<Vec<_>>>()?;
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tools = tools
        .iter()
        .map(|t| ToolSpec {
            name: t["function"]["name"].as_str().unwrap_or_default().to_owned(),
            description: String::new(),
            parameters: t["function"]["parameters"].clone(),
        })
        .collect();
    Some(ChatRequest { messages, tools, ..ChatRequest::default() })
}

fn completion(model: &str, message: &Message) -> Value {
    let calls: Vec<Value> = message
        .tool_calls
        .iter()
        .map(|c| {
            json!({ "id": c.id, "type": "function",
                    "function": { "name": c.name, "arguments": c.arguments } })
        })
        .collect();
    let mut reply = json!({ "role": "assistant", "content": message.content });
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    if !calls.is_empty() {
        reply["tool_calls"] = calls.into();
    }
    json!({
        "id": "chatcmpl-script",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{ "index": 0, "message": reply, "finish_reason": finish }],
    })
}
