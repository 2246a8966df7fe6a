//! Words: a line of them, or several.

use leptos::prelude::*;

use super::Field;

/// A line of text.
#[component]
pub(crate) fn Text(
    #[prop(into)] label: Signal<String>,
    #[prop(optional)] bare: bool,
    #[prop(optional, into)] after: ViewFn,
    #[prop(optional, into)] testid: Option<String>,
    /// `url`, `password`, `search`; a plain line without.
    #[prop(default = "text")]
    kind: &'static str,
    #[prop(optional, into)] placeholder: Signal<String>,
    /// The id of a `datalist` with what is offered.
    #[prop(optional, into)]
    list: Option<String>,
    #[prop(optional, into)] maxlength: Option<String>,
    /// What is wrong with what was typed.
    #[prop(optional, into)]
    fault: Signal<Option<String>>,
    #[prop(into)] value: Signal<String>,
    #[prop(into)] on_input: Callback<String>,
    /// Called when the field is left with other words in it.
    #[prop(optional, into)]
    on_change: Option<Callback<()>>,
) -> impl IntoView {
    view! {
        <Field label bare after fault>
            <input
                type=kind
                data-testid=testid
                placeholder=move || placeholder.get()
                list=list
                maxlength=maxlength
                autocomplete="off"
                spellcheck="false"
                prop:value=move || value.get()
                on:input=move |e| on_input.run(event_target_value(&e))
                on:change=move |_| {
                    if let Some(tell) = on_change {
                        tell.run(());
                    }
                }
            />
        </Field>
    }
}

/// Several lines of text.
#[component]
pub(crate) fn Area(
    #[prop(into)] label: Signal<String>,
    #[prop(optional)] bare: bool,
    #[prop(optional)] class: &'static str,
    #[prop(optional, into)] testid: Option<String>,
    #[prop(default = 3)] rows: u32,
    #[prop(optional, into)] placeholder: Signal<String>,
    #[prop(optional, into)] maxlength: Option<String>,
    #[prop(into)] value: Signal<String>,
    #[prop(into)] on_input: Callback<String>,
    /// Called when the field is left with other words in it.
    #[prop(optional, into)]
    on_change: Option<Callback<()>>,
) -> impl IntoView {
    view! {
        <Field label bare class>
            <textarea
                rows=rows.to_string()
                spellcheck="false"
                data-testid=testid
                placeholder=move || placeholder.get()
                maxlength=maxlength
                prop:value=move || value.get()
                on:input=move |e| on_input.run(event_target_value(&e))
                on:change=move |_| {
                    if let Some(tell) = on_change {
                        tell.run(());
                    }
                }
            ></textarea>
        </Field>
    }
}
