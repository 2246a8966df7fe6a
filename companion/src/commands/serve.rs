//! `graphground serve`: the scripted models as an OpenAI-compatible endpoint on the loopback,
//! whole or as a stream. It reports no tokens: a script uses none.

use std::convert::Infallible;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use futures_util::stream;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::header::{self, HeaderValue};
use hyper::{Method, StatusCode};
use llm::Message;
use serde_json::{Value, json};
use systems::grounded::scripted::Script;
use systems::kgetool::scripted::FamilyScript;

use crate::output;
use crate::server::{self, Answer, Asked, Origins, Server};

/// The largest request that is read, in bytes.
const MAX_BODY: usize = 8_000_000;
/// Requests that are computed at once; others wait.
const THREADS: usize = 4;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The port on the loopback; 0 takes any that is free.
    #[arg(long, default_value_t = 8190)]
    port: u16,
    #[command(flatten)]
    origins: Origins,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let server = Server { guard: args.origins.guard()?, max_body: MAX_BODY, fault };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .context("cannot start the runtime")?;
    let ready = |address: std::net::SocketAddr| {
        let mut out = output::stdout();
        writeln!(out, "scripted models at http://{address}/v1 (Ctrl+C stops it)")?;
        out.flush()?;
        Ok(())
    };
    let address = ([127, 0, 0, 1], args.port).into();
    runtime.block_on(server.run(address, "give a free port with --port", ready, handle))?;
    Ok(ExitCode::SUCCESS)
}

async fn handle(request: Asked) -> Answer {
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    match (&method, path.as_str()) {
        (&Method::GET, "/v1/models") => whole(StatusCode::OK, &models()),
        (&Method::GET, path) if path.starts_with(ONE_MODEL) => model(&path[ONE_MODEL.len()..]),
        (&Method::POST, "/v1/chat/completions") => {
            // A form of a page can send anything but this type without asking first.
            let is_json = request
                .headers()
                .get(header::CONTENT_TYPE)
                .and_then(|t| t.to_str().ok())
                .is_some_and(|t| t.trim().to_ascii_lowercase().starts_with("application/json"));
            if !is_json {
                let words = "the body must be JSON, with Content-Type: application/json";
                return fault(StatusCode::UNSUPPORTED_MEDIA_TYPE, words);
            }
            let body = server::bytes(request).await;
            // A script computes; meanwhile others are answered.
            tokio::task::spawn_blocking(move || completed(&body)).await.unwrap_or_else(|_| {
                fault(StatusCode::INTERNAL_SERVER_ERROR, "internal error: the script broke off")
            })
        }
        (&Method::GET, "/") => whole(
            StatusCode::OK,
            &json!({ "graphground": "scripted models",
                "try": ["/v1/models", "/v1/chat/completions"] }),
        ),
        _ => {
            let words = "there are GET /v1/models and POST /v1/chat/completions";
            fault(StatusCode::NOT_FOUND, &format!("there is no {method} {path}; {words}"))
        }
    }
}

/// What stands before the name of one model.
const ONE_MODEL: &str = "/v1/models/";

fn whole(status: StatusCode, body: &Value) -> Answer {
    server::answer(status, "application/json", body.to_string())
}

fn completed(body: &[u8]) -> Answer {
    match complete(body) {
        Ok((completion, true)) => streamed(&completion),
        Ok((completion, false)) => whole(StatusCode::OK, &completion),
        Err((status, message)) => fault(status, &message),
    }
}

/// A completion as events, a few words at a time, each in a chunk of its own.
fn streamed(completion: &Value) -> Answer {
    let events = pieces(completion).into_iter().map(|event| event.to_string());
    let frames: Vec<Result<Frame<Bytes>, Infallible>> = events
        .chain(["[DONE]".to_owned()])
        .map(|event| Ok(Frame::data(format!("data: {event}\n\n").into())))
        .collect();
    let mut answer = Answer::new(StreamBody::new(stream::iter(frames)).boxed());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
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

fn fault(status: StatusCode, message: &str) -> Answer {
    let error = json!({ "type": "invalid_request_error", "message": message });
    whole(status, &json!({ "error": error }))
}

/// What stands before the names of the scripts that play the models of KGETool.
const KGETOOL: &str = "kgetool/";

fn listed() -> Vec<Value> {
    let family =
        FamilyScript::ALL.map(|s| (format!("{KGETOOL}{}", s.name()), s.title().to_owned()));
    Script::names()
        .into_iter()
        .map(|(id, about)| (id.to_string(), about.to_string()))
        .chain(family)
        .map(|(id, about)| {
            json!({ "id": id, "object": "model", "created": 0, "owned_by": "graphground",
                "description": about })
        })
        .collect()
}

fn models() -> Value {
    json!({ "object": "list", "data": listed() })
}

/// One model, by its name as a part of an address.
fn model(name: &str) -> Answer {
    let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
    match listed().into_iter().find(|m| m["id"] == *name) {
        Some(model) => whole(StatusCode::OK, &model),
        None => fault(StatusCode::NOT_FOUND, &no_model(&name)),
    }
}

fn no_model(name: &str) -> String {
    let name: String = name.chars().take(100).collect();
    format!("there is no model {name:?}; GET /v1/models lists them")
}

/// A completion, and whether it is wanted as a stream.
fn complete(body: &[u8]) -> Result<(Value, bool), (StatusCode, String)> {
    let wrong = |words: String| (StatusCode::BAD_REQUEST, words);
    let body: Value = serde_json::from_slice(body)
        .map_err(|error| wrong(format!("the request is not JSON: {error}")))?;
    let name = body["model"].as_str().unwrap_or_default();
    let family = name.strip_prefix(KGETOOL).and_then(FamilyScript::by_name);
    let script = Script::by_name(name).filter(|_| family.is_none());
    if family.is_none() && script.is_none() {
        return Err((StatusCode::NOT_FOUND, no_model(name)));
    }
    if !matches!(body["n"].as_u64(), None | Some(1)) {
        return Err(wrong("`n` must be 1: a script has one answer".into()));
    }
    let request = llm::served::request(&body).map_err(wrong)?;
    let message = match (family, script) {
        (Some(family), _) => family.turn(&request),
        (None, Some(script)) => script.turn(&request).map_err(|e| wrong(e.to_string()))?,
        (None, None) => return Err((StatusCode::NOT_FOUND, no_model(name))),
    };
    Ok((completion(name, &message), body["stream"] == json!(true)))
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
