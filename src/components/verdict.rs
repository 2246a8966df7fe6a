//! A verdict as a card.

use leptos::prelude::*;
use tasks::{Judgement, Verdict};

use super::form::Select;
use crate::state::records;

/// A verdict in a word, with its tone.
pub(crate) fn words(verdict: Verdict) -> (&'static str, &'static str) {
    let tone = match verdict {
        Verdict::Correct => "ok",
        Verdict::Partial => "part",
        Verdict::Incorrect => "no",
        Verdict::NoAnswer => "none",
    };
    (records::word(verdict), tone)
}

/// A verdict as a screen reader says it.
pub(crate) fn spoken(who: &str, judgement: &Judgement) -> String {
    format!("{who}: {}. {}", words(judgement.verdict).0, judgement.explanation)
}

/// Which verdicts a list shows: one, or any.
#[component]
pub(crate) fn VerdictSelect(
    testid: &'static str,
    on_pick: Callback<Option<Verdict>>,
) -> impl IntoView {
    let verdicts = Verdict::ALL.iter().enumerate();
    let verdicts = verdicts.map(|(i, v)| (i.to_string(), words(*v).0.to_owned()));
    let options: Vec<_> =
        std::iter::once((String::new(), "any".to_owned())).chain(verdicts).collect();
    view! {
        <Select
            label="Verdict"
            testid
            options=Signal::stored(options)
            value=""
            on_change=move |place: String| {
                let place = place.parse::<usize>().ok();
                on_pick.run(place.and_then(|p| Verdict::ALL.get(p).copied()));
            }
        />
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
