//! Whether a model may propose functions, which ones it gets, and what models proposed.

use leptos::prelude::*;

use crate::components::form::Check;
use crate::services::composed::ComposedFunctions;

/// The switches, and below them what models proposed and nobody has kept.
#[component]
pub(crate) fn ProposeChoice(composed: ComposedFunctions) -> impl IntoView {
    let n_kept = move || composed.list.with(Vec::len);
    let found = move || {
        let entries = composed.found.get().into_iter().map(|proposal| {
            let (name, words) = (proposal.name.clone(), proposal.description.clone());
            let gone = name.clone();
            view! {
                <li data-testid="found-proposal">
                    <code>{name}</code>
                    " "
                    {words}
                    <span class="actions">
                        <button
                            class="ghost"
                            data-testid="keep-proposal"
                            on:click=move |_| {
                                if composed.keep(proposal.clone()) {
                                    composed.offer(true);
                                }
                            }
                        >
                            "Keep and offer it"
                        </button>
                        <button class="ghost" on:click=move |_| composed.dismiss(&gone)>
                            "Let it go"
                        </button>
                    </span>
                </li>
            }
        });
        let entries = entries.collect_view();
        (!entries.is_empty()).then(|| {
            view! {
                <p class="quiet-text">
                    "Models proposed these functions. What you keep is told to every model that you ask later, in the words that were proposed."
                </p>
                <ul class="found-proposals">{entries}</ul>
            }
        })
    };
    view! {
        <Check
            label=|| "Let the model define new functions"
            testid="may-propose"
            checked=composed.may_propose
            on_change=move |on| composed.allow(on)
        />
        <Show when=move || 0 < n_kept()>
            <Check
                label=move || match n_kept() {
                    1 => "Offer the composed function that is kept".to_owned(),
                    n => format!("Offer the {n} composed functions that are kept"),
                }
                testid="offer-composed"
                checked=composed.are_offered
                on_change=move |on| composed.offer(on)
            />
        </Show>
        {found}
    }
}
