//! A film of pictures, recorded in the page.

use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobEvent, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement,
    HtmlImageElement, MediaRecorder, MediaStream,
};

use super::clipboard;
use crate::state::picture::{Moment, WIDTH};

/// Frames a second that are recorded.
const FRAMES: f64 = 20.0;

/// Waits so many milliseconds.
async fn wait(ms: u32) {
    let promise = Promise::new(&mut |resolve, _| {
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms as i32);
    });
    let _ = JsFuture::from(promise).await;
}

/// A picture, once the browser has read it.
async fn read(file: &str) -> Result<HtmlImageElement, JsValue> {
    let image = HtmlImageElement::new()?;
    let encoded = js_sys::encode_uri_component(file);
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{encoded}"));
    JsFuture::from(image.decode()).await?;
    Ok(image)
}

/// What is drawn on a canvas, as a stream.
fn stream(canvas: &HtmlCanvasElement) -> Result<MediaStream, JsValue> {
    let capture: Function = Reflect::get(canvas, &"captureStream".into())?.dyn_into()?;
    capture.call1(canvas, &FRAMES.into())?.dyn_into()
}

/// Records a film and offers it as a file; it takes as long as the film does. `on_moment` hears which
/// moment is recorded, and says whether to go on.
///
/// # Errors
/// In words, where this browser records none.
pub(crate) async fn record(
    name: &str,
    moments: &[Moment],
    height: f64,
    on_moment: impl Fn(usize) -> bool,
) -> Result<(), String> {
    const CANNOT: &str = "This browser cannot record a film of the page. Save the picture instead.";
    run(name, moments, height, on_moment).await.map_err(|_| CANNOT.to_owned())
}

async fn run(
    name: &str,
    moments: &[Moment],
    height: f64,
    on_moment: impl Fn(usize) -> bool,
) -> Result<(), JsValue> {
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.dyn_into()?;
    canvas.set_width(WIDTH as u32);
    // Encoders want even numbers.
    canvas.set_height((height / 2.0).ceil() as u32 * 2);
    let plane = canvas.get_context("2d")?.ok_or("no canvas")?;
    let plane: CanvasRenderingContext2d = plane.dyn_into()?;
    let mut pictures = Vec::with_capacity(moments.len());
    for moment in moments {
        pictures.push(read(&moment.file).await?);
    }
    let recorder = MediaRecorder::new_with_media_stream(&stream(&canvas)?)?;
    let parts = Array::new();
    let kept = parts.clone();
    let on_data = Closure::<dyn FnMut(BlobEvent)>::new(move |event: BlobEvent| {
        if let Some(data) = event.data() {
            kept.push(&data);
        }
    });
    recorder.set_ondataavailable(Some(on_data.as_ref().unchecked_ref()));
    let stopped = Promise::new(&mut |resolve, _| recorder.set_onstop(Some(&resolve)));
    recorder.start()?;
    let mut goes_on = true;
    for (i, (moment, picture)) in moments.iter().zip(&pictures).enumerate() {
        goes_on = on_moment(i);
        if !goes_on {
            break;
        }
        // A canvas that does not change gives no frames.
        let n = (f64::from(moment.ms) * FRAMES / 1000.0).ceil() as u32;
        for _ in 0..n.max(1) {
            plane.draw_image_with_html_image_element(picture, 0.0, 0.0)?;
            wait(moment.ms / n.max(1)).await;
        }
    }
    recorder.stop()?;
    JsFuture::from(stopped).await?;
    if !goes_on {
        return Ok(());
    }
    let kind = recorder.mime_type();
    let options = BlobPropertyBag::new();
    options.set_type(&kind);
    let film = Blob::new_with_blob_sequence_and_options(&parts, &options)?;
    let ending = if kind.contains("mp4") { "mp4" } else { "webm" };
    clipboard::save_blob(&format!("{name}.{ending}"), &film);
    Ok(())
}
