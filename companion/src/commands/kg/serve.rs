//! `graphground kg serve`: a graph as a SPARQL endpoint on the loopback, for graphs that are too large
//! for a page.

use std::io::Write as _;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use backends::sparql::MAX_QUERY;
use hyper::header::{self, HeaderValue};
use hyper::{Method, StatusCode};

use super::answering::{Answering, NoAnswer};
use super::load::KgFiles;
use crate::bounded::Bounds;
use crate::output;
use crate::server::{self, Answer, Asked, Origins, Server};

/// Options of `kg serve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    /// The port on the loopback; 0 takes any that is free.
    #[arg(long, default_value_t = 8191)]
    port: u16,
    /// Queries that are answered at once, each by a process that has the graph in memory.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    processes: u16,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    origins: Origins,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let guard = args.origins.guard()?;
    let answering = Arc::new(Answering::start(&args.source, args.bounds, args.processes.into())?);
    // A query in a form may be three times as long as it is.
    let server = Server { guard, max_body: 4 * MAX_QUERY, fault };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let described = answering.describe();
    let ready = |address: SocketAddr| {
        let mut out = output::stdout();
        writeln!(out, "{described}, at http://{address}/query (Ctrl+C stops it)")?;
        out.flush()?;
        Ok(())
    };
    let address = ([127, 0, 0, 1], args.port).into();
    let handle = move |request| answer(answering.clone(), request);
    runtime.block_on(server.run(address, "give a free port with --port", ready, handle))?;
    Ok(ExitCode::SUCCESS)
}

fn fault(status: StatusCode, message: &str) -> Answer {
    server::answer(status, "text/plain; charset=utf-8", format!("{message}\n"))
}

/// Answers by the SPARQL 1.1 Protocol: a query in the address, in a form, or as the body.
async fn answer(answering: Arc<Answering>, request: Asked) -> Answer {
    let query = match asked(request).await {
        Ok(Some(query)) => query,
        Ok(None) => {
            return fault(StatusCode::BAD_REQUEST, "there is no query: send it as `query`");
        }
        Err(answer) => return answer,
    };
    // The processes compute; here only waits somebody.
    let answered = tokio::task::spawn_blocking(move || answering.results(&query)).await;
    match answered {
        Ok(Ok(results)) => {
            server::answer(StatusCode::OK, "application/sparql-results+json", results)
        }
        Ok(Err(NoAnswer::Query(message))) => fault(StatusCode::BAD_REQUEST, &message),
        Ok(Err(NoAnswer::Busy(message))) => {
            let mut answer = fault(StatusCode::SERVICE_UNAVAILABLE, &message);
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("10"));
            answer
        }
        Err(_) => fault(StatusCode::INTERNAL_SERVER_ERROR, "internal error: the query broke off"),
    }
}

async fn asked(request: Asked) -> Result<Option<String>, Answer> {
    let path = request.uri().path();
    let method = request.method();
    if path != "/query" || !matches!(*method, Method::GET | Method::POST) {
        let words = format!("there is no {method} {path}; there are GET and POST /query");
        return Err(fault(StatusCode::NOT_FOUND, &words));
    }
    if method == Method::GET {
        return Ok(value_of(request.uri().query().unwrap_or_default().as_bytes()));
    }
    let of = request.headers().get(header::CONTENT_TYPE).and_then(|t| t.to_str().ok());
    let of = of.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let is_form = of.eq_ignore_ascii_case("application/x-www-form-urlencoded");
    if !is_form && !of.eq_ignore_ascii_case("application/sparql-query") {
        let words = "the body must be application/sparql-query or \
                     application/x-www-form-urlencoded";
        return Err(fault(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    let body = server::bytes(request).await;
    if is_form {
        return Ok(value_of(&body));
    }
    let text = String::from_utf8(body.to_vec());
    text.map(Some).map_err(|_| fault(StatusCode::BAD_REQUEST, "the query is not UTF-8 text"))
}

/// The value of `query` in a form.
fn value_of(form: &[u8]) -> Option<String> {
    form_urlencoded::parse(form)
        .find(|(name, _)| name == "query")
        .map(|(_, value)| value.into_owned())
}
