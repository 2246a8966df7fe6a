//! Yes or no.

use leptos::prelude::*;

/// A box to tick, with its words behind it.
#[component]
pub(crate) fn Check(
    #[prop(into)] label: ViewFn,
    /// What it means, as a tooltip.
    #[prop(optional, into)]
    title: Option<String>,
    #[prop(optional, into)] testid: Option<String>,
    #[prop(into)] checked: Signal<bool>,
    #[prop(into)] on_change: Callback<bool>,
) -> impl IntoView {
    view! {
        <label class="check" title=title>
            <input
                type="checkbox"
                data-testid=testid
                prop:checked=move || checked.get()
                on:change=move |e| on_change.run(event_target_checked(&e))
            />
            <span>{label.run()}</span>
        </label>
    }
}
