//! Before a class or an audience: large type, full screen, and colours that wait until somebody
//! reveals them.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::services::{screen, storage};

const LARGE: &str = "graphground.large";

/// How the page is shown to many; in the context of every page.
#[derive(Clone, Copy)]
pub(crate) struct Presenting {
    /// Type that is read from the back of a room.
    pub(crate) large: RwSignal<bool>,
    /// Whether the colours of claims and the marks of drawings are hidden.
    pub(crate) hides: RwSignal<bool>,
}

impl Presenting {
    pub(crate) fn new() -> Self {
        let large = RwSignal::new(storage::recall::<bool>(LARGE).unwrap_or_default());
        let hides = RwSignal::new(false);
        Effect::new(move |_| screen::set_look("data-large", large.get()));
        Effect::new(move |_| screen::set_look("data-hides-colours", hides.get()));
        Self { large, hides }
    }

    pub(crate) fn toggle_large(self) {
        let large = !self.large.get_untracked();
        storage::remember(LARGE, &large);
        self.large.set(large);
    }

    pub(crate) fn toggle_colours(self) {
        self.hides.update(|h| *h = !*h);
    }
}

/// The buttons, each for itself.
#[component]
pub(crate) fn PresentButtons() -> impl IntoView {
    let presenting = use_context::<Presenting>()?;
    Some(view! {
        <button
            aria-pressed=move || presenting.large.get().to_string()
            data-testid="large"
            title="Large type, for the back of a room (l)"
            on:click=move |_| presenting.toggle_large()
        >
            "Large"
        </button>
        <button data-testid="full-screen" title="Full screen (f)" on:click=move |_| screen::toggle_full()>
            "Full screen"
        </button>
        <RevealButton/>
    })
}

/// Hides the colours until they are revealed.
#[component]
fn RevealButton() -> impl IntoView {
    let presenting = use_context::<Presenting>()?;
    let hides = presenting.hides;
    Some(view! {
        <button
            class="reveal"
            class:hides=move || hides.get()
            data-testid="reveal"
            title="Hide the colours of claims and of the drawing until somebody reveals them (r)"
            on:click=move |_| presenting.toggle_colours()
        >
            {move || if hides.get() { "Reveal" } else { "Hide colours" }}
        </button>
    })
}

/// The same in a fold of a row of tools. Colours that are hidden can be revealed without it.
#[component]
pub(crate) fn PresentMenu() -> impl IntoView {
    let presenting = use_context::<Presenting>()?;
    let menu = NodeRef::<leptos::html::Details>::new();
    // It lies on the drawing: a click elsewhere and Esc close it.
    let pressed = window_event_listener(leptos::ev::pointerdown, move |event| {
        let Some(menu) = menu.get_untracked() else { return };
        let at = event.target().and_then(|t| t.dyn_into::<web_sys::Node>().ok());
        if !menu.contains(at.as_ref()) {
            menu.set_open(false);
        }
    });
    let escaped = window_event_listener(leptos::ev::keydown, move |event| {
        if let Some(menu) = menu.get_untracked().filter(|m| event.key() == "Escape" && m.open()) {
            menu.set_open(false);
        }
    });
    on_cleanup(move || {
        pressed.remove();
        escaped.remove();
    });
    Some(view! {
        <Show when=move || presenting.hides.get()>
            <button
                class="reveal hides"
                data-testid="reveal-now"
                on:click=move |_| presenting.hides.set(false)
            >
                "Reveal"
            </button>
        </Show>
        <details class="present" node_ref=menu>
            <summary data-testid="present">"Present"</summary>
            <div>
                <PresentButtons/>
                <p class="quiet-text">"Press " <kbd>"?"</kbd> " for all keys."</p>
            </div>
        </details>
    })
}
