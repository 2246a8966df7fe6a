//! A graph that stays in a store: which one, where, and with which key.

use kg::stores::{STORES, StoreAddress, find};
use leptos::prelude::*;
use llm::ApiKey;

use super::state::PageState;
use crate::components::form::{Select, Text};
use crate::services::{keys, single_file};
use crate::state::presets::allow;

/// The form.
#[component]
pub(super) fn StoreChoice(state: PageState) -> impl IntoView {
    let kind = RwSignal::new(STORES[0].id);
    let url = RwSignal::new(String::new());
    let database = RwSignal::new(String::new());
    let key = RwSignal::new(String::new());
    let example = move || find(kind.get()).map_or("", |s| s.example);
    let open = move |_| {
        let address = url.get_untracked().trim().to_owned();
        let of = database.get_untracked().trim().to_owned();
        if let Some(key) = ApiKey::new(&key.get_untracked()) {
            keys::set(&address, key);
        }
        // It is in memory now, and in no field that a picture of the screen would show.
        key.set(String::new());
        let place = StoreAddress {
            url: address,
            database: (!of.is_empty()).then_some(of),
            language: "en".to_owned(),
        };
        state.open_store(kind.get_untracked(), place);
    };
    let kinds = STORES.iter().map(|s| (s.id.to_owned(), s.title.to_owned())).collect::<Vec<_>>();
    let pick = move |id: String| {
        if let Some(found) = STORES.iter().find(|s| s.id == id) {
            kind.set(found.id);
        }
    };
    view! {
        <details data-testid="kg-store">
            <summary>"A graph in a store"</summary>
            <p class="quiet-text">
                "For graphs that are too large for this page. The graph stays where it is: its schema comes here, GraphRunner plans on it, and each step of the verified plan is asked there."
            </p>
            <Select
                label="Kind"
                testid="store-kind"
                options=Signal::stored(kinds)
                value=Signal::derive(move || kind.get().to_owned())
                on_change=pick
            />
            <Text
                label="Address"
                testid="store-url"
                kind="url"
                placeholder=Signal::derive(move || example().to_owned())
                value=url
                on_input=move |typed| url.set(typed)
            />
            <Show when=move || kind.get() == "neo4j">
                <Text
                    label="Database"
                    placeholder="neo4j"
                    value=database
                    on_input=move |typed| database.set(typed)
                />
            </Show>
            <Text
                label="Key, if it wants one: user:password, or a token"
                testid="store-key"
                kind="password"
                value=key
                on_input=move |typed| key.set(typed)
            />
            <button
                class="ghost"
                data-testid="store-open"
                disabled=move || url.with(|u| u.trim().is_empty()) || state.graph.opening.get()
                on:click=open
            >
                "Open the store"
            </button>
            <p class="quiet-text">
                "The key stays in memory and goes to this address alone. A server on this machine: "
                <code>{format!("graphground kg serve --kg FILE{}", allow(&single_file::origin()))}</code>
                "."
            </p>
        </details>
    }
}
