//! Which endpoint, which model there, and its key: the same fields in the dialog and on the page about
//! endpoints.

use leptos::prelude::*;
use llm::{PROVIDERS, providers};

use super::form::{Select, Text};
use crate::state::settings::ModelSettings;

/// The test ids of the fields, and the id of the list of models.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    pub(crate) protocol: &'static str,
    pub(crate) url: &'static str,
    pub(crate) key: &'static str,
    pub(crate) forget: &'static str,
    pub(crate) model: &'static str,
    pub(crate) models: &'static str,
}

/// The fields; `keeping` stands below the key.
#[component]
pub(crate) fn EndpointForm(
    names: Names,
    draft: RwSignal<ModelSettings>,
    /// What the endpoint listed.
    models: RwSignal<Vec<String>>,
    /// The key that is typed in.
    key: RwSignal<String>,
    /// Whether there is a key of the address already.
    #[prop(into)]
    has_key: Signal<bool>,
    on_forget: Callback<()>,
    /// Told when a key was typed in.
    #[prop(optional, into)]
    on_key: Option<Callback<()>>,
    #[prop(into)] keeping: ViewFn,
) -> impl IntoView {
    let protocols = PROVIDERS.iter().map(|p| (p.id.to_owned(), p.title.to_owned()));
    let protocols: Vec<_> = protocols.collect();
    let example = move || {
        let found = draft.with(|d| providers::find(&d.provider).map(|p| p.example_url.to_owned()));
        found.unwrap_or_default()
    };
    let forget = move || {
        has_key.get().then(|| {
            view! {
                "· one is kept "
                <button
                    type="button"
                    class="link"
                    data-testid=names.forget
                    on:click=move |_| on_forget.run(())
                >
                    "Forget it"
                </button>
            }
        })
    };
    let listed = move || {
        models.get().into_iter().map(|m| view! { <option value=m></option> }).collect_view()
    };
    view! {
        <Select
            label="Protocol"
            testid=names.protocol
            options=Signal::stored(protocols)
            value=Signal::derive(move || draft.with(|d| d.provider.clone()))
            on_change=move |id| draft.update(|d| d.provider = id)
        />
        <Text
            label="Address"
            testid=names.url
            kind="url"
            placeholder=Signal::derive(example)
            value=Signal::derive(move || draft.with(|d| d.base_url.clone()))
            on_input=move |typed| draft.update(|d| d.set_address(typed))
        />
        // Behind the label, so that nothing below moves when the button comes.
        <Text
            label="Key, if it needs one"
            after=move || forget()
            testid=names.key
            kind="password"
            value=key
            on_input=move |typed| key.set(typed)
            on_change=Callback::new(move |()| {
                if let Some(tell) = on_key {
                    tell.run(());
                }
            })
        />
        {keeping.run()}
        <Text
            label="Model"
            testid=names.model
            list=names.models
            value=Signal::derive(move || draft.with(|d| d.model.clone()))
            on_input=move |typed| draft.update(|d| d.model = typed)
        />
        <datalist id=names.models>{listed}</datalist>
    }
}
