//! The button that begins something long, and while it lasts the one that stops it.

use leptos::prelude::*;

/// The two, one at a time.
#[component]
pub(crate) fn RunOrStop(
    #[prop(into)] is_busy: Signal<bool>,
    /// What it does, as the button says it.
    #[prop(into)]
    title: Signal<String>,
    /// Why it cannot begin: nothing to do it with.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    on_run: Callback<()>,
    on_stop: Callback<()>,
) -> impl IntoView {
    let stop = move || {
        view! {
            <button class="ghost" data-testid="stop" on:click=move |_| on_stop.run(())>
                "Stop"
            </button>
        }
    };
    view! {
        <div class="actions">
            <Show when=move || !is_busy.get() fallback=stop>
                <button
                    class="run"
                    data-testid="run"
                    disabled=move || disabled.get()
                    on:click=move |_| on_run.run(())
                >
                    {move || title.get()}
                </button>
            </Show>
        </div>
    }
}
