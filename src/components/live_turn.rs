//! What a model says while it says it.

use leptos::prelude::*;

use crate::state::live::Live;

/// The turn that is under way; nothing if none is.
#[component]
pub(crate) fn LiveTurn(#[prop(into)] live: Signal<Live>) -> impl IntoView {
    // The pieces change, the frame stays: nothing jumps, and a selection is kept.
    let is_there = Memo::new(move |_| live.with(|l| !l.is_empty()));
    let text = move |read: fn(&Live) -> &str| live.with(|l| read(l).to_owned());
    view! {
        <Show when=move || is_there.get()>
            <div class="live" data-testid="live">
                <div class="who">
                    <em>"Model, speaking"</em>
                </div>
                {move || live.with(|l| l.retry.clone()).map(|r| view! { <p class="err">{r}</p> })}
                <p class="thoughts">{move || text(|l| &l.reasoning)}</p>
                <p class="say">{move || text(|l| &l.text)}</p>
                {move || {
                    live.with(|l| l.calls.clone())
                        .into_iter()
                        .map(|(name, arguments)| {
                            view! {
                                <div class="fn">
                                    <b>{name}</b>
                                    {arguments}
                                </div>
                            }
                        })
                        .collect_view()
                }}
            </div>
        </Show>
    }
}
