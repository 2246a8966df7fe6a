//! Files that lie beside the page and are loaded when somebody wants them.

use gloo_net::http::{Request, Response};
use js_sys::{Array, ArrayBuffer, Reflect, Uint8Array};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, ReadableStreamDefaultReader};

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

/// The same, with `on_bytes` told how many bytes are here and how many there will be; 0 where that is
/// not known.
pub(crate) async fn file_with(path: &str, on_bytes: impl Fn(f64, f64)) -> Result<File, String> {
    let broken = || format!("{path} broke off while it was loaded");
    let response = fetch(path).await?;
    let headers = response.headers();
    // Of a body that is packed on the way the length says nothing.
    let is_packed = headers.get("content-encoding").is_some();
    let length = headers.get("content-length").and_then(|n| n.parse::<f64>().ok());
    let total = length.filter(|_| !is_packed).unwrap_or(0.0);
    let reader = response.body().map(|b| b.get_reader());
    let reader = reader.and_then(|r| r.dyn_into::<ReadableStreamDefaultReader>().ok());
    let reader = reader.ok_or_else(broken)?;
    let (parts, mut loaded) = (Array::new(), 0.0);
    loop {
        let came = JsFuture::from(reader.read()).await.map_err(|_| broken())?;
        if Reflect::get(&came, &"done".into()).is_ok_and(|d| d.is_truthy()) {
            break;
        }
        let part = Reflect::get(&came, &"value".into()).unwrap_or_default();
        let Ok(part) = part.dyn_into::<Uint8Array>() else { continue };
        loaded += f64::from(part.length());
        parts.push(&part);
        on_bytes(loaded, total);
    }
    if total > 0.0 && loaded < total {
        return Err(broken());
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    File::new_with_u8_array_sequence(&parts, name).map_err(|_| broken())
}

/// The bytes of a file beside the page.
pub(crate) async fn bytes(path: &str) -> Result<ArrayBuffer, String> {
    let broken = || format!("{path} broke off while it was loaded");
    let response: web_sys::Response = fetch(path).await?.into();
    let read = response.array_buffer().map_err(|_| broken())?;
    JsFuture::from(read).await.ok().and_then(|b| b.dyn_into().ok()).ok_or_else(broken)
}
