//! A verdict as a card.

use leptos::prelude::*;
use tasks::{Judgement, Verdict};

/// A verdict in a word, with its tone.
pub(crate) fn words(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Correct => ("Correct", "ok"),
        Verdict::Partial => ("Partly right", "part"),
        Verdict::Incorrect => ("Wrong", "no"),
        Verdict::NoAnswer => ("No answer", "none"),
    }
}

/// Who answered, how good it was, and why.
#[component]
pub(crate) fn VerdictCard(
    #[prop(into)] who: String,
    judgement: Judgement,
    #[prop(optional)] is_current: bool,
) -> impl IntoView {
    let (word, tone) = words(judgement.verdict);
    view! {
        <div class=format!("card {tone}") class:current=is_current data-verdict=word>
            <b>{who}</b>
            <strong>{word}</strong>
            <p>{judgement.explanation}</p>
        </div>
    }
}
