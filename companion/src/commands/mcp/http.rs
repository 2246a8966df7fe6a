//! The protocol over streamable HTTP, on the loopback.

use std::collections::HashMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use graph::Graph;
use http_body_util::{BodyExt as _, Collected, Full};
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use rmcp::model::ProtocolVersion;
use rmcp::transport::common::http_header::HEADER_SESSION_ID;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager as _};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tokio::sync::Mutex;

use super::server::GraphServer;
use super::{calls, lines};
use crate::output;
use crate::server::{self, Answer, Asked, Guard, Server};

/// Sessions at once; each holds a graph. One more closes the session that was idle for longest.
const MAX_SESSIONS: usize = 64;
/// The largest request, in bytes: a call that adds a large graph.
const MAX_BODY: usize = 16_000_000;
/// A session that nobody asks for so long is forgotten, with its graph.
const KEEP: Duration = Duration::from_secs(6 * 60 * 60);

/// Serves until the process is ended.
pub(super) async fn serve(address: SocketAddr, guard: Guard, graph: Graph) -> anyhow::Result<()> {
    let sessions = Arc::new(Sessions::new(graph));
    let server = Server { guard, max_body: MAX_BODY, fault };
    let ready = |address: SocketAddr| {
        let mut out = output::stdout();
        writeln!(out, "graph functions at http://{address}/mcp (Ctrl+C stops it)")?;
        out.flush()?;
        Ok(())
    };
    let handle = move |request| {
        let sessions = Arc::clone(&sessions);
        async move { sessions.handle(request).await }
    };
    server.run(address, "give a free port with --http", ready, handle).await
}

fn fault(status: StatusCode, message: &str) -> Answer {
    server::answer(status, "text/plain; charset=utf-8", format!("{message}\n"))
}

/// The sessions, and when each was asked last.
struct Sessions {
    service: StreamableHttpService<GraphServer, LocalSessionManager>,
    manager: Arc<LocalSessionManager>,
    asked: std::sync::Mutex<HashMap<String, Instant>>,
    /// Held while a session begins, so that no two take the same place.
    begins: Mutex<()>,
}

impl Sessions {
    fn new(graph: Graph) -> Self {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = Some(KEEP);
        let manager = Arc::new(manager);
        // Our own guard has looked at host and origin before.
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(MAX_BODY)
            .disable_allowed_hosts();
        let service = StreamableHttpService::new(
            move || Ok(GraphServer::new(graph.clone(), versions())),
            Arc::clone(&manager),
            config,
        );
        Self { service, manager, asked: std::sync::Mutex::default(), begins: Mutex::default() }
    }

    async fn handle(&self, mut request: Asked) -> Answer {
        let wants_json = accept_both(request.headers_mut());
        let body = request.body_mut().collect().await.map(Collected::to_bytes).unwrap_or_default();
        *request.body_mut() = match calls::readable(&body) {
            Ok(read) => read.map_or(body, Bytes::from).into(),
            Err((id, message)) => {
                let error = lines::error(&id, calls::INVALID_PARAMS, &message);
                return server::answer(StatusCode::OK, "application/json", error.to_string());
            }
        };
        let answer = self.answer(request).await;
        if wants_json { as_json(answer).await } else { answer }
    }

    async fn answer(&self, request: Asked) -> Answer {
        if let Some(id) = request.headers().get(HEADER_SESSION_ID) {
            self.touch(id.to_str().unwrap_or_default());
            return self.service.handle(request).await;
        }
        let _begins = self.begins.lock().await;
        self.make_room().await;
        let answer = self.service.handle(request).await;
        if let Some(id) = answer.headers().get(HEADER_SESSION_ID) {
            self.touch(id.to_str().unwrap_or_default());
        }
        answer
    }

    fn touch(&self, id: &str) {
        #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
        let now = Instant::now();
        let mut asked = self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Ids that were made up are as many as requests.
        if asked.contains_key(id) || asked.len() < 2 * MAX_SESSIONS {
            asked.insert(id.to_owned(), now);
        }
    }

    /// Closes the session that was idle for longest, where there is no room for another.
    async fn make_room(&self) {
        loop {
            let open: Vec<SessionId> = self.manager.sessions.read().await.keys().cloned().collect();
            let oldest = {
                let mut asked =
                    self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                asked.retain(|id, _| open.iter().any(|known| **known == **id));
                open.iter().min_by_key(|id| asked.get(&***id).copied()).cloned()
            };
            match oldest {
                Some(oldest) if open.len() >= MAX_SESSIONS => {
                    // One that is gone already is as good as closed.
                    let _ = self.manager.close_session(&oldest).await;
                }
                _ => return,
            }
        }
    }
}

/// Names all that the library may answer with: it insists on both. Whether the client takes JSON
/// alone, and no events.
fn accept_both(headers: &mut HeaderMap) -> bool {
    let said: Vec<&str> = headers.get_all(ACCEPT).iter().filter_map(|v| v.to_str().ok()).collect();
    let said = said.join(",").to_ascii_lowercase();
    let takes_events =
        said.is_empty() || said.contains("*/*") || said.contains("text/event-stream");
    let wants_json = !takes_events && said.contains("application/json");
    if takes_events || wants_json {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    }
    wants_json
}

/// An answer that came as events, as the one message that is the answer.
async fn as_json(answer: Answer) -> Answer {
    let (mut head, body) = answer.into_parts();
    let is_events = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/event-stream");
    if !head.headers.get(CONTENT_TYPE).is_some_and(is_events) {
        return Answer::from_parts(head, body);
    }
    let bytes = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let is_answer = |line: &&str| {
        let message = serde_json::from_str::<Value>(line).unwrap_or_default();
        message.get("result").or_else(|| message.get("error")).is_some()
    };
    let message = text.lines().filter_map(|line| line.strip_prefix("data:")).find(is_answer);
    let message = message.unwrap_or_default().trim().to_owned();
    head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Answer::from_parts(head, Full::new(message.into()).boxed())
}

/// The versions that have sessions. In later ones every HTTP request stands alone, and a graph
/// that is built call by call would be gone with the call; a client is told which versions there
/// are and takes one of them.
fn versions() -> &'static [ProtocolVersion] {
    let known = ProtocolVersion::KNOWN_VERSIONS;
    &known[..known.iter().take_while(|v| v.has_initialize()).count()]
}
