//! Model files in this page. What asks their worker is a part of the page's module that loads with the
//! first use: no first visit has it.

mod client;
mod download;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt as _;
use leptos::prelude::{ArcRwSignal, Set as _, WithUntracked as _};
use llm::{HttpHead, HttpRequest, HttpResponse, ModelError};
use protocol::page::FetchPart;
use wasm_split_helpers::SplitLoaderError;
use web_sys::AbortController;

pub(crate) use client::{Outcome, add, delete, list, speeds};
pub(crate) use download::load;

/// A piece of an answer's body, or why no more comes; it is whole where nothing does.
pub(super) type Answering = UnboundedReceiver<Result<String, ModelError>>;

/// What the model in the page does before it begins to answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Doing {
    /// What it is, with how far it is.
    pub(crate) words: String,
    /// How much is done.
    pub(crate) done: f64,
    /// Of how much.
    pub(crate) total: f64,
}

thread_local! {
    static DOING: ArcRwSignal<Option<Doing>> = ArcRwSignal::new(None);
}

/// What the model in the page does, where it is more than a moment.
pub(crate) fn doing() -> ArcRwSignal<Option<Doing>> {
    DOING.with(Clone::clone)
}

pub(super) fn tell(now: Option<Doing>) {
    let doing = doing();
    // Every piece of an answer comes through here.
    if doing.with_untracked(|before| *before != now) {
        doing.set(now);
    }
}

#[wasm_split_helpers::wasm_split(model_file, fallible)]
#[allow(unsafe_code)]
fn file_answers(body: String, abort: AbortController) -> Result<Answering, SplitLoaderError> {
    Ok(client::ask(body, &abort))
}

/// Asks a model file, and hands on the answer as it comes, as the body of a reply of OpenAI's protocol.
pub(super) async fn stream(
    request: HttpRequest,
    abort: &AbortController,
    on_piece: &dyn Fn(FetchPart),
) -> Result<(), ModelError> {
    let coming = file_answers(request.body, abort.clone()).await;
    let mut coming = coming.map_err(|_| ModelError::Local {
        reason: "the part of the page that runs it did not come".to_owned(),
    })?;
    on_piece(FetchPart::Head(head()));
    while let Some(piece) = coming.next().await {
        on_piece(FetchPart::Text(piece?));
    }
    Ok(())
}

fn head() -> HttpHead {
    HttpHead { status: 200, ..HttpHead::default() }
}

/// The same for a whole answer.
pub(super) async fn send(
    request: HttpRequest,
    abort: &AbortController,
) -> Result<HttpResponse, ModelError> {
    let body = std::cell::RefCell::new(String::new());
    let on_piece = |piece| {
        if let FetchPart::Text(text) = piece {
            body.borrow_mut().push_str(&text);
        }
    };
    stream(request, abort, &on_piece).await?;
    Ok(head().with_body(body.into_inner()))
}
