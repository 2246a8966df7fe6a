//! The keys that every page has, and the list of them.

use leptos::html::Dialog;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use crate::services::screen;
use crate::shell::Shell;
use crate::state::stepping::{KEYS, StepOrder};
use crate::workbench::presenting::Presenting;

/// Listens as long as the page lives. In a frame, where nothing is presented, only steps are walked.
pub(super) fn listen(shell: Shell, presenting: Option<Presenting>, help: NodeRef<Dialog>) {
    let handle = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if screen::is_key_taken(&event) {
            return;
        }
        let key = event.key();
        if let Some(order) = StepOrder::of_key(&key) {
            if follow(shell, order) {
                event.prevent_default();
            }
            return;
        }
        let Some(presenting) = presenting else { return };
        match key.as_str() {
            "?" => {
                if let Some(dialog) = help.get_untracked().filter(|dialog| !dialog.open()) {
                    let _ = dialog.show_modal();
                }
            }
            "l" => presenting.toggle_large(),
            "f" => screen::toggle_full(),
            "r" => presenting.toggle_colours(),
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || handle.remove());
}

/// Does what a key asks of the steps that are shown; says whether there was something to do.
fn follow(shell: Shell, order: StepOrder) -> bool {
    let Some(stepped) = shell.stepped.get_untracked() else { return false };
    let (at, n) = stepped.place.get_untracked();
    if order == StepOrder::Play {
        if n > 0 {
            stepped.play();
        }
        return n > 0;
    }
    let to = order.leads(at, n);
    if let Some(to) = to {
        stepped.seek(to);
    }
    to.is_some()
}

/// The list of keys, in a dialog.
#[component]
pub(super) fn Help(node: NodeRef<Dialog>) -> impl IntoView {
    let rows = KEYS
        .iter()
        .map(|(key, what)| view! { <dt><kbd>{*key}</kbd></dt> <dd>{*what}</dd> })
        .collect_view();
    view! {
        <dialog class="keys" node_ref=node aria-labelledby="keys-title" data-testid="keys">
            <h2 id="keys-title">"Keys"</h2>
            <dl>{rows}</dl>
            <form method="dialog">
                <button class="ghost">"Close"</button>
            </form>
        </dialog>
    }
}
