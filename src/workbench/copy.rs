//! A button that puts a text on the clipboard, and says so.

use std::sync::Arc;

use leptos::prelude::*;

use crate::services::clipboard;

#[component]
pub(crate) fn CopyButton(
    /// What is copied, in a word for those who do not see where the button stands.
    what: &'static str,
    #[prop(into)] text: Arc<str>,
) -> impl IntoView {
    let is_copied = RwSignal::new(false);
    view! {
        <button
            class="quiet copy"
            aria-label=format!("Copy {what}")
            on:click=move |_| {
                clipboard::copy(&text);
                is_copied.set(true);
            }
        >
            {move || if is_copied.get() { "Copied" } else { "Copy" }}
        </button>
    }
}
