//! What the person's screen is like, what is heard of its keys, and bringing into view what happens on
//! it.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

fn holds(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|m| m.matches())
}

/// Whether the columns of a page stand one above the other: on a phone, and in a low window that is not
/// wide, as one at 200 % is. The style sheets have the same condition.
pub(crate) fn is_narrow() -> bool {
    holds("(max-width: 639px), (max-width: 999px) and (max-height: 560px)")
}

/// The width in pixels that a figure of a page has where the columns stand one above the other.
pub(crate) fn width_of_page() -> f64 {
    const FRAMES: f64 = 66.0;
    let width = window().inner_width().ok().and_then(|w| w.as_f64()).unwrap_or(360.0);
    width - FRAMES
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

/// Whether something of what a selector finds is on the screen.
pub(crate) fn is_in_sight(css: &str) -> bool {
    let Ok(Some(element)) = document().query_selector(css) else { return false };
    let at = element.get_bounding_client_rect();
    let height = window().inner_height().ok().and_then(|h| h.as_f64()).unwrap_or_default();
    at.height() > 0.0 && at.top() < height && at.bottom() > 0.0
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
/// Says to the style sheets how the page is to look, by an attribute of its body.
pub(crate) fn set_look(attribute: &str, is_on: bool) {
    let Some(body) = document().body() else { return };
    let _ =
        if is_on { body.set_attribute(attribute, "") } else { body.remove_attribute(attribute) };
}

/// Fills the screen with the page, or leaves that. A browser that does not let it stays as it is.
pub(crate) fn toggle_full() {
    if document().fullscreen_element().is_some() {
        document().exit_fullscreen();
    } else if let Some(root) = document().document_element() {
        let _ = root.request_fullscreen();
    }
}

/// Whether a key belongs to what has the focus (a field, a list of choices, a dialog), or was heard
/// there already, or is part of a command of the browser.
pub(crate) fn is_key_taken(event: &KeyboardEvent) -> bool {
    // The slider of a player does by these keys what the player does.
    const FIELDS: &str = "input:not(.seek, [type=checkbox]), textarea, select, dialog, \
                          [contenteditable]";
    if event.default_prevented() || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return true;
    }
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    let is_in = |what: &str| target.closest(what).ok().flatten().is_some();
    is_in(FIELDS)
        || (event.key() == " " && is_in("button, summary, a, input[type=checkbox], [role=button]"))
}
