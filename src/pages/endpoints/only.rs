//! What leaves this page, and the switch that lets it ask nobody else.

use leptos::prelude::*;

use super::PageState;
use crate::services::policy;
use crate::state::settings::ModelSettings;

#[component]
pub(super) fn OnlyPanel(state: PageState, needs_reload: RwSignal<bool>) -> impl IntoView {
    let changed = RwSignal::new(0u32);
    let mine = Memo::new(move |_| state.settings.with(ModelSettings::origins));
    let is_on = move || {
        changed.track();
        policy::read_wanted().is_some()
    };
    let toggle = move |event| {
        let origins = mine.get_untracked();
        policy::want(event_target_checked(&event).then_some(&origins[..]));
        changed.update(|c| *c += 1);
        needs_reload.set(policy::needs_reload());
    };
    view! {
        <section aria-labelledby="leaves">
            <h2 id="leaves">"What leaves this page"</h2>
            <p>
                {move || match mine.get().first() {
                    None => "Nothing: a script plays the model in this browser.".to_owned(),
                    Some(origin) => {
                        format!(
                            "With each turn of a run, the system prompt, the question, the conversation so far and the function descriptions go to {origin}, with the key in a header. Nothing else, and nothing to anyone else.",
                        )
                    }
                }}
            </p>
            <label class="choice">
                <input
                    type="checkbox"
                    data-testid="only"
                    prop:checked=is_on
                    on:change=toggle
                />
                <span>
                    <b>"Only these endpoints"</b>
                    " Lets the browser itself refuse everything but this site and the endpoint in use, whatever this page may try."
                </span>
            </label>
            {move || {
                changed.track();
                state.settings.track();
                let allowed = policy::applied()?;
                let words = if allowed.is_empty() {
                    "This page may now ask its own site, and nobody else.".to_owned()
                } else {
                    format!("This page may now ask its own site and {}.", allowed.join(", "))
                };
                Some(view! { <p class="quiet-text" data-testid="allowed">{words}</p> })
            }}
        </section>
    }
}
