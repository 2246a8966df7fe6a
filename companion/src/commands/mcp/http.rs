//! The protocol over streamable HTTP, on the loopback.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use graph::Graph;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::server::GraphServer;
use crate::output;

/// Sessions at once; each holds a graph.
const MAX_SESSIONS: usize = 64;
/// Connections at once.
const MAX_CONNECTIONS: usize = 256;
/// The largest request, in bytes: a call that adds a large graph.
const MAX_BODY: usize = 16_000_000;
/// A session that nobody asks for so long is forgotten, with its graph.
const KEEP: Duration = Duration::from_secs(6 * 60 * 60);

/// Serves until the process is ended.
pub(super) async fn serve(address: SocketAddr, graph: Graph) -> anyhow::Result<()> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}: give a free port with --http"))?;
    let address = listener.local_addr().context("no address to listen on")?;
    let service = service(graph);
    let mut out = output::stdout();
    writeln!(out, "graph functions at http://{address}/mcp (Ctrl+C stops it)")?;
    out.flush()?;
    drop(out);
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let place = places.clone().acquire_owned().await.context("no more connections")?;
        // One that broke off before we took it is no reason to stop.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::task::yield_now().await;
            continue;
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            // What goes wrong on one connection is that client's matter.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
            drop(place);
        });
    }
}

fn service(graph: Graph) -> StreamableHttpService<GraphServer, LocalSessionManager> {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(KEEP);
    let places = Arc::new(Semaphore::new(MAX_SESSIONS));
    // A page in a browser sends its origin, and none has business here; the names of hosts are
    // held to the loopback's by default.
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MAX_BODY)
        .enforce_origin_validation();
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
