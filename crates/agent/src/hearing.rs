//! One question to a model, with what came of an answer that was stopped in the middle of it.

use std::cell::RefCell;
use std::pin::pin;

use futures_util::future::{Either, select};
use llm::{ChatRequest, ChatResponse, Message, Model, ModelError, Part, Partial, Watch};
use trace::{Stop, bytes_hash, request_hash};

use crate::Cancel;

/// What came of asking a model once.
pub(crate) struct Heard {
    pub(crate) request_hash: String,
    /// Attempts that failed and were made again.
    pub(crate) notes: Vec<String>,
    pub(crate) answer: Result<ChatResponse, Stop>,
    /// What had come of an answer that broke off.
    pub(crate) partial: Option<Message>,
}

/// Asks a model once, until it answers or somebody stops it.
pub(crate) async fn hear(
    model: &dyn Model,
    request: &ChatRequest,
    watch: &dyn Watch,
    cancel: &Cancel,
) -> Heard {
    let request_hash = match model.wire(request) {
        Some((_, body)) => bytes_hash(body.as_bytes()),
        None => request_hash(&request.messages, &request.tools),
    };
    let heard = Remembering { watch, partial: RefCell::default(), notes: RefCell::default() };
    let answer = {
        let answer = pin!(model.complete(request, &heard));
        let stopped = pin!(cancel.cancelled());
        match select(stopped, answer).await {
            Either::Left(_) => Err(ModelError::Cancelled),
            Either::Right((answer, _)) => answer,
        }
    };
    let notes = heard.notes.take();
    let partial = match heard.partial.take().into_message().filter(|_| answer.is_err()) {
        Some(message) => Some(model.clean(message).await),
        None => None,
    };
    let answer = answer.map_err(|error| match error {
        ModelError::Cancelled => Stop::Cancelled,
        error => Stop::ModelFailed {
            message: error.to_string(),
            is_overflow: matches!(error, ModelError::ContextOverflow { .. }),
        },
    });
    Heard { request_hash, notes, answer, partial }
}

/// Hands pieces on and remembers them.
struct Remembering<'a> {
    watch: &'a dyn Watch,
    partial: RefCell<Partial>,
    /// What is to be noted: that a question was asked again, and why.
    notes: RefCell<Vec<String>>,
}

impl Watch for Remembering<'_> {
    fn part(&self, part: Part) {
        self.partial.borrow_mut().take(&part);
        if let Part::Retry { attempt, wait_ms, reason, .. } = &part {
            let seconds = wait_ms / 1000.0;
            let note = if *wait_ms > 0.0 {
                format!("waited {seconds:.1} s for attempt {attempt}: {reason}")
            } else {
                format!("attempt {attempt} at once: {reason}")
            };
            self.notes.borrow_mut().push(note);
        }
        self.watch.part(part);
    }
}
