//! Files that lie beside the page and are loaded when somebody wants them.

use gloo_net::http::{Request, Response};
use js_sys::{Array, ArrayBuffer};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

async fn fetch(path: &str) -> Result<Response, String> {
    if super::single_file::is_from_disk() {
        return Err(format!(
            "{path} lies beside the page on a server; a page that was opened from a disk has it not"
        ));
    }
    match Request::get(path).send().await {
        Ok(response) if response.ok() => Ok(response),
        Ok(response) => Err(format!("{path} could not be loaded: {}", response.status())),
        Err(_) => Err(format!("{path} could not be loaded; is the page's server there?")),
    }
}

/// A file beside the page, as if a person had chosen it.
pub(crate) async fn file(path: &str) -> Result<File, String> {
    let broken = || format!("{path} broke off while it was loaded");
    let response: web_sys::Response = fetch(path).await?.into();
    let blob =
        JsFuture::from(response.blob().map_err(|_| broken())?).await.map_err(|_| broken())?;
    let blob: Blob = blob.dyn_into().map_err(|_| broken())?;
    let name = path.rsplit('/').next().unwrap_or(path);
    File::new_with_blob_sequence(&Array::of1(&blob), name).map_err(|_| broken())
}

/// The bytes of a file beside the page.
pub(crate) async fn bytes(path: &str) -> Result<ArrayBuffer, String> {
    let broken = || format!("{path} broke off while it was loaded");
    let response: web_sys::Response = fetch(path).await?.into();
    let read = response.array_buffer().map_err(|_| broken())?;
    JsFuture::from(read).await.ok().and_then(|b| b.dyn_into().ok()).ok_or_else(broken)
}
