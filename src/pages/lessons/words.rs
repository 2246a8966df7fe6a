//! The words of a lesson, and its questions to the class.

use leptos::prelude::*;

use crate::state::lesson::{Predict, Span};

/// Words in a line; text, and never HTML.
pub(super) fn spans(spans: Vec<Span>) -> impl IntoView {
    spans
        .into_iter()
        .map(|span| match span {
            Span::Plain(text) => text.into_any(),
            Span::Strong(text) => view! { <strong>{text}</strong> }.into_any(),
            Span::Em(text) => view! { <em>{text}</em> }.into_any(),
            Span::Code(text) => view! { <code>{text}</code> }.into_any(),
        })
        .collect_view()
}

/// A list.
pub(super) fn list(ordered: bool, items: Vec<Vec<Span>>) -> AnyView {
    let items = items.into_iter().map(|i| view! { <li>{spans(i)}</li> }).collect_view();
    if ordered {
        view! { <ol>{items}</ol> }.into_any()
    } else {
        view! { <ul>{items}</ul> }.into_any()
    }
}

/// What only the teacher is to read.
pub(super) fn notes(paragraphs: Vec<Vec<Span>>) -> AnyView {
    let words = paragraphs.into_iter().map(|p| view! { <p>{spans(p)}</p> }).collect_view();
    view! {
        <details class="teacher" data-testid="teacher">
            <summary>"For the teacher"</summary>
            {words}
        </details>
    }
    .into_any()
}

/// How many hands went up for each choice.
#[component]
fn Votes(choices: Vec<String>) -> impl IntoView {
    /// A hall holds no more.
    const MOST: u32 = 999;
    let votes = RwSignal::new(vec![0_u32; choices.len()]);
    let rows = choices
        .into_iter()
        .enumerate()
        .map(|(i, words)| {
            let n = move || votes.with(|v| v[i]);
            let share = move || {
                let most = votes.with(|v| v.iter().copied().max().unwrap_or(0)).max(1);
                format!("{}%", 100 * n() / most)
            };
            let (fewer, more) =
                (format!("One hand fewer: {words}"), format!("One hand more: {words}"));
            view! {
                <li>
                    <span class="words">{words}</span>
                    <button
                        aria-label=fewer
                        disabled=move || n() == 0
                        on:click=move |_| votes.update(|v| v[i] = v[i].saturating_sub(1))
                    >
                        "−"
                    </button>
                    <output data-testid=format!("votes-{i}")>{n}</output>
                    <button
                        aria-label=more
                        data-testid=format!("vote-{i}")
                        on:click=move |_| votes.update(|v| v[i] = (v[i] + 1).min(MOST))
                    >
                        "+"
                    </button>
                    <span class="bar"><i style:width=share></i></span>
                </li>
            }
        })
        .collect_view();
    view! {
        <details class="votes">
            <summary data-testid="votes">"Count hands"</summary>
            <ul>{rows}</ul>
            <p class="quiet-text">
                {move || format!("{} votes", votes.with(|v| v.iter().sum::<u32>()))}
            </p>
        </details>
    }
}

/// A question; the explanation comes with the choice.
#[component]
pub(super) fn Question(predict: Predict) -> impl IntoView {
    let chosen = RwSignal::new(None::<usize>);
    let Predict { ask, choices, right, because } = predict;
    let voted = choices.clone();
    let choices = choices
        .into_iter()
        .enumerate()
        .map(|(i, words)| {
            let is = move || chosen.get() == Some(i);
            view! {
                <button
                    aria-pressed=move || is().to_string()
                    class:right=move || chosen.get().is_some() && i == right
                    class:wrong=move || is() && i != right
                    data-testid=format!("choice-{i}")
                    on:click=move |_| chosen.set(Some(i))
                >
                    {words}
                </button>
            }
        })
        .collect_view();
    view! {
        <section class="predict" aria-label="A question">
            <p class="kind">"What do you think?"</p>
            <p class="ask">{ask}</p>
            <div class="choices">{choices}</div>
            <Votes choices=voted/>
            <div role="status">
                {move || {
                    chosen
                        .get()
                        .map(|i| {
                            let word = if i == right { "Right. " } else { "Not this one. " };
                            view! {
                                <p class="because" data-testid="because">
                                    <b>{word}</b>
                                    {because.clone()}
                                </p>
                            }
                        })
                }}
            </div>
        </section>
    }
}
