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
use graph::formats::{self, TableColumns};
use rmcp::ServiceExt as _;
use rmcp::model::ProtocolVersion;

use crate::columns::{Columns, worded};
use crate::server::Origins;
use crate::{input, output};
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
    /// The graph that every session begins with; without it, an empty one. Given several times, tables of
    /// nodes and of edges that are one graph.
    #[arg(long, value_name = "FILE")]
    graph: Vec<PathBuf>,
    /// Which graph of a file that has several, from 1.
    #[arg(long, value_name = "N", requires = "graph", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..))]
    graph_number: u32,
    /// The format of the graph file; without it, the content decides.
    #[arg(long, requires = "graph")]
    format: Option<String>,
    #[command(flatten)]
    columns: Columns,
    /// The column of weights.
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
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
    if args.graph.is_empty() && (args.weight.is_some() || !args.columns.chosen().is_empty()) {
        bail!("--source, --target, --relation and --weight are about the table of --graph FILE");
    }
    let guard = args.origins.guard()?;
    let graph = match &args.graph[..] {
        [path] => read(path, args)?,
        [] => Graph::default(),
        paths => read_tables(paths)?,
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

/// Reads tables of nodes and edges as one graph.
fn read_tables(paths: &[PathBuf]) -> anyhow::Result<Graph> {
    let texts: Vec<String> = paths
        .iter()
        .map(|path| Ok(input::decoded(path, MAX_GRAPH)?.text))
        .collect::<anyhow::Result<_>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let read = formats::open_tables(&texts).map_err(|e| anyhow!("the tables: {}", worded(&e)))?;
    for note in read.notes.lines() {
        output::complain(&note);
    }
    Ok(read.graph)
}

fn read(path: &Path, args: &Args) -> anyhow::Result<Graph> {
    let place = path.display();
    let decoded = input::decoded(path, MAX_GRAPH)?;
    let text = &decoded.text;
    let columns = TableColumns { weight: args.weight.clone(), ..args.columns.chosen() };
    let read = match args.format.as_deref() {
        _ if !columns.is_empty() => formats::open_table(text, &columns)
            .map_err(|e| anyhow!("{place}: not a table of edges: {}", worded(&e)))?,
        None => {
            let read = formats::open_nth(text, args.graph_number as usize);
            read.map_err(|e| anyhow!("{place}: {}", worded(&e)))?.1
        }
        Some(id) => {
            let format = formats::find(id).ok_or_else(|| {
                let ids: Vec<_> = formats::FORMATS.iter().map(|f| f.id).collect();
                anyhow!("there is no graph format {id:?}; there are {}", ids.join(", "))
            })?;
            (format.parse)(text)
                .map_err(|e| anyhow!("{place}: not a graph as {}: {e}", format.title))?
        }
    };
    if let Some(encoding) = decoded.guessed {
        output::complain(&format!("{place}: assumed: the text is in {encoding}"));
    }
    for note in read.notes.lines() {
        output::complain(&format!("{place}: {note}"));
    }
    Ok(read.graph)
}
