//! One of a list.

use leptos::prelude::*;

use super::Field;

/// Options of a list that has names: the value is the place in the list.
pub(crate) fn named<T>(list: &[(T, &'static str)]) -> Vec<(String, String)> {
    let words = list.iter().map(|(_, words)| (*words).to_owned());
    words.enumerate().map(|(i, words)| (i.to_string(), words)).collect()
}

/// A choice; an option is its value with its words.
#[component]
pub(crate) fn Select(
    #[prop(into)] label: Signal<String>,
    #[prop(optional)] bare: bool,
    #[prop(optional)] class: &'static str,
    #[prop(optional, into)] testid: Option<String>,
    #[prop(into)] options: Signal<Vec<(String, String)>>,
    #[prop(into)] value: Signal<String>,
    #[prop(into)] on_change: Callback<String>,
) -> impl IntoView {
    let rows = move || {
        options
            .get()
            .into_iter()
            .map(|(name, words)| {
                let mine = name.clone();
                // As a property: the attribute says nothing any more once a person has chosen.
                view! {
                    <option value=name prop:selected=move || value.with(|v| *v == mine)>
                        {words}
                    </option>
                }
            })
            .collect_view()
    };
    view! {
        <Field label bare class>
            <select data-testid=testid on:change=move |e| on_change.run(event_target_value(&e))>
                {rows}
            </select>
        </Field>
    }
}
