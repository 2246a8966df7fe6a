//! The keys that this page has beyond those of every page that plays.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::KeyboardEvent;

use super::state::PageState;
use crate::services::screen;

/// Listens as long as the page is shown.
pub(super) fn listen(state: PageState) {
    let handle = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if screen::is_key_taken(&event) {
            return;
        }
        let at = state.session.cursor.get_untracked();
        let to = match event.key().as_str() {
            "ArrowDown" => at + 1,
            "ArrowUp" => at.saturating_sub(1),
            "/" => {
                event.prevent_default();
                let field = document().query_selector("[data-testid=search-steps]").ok().flatten();
                if let Some(field) = field.and_then(|f| f.dyn_into::<web_sys::HtmlElement>().ok()) {
                    let _ = field.focus();
                }
                return;
            }
            _ => return,
        };
        event.prevent_default();
        state.session.playing.set(false);
        state.seek(to);
    });
    on_cleanup(move || handle.remove());
}
