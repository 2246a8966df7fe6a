//! The page as one file that was opened from a disk: what is different there.

use js_sys::{ArrayBuffer, Function, Promise, Reflect};
use leptos::prelude::window;
use protocol::runs::OwnWeights;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Worker};

/// What the start of the single file leaves behind: a function that starts an engine's worker out
/// of the file itself.
const START_ENGINE: &str = "graphgroundEngine";

/// Another that unpacks the weights of our own model.
const OWN_WEIGHTS: &str = "graphgroundOwn";

/// And one that gives the file's own text, as it was before the page changed anything.
const OWN_TEXT: &str = "graphgroundFile";

fn function(name: &str) -> Option<Function> {
    Reflect::get(&js_sys::global(), &name.into()).ok()?.dyn_into().ok()
}

fn start_function() -> Option<Function> {
    function(START_ENGINE)
}

/// Weights of our own model from the file; nothing if the page came from a server.
pub(crate) async fn own_weights(weights: OwnWeights) -> Option<Result<ArrayBuffer, String>> {
    let unpack = function(OWN_WEIGHTS)?;
    let broken = || "the file is not complete; fetch it again".to_owned();
    let unpacked = async {
        let promise: Promise =
            unpack.call1(&JsValue::UNDEFINED, &weights.path().into()).ok()?.dyn_into().ok()?;
        JsFuture::from(promise).await.ok()?.dyn_into().ok()
    };
    Some(unpacked.await.ok_or_else(broken))
}

/// The file's own text; nothing where the page came from a server in many files.
pub(crate) fn own_text() -> Option<Blob> {
    function(OWN_TEXT)?.call0(&JsValue::UNDEFINED).ok()?.dyn_into().ok()
}

/// Starts a worker out of the file; nothing where the page came from a server.
pub(crate) fn start_engine() -> Option<Result<Worker, JsValue>> {
    let start = start_function()?;
    Some(start.call0(&JsValue::UNDEFINED).and_then(JsCast::dyn_into))
}

/// Whether the page is one file: it has one module of engines, and none to load later.
pub(crate) fn is_one_file() -> bool {
    start_function().is_some()
}

/// Whether the page was opened from a disk.
pub(crate) fn is_from_disk() -> bool {
    window().location().protocol().is_ok_and(|p| p == "file:")
}

/// What servers are told in the header `Origin`: a page from a disk has none, and says `null`.
pub(crate) fn origin() -> String {
    if is_from_disk() {
        return "null".to_owned();
    }
    window().location().origin().unwrap_or_default()
}
