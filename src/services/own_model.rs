//! The weights of our own small model: fetched with the first run that needs them, and handed to every
//! engine that asks.

use std::cell::RefCell;

use futures_util::FutureExt as _;
use futures_util::future::{LocalBoxFuture, Shared};
use js_sys::ArrayBuffer;
use modelfiles::megabytes;
use protocol::runs::OWN_WEIGHTS;
use web_sys::AbortController;

use super::model_file::{self, Doing};
use super::models::{self, Missing};
use super::single_file;

type Coming = Shared<LocalBoxFuture<'static, Result<ArrayBuffer, String>>>;

thread_local! {
    static COMING: RefCell<Option<Coming>> = const { RefCell::new(None) };
}

/// Fetches them, and tells meanwhile how many bytes came.
async fn fetch() -> Result<ArrayBuffer, String> {
    if let Some(bytes) = single_file::own_weights().await {
        return bytes;
    }
    let abort = AbortController::new().map_err(|_| "this browser is too old".to_owned())?;
    let (folder, name) = OWN_WEIGHTS.rsplit_once('/').unwrap_or_default();
    let came = models::beside(folder, &[name], &abort, |done, total| {
        // Of a body that is packed on the way nobody knows the length.
        let of = if total > done { format!(" of {}", megabytes(total)) } else { String::new() };
        let words = format!("Our own small model: {}{of} loaded", megabytes(done));
        model_file::tell(Some(Doing { words, done, total }));
    })
    .await;
    model_file::tell(None);
    let files = came.map_err(|missing| match missing {
        Missing::Absent => format!("{OWN_WEIGHTS} is not beside the page"),
        Missing::Stopped => "stopped".to_owned(),
        Missing::Broken(why) => why,
    })?;
    let (_, blob) = files.first().ok_or("nothing came")?;
    models::bytes(blob).await
}

/// Fetches them before anybody asks.
pub(crate) fn begin() {
    wasm_bindgen_futures::spawn_local(async {
        // Whoever asks is told why they do not come.
        let _ = weights().await;
    });
}

/// The weights, in a buffer that can be handed over.
///
/// # Errors
/// They cannot be had; to ask again tries again.
pub(crate) async fn weights() -> Result<ArrayBuffer, String> {
    let coming = COMING.with_borrow_mut(|coming| {
        coming.get_or_insert_with(|| fetch().boxed_local().shared()).clone()
    });
    match coming.await {
        // What is handed to a worker is empty afterwards.
        Ok(bytes) => Ok(bytes.slice(0)),
        Err(why) => {
            COMING.with_borrow_mut(Option::take);
            Err(format!("the weights of our own model could not be loaded: {why}"))
        }
    }
}
