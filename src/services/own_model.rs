//! The weights of our own small model: fetched with the first run that needs them, and handed to every
//! engine that asks.

use std::cell::RefCell;

use futures_util::FutureExt as _;
use futures_util::future::{LocalBoxFuture, Shared};
use js_sys::ArrayBuffer;
use modelfiles::megabytes;
use protocol::runs::OwnWeights;
use web_sys::AbortController;

use super::model_file::{self, Doing};
use super::models::{self, Missing};
use super::single_file;

type Coming = Shared<LocalBoxFuture<'static, Result<ArrayBuffer, String>>>;

thread_local! {
    static COMING: RefCell<Vec<(OwnWeights, Coming)>> = const { RefCell::new(Vec::new()) };
}

/// Fetches them, and tells meanwhile how many bytes came.
async fn fetch(weights: OwnWeights) -> Result<ArrayBuffer, String> {
    if let Some(bytes) = single_file::own_weights(weights).await {
        return bytes;
    }
    let abort = AbortController::new().map_err(|_| "this browser is too old".to_owned())?;
    let path = weights.path();
    let (folder, name) = path.rsplit_once('/').unwrap_or_default();
    let came = models::beside(folder, &[name], &abort, |done, total| {
        // Of a body that is packed on the way nobody knows the length.
        let of = if total > done { format!(" of {}", megabytes(total)) } else { String::new() };
        let words = format!("Our own small model: {}{of} loaded", megabytes(done));
        model_file::tell(Some(Doing { words, done, total }));
    })
    .await;
    model_file::tell(None);
    let files = came.map_err(|missing| match missing {
        Missing::Absent => format!("{path} is not beside the page"),
        Missing::Stopped => "stopped".to_owned(),
        Missing::Broken(why) => why,
    })?;
    let (_, blob) = files.first().ok_or("nothing came")?;
    models::bytes(blob).await
}

/// Fetches those of the first page before anybody asks.
pub(crate) fn begin() {
    for of in [OwnWeights::Alone, OwnWeights::Problems] {
        wasm_bindgen_futures::spawn_local(async move {
            // A run that needs them reports why they cannot be had.
            let _ = weights(of).await;
        });
    }
}

/// The weights, in a buffer that can be handed over.
///
/// # Errors
/// They cannot be had; to ask again tries again.
pub(crate) async fn weights(weights: OwnWeights) -> Result<ArrayBuffer, String> {
    let coming = COMING.with_borrow_mut(|coming| {
        if let Some((_, coming)) = coming.iter().find(|(of, _)| *of == weights) {
            return coming.clone();
        }
        let begun = fetch(weights).boxed_local().shared();
        coming.push((weights, begun.clone()));
        begun
    });
    match coming.await {
        // What is handed to a worker is empty afterwards.
        Ok(bytes) => Ok(bytes.slice(0)),
        Err(why) => {
            COMING.with_borrow_mut(|coming| coming.retain(|(of, _)| *of != weights));
            Err(format!("the weights of our own model could not be loaded: {why}"))
        }
    }
}
