//! How far a benchmark is.

use leptos::prelude::*;

use super::state::PageState;
use crate::state::bench::progress_words;

/// Progress with rate, time left, what was spent, and the buttons.
#[component]
pub(super) fn Running(state: PageState) -> impl IntoView {
    let now = move || state.going.progress.get().unwrap_or_default();
    let facts = move || {
        let is_running = state.going.is_running.get();
        let n_correct = match is_running {
            true => state.going.n_correct_before.get() + now().n_correct,
            false => state.n_correct(),
        };
        progress_words(&now(), n_correct, state.going.took_ms.get(), is_running)
    };
    view! {
        <Show when=move || state.going.progress.with(Option::is_some)>
            <div class="progress bench-progress" role="status" data-testid="bench-progress">
                <progress
                    max=move || now().n_jobs.max(1).to_string()
                    value=move || now().n_done.to_string()
                ></progress>
                <span>{facts}</span>
                <Show when=move || state.going.is_running.get()>
                    <button
                        class="ghost"
                        data-testid="bench-pause"
                        title="Lets the runs that go on come to their end"
                        disabled=move || state.going.is_pausing.get()
                        on:click=move |_| state.pause()
                    >
                        {move || if state.going.is_pausing.get() { "Pausing…" } else { "Pause" }}
                    </button>
                    <button
                        class="quiet"
                        data-testid="bench-stop"
                        title="Gives up the runs that go on"
                        on:click=move |_| state.stop()
                    >
                        "Stop"
                    </button>
                </Show>
            </div>
        </Show>
    }
}
