//! The view for a class: every claim with the hands that went up for it.

use leptos::prelude::*;

use super::state::PageState;
use crate::state::answers::Pick;
use crate::state::lie::LieTurn;

/// The claims of an answer, each with its hands, as bars; once the truth is shown, each says whether it is false.
#[component]
pub(super) fn Tally(state: PageState, turn: LieTurn) -> impl IntoView {
    let played = state.played();
    let rows = turn.picks().map(|(place, pick)| {
        let (letter, words) = (turn.letter(place), turn.pieces[place].text.clone());
        view! { <Claim state place letter words pick=pick.clone()/> }
    });
    let rows = rows.collect_view();
    let total = move || {
        let n = played.with(|p| p.hands.values().sum::<u32>());
        if n == 1 { "1 hand".to_owned() } else { format!("{n} hands") }
    };
    view! {
        <section class="votes lie-votes" aria-label="Hands">
            <h2>"Which claim is false?"</h2>
            <ul>{rows}</ul>
            <p class="quiet-text" data-testid="lie-hands">{total}</p>
        </section>
    }
}

/// A claim with its hands.
#[component]
fn Claim(state: PageState, place: usize, letter: char, words: String, pick: Pick) -> impl IntoView {
    let played = state.played();
    let n = move || played.with(|p| p.hands.get(&place).copied().unwrap_or_default());
    let share = move || {
        let most = played.with(|p| p.hands.values().copied().max().unwrap_or_default()).max(1);
        format!("{}%", 100 * n() / most)
    };
    let is_over = move || played.with(|p| p.is_over);
    let (fewer, more) = (
        format!("One hand fewer for {letter}: {words}"),
        format!("One hand more for {letter}: {words}"),
    );
    let (word, sign) = if pick.is_false { ("false", "✗") } else { ("true", "✓") };
    let why = pick.why;
    let truth = move || {
        is_over().then(|| view! { <span class=format!("truth {word}")>{sign} " " {word} ": " {why.clone()}</span> })
    };
    view! {
        <li class:looked-at=move || state.looked_at.get() == Some(place)>
            <button
                class="words quiet"
                disabled=move || !is_over()
                on:click=move |_| state.choose(place)
            >
                <b class="letter">{letter}</b>
                {words}
                {truth}
            </button>
            <button
                aria-label=fewer
                disabled=move || n() == 0 || is_over()
                on:click=move |_| state.round.update(|round| round.count(place, false))
            >
                "−"
            </button>
            <output data-testid=format!("lie-hands-{letter}")>{n}</output>
            <button
                aria-label=more
                data-testid=format!("lie-hand-{letter}")
                disabled=is_over
                on:click=move |_| state.round.update(|round| round.count(place, true))
            >
                "+"
            </button>
            <span class=format!("bar {word}") class:revealed=is_over><i style:width=share></i></span>
        </li>
    }
}
