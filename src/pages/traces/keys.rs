//! The keys of the page, and the list of them.

use leptos::html::Dialog;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

use super::state::PageState;

const KEYS: &[(&str, &str)] = &[
    ("j, ↓, →", "one step on"),
    ("k, ↑, ←", "one step back"),
    ("Home", "before the first step"),
    ("End", "behind the last step"),
    ("space", "play and pause"),
    ("/", "search the steps"),
    ("Ctrl+K", "all commands"),
    ("?", "this list"),
];

/// Whether a key belongs to what has the focus: a field, a list of choices, a dialog, a graph.
fn is_taken(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    target
        .closest("input, textarea, select, dialog, [contenteditable], svg.graph")
        .ok()
        .flatten()
        .is_some()
        || (event.key() == " " && target.closest("button, summary, a").ok().flatten().is_some())
}

/// Listens as long as the page is shown.
pub(super) fn listen(state: PageState) {
    let handle = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || is_taken(&event) {
            return;
        }
        let at = state.session.cursor.get_untracked();
        let to = match event.key().as_str() {
            "j" | "ArrowDown" | "ArrowRight" => at + 1,
            "k" | "ArrowUp" | "ArrowLeft" => at.saturating_sub(1),
            "Home" => 0,
            "End" => usize::MAX,
            " " => {
                event.prevent_default();
                state.session.playing.update(|p| *p = !*p);
                return;
            }
            "/" => {
                event.prevent_default();
                let field = document().query_selector("[data-testid=search-steps]").ok().flatten();
                if let Some(field) = field.and_then(|f| f.dyn_into::<web_sys::HtmlElement>().ok()) {
                    let _ = field.focus();
                }
                return;
            }
            "?" => {
                let dialog = document().get_element_by_id("trace-keys");
                let dialog = dialog.and_then(|d| d.dyn_into::<web_sys::HtmlDialogElement>().ok());
                if let Some(dialog) = dialog {
                    let _ = dialog.show_modal();
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

/// The list of keys, in a dialog.
#[component]
pub(super) fn Help() -> impl IntoView {
    let node = NodeRef::<Dialog>::new();
    let rows = KEYS
        .iter()
        .map(|(key, what)| view! { <dt><kbd>{*key}</kbd></dt> <dd>{*what}</dd> })
        .collect_view();
    view! {
        <dialog id="trace-keys" class="keys" node_ref=node aria-labelledby="keys-title">
            <h2 id="keys-title">"Keys"</h2>
            <dl>{rows}</dl>
            <form method="dialog">
                <button class="ghost">"Close"</button>
            </form>
        </dialog>
    }
}
