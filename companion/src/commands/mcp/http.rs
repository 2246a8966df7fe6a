//! The protocol over streamable HTTP, on the loopback.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use graph::Graph;
use hyper::StatusCode;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;

use super::server::GraphServer;
use crate::output;
use crate::server::{self, Answer, Guard, Server};

/// Sessions at once; each holds a graph.
const MAX_SESSIONS: usize = 64;
/// The largest request, in bytes: a call that adds a large graph.
const MAX_BODY: usize = 16_000_000;
/// A session that nobody asks for so long is forgotten, with its graph.
const KEEP: Duration = Duration::from_secs(6 * 60 * 60);

/// Serves until the process is ended.
pub(super) async fn serve(address: SocketAddr, guard: Guard, graph: Graph) -> anyhow::Result<()> {
    let service = service(graph);
    let server = Server { guard, max_body: MAX_BODY, fault };
    let ready = |address: SocketAddr| {
        let mut out = output::stdout();
        writeln!(out, "graph functions at http://{address}/mcp (Ctrl+C stops it)")?;
        out.flush()?;
        Ok(())
    };
    let handle = move |request| {
        let service = service.clone();
        async move { service.handle(request).await }
    };
    server.run(address, "give a free port with --http", ready, handle).await
}

fn fault(status: StatusCode, message: &str) -> Answer {
    server::answer(status, "text/plain; charset=utf-8", format!("{message}\n"))
}

fn service(graph: Graph) -> StreamableHttpService<GraphServer, LocalSessionManager> {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(KEEP);
    let places = Arc::new(Semaphore::new(MAX_SESSIONS));
    // Our own guard has looked at host and origin before.
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MAX_BODY)
        .disable_allowed_hosts();
    StreamableHttpService::new(
        move || {
            let place = places.clone().try_acquire_owned().map_err(|_| {
                io::Error::other(format!("{MAX_SESSIONS} sessions are open; close one"))
            })?;
            Ok(GraphServer::new(graph.clone(), versions()).at(place))
        },
        Arc::new(sessions),
        config,
    )
}

/// The versions that have sessions. In later ones every HTTP request stands alone, and a graph
/// that is built call by call would be gone with the call; a client is told which versions there
/// are and takes one of them.
fn versions() -> &'static [ProtocolVersion] {
    let known = ProtocolVersion::KNOWN_VERSIONS;
    &known[..known.iter().take_while(|v| v.has_initialize()).count()]
}
