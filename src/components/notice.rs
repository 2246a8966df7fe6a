//! One place for what went wrong: what, and what would be right.

use leptos::prelude::*;

use protocol::NOT_LOADED;

/// A message that stays until it is closed or answered.
#[component]
pub(crate) fn Notice(
    message: RwSignal<Option<String>>,
    /// What is done again where there was no engine for it.
    #[prop(optional)]
    on_again: Option<Callback<()>>,
) -> impl IntoView {
    let is_not_loaded =
        move || message.with(|m| m.as_ref().is_some_and(|m| m.starts_with(NOT_LOADED)));
    let again = move || on_again.filter(|_| is_not_loaded());
    view! {
        <Show when=move || message.with(Option::is_some)>
            <div class="notice" role="alert">
                <p>{move || message.get()}</p>
                {move || {
                    again()
                        .map(|again| {
                            view! {
                                <button
                                    class="quiet"
                                    data-testid="again"
                                    on:click=move |_| {
                                        message.set(None);
                                        again.run(());
                                    }
                                >
                                    "Try again"
                                </button>
                            }
                        })
                }}
                <button class="quiet" on:click=move |_| message.set(None)>
                    "Close"
                </button>
            </div>
        </Show>
    }
}
