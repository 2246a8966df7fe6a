//! A text of any length: its beginning, and all of it when a person asks.

use std::sync::Arc;

use leptos::prelude::*;

use crate::state::long_text::{SHOWN, head, pieces, size};

/// The text, in a block of the class that is given.
#[component]
pub(crate) fn LongText(
    #[prop(into)] text: Signal<Arc<str>>,
    /// The class of the block.
    #[prop(default = "machine")]
    class: &'static str,
    /// What tests know the block by.
    #[prop(default = "")]
    testid: &'static str,
) -> impl IntoView {
    // Another text begins at its beginning.
    let all = RwSignal::new(false);
    Effect::new(move |_| {
        text.track();
        all.set(false);
    });
    let is_long = Memo::new(move |_| text.with(|t| t.len() > SHOWN));
    let shown = move || {
        if !all.get() {
            return text.with(|t| head(t).to_owned()).into_any();
        }
        text.with(|t| {
            pieces(t)
                .into_iter()
                .map(|piece| view! { <span class="piece">{piece.to_owned()}</span> })
                .collect_view()
        })
        .into_any()
    };
    view! {
        <pre class=class data-testid=testid tabindex="0">
            {shown}
        </pre>
        <Show when=move || is_long.get()>
            <p class="cut" data-testid="cut">
                <span>
                    {move || {
                        let size = text.with(|t| size(t));
                        if all.get() { format!("All {size}.") } else { format!("The beginning of {size}.") }
                    }}
                </span>
                <button
                    class="quiet"
                    data-testid="show-all"
                    on:click=move |e| {
                        e.stop_propagation();
                        all.update(|a| *a = !*a);
                    }
                >
                    {move || if all.get() { "Show the beginning" } else { "Show all" }}
                </button>
            </p>
        </Show>
    }
}

/// A text that does not change, whole where it is short.
pub(crate) fn long_text(text: impl Into<Arc<str>>, class: &'static str) -> AnyView {
    let text: Arc<str> = text.into();
    if text.len() <= SHOWN {
        return view! { <pre class=class>{text.to_string()}</pre> }.into_any();
    }
    view! { <LongText text=Signal::stored(text) class/> }.into_any()
}
