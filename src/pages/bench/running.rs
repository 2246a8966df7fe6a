//! How far a benchmark is.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::bench::BenchForm;

use super::state::PageState;
use crate::state::bench::progress_words;

/// Progress with rate, time left, what was spent, and the buttons.
#[component]
pub(super) fn Running(state: PageState) -> impl IntoView {
    let now = move || state.going.progress.get().unwrap_or_default();
    let facts = move || {
        let is_running = state.going.is_running.get();
        // Of runs that were made here the worker counts as they come; of others the list does.
        let n_correct = match is_running || now().n_new > 0 {
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

/// Lines that the browser's storage does not take, with what a person can do.
#[component]
pub(super) fn Unkept(state: PageState) -> impl IntoView {
    let keep = move |_| {
        spawn_local(async move {
            state.keep_waiting().await;
        });
    };
    view! {
        <Show when=move || state.lines.unkept.with(Option::is_some)>
            <div class="notice" role="alert" data-testid="bench-unkept">
                <p>{move || state.lines.unkept.get()}</p>
                <Show when=move || state.open.with(Option::is_some)>
                    <button
                        class="quiet"
                        data-testid="bench-save-unkept"
                        on:click=move |_| state.save(BenchForm::Runs)
                    >
                        "Save the runs file"
                    </button>
                </Show>
                <button class="quiet" data-testid="bench-keep" on:click=keep>
                    "Keep them now"
                </button>
            </div>
        </Show>
    }
}
