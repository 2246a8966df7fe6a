//! How far a benchmark is.

use eval::prices::dollars;
use leptos::prelude::*;

use super::state::PageState;
use crate::state::bench::time_left;

/// Progress with rate, time left, what was spent, and the buttons.
#[component]
pub(super) fn Running(state: PageState) -> impl IntoView {
    let now = move || state.going.progress.get().unwrap_or_default();
    let facts = move || {
        let p = now();
        let mut facts = vec![format!("{} of {} runs", p.n_done, p.n_jobs)];
        if state.going.is_running.get() {
            facts.extend(time_left(&p, state.going.took_ms.get()));
            facts.push(format!("{} going on, at most {}", p.n_running, p.concurrency));
        } else {
            facts.push(format!("{} new ones in {:.1} s", p.n_new, state.going.took_ms.get() / 1e3));
        }
        if p.n_new > 0 {
            facts.push(format!("{} of {} correct", p.n_correct, p.n_new));
        }
        if p.n_failed > 0 {
            facts.push(format!("{} failed", p.n_failed));
        }
        if p.n_retries > 0 {
            facts.push(format!("{} questions asked again", p.n_retries));
        }
        if p.spent.tokens > 0 {
            let sum = (p.spent.n_unpriced == 0).then_some(p.spent.dollars);
            facts.push(format!("{} tokens, {}", p.spent.tokens, dollars(sum)));
        }
        facts.join(" · ")
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
