//! What leaves this page, and the switch that lets it ask nobody else.

use leptos::prelude::*;

use super::Desk;
use crate::services::policy;
use crate::state::address::Address;

/// The offer to load the page again.
#[component]
pub(super) fn Reload() -> impl IntoView {
    view! {
        <p class="report no" role="status">
            "The switch \"only these endpoints\" holds this page to what was allowed when it was loaded. Loading it again brings back the problem, the settings and the kept runs; a key that is only in memory must be typed again."
            <button
                type="button"
                class="quiet"
                data-testid="reload"
                on:click=move |_| {
                    policy::reload();
                }
            >
                "Load again"
            </button>
        </p>
    }
}

/// The panel.
#[component]
pub(super) fn OnlyPanel(desk: Desk) -> impl IntoView {
    let changed = RwSignal::new(0u32);
    let mine = Memo::new(move |_| {
        desk.settings
            .with(|s| s.use_endpoint.then(|| Address::parse(&s.base_url).ok()).flatten())
            .map(|a| a.origin())
    });
    let is_on = move || {
        changed.track();
        policy::wanted().is_some()
    };
    // Whoever uses another endpoint while the switch is on means that one.
    Effect::new(move |_| {
        let mine: Vec<String> = mine.get().into_iter().collect();
        if policy::wanted().is_some_and(|wanted| wanted != mine) {
            policy::want(Some(&mine));
            changed.update(|c| *c += 1);
        }
    });
    let toggle = move |event| {
        let origins: Vec<String> = mine.get_untracked().into_iter().collect();
        policy::want(event_target_checked(&event).then_some(&origins[..]));
        changed.update(|c| *c += 1);
    };
    view! {
        <section aria-labelledby="leaves">
            <h2 id="leaves">"What leaves this page"</h2>
            <p>
                {move || match mine.get() {
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
                desk.settings.track();
                let allowed = policy::applied()?;
                let words = if allowed.is_empty() {
                    "This page may now ask its own site, and nobody else.".to_owned()
                } else {
                    format!("This page may now ask its own site and {}.", allowed.join(", "))
                };
                Some(
                    view! {
                        <p class="quiet-text" data-testid="allowed">{words}</p>
                        {policy::needs_reload().then(|| view! { <Reload/> })}
                    },
                )
            }}
        </section>
    }
}
