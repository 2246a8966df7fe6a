//! What the person's screen is like, and bringing into view what happens on it.

use leptos::prelude::*;

fn holds(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|m| m.matches())
}

/// Whether the columns of a page stand one above the other.
pub(crate) fn is_narrow() -> bool {
    holds("(max-width: 639px)")
}

/// Whether the person asked for less motion.
pub(crate) fn wants_no_motion() -> bool {
    holds("(prefers-reduced-motion: reduce)")
}

/// Where the columns are stacked, what happens would happen out of sight.
pub(crate) fn show_stage() {
    if is_narrow()
        && let Ok(Some(stage)) = document().query_selector(".stage")
    {
        stage.scroll_into_view();
    }
}

/// Why something of the page's own server did not come, as far as the page can tell.
pub(crate) fn why_not_loaded() -> &'static str {
    if window().navigator().on_line() { "is the page's server there?" } else { "you are offline" }
}

/// Width and height in pixels of the first thing that a selector names; a usual size where there is none.
pub(crate) fn size_of(selector: &str) -> (f64, f64) {
    let found = document().query_selector(selector).ok().flatten();
    found.map_or((800.0, 600.0), |element| {
        (f64::from(element.client_width()), f64::from(element.client_height()))
    })
}

/// Whether the page is dark now: as the person chose, or as the system is.
pub(crate) fn is_dark() -> bool {
    let chosen = document().document_element().and_then(|e| e.get_attribute("data-theme"));
    match chosen.as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => holds("(prefers-color-scheme: dark)"),
    }
}
