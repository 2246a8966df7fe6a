//! What a model says while it says it.

use leptos::prelude::*;

use crate::state::live::{Live, Tail, retried};
use crate::state::long_text::size_of;

/// The turn that is under way; nothing if none is.
#[component]
pub(crate) fn LiveTurn(#[prop(into)] live: Signal<Live>) -> impl IntoView {
    // The pieces change, the frame stays: nothing jumps, and a selection is kept.
    let is_there = Memo::new(move |_| live.with(|l| !l.is_empty()));
    let text = move |read: fn(&Live) -> &Tail| live.with(|l| tail(read(l)));
    view! {
        <Show when=move || is_there.get()>
            <div class="live" data-testid="live">
                <div class="who">
                    <em>"Model, speaking"</em>
                </div>
                {move || live.with(retried).map(|r| view! { <p class="err">{r}</p> })}
                <p class="thoughts">{move || text(|l| &l.reasoning)}</p>
                <p class="say">{move || text(|l| &l.text)}</p>
                {move || {
                    live.with(|l| {
                        l.calls
                            .iter()
                            .map(|(name, arguments)| {
                                view! {
                                    <div class="fn">
                                        <b>{name.clone()}</b>
                                        {tail(arguments)}
                                    </div>
                                }
                            })
                            .collect_view()
                    })
                }}
            </div>
        </Show>
    }
}

/// What is being said: of a long text its end, and how much stood before.
fn tail(tail: &Tail) -> String {
    if tail.n_before == 0 {
        return tail.text().to_owned();
    }
    format!("(after {}) …{}", size_of(tail.n_before), tail.text())
}
