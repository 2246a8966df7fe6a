//! The time and the tokens of a run, turn by turn, as bars.

use leptos::prelude::*;

use super::state::{Entry, PageState};
use crate::state::numbers::{grouped, plural};
use crate::state::run_table::took_words;
use crate::state::spent::{TurnCost, percent, turns};

/// Turns that are drawn at most.
const MOST: usize = 200;

pub(super) fn spent(state: PageState, entry: &Entry) -> AnyView {
    let turns = turns(&entry.trace);
    if turns.is_empty() {
        return view! { <p class="quiet-text">"No model was asked in this run."</p> }.into_any();
    }
    let longest = turns.iter().map(TurnCost::ms).fold(0.0, f64::max);
    let most = turns.iter().map(TurnCost::tokens).max().unwrap_or_default();
    let told = turns.iter().filter(|t| t.input.is_some() || t.output.is_some()).count();
    let n = turns.len();
    let words = match (n, told) {
        (n, 0) => format!("{}. Tokens were not reported.", plural(n, "turn")),
        (n, told) if told < n => {
            format!("{}; {told} of them reported tokens.", plural(n, "turn"))
        }
        (n, _) => format!("{}.", plural(n, "turn")),
    };
    let left_out = n.saturating_sub(MOST);
    let rows =
        turns.into_iter().take(MOST).map(|turn| row(state, turn, longest, most)).collect_view();
    view! {
        <p class="quiet-text" data-testid="spent-words">{words}</p>
        <p class="spent-legend">
            <span class="of-model">"model"</span>
            <span class="of-calls">"its calls"</span>
            {(told > 0)
                .then(|| {
                    view! {
                        <span class="of-input">"input tokens"</span>
                        <span class="of-output">"output tokens"</span>
                    }
                })}
        </p>
        <ol class="spent">{rows}</ol>
        {(left_out > 0)
            .then(|| view! { <p class="quiet-text">{format!("{left_out} more are not drawn.")}</p> })}
    }
    .into_any()
}

fn row(state: PageState, turn: TurnCost, longest: f64, most: u64) -> impl IntoView {
    let bar = |class: &'static str, part: f64, largest: f64| {
        let width = format!("width: {:.2}%", percent(part, largest));
        view! { <i class=class style=width></i> }
    };
    let tokens = |n: Option<u64>| n.map_or("?".to_owned(), |n| grouped(n as usize));
    let has_tokens = turn.input.is_some() || turn.output.is_some();
    let of_tokens = |n: Option<u64>| n.unwrap_or_default() as f64;
    let step = turn.step;
    view! {
        <li>
            <button
                class="quiet"
                on:click=move |_| {
                    state.session.playing.set(false);
                    state.seek(step);
                }
            >
                {format!("Step {step}")}
            </button>
            <span class="bars" aria-hidden="true">
                {bar("of-model", turn.model_ms, longest)} {bar("of-calls", turn.calls_ms, longest)}
            </span>
            <span class="figure">
                {match turn.n_calls {
                    0 => took_words(turn.model_ms),
                    n => {
                        format!(
                            "{} + {} for {}",
                            took_words(turn.model_ms),
                            took_words(turn.calls_ms),
                            plural(n, "call"),
                        )
                    }
                }}
            </span>
            {has_tokens
                .then(|| {
                    view! {
                        <span class="bars" aria-hidden="true">
                            {bar("of-input", of_tokens(turn.input), most as f64)}
                            {bar("of-output", of_tokens(turn.output), most as f64)}
                        </span>
                        <span class="figure">
                            {format!("{} in, {} out", tokens(turn.input), tokens(turn.output))}
                        </span>
                    }
                })}
        </li>
    }
}
