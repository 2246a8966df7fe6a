//! Model files in this page. What asks their worker is a part of the page's module that loads with the
//! first use: no first visit has it.

mod client;
mod download;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt as _;
use llm::{HttpHead, HttpRequest, HttpResponse, ModelError};
use modelfiles::FromModel;
use wasm_split_helpers::SplitLoaderError;
use web_sys::AbortController;

pub(crate) use client::{Outcome, add, delete, list, speeds};
pub(crate) use download::load;

use super::transport::Piece;

#[wasm_split_helpers::wasm_split(model_file, fallible)]
#[allow(unsafe_code)]
fn asked(
    body: String,
    abort: AbortController,
) -> Result<UnboundedReceiver<FromModel>, SplitLoaderError> {
    Ok(client::ask(body, &abort))
}

/// Asks a model file, and hands on the answer as it comes, as the body of a reply of OpenAI's protocol.
pub(super) async fn stream(
    request: HttpRequest,
    abort: &AbortController,
    on_piece: impl Fn(Piece),
) -> Result<(), ModelError> {
    let local = |reason: &str| ModelError::Local { reason: reason.to_owned() };
    let coming = asked(request.body, abort.clone()).await;
    let mut coming = coming.map_err(|_| local("the part of the page that runs it did not come"))?;
    on_piece(Piece::Head(head()));
    while let Some(heard) = coming.next().await {
        if abort.signal().aborted() {
            return Err(ModelError::Cancelled);
        }
        match heard {
            FromModel::Text { text } => on_piece(Piece::Text(text)),
            FromModel::Answered { .. } => return Ok(()),
            FromModel::Refused { error } => return Err(error),
            FromModel::Panicked { message } => return Err(local(&message)),
            _ => {}
        }
    }
    Err(ModelError::Cancelled)
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
        if let Piece::Text(text) = piece {
            body.borrow_mut().push_str(&text);
        }
    };
    stream(request, abort, on_piece).await?;
    Ok(head().with_body(body.into_inner()))
}
