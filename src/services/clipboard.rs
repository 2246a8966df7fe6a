//! Copying and saving.

use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement, Url};

/// Puts text on the clipboard.
pub(crate) fn copy(text: &str) {
    let _ = window().navigator().clipboard().write_text(text);
}

/// Offers text as a file.
pub(crate) fn save(name: &str, kind: &str, text: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        save_blob(name, &blob);
    }
}

/// Offers bytes as a file.
pub(crate) fn save_blob(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    if let Some(link) =
        document().create_element("a").ok().and_then(|e| e.dyn_into::<HtmlAnchorElement>().ok())
    {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    let _ = Url::revoke_object_url(&url);
}

/// Offers a drawing as a PNG at twice its size.
pub(crate) fn save_png(name: &str, svg: &str, width: f64, height: f64) {
    let Ok(image) = HtmlImageElement::new() else { return };
    let Some(canvas) = document()
        .create_element("canvas")
        .ok()
        .and_then(|e| e.dyn_into::<HtmlCanvasElement>().ok())
    else {
        return;
    };
    canvas.set_width((width * 2.0) as u32);
    canvas.set_height((height * 2.0) as u32);
    let (name, drawn) = (name.to_owned(), image.clone());
    let on_load = Closure::once_into_js(move || {
        let context = canvas.get_context("2d").ok().flatten();
        let Some(context) =
            context.and_then(|c| c.dyn_into::<web_sys::CanvasRenderingContext2d>().ok())
        else {
            return;
        };
        let _ = context.draw_image_with_html_image_element_and_dw_and_dh(
            &drawn,
            0.0,
            0.0,
            width * 2.0,
            height * 2.0,
        );
        save_canvas(&name, &canvas);
    });
    image.set_onload(Some(on_load.unchecked_ref()));
    let encoded = js_sys::encode_uri_component(svg);
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{encoded}"));
}

/// Offers what is on a canvas as a PNG.
pub(crate) fn save_canvas(name: &str, canvas: &HtmlCanvasElement) {
    let name = name.to_owned();
    let save = Closure::once_into_js(move |blob: JsValue| {
        if let Ok(blob) = blob.dyn_into::<Blob>() {
            save_blob(&name, &blob);
        }
    });
    let _ = canvas.to_blob(save.unchecked_ref());
}
