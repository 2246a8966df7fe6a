//! One place for what went wrong: what, and what would be right.

use leptos::prelude::*;

/// A message that stays until it is closed or answered.
#[component]
pub(crate) fn Notice(message: RwSignal<Option<String>>) -> impl IntoView {
    view! {
        <Show when=move || message.with(Option::is_some)>
            <div class="notice" role="alert">
                <p>{move || message.get()}</p>
                <button class="quiet" on:click=move |_| message.set(None)>
                    "Close"
                </button>
            </div>
        </Show>
    }
}
