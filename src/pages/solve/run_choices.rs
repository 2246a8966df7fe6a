//! How a run goes about it: which functions are sent, the graph beside the question, votes.

use leptos::prelude::*;

use super::room::Room;
use crate::state::how::{How, MOST_RUNS};

/// The choices, folded away behind a line that says what is chosen.
#[component]
pub(super) fn RunChoices(room: Room) -> impl IntoView {
    let how = room.how;
    // While a person types, a field may hold no number: then the last one counts.
    let number = move |event: &leptos::ev::Event, most: usize| {
        event_target_value(event).parse::<usize>().ok().map(|n| n.clamp(1, most))
    };
    view! {
        <details class="how" data-testid="run-choices">
            <summary>"How it runs: " {move || how.with(How::words)}</summary>
            <label class="check">
                <input
                    type="checkbox"
                    data-testid="few-tools"
                    prop:checked=move || how.with(|h| h.few_tools)
                    on:change=move |e| how.update(|h| h.few_tools = event_target_checked(&e))
                />
                <span>"Send only the functions that fit the question"</span>
            </label>
            <Show when=move || how.with(|h| h.few_tools)>
                <label class="field">
                    <span>"How many, beside those that build a graph"</span>
                    <input
                        type="number"
                        min="1"
                        max="20"
                        prop:value=move || how.with(|h| h.n_tools.to_string())
                        on:input=move |e| {
                            if let Some(n) = number(&e, 20) {
                                how.update(|h| h.n_tools = n);
                            }
                        }
                    />
                </label>
                <label class="field">
                    <span>"Always send (names)"</span>
                    <input
                        type="text"
                        spellcheck="false"
                        placeholder="pagerank, bfs_order"
                        prop:value=move || how.with(|h| h.pinned.clone())
                        on:change=move |e| how.update(|h| h.pinned = event_target_value(&e))
                    />
                </label>
            </Show>
            <label class="check">
                <input
                    type="checkbox"
                    data-testid="attach"
                    prop:checked=move || how.with(|h| h.attach)
                    on:change=move |e| how.update(|h| h.attach = event_target_checked(&e))
                />
                <span>"Hand the graph over beside the question, not in its words"</span>
            </label>
            <label class="field">
                <span>"Runs, of which the majority counts"</span>
                <input
                    type="number"
                    min="1"
                    max=MOST_RUNS.to_string()
                    data-testid="n-runs"
                    prop:value=move || how.with(|h| h.n_runs.to_string())
                    on:input=move |e| {
                        if let Some(n) = number(&e, MOST_RUNS as usize) {
                            how.update(|h| h.n_runs = n as u32);
                        }
                    }
                />
            </label>
        </details>
    }
}
