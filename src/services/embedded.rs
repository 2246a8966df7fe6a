//! Data that was put into the page's own file: the text of `<script id="embedded">`.
//!
//! `docs/sharing.md` says how a program puts it there. A served page has no such element.

use leptos::prelude::document;

/// The largest text that is taken out of the file, in bytes.
const MOST_BYTES: usize = 200_000_000;

/// The embedded text, where there is one of this format: the value of `format` at its start. It
/// is data of anybody's: whoever reads it checks it.
pub(crate) fn text(format: &str) -> Option<String> {
    let element = document().get_element_by_id("embedded")?;
    if !element.tag_name().eq_ignore_ascii_case("script") {
        return None;
    }
    let text = element.text_content().filter(|t| t.len() <= MOST_BYTES)?;
    let start: String = text.chars().take(200).collect();
    start.contains(&format!("\"{format}\"")).then_some(text)
}

/// Whether there is data of a format.
pub(crate) fn has(format: &str) -> bool {
    text(format).is_some()
}
