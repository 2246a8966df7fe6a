//! Ten problems, answered one after the other, with a score of both sides.

use leptos::prelude::*;
use tasks::Verdict;

use super::state::PageState;
use crate::components::verdict;
use crate::state::home::{self, N_STRIP, StripScore};

#[component]
pub(super) fn Strip(state: PageState) -> impl IntoView {
    let score = move || state.rows.with(|rows| home::score(rows));
    let words = move || {
        let StripScore { n, alone, with_tools } = score();
        (n > 0).then(|| {
            view! {
                <span data-testid="home-score">
                    "Right without tools: " <b>{format!("{alone} of {n}")}</b> ". Right with tools: "
                    <b>{format!("{with_tools} of {n}")}</b> "."
                </span>
            }
        })
    };
    let is_on = move || state.in_strip.with(Option::is_some);
    let cells = (0..N_STRIP).map(|place| view! { <Cell state place/> }).collect_view();
    view! {
        <section class="home-strip" aria-label="Ten problems">
            <header>
                <h2>"Ten problems in a row"</h2>
                <p>{words}</p>
                <button
                    class="quiet"
                    data-testid="home-strip"
                    on:click=move |_| if is_on() { state.stop_strip() } else { state.run_strip() }
                >
                    {move || if is_on() { "Stop" } else { "Answer all ten" }}
                </button>
            </header>
            <ol>{cells}</ol>
        </section>
    }
}

/// A problem of the strip: its name, and a sign for each side. It opens above.
#[component]
fn Cell(state: PageState, place: usize) -> impl IntoView {
    let title = home::title_at(place);
    let row = Memo::new(move |_| state.rows.with(|rows| rows[place]));
    let sign = move |which: usize| {
        let (sign, tone) = match row.get()[which] {
            Some(Verdict::Correct) => ("✓", "ok"),
            Some(Verdict::NoAnswer) => ("–", "none"),
            Some(_) => ("✗", "no"),
            None => ("·", "none"),
        };
        view! { <i class=tone aria-hidden="true">{sign}</i> }
    };
    let said = move |which: usize| {
        row.get()[which].map_or("not answered", |v| verdict::words(v).0).to_lowercase()
    };
    let label = move || {
        format!(
            "Problem {}, {title}. Without tools: {}. With tools: {}.",
            place + 1,
            said(0),
            said(1)
        )
    };
    view! {
        <li>
            <button
                type="button"
                class:current=move || state.place.get() == place
                class:busy=move || state.in_strip.get() == Some(place)
                aria-label=label
                title=label
                on:click=move |_| state.show(place)
            >
                <span>{title}</span>
                {move || sign(0)}
                {move || sign(1)}
            </button>
        </li>
    }
}
