//! A label with a control.

use leptos::prelude::*;

/// The label above whatever control stands in it.
#[component]
pub(crate) fn Field(
    #[prop(into)] label: Signal<String>,
    /// Whether the label is for screen readers alone, where the place says what the control is.
    #[prop(optional)]
    bare: bool,
    /// What stands behind the label's words.
    #[prop(optional, into)]
    after: ViewFn,
    /// What is wrong with what was typed.
    #[prop(optional, into)]
    fault: Signal<Option<String>>,
    #[prop(optional)] class: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <label class=format!("field {class}")>
            <span class:visually-hidden=bare>{move || label.get()} {move || after.run()}</span>
            {children()}
            <small class="fault">{move || fault.get()}</small>
        </label>
    }
}
