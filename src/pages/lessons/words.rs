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

/// A question; the explanation comes with the choice.
#[component]
pub(super) fn Question(predict: Predict) -> impl IntoView {
    let chosen = RwSignal::new(None::<usize>);
    let Predict { ask, choices, right, because } = predict;
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
