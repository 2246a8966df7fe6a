//! Files that a person drops or chooses.

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, Event, File, FileList, HtmlInputElement};

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

/// The text of a file.
pub(crate) async fn text(file: &File) -> Result<String, String> {
    if let Some(problem) = too_large(file) {
        return Err(problem);
    }
    let text = JsFuture::from(file.text()).await;
    text.ok()
        .and_then(|t| t.as_string())
        .ok_or_else(|| format!("{} could not be read; was it moved or changed?", file.name()))
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
