//! `graphground serve`: scripted models, and a model of a GGUF file, as an OpenAI-compatible endpoint
//! on the loopback, whole or as a stream. A script reports no tokens: it uses none.

mod model;

use std::convert::Infallible;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use futures_util::{Stream, StreamExt as _, stream};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::header::{self, HeaderValue};
use hyper::{Method, StatusCode};
use llm::served::{self, Reply, Wanted};
use llm::{ChatResponse, FinishReason, Usage};
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
    /// A model that answers beside the scripts: a name that `model list` says, FILE.gguf, or `own` for
    /// our own small model.
    #[arg(long, value_name = "NAME|FILE.gguf|own")]
    model: Option<String>,
    /// With --model and a GGUF file: the tokens of its context.
    #[arg(long, default_value_t = crate::gguf_models::N_CTX, requires = "model")]
    context: usize,
    /// The port on the loopback; 0 takes any that is free.
    #[arg(long, default_value_t = 8190)]
    port: u16,
    #[command(flatten)]
    origins: Origins,
}

/// Who answers.
#[derive(Default)]
struct Models {
    file: Option<model::Served>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let models = Models {
        file: args
            .model
            .as_deref()
            .map(|name| model::Served::open(name, args.context))
            .transpose()?,
    };
    let server = Server { guard: args.origins.guard()?, max_body: MAX_BODY, fault };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .context("cannot start the runtime")?;
    let who = models.title();
    let ready = |address: std::net::SocketAddr| {
        let mut out = output::stdout();
        writeln!(out, "{who} at http://{address}/v1 (Ctrl+C stops it)")?;
        out.flush()?;
        Ok(())
    };
    let address = ([127, 0, 0, 1], args.port).into();
    let models = Arc::new(models);
    let handle = move |request| handle(Arc::clone(&models), request);
    runtime.block_on(server.run(address, "give a free port with --port", ready, handle))?;
    Ok(ExitCode::SUCCESS)
}

impl Models {
    /// For people.
    fn title(&self) -> String {
        if let Some(file) = &self.file {
            return format!("{} and scripted models", file.name());
        }
        "scripted models".into()
    }

    fn listed(&self) -> Vec<Value> {
        let mut listed = scripts();
        listed.splice(0..0, self.file.iter().map(model::Served::listed));
        listed
    }

    /// One model, by its name as a part of an address.
    fn one(&self, name: &str) -> Answer {
        let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
        match self.listed().into_iter().find(|m| m["id"] == *name) {
            Some(model) => whole(StatusCode::OK, &model),
            None => fault(StatusCode::NOT_FOUND, &no_model(&name)),
        }
    }

    async fn complete(&self, body: &[u8]) -> Answer {
        let wrong = |words: &str| fault(StatusCode::BAD_REQUEST, words);
        let body: Value = match serde_json::from_slice(body) {
            Ok(body) => body,
            Err(error) => return wrong(&format!("the request is not JSON: {error}")),
        };
        let name = body["model"].as_str().unwrap_or_default().to_owned();
        if let Some(file) = self.file.as_ref().filter(|file| file.name() == name) {
            return match served::read(&body) {
                Ok(wanted) => file.answer(wanted).await,
                Err(words) => wrong(&words),
            };
        }
        let Some(script) = Scripted::by_name(&name) else {
            return fault(StatusCode::NOT_FOUND, &no_model(&name));
        };
        match served::read(&body) {
            // A script computes; meanwhile others are answered.
            Ok(wanted) => tokio::task::spawn_blocking(move || script.answer(&name, &wanted))
                .await
                .unwrap_or_else(|_| {
                    fault(StatusCode::INTERNAL_SERVER_ERROR, "internal error: the script broke off")
                }),
            Err(words) => wrong(&words),
        }
    }
}

async fn handle(models: Arc<Models>, request: Asked) -> Answer {
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    match (&method, path.as_str()) {
        (&Method::GET, "/v1/models") => {
            whole(StatusCode::OK, &json!({ "object": "list", "data": models.listed() }))
        }
        (&Method::GET, path) if path.starts_with(ONE_MODEL) => models.one(&path[ONE_MODEL.len()..]),
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
            models.complete(&body).await
        }
        (&Method::GET, "/") => whole(
            StatusCode::OK,
            &json!({ "graphground": models.title(),
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

fn fault(status: StatusCode, message: &str) -> Answer {
    let error = json!({ "type": "invalid_request_error", "message": message });
    whole(status, &json!({ "error": error }))
}

fn no_model(name: &str) -> String {
    let name: String = name.chars().take(100).collect();
    format!("there is no model {name:?}; GET /v1/models lists them")
}

/// Events, each in a chunk of its own, and the mark of the end.
fn events(pieces: impl Stream<Item = Value> + Send + Sync + 'static) -> Answer {
    let ended = stream::once(async { served::DONE.to_owned() });
    let events = pieces.map(|piece| served::event(&piece)).chain(ended);
    let frames = events.map(|event| Ok::<_, Infallible>(Frame::data(Bytes::from(event))));
    let mut answer = Answer::new(BodyExt::boxed(StreamBody::new(frames)));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// What stands before the names of the scripts that play the models of KGETool.
const KGETOOL: &str = "kgetool/";

fn scripts() -> Vec<Value> {
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

/// A script in a model's place.
enum Scripted {
    Graph(Script),
    Family(FamilyScript),
}

impl Scripted {
    fn by_name(name: &str) -> Option<Self> {
        match name.strip_prefix(KGETOOL).and_then(FamilyScript::by_name) {
            Some(family) => Some(Self::Family(family)),
            None => Script::by_name(name).map(Self::Graph),
        }
    }

    fn answer(&self, name: &str, wanted: &Wanted) -> Answer {
        let message = match self {
            Self::Family(family) => family.turn(&wanted.request),
            Self::Graph(script) => match script.turn(&wanted.request) {
                Ok(message) => message,
                Err(error) => return fault(StatusCode::BAD_REQUEST, &error.to_string()),
            },
        };
        let finish = if message.tool_calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        let answer = ChatResponse { message, finish, usage: Usage::default() };
        let reply = Reply { id: "chatcmpl-script".into(), created: 0, model: name.to_owned() };
        if !wanted.is_stream {
            return whole(StatusCode::OK, &reply.whole(&answer));
        }
        let mut pieces = vec![reply.first()];
        let words: Vec<&str> = answer.message.content.split_inclusive(' ').collect();
        let texts = words.chunks(4).map(|some| reply.piece(&json!({ "content": some.concat() })));
        pieces.extend(texts);
        let calls = answer.message.tool_calls.iter().enumerate();
        pieces.extend(calls.flat_map(|(index, call)| reply.call(index, call)));
        pieces.extend(reply.last(&answer, wanted.tells_usage));
        events(stream::iter(pieces))
    }
}
