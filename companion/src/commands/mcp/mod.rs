//! `graphground mcp`: the function library as a server of the Model Context Protocol, over standard
//! input and output or over HTTP.

mod calls;
mod http;
mod lines;
mod server;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use graph::Graph;
use rmcp::ServiceExt as _;
use rmcp::model::ProtocolVersion;

use crate::input;
use crate::server::Origins;
use server::GraphServer;

/// The largest graph file that is read, in bytes.
const MAX_GRAPH: usize = 64_000_000;

/// Options of `mcp`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Serves streamable HTTP at this address of the loopback, such as 127.0.0.1:8191, instead of
    /// standard input and output.
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,
    #[command(flatten)]
    origins: Origins,
    /// The graph that every session begins with; without it, an empty one.
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// The format of the graph file; without it, the content decides.
    #[arg(long, requires = "graph")]
    format: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(address) = args.http
        && !address.ip().is_loopback()
    {
        bail!(
            "--http {address}: not an address of the loopback; there is no login, so only \
             127.0.0.1 and [::1] are served"
        );
    }
    let guard = args.origins.guard()?;
    let graph = match &args.graph {
        Some(path) => read(path, args.format.as_deref())?,
        None => Graph::default(),
    };
    // One thread carries the messages; the functions compute on threads of their own.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    runtime.block_on(async {
        match args.http {
            Some(address) => http::serve(address, guard, graph).await,
            None => stdio(graph).await,
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// One session, until its client closes our input.
async fn stdio(graph: Graph) -> anyhow::Result<()> {
    let server = GraphServer::new(graph, ProtocolVersion::KNOWN_VERSIONS);
    match server.serve(lines::checked()).await {
        Ok(service) => {
            service.waiting().await.context("the session broke off")?;
            Ok(())
        }
        // A client that goes before it said anything did no harm.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(anyhow!(error).context("the client did not begin a session")),
    }
}

fn read(path: &Path, format: Option<&str>) -> anyhow::Result<Graph> {
    let text = input::text(path, MAX_GRAPH)?;
    let format = match format {
        None => graph::formats::sniff(&text),
        Some(id) => graph::formats::find(id).ok_or_else(|| {
            let ids: Vec<_> = graph::formats::FORMATS.iter().map(|f| f.id).collect();
            anyhow!("there is no graph format {id:?}; there are {}", ids.join(", "))
        })?,
    };
    (format.parse)(&text)
        .map_err(|e| anyhow!("{}: not a graph as {}: {e}", path.display(), format.title))
}
