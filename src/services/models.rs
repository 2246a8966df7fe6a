//! Files of models: beside the page, of the person's own, and those that this browser keeps.
//!
//! None of their bytes pass through the page's memory: they stay blobs until a worker is handed them.

use gloo_net::http::{Method, Request, RequestBuilder};
use js_sys::{Array, ArrayBuffer, Promise, Reflect, Uint8Array};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Blob, Cache, ReadableStreamDefaultReader, Response};

/// What the browser's cache of models is called.
const CACHE: &str = "graphground-models";

/// A file by its name.
pub(crate) type Named = (&'static str, Blob);

async fn waited<T: JsCast>(promise: Promise) -> Option<T> {
    JsFuture::from(promise).await.ok()?.dyn_into().ok()
}

/// The cache; none where the browser gives none, as to a page over plain http.
async fn cache() -> Option<Cache> {
    let caches = Reflect::get(&window(), &"caches".into()).ok().filter(|c| !c.is_falsy())?;
    let caches: web_sys::CacheStorage = caches.dyn_into().ok()?;
    waited(caches.open(CACHE)).await
}

fn address(folder: &str, name: &str) -> String {
    format!("{folder}/{name}")
}

/// Whether all files of a model are kept.
pub(crate) async fn has(folder: &str, names: &[&'static str]) -> bool {
    let Some(cache) = cache().await else { return false };
    for name in names {
        let found = cache.match_with_str(&address(folder, name));
        if waited::<Response>(found).await.is_none() {
            return false;
        }
    }
    true
}

/// The files of a model that are kept, if all are.
pub(crate) async fn load_kept(folder: &str, names: &[&'static str]) -> Option<Vec<Named>> {
    let cache = cache().await?;
    let mut all = Vec::new();
    for name in names {
        let response: Response = waited(cache.match_with_str(&address(folder, name))).await?;
        all.push((*name, waited::<Blob>(response.blob().ok()?).await?));
    }
    Some(all)
}

/// Keeps the files of a model for the next visit; false where the browser does not.
pub(crate) async fn keep(folder: &str, files: &[Named]) -> bool {
    let Some(cache) = cache().await else { return false };
    for (name, blob) in files {
        let Ok(response) = Response::new_with_opt_blob(Some(blob)) else { return false };
        let put = cache.put_with_str(&address(folder, name), &response);
        if JsFuture::from(put).await.is_err() {
            // Half a model is none.
            delete(folder, &files.iter().map(|f| f.0).collect::<Vec<_>>()).await;
            return false;
        }
    }
    true
}

/// Deletes what is kept of a model.
pub(crate) async fn delete(folder: &str, names: &[&'static str]) {
    if let Some(cache) = cache().await {
        for name in names {
            let _ = JsFuture::from(cache.delete_with_str(&address(folder, name))).await;
        }
    }
}

/// Why a file could not be had from the page's server.
pub(crate) enum Missing {
    /// The server has none.
    Absent,
    /// It was to be stopped.
    Stopped,
    /// It failed; why.
    Broken(String),
}

/// Whether a file lies beside the page.
pub(crate) async fn is_beside(name: &str) -> bool {
    if super::single_file::is_from_disk() {
        return false;
    }
    let ask = RequestBuilder::new(&address(".", name)).method(Method::HEAD);
    ask.send().await.is_ok_and(|response| response.ok())
}

/// Loads the files of a model that lie beside the page; how many bytes of how many goes to
/// `on_bytes`.
pub(crate) async fn beside(
    folder: &str,
    names: &[&'static str],
    abort: &AbortController,
    on_bytes: impl Fn(f64, f64),
) -> Result<Vec<Named>, Missing> {
    if super::single_file::is_from_disk() {
        return Err(Missing::Absent);
    }
    let mut all = Vec::new();
    // The small ones first: where they are absent, so is the large one.
    for name in names.iter().rev() {
        let url = address(folder, name);
        let broken = |why: &str| Missing::Broken(format!("{url} could not be loaded: {why}"));
        let stopped = || abort.signal().aborted();
        let came = Request::get(&url).abort_signal(Some(&abort.signal())).send().await;
        let response = match came {
            Ok(response) if response.ok() => response,
            Ok(response) if response.status() == 404 => return Err(Missing::Absent),
            Ok(response) => return Err(broken(&format!("status {}", response.status()))),
            Err(_) if stopped() => return Err(Missing::Stopped),
            Err(_) => return Err(broken("is the page's server there?")),
        };
        let headers = response.headers();
        let header = |name: &str| headers.get(name);
        // Of a body that is packed on the way the length says nothing.
        let is_packed = header("content-encoding").is_some();
        let length = header("content-length").and_then(|n| n.parse::<f64>().ok());
        let total = length.filter(|_| !is_packed).unwrap_or(0.0);
        let reader = response.body().map(|b| b.get_reader());
        let Some(reader) = reader.and_then(|r| r.dyn_into::<ReadableStreamDefaultReader>().ok())
        else {
            return Err(broken("the answer has no body"));
        };
        let parts = Array::new();
        let mut loaded = 0.0;
        loop {
            let came = match JsFuture::from(reader.read()).await {
                Ok(came) => came,
                Err(_) if stopped() => return Err(Missing::Stopped),
                Err(_) => return Err(broken("the connection was lost")),
            };
            if Reflect::get(&came, &"done".into()).is_ok_and(|d| d.is_truthy()) {
                break;
            }
            let Ok(part) = Reflect::get(&came, &"value".into()).unwrap_or_default().dyn_into()
            else {
                continue;
            };
            let part: Uint8Array = part;
            loaded += f64::from(part.length());
            parts.push(&part);
            on_bytes(loaded, total.max(loaded));
        }
        if total > 0.0 && loaded < total {
            return Err(broken(&format!("it broke off after {loaded} of {total} bytes")));
        }
        let blob = Blob::new_with_u8_array_sequence(&parts)
            .map_err(|_| broken("there is no room for it"))?;
        all.push((*name, blob));
    }
    Ok(all)
}

/// The bytes of a file, to be handed to a worker.
pub(crate) async fn bytes(blob: &Blob) -> Result<ArrayBuffer, String> {
    let read: Result<JsValue, _> = JsFuture::from(blob.array_buffer()).await;
    read.ok().and_then(|b| b.dyn_into().ok()).ok_or_else(|| {
        "a file could not be read; was it moved, or is there no room for it in memory?".into()
    })
}
