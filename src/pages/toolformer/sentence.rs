//! The sentence: its words, and a chip in the place of each call.

use leptos::prelude::*;
use protocol::toolformer::PieceView;

use super::state::PageState;
use crate::state::toolformer::{Chip, chip};

/// The sentence at the cursor.
#[component]
pub(super) fn Sentence(state: PageState) -> impl IntoView {
    let pieces = move || {
        let at = state.session.cursor.get();
        let keeps = state.keeps_calls.get();
        let mut n_calls = 0;
        state
            .pieces()
            .iter()
            .map(|piece| match piece {
                PieceView::Text(words) => view! { <span>{words.clone()}</span> }.into_any(),
                PieceView::Call(call) => {
                    let index = n_calls;
                    n_calls += 1;
                    view! { <ChipView chip=chip(call, at, keeps) index state/> }.into_any()
                }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <p class="sentence" data-testid="sentence" aria-live="polite">
            {pieces}
        </p>
    }
}

#[component]
fn ChipView(chip: Chip, index: usize, state: PageState) -> impl IntoView {
    let (class, words, means) = match chip {
        Chip::Waiting(words) => ("chip waits", words, "has not run yet"),
        Chip::Result(words) => ("chip gives", words, "was filled in"),
        Chip::Silent(words) => ("chip silent", words, "is silent"),
        Chip::Failed(words) => ("chip fails", words, "failed"),
    };
    let is_it = move || state.chosen.get() == Some(index);
    view! {
        <button
            class=class
            data-testid="chip"
            title=format!("Call {} {means}; click for its parts", index + 1)
            aria-expanded=move || is_it().to_string()
            on:click=move |_| state.chosen.update(|c| *c = (*c != Some(index)).then_some(index))
        >
            {words}
        </button>
    }
}
