//! A model of a GGUF file, or our own, behind the endpoint: one answer at a time, and none for a client that left.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime};

use anyhow::Result;
use futures_util::{StreamExt as _, stream};
use gguf::{Beat, Draw, LocalOptions};
use hyper::StatusCode;
use llm::served::{Reply, Wanted};
use llm::{BoxFuture, ChatResponse, ModelError, Part, Watch};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{Answer, events, fault, whole};
use crate::gguf_models::{self, PREFIX, Weights};
use crate::output;

/// A model in memory.
pub(super) struct Served {
    name: String,
    model: Arc<Weights>,
    /// Two answers at once would each take twice as long.
    turn: Arc<Semaphore>,
    n_answers: AtomicU64,
}

/// What comes of an answer.
enum Event {
    Text(String),
    Done(Box<ChatResponse>),
    Failed(ModelError),
}

/// Passes an answer on, and says whether somebody still waits for it.
struct Line {
    to: UnboundedSender<Event>,
    begun: Instant,
}

impl Watch for Line {
    fn part(&self, part: Part) {
        // Calls come with the whole answer, where they have their ids.
        if let Part::Text { text } = part {
            let _ = self.to.send(Event::Text(text));
        }
    }
}

impl Beat for Line {
    fn now_ms(&self) -> Option<f64> {
        Some(self.begun.elapsed().as_secs_f64() * 1000.0)
    }

    fn today_s(&self) -> Option<i64> {
        i64::try_from(now_s()).ok()
    }

    fn go_on(&self) -> BoxFuture<'_, bool> {
        Box::pin(std::future::ready(!self.to.is_closed()))
    }
}

/// Seconds since 1970.
fn now_s() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock")]
    let now = SystemTime::now();
    now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// An error in the protocol's words. What goes wrong here is the request's matter: the model is loaded.
fn refused(error: &ModelError) -> Value {
    let code = match error {
        ModelError::ContextOverflow { .. } => json!("context_length_exceeded"),
        _ => Value::Null,
    };
    json!({ "error": { "type": "invalid_request_error", "message": error.to_string(), "code": code } })
}

impl Served {
    /// Reads the model of a name or a file into memory.
    pub(super) fn open(name: &str, n_ctx: usize) -> Result<Self> {
        let name = name.strip_prefix(PREFIX).unwrap_or(name);
        // Clients send tools in the protocol's field; where the template has no place for them, they
        // are put into words rather than left out.
        let options = LocalOptions { n_ctx, describes_tools: true, ..LocalOptions::default() };
        let told = gguf_models::told(name);
        Ok(Self {
            name: told.strip_prefix(PREFIX).unwrap_or(&told).to_owned(),
            model: Arc::new(Weights::read(name, options)?),
            turn: Arc::new(Semaphore::new(1)),
            n_answers: AtomicU64::new(0),
        })
    }

    /// Its name in requests.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// It in a list of models.
    pub(super) fn listed(&self) -> Value {
        let (description, context_length) = self.model.about();
        json!({
            "id": self.name, "object": "model", "created": 0, "owned_by": "local",
            "description": description, "context_length": context_length,
        })
    }

    fn draw(&self, wanted: &Wanted) -> Draw {
        let usual = self.model.draw();
        Draw {
            top_p: wanted.top_p.map_or(usual.top_p, |p| p as f32),
            min_p: wanted.min_p.map_or(usual.min_p, |p| p as f32),
            ..usual
        }
    }

    /// Answers once those before are answered.
    pub(super) async fn answer(&self, wanted: Wanted) -> Answer {
        let Ok(permit) = Arc::clone(&self.turn).acquire_owned().await else {
            return fault(StatusCode::INTERNAL_SERVER_ERROR, "internal error: no turn is given");
        };
        let serial = self.n_answers.fetch_add(1, Ordering::Relaxed);
        let reply =
            Reply { id: format!("chatcmpl-{serial}"), created: now_s(), model: self.name.clone() };
        let (is_stream, tells_usage) = (wanted.is_stream, wanted.tells_usage);
        let (to, mut coming) = unbounded_channel();
        let (model, draw) = (Arc::clone(&self.model), self.draw(&wanted));
        let runtime = tokio::runtime::Handle::current();
        tokio::task::spawn_blocking(move || {
            #[expect(clippy::disallowed_methods, reason = "a program has a clock")]
            let line = Line { to: to.clone(), begun: Instant::now() };
            let answer = model.answer(&wanted.request, draw, None, &line, &line);
            let event = match runtime.block_on(answer) {
                Ok(answer) => Event::Done(Box::new(answer)),
                Err(error) => Event::Failed(error),
            };
            if let (Event::Done(_), Some(stats)) = (&event, model.stats()) {
                // A terminal that is gone is no reason to stop.
                let _ = writeln!(output::stdout(), "answered: {}", gguf_models::speed(&stats));
            }
            let _ = to.send(event);
            drop(permit);
        });
        let mut first = coming.recv().await;
        if is_stream && !matches!(first, Some(Event::Failed(_)) | None) {
            return streamed(reply, first, coming, tells_usage);
        }
        loop {
            match first {
                Some(Event::Text(_)) => first = coming.recv().await,
                Some(Event::Done(answer)) => return whole(StatusCode::OK, &reply.whole(&answer)),
                Some(Event::Failed(error)) => {
                    return whole(StatusCode::BAD_REQUEST, &refused(&error));
                }
                None => {
                    let words = "internal error: the model broke off";
                    return fault(StatusCode::INTERNAL_SERVER_ERROR, words);
                }
            }
        }
    }
}

/// An answer as events, as its parts come.
fn streamed(
    reply: Reply,
    first: Option<Event>,
    coming: UnboundedReceiver<Event>,
    tells_usage: bool,
) -> Answer {
    let begun = reply.first();
    let later = stream::unfold(coming, async |mut coming| Some((coming.recv().await?, coming)));
    let pieces = stream::iter(first).chain(later).flat_map(move |event| {
        stream::iter(match event {
            Event::Text(text) => vec![reply.piece(&json!({ "content": text }))],
            Event::Done(answer) => {
                let calls = answer.message.tool_calls.iter().enumerate();
                let calls = calls.flat_map(|(index, call)| reply.call(index, call));
                calls.chain(reply.last(&answer, tells_usage)).collect()
            }
            Event::Failed(error) => vec![refused(&error)],
        })
    });
    events(stream::once(async { begun }).chain(pieces))
}
