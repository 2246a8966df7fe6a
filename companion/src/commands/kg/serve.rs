//! `graphground kg serve`: a graph as a SPARQL endpoint on the loopback, for graphs that are too large
//! for a page.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use kg::Kg;
use kg::sparql::{MAX_QUERY, Sparql};
use tiny_http::{Method, Request, Server};

use super::load::Source;
use crate::commands::serve::write_answer;
use crate::output;

/// The most rows of an answer.
const MAX_ROWS: usize = 1_000_000;

/// Options of `kg serve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// The port on the loopback; 0 takes any that is free.
    #[arg(long, default_value_t = 8191)]
    port: u16,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let kg = args.source.open()?;
    let sparql = Sparql::new(&*kg)?;
    let server =
        Server::http(("127.0.0.1", args.port)).map_err(|e| anyhow::anyhow!("{e}")).with_context(
            || format!("cannot listen on port {}: give a free one with --port", args.port),
        )?;
    // Port 0 is any that is free.
    let port = server.server_addr().to_ip().map_or(args.port, |a| a.port());
    let mut out = output::stdout();
    writeln!(
        out,
        "{}, {} nodes and {} edges, at http://127.0.0.1:{}/query (Ctrl+C stops it)",
        kg.title(),
        kg.n_nodes(),
        kg.n_edges(),
        port
    )?;
    out.flush()?;
    drop(out);
    // One at a time: a question is answered in milliseconds.
    while let Ok(request) = server.recv() {
        answer(&sparql, request);
    }
    Ok(ExitCode::SUCCESS)
}

/// Answers by the SPARQL 1.1 Protocol: a query in the address, in a form, or as the body.
fn answer(sparql: &Sparql<&Kg>, mut request: Request) {
    let header = |name: &'static str| {
        request.headers().iter().find(|h| h.field.equiv(name)).map(|h| h.value.as_str().to_owned())
    };
    let origin = header("Origin");
    let content_type = header("Content-Type").unwrap_or_default();
    let url = request.url().to_owned();
    let (path, in_address) = url.split_once('?').unwrap_or((&url, ""));
    let said = match (request.method(), path) {
        (Method::Options, _) => Err((204, String::new())),
        (Method::Get, "/query") => Ok(value_of(in_address)),
        (Method::Post, "/query") => {
            let mut text = String::new();
            let most = 4 * MAX_QUERY as u64;
            match request.as_reader().take(most + 1).read_to_string(&mut text) {
                Ok(n) if n as u64 > most => Err((413, format!("more than {most} bytes"))),
                Ok(_) if content_type.starts_with("application/sparql-query") => Ok(Some(text)),
                Ok(_) => Ok(value_of(&text)),
                Err(_) => Err((400, "the request is not UTF-8 text".into())),
            }
        }
        _ => Err((404, format!("there is no {path}; there is /query"))),
    };
    let (status, body) = match said {
        Err(fault) => fault,
        Ok(None) => (400, "there is no query: send it as `query`".into()),
        Ok(Some(query)) => match sparql.results_json(&query, MAX_ROWS) {
            Ok(body) => (200, body),
            Err(error) => (400, error.to_string()),
        },
    };
    // Whoever asked may be gone; there is nobody to tell.
    let _ = write_answer(request, status, origin.as_deref().unwrap_or("*"), &body);
}

/// The value of `query` in a form.
fn value_of(form: &str) -> Option<String> {
    form_urlencoded::parse(form.as_bytes())
        .find(|(name, _)| name == "query")
        .map(|(_, value)| value.into_owned())
}
