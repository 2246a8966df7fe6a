//! A form made from a JSON schema.

use leptos::prelude::*;
use serde_json::Value;

use super::form::Field;
use crate::state::form::{Field as Argument, FieldKind, arguments};

/// The form; a submit hands out arguments that were read without a fault.
#[component]
pub(crate) fn SchemaForm(
    fields: Vec<Argument>,
    #[prop(into)] button: String,
    on_submit: Callback<Value>,
    /// Whether it is what its page is for.
    #[prop(optional)]
    is_main: bool,
) -> impl IntoView {
    let typed: Vec<RwSignal<String>> =
        fields.iter().map(|f| RwSignal::new(f.initial.clone())).collect();
    let fault = RwSignal::new(None::<(String, String)>);
    let inputs =
        fields.iter().zip(&typed).map(|(field, text)| input(field, *text, fault)).collect_view();
    let none = fields.is_empty();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let texts: Vec<String> = typed.iter().map(|t| t.get_untracked()).collect();
        match arguments(&fields, &texts) {
            Ok(value) => {
                fault.set(None);
                on_submit.run(value);
            }
            Err(what) => fault.set(Some(what)),
        }
    };
    view! {
        <form class="schema-form" on:submit=submit>
            {inputs}
            {none.then(|| view! { <p class="quiet-text">"It takes no arguments."</p> })}
            <button class=if is_main { "run" } else { "ghost" } type="submit">
                {button}
            </button>
        </form>
    }
}

fn input(
    field: &Argument,
    text: RwSignal<String>,
    fault: RwSignal<Option<(String, String)>>,
) -> impl IntoView + use<> {
    let name = field.name.clone();
    let mine = {
        let name = name.clone();
        move || fault.get().filter(|(n, _)| *n == name).map(|(_, what)| what)
    };
    let control = match field.kind {
        FieldKind::Switch => view! {
            <input
                type="checkbox"
                prop:checked=move || text.get() == "true"
                on:change=move |e| text.set(event_target_checked(&e).to_string())
            />
        }
        .into_any(),
        FieldKind::Json => view! {
            <textarea
                rows="2"
                spellcheck="false"
                prop:value=move || text.get()
                on:input=move |e| text.set(event_target_value(&e))
            ></textarea>
        }
        .into_any(),
        FieldKind::Node | FieldKind::Number | FieldKind::Text => view! {
            <input
                type="text"
                spellcheck="false"
                prop:value=move || text.get()
                on:input=move |e| text.set(event_target_value(&e))
            />
        }
        .into_any(),
    };
    let optional =
        if field.required || field.kind == FieldKind::Switch { "" } else { " (may be left empty)" };
    let label = format!("{name} {}{optional}", field.help);
    view! {
        <Field label fault=Signal::derive(mine)>
            {control}
        </Field>
    }
}
