//! Servers on the loopback that misbehave in one way each.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// What a server lets a page do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cors {
    /// Everything.
    Open,
    /// It has never heard of origins.
    Unknown,
    /// It answers 403 to origins that it does not know, as Ollama does.
    Refuses,
    /// It allows these headers and no other.
    Only(&'static str),
}

/// A request.
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) body: Value,
    /// How many requests with a body came before this one.
    pub(crate) before: usize,
}

/// What is answered.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// Pieces, each sent a little after the one before.
    pub(crate) pieces: Vec<String>,
    /// Whether the connection stays open after them, silent.
    pub(crate) hangs: bool,
}

impl Reply {
    pub(crate) fn json(status: u16, body: Value) -> Self {
        Self {
            status,
            content_type: "application/json",
            headers: Vec::new(),
            pieces: vec![body.to_string()],
            hangs: false,
        }
    }

    pub(crate) fn html(status: u16, text: &str) -> Self {
        let pieces = vec![format!("<!doctype html><title>{text}</title>")];
        Self { content_type: "text/html", pieces, ..Self::json(status, Value::Null) }
    }

    pub(crate) fn events(events: &[Value], is_whole: bool) -> Self {
        let mut pieces: Vec<String> = events.iter().map(|e| format!("data: {e}\n\n")).collect();
        if is_whole {
            pieces.push("data: [DONE]\n\n".into());
        }
        Self { content_type: "text/event-stream", pieces, ..Self::json(200, Value::Null) }
    }

    pub(crate) fn silence() -> Self {
        Self { pieces: Vec::new(), hangs: true, ..Self::json(200, Value::Null) }
    }
}

type Answers = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A server; its threads end with the test's process.
pub(crate) struct Server {
    pub(crate) port: u16,
    /// The heads of the requests that came.
    pub(crate) heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(
        cors: Cors,
        answers: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> anyhow::Result<Self> {
        Self::on(TcpListener::bind("127.0.0.1:0")?, cors, answers)
    }

    /// The same at a port of one's choice.
    pub(crate) fn on(
        listener: TcpListener,
        cors: Cors,
        answers: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> anyhow::Result<Self> {
        let port = listener.local_addr()?.port();
        let answers: Arc<Answers> = Arc::new(answers);
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let (all, before) = (Arc::clone(&heads), Arc::new(Mutex::new(0usize)));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, all, before) = (answers.clone(), all.clone(), before.clone());
                std::thread::spawn(move || serve(stream, cors, &*answers, &all, &before));
            }
        });
        Ok(Self { port, heads })
    }

    /// How many requests came.
    pub(crate) fn n_heard(&self) -> usize {
        self.heads.lock().map_or(0, |heads| heads.len())
    }

    /// Whether a head of a request that came has some words.
    pub(crate) fn has_heard(&self, words: &str) -> bool {
        self.heads.lock().is_ok_and(|heads| heads.iter().any(|head| head.contains(words)))
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

fn serve(
    stream: TcpStream,
    cors: Cors,
    answers: &Answers,
    heads: &Mutex<Vec<String>>,
    before: &Mutex<usize>,
) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line == "\r\n" {
            break;
        }
        head.push_str(&line);
    }
    let field = |name: &str| {
        head.lines().find_map(|l| {
            let (n, v) = l.split_once(':')?;
            n.eq_ignore_ascii_case(name).then(|| v.trim().to_owned())
        })
    };
    let length: usize = field("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut words = head.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let origin = field("origin").unwrap_or_default();
    heads.lock().ok()?.push(head);
    let mut out = stream;
    let allowed = match cors {
        Cors::Open => format!(
            "Access-Control-Allow-Origin: {origin}\r\nAccess-Control-Allow-Headers: content-type, \
             authorization\r\nAccess-Control-Expose-Headers: retry-after\r\n"
        ),
        Cors::Only(headers) => format!(
            "Access-Control-Allow-Origin: {origin}\r\nAccess-Control-Allow-Headers: {headers}\r\n"
        ),
        Cors::Unknown | Cors::Refuses => String::new(),
    };
    if cors == Cors::Refuses && !origin.is_empty() {
        return write!(out, "HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n").ok();
    }
    if method == "OPTIONS" {
        return write!(out, "HTTP/1.1 204 No\r\nConnection: close\r\n{allowed}\r\n").ok();
    }
    let count = {
        let mut before = before.lock().ok()?;
        *before += usize::from(length > 0);
        before.saturating_sub(usize::from(length > 0))
    };
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let reply = answers(&Asked { path, body, before: count });
    if reply.hangs && reply.pieces.is_empty() {
        std::thread::sleep(Duration::from_secs(60));
        return None;
    }
    let more: String = reply.headers.iter().map(|(n, v)| format!("{n}: {v}\r\n")).collect();
    write!(
        out,
        "HTTP/1.1 {} Said\r\nConnection: close\r\nContent-Type: {}\r\n{allowed}{more}\r\n",
        reply.status, reply.content_type
    )
    .ok()?;
    for piece in &reply.pieces {
        out.write_all(piece.as_bytes()).ok()?;
        out.flush().ok()?;
        std::thread::sleep(Duration::from_millis(40));
    }
    if reply.hangs {
        std::thread::sleep(Duration::from_secs(60));
    }
    Some(())
}

/// A piece of a stream in the chat completions protocol.
pub(crate) fn piece(delta: Value, finish: Option<&str>) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] })
}

/// A server that does everything right: lists one model, says yes, calls the tool it has to.
pub(crate) fn good(asked: &Asked) -> Reply {
    if asked.path.ends_with("/models") {
        return Reply::json(200, json!({ "data": [{ "id": "small" }] }));
    }
    let wants_call = asked.body["tools"].is_array();
    let arguments = "{\"source\":1,\"target\":2}";
    if asked.body["stream"] == json!(true) {
        return Reply::events(
            &if wants_call {
                // Without an index and without an id after the first piece.
                vec![
                    piece(
                        json!({ "tool_calls": [{ "id": "c1", "function":
                        { "name": "has_edge", "arguments": &arguments[..9] } }] }),
                        None,
                    ),
                    piece(
                        json!({ "tool_calls": [{ "function":
                        { "arguments": &arguments[9..] } }] }),
                        None,
                    ),
                    piece(json!({}), Some("tool_calls")),
                ]
            } else {
                vec![piece(json!({ "content": "Yes." }), Some("stop"))]
            },
            true,
        );
    }
    let message = if wants_call {
        json!({ "content": null, "tool_calls": [{ "id": "c1", "type": "function",
            "function": { "name": "has_edge", "arguments": arguments } }] })
    } else {
        json!({ "content": "Yes." })
    };
    Reply::json(
        200,
        json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
                "usage": { "prompt_tokens": 5, "completion_tokens": 1 } }),
    )
}

/// A server that speaks a protocol, with the words of that protocol's tapes.
pub(crate) fn tapes(provider: &str) -> anyhow::Result<impl Fn(&Asked) -> Reply + use<>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../crates/llm/tests/cassettes")
        .join(provider);
    let body = |case: &str| -> anyhow::Result<Value> {
        let text = std::fs::read_to_string(folder.join(case).join("response.json"))?;
        Ok(serde_json::from_str::<Value>(&text)?["http"]["body"].take())
    };
    let (list, plain) = (body("list_of_models")?, body("plain_answer")?);
    let forced = body("forced_tool_call")?;
    let stream = std::fs::read_to_string(folder.join("stream_tool_calls/stream.txt"))?;
    Ok(move |asked: &Asked| {
        let streams = asked.body["stream"] == json!(true) || asked.path.contains("alt=sse");
        if asked.body.is_null() {
            Reply::json(200, list.clone())
        } else if streams {
            let pieces = stream.split_inclusive("\n\n").map(str::to_owned).collect();
            Reply { content_type: "text/event-stream", pieces, ..Reply::json(200, Value::Null) }
        } else if asked.body["tools"].is_array() {
            Reply::json(200, forced.clone())
        } else {
            Reply::json(200, plain.clone())
        }
    })
}
