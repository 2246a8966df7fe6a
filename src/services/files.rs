//! Files that a person drops or chooses.

use js_sys::{Array, Function, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DragEvent, Event, File, FileList, HtmlInputElement, ReadableStreamDefaultReader,
    ReadableWritablePair, TextDecodeOptions, TextDecoder, TextDecoderOptions,
};

/// The largest text that may be pasted, in bytes.
pub(crate) const MAX_PASTE: usize = 5_000_000;
/// The largest file, in bytes.
pub(crate) const MAX_FILE: f64 = 200e6;

fn listed(list: Option<FileList>) -> Vec<File> {
    list.map(|l| Array::from(&l).iter().filter_map(|f| f.dyn_into().ok()).collect())
        .unwrap_or_default()
}

/// The files of a drop.
pub(crate) fn dropped(event: &DragEvent) -> Vec<File> {
    event.prevent_default();
    listed(event.data_transfer().and_then(|d| d.files()))
}

/// The files of an input.
pub(crate) fn chosen(event: &Event) -> Vec<File> {
    let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
    let files = listed(input.as_ref().and_then(HtmlInputElement::files));
    // The same file may be chosen again.
    if let Some(input) = input {
        input.set_value("");
    }
    files
}

/// Why a file may not be read, if so.
pub(crate) fn too_large(file: &File) -> Option<String> {
    (file.size() > MAX_FILE).then(|| {
        format!(
            "{} has {:.0} MB; a file may have at most {:.0} MB",
            file.name(),
            file.size() / 1e6,
            MAX_FILE / 1e6
        )
    })
}

/// How files begin that gzip, Zip or Zstandard packed.
const PACKED: [&[u8]; 3] = [&[0x1f, 0x8b], b"PK", &[0x28, 0xb5, 0x2f, 0xfd]];

/// How much of a file shows its encoding, in bytes.
const LOOKED_AT: i32 = 1 << 20;

/// The text of a file, and the encoding that it was read in, where nothing says that one.
pub(crate) async fn text_and_guess(file: &File) -> Result<(String, Option<&'static str>), String> {
    if let Some(problem) = too_large(file) {
        return Err(problem);
    }
    let lost = || format!("{} could not be read; was it moved or changed?", file.name());
    let head = file.slice_with_i32_and_i32(0, LOOKED_AT).map_err(|_| lost())?;
    let head = JsFuture::from(head.array_buffer()).await.map_err(|_| lost())?;
    let head = Uint8Array::new(&head);
    let Some((label, is_guessed)) = encoding(&head) else {
        let text = JsFuture::from(file.text()).await;
        let text = text.ok().and_then(|t| t.as_string()).ok_or_else(lost)?;
        return Ok((text, None));
    };
    let bytes = JsFuture::from(file.array_buffer()).await.map_err(|_| lost())?;
    let decoder = TextDecoder::new_with_label(label).map_err(|_| lost())?;
    let text = decoder.decode_with_buffer_source(&Uint8Array::new(&bytes)).map_err(|_| lost())?;
    Ok((text, is_guessed.then_some(label)))
}

/// A stream of the browser's own that packs or unpacks gzip: `CompressionStream` or
/// `DecompressionStream`.
pub(crate) fn gzip(class: &str) -> Option<ReadableWritablePair> {
    // By its name: `web-sys` counts it among what may still change.
    let class = Reflect::get(&js_sys::global(), &class.into()).ok()?.dyn_into::<Function>().ok()?;
    Some(Reflect::construct(&class, &Array::of1(&"gzip".into())).ok()?.unchecked_into())
}

/// The first `n` bytes that a file in gzip holds; the rest is not unpacked.
async fn unpacked_head(file: &File, n: usize) -> Result<Vec<u8>, JsValue> {
    let Some(unpack) = gzip("DecompressionStream") else { return Ok(Vec::new()) };
    let reader = file.stream().pipe_through(&unpack).get_reader();
    let reader: ReadableStreamDefaultReader = reader.unchecked_into();
    let mut head = Vec::new();
    while head.len() < n {
        let read = JsFuture::from(reader.read()).await?;
        if Reflect::get(&read, &"done".into())?.is_truthy() {
            break;
        }
        head.extend(Uint8Array::new(&Reflect::get(&read, &"value".into())?).to_vec());
    }
    let _ = JsFuture::from(reader.cancel()).await;
    head.truncate(n);
    Ok(head)
}

/// The text of a file's first `n` bytes, unpacked where it is in gzip; empty for a file that another
/// program packed.
pub(crate) async fn head(file: &File, n: i32) -> Result<String, String> {
    let lost = |_| format!("{} could not be read; was it moved or changed?", file.name());
    let head = file.slice_with_i32_and_i32(0, n).map_err(lost)?;
    let mut head = Uint8Array::new(&JsFuture::from(head.array_buffer()).await.map_err(lost)?);
    if head.to_vec().starts_with(PACKED[0]) {
        let why = |_| format!("{} is not in gzip, though it begins so; was it cut?", file.name());
        let bytes = unpacked_head(file, n.unsigned_abs() as usize).await.map_err(why)?;
        head = Uint8Array::from(bytes.as_slice());
    }
    if PACKED.iter().any(|sign| head.to_vec().starts_with(sign)) {
        return Ok(String::new());
    }
    let label = encoding(&head).map_or("utf-8", |(label, _)| label);
    let decoder = TextDecoder::new_with_label(label).map_err(lost)?;
    decoder.decode_with_buffer_source(&head).map_err(lost)
}

/// The text of a file.
pub(crate) async fn text(file: &File) -> Result<String, String> {
    Ok(text_and_guess(file).await?.0)
}

/// Files for a worker, which reads UTF-8: those in another encoding are written in it. Packed files stay.
pub(crate) async fn in_utf8(list: &[File]) -> Result<Vec<File>, String> {
    let mut out = Vec::with_capacity(list.len());
    for file in list {
        let head = file.slice_with_i32_and_i32(0, LOOKED_AT);
        let head = JsFuture::from(head.map_err(|_| "a file could not be read")?.array_buffer());
        let is_other = head.await.is_ok_and(|head| encoding(&Uint8Array::new(&head)).is_some());
        if is_other {
            out.push(of_text(&file.name(), &text(file).await?)?);
        } else {
            out.push(file.clone());
        }
    }
    Ok(out)
}

/// The encoding of a text that is not UTF-8, as browsers call it, and whether it is a guess; none of a
/// text that is UTF-8, and of what is no text.
fn encoding(head: &Uint8Array) -> Option<(&'static str, bool)> {
    let start: Vec<u8> = head.subarray(0, head.length().min(4)).to_vec();
    match start[..] {
        [0xff, 0xfe, ..] => return Some(("utf-16le", false)),
        [0xfe, 0xff, ..] => return Some(("utf-16be", false)),
        [a, 0, b, 0] if a > 0 && b > 0 => return Some(("utf-16le", true)),
        [0, a, 0, b] if a > 0 && b > 0 => return Some(("utf-16be", true)),
        _ if PACKED.iter().any(|sign| start.starts_with(sign)) => return None,
        _ => {}
    }
    let options = TextDecoderOptions::new();
    options.set_fatal(true);
    let decoder = TextDecoder::new_with_label_and_options("utf-8", &options).ok()?;
    // The last letter may be cut.
    let streamed = TextDecodeOptions::new();
    streamed.set_stream(true);
    let is_utf8 = decoder.decode_with_buffer_source_and_options(head, &streamed).is_ok();
    (!is_utf8 && !head.includes(0, 0)).then_some(("windows-1252", true))
}

/// A text as a file.
///
/// # Errors
/// This browser makes no files.
pub(crate) fn of_text(name: &str, text: &str) -> Result<File, String> {
    let parts = Array::of1(&text.into());
    File::new_with_str_sequence(&parts, name)
        .map_err(|_| "This browser cannot make a file.".to_owned())
}
