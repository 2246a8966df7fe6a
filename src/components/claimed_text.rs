//! A text with its claims marked, true and false.

use leptos::prelude::*;
use tasks::claims::Claim;

use super::long_text::long_text;
use super::pointing::{is_pointed_at, point_at};
use crate::state::claimed::stretches;
use crate::state::pointing::edges_of;

/// The longest text, in bytes, in which claims are marked: each mark is an element.
const MOST_MARKED: usize = 50_000;

/// The text. A claim that is picked, by click or by key, is shown on the drawing alone.
#[component]
pub(crate) fn ClaimedText(
    text: String,
    claims: Vec<Claim>,
    #[prop(into)] picked: Signal<Option<usize>>,
    on_pick: Callback<Option<usize>>,
) -> impl IntoView {
    if text.len() > MOST_MARKED {
        return view! {
            <p class="remark">"The answer is long: its claims are drawn and listed, and not marked in it."</p>
            <div data-testid="claimed">{long_text(text, "claimed")}</div>
        }
        .into_any();
    }
    let parts = stretches(&text, &claims)
        .into_iter()
        .map(|part| {
            let Some(i) = part.claim else { return part.text.into_any() };
            let Some(claim) = claims.get(i) else { return part.text.into_any() };
            let (class, word) =
                if claim.is_true { ("claim true", "true") } else { ("claim false", "false") };
            let why = claim.why.clone();
            let pick = move || {
                let now = picked.get_untracked();
                on_pick.run(if now == Some(i) { None } else { Some(i) });
            };
            let about = edges_of(claim);
            let points_at = about.clone();
            view! {
                <mark
                    class=class
                    class:picked=move || picked.get() == Some(i)
                    class:lit=move || is_pointed_at(&about)
                    on:pointerenter=move |_| point_at(points_at.clone())
                    on:pointerleave=move |_| point_at(Vec::new())
                    role="button"
                    tabindex="0"
                    title=why.clone()
                    aria-label=format!("{}: {word}, {why}", part.text)
                    on:click=move |_| pick()
                    on:keydown=move |e| {
                        if e.key() == "Enter" || e.key() == " " {
                            e.prevent_default();
                            pick();
                        }
                    }
                >
                    {part.text.clone()}
                </mark>
            }
            .into_any()
        })
        .collect_view();
    view! { <p class="claimed" data-testid="claimed">{parts}</p> }.into_any()
}

/// What is wrong with each false claim.
#[component]
pub(crate) fn FalseClaims(claims: Vec<Claim>) -> impl IntoView {
    let wrong: Vec<_> = claims.into_iter().filter(|c| !c.is_true).take(40).collect();
    (!wrong.is_empty()).then(|| {
        let rows = wrong
            .into_iter()
            .map(|c| view! { <li><b>{c.says}</b> ": " {c.why}</li> })
            .collect_view();
        view! {
            <h2>"What is false"</h2>
            <ul class="false-claims" data-testid="false-claims">{rows}</ul>
        }
    })
}
