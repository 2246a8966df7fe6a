//! A graph that stays in a store: which one, where, and with which key.

use kg::stores::{Place, STORES, find};
use leptos::prelude::*;
use llm::ApiKey;

use super::state::KgState;
use crate::services::{keys, single_file};
use crate::state::presets::allow;

/// The form.
#[component]
pub(super) fn StoreChoice(state: KgState) -> impl IntoView {
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
        let place = Place {
            url: address,
            database: (!of.is_empty()).then_some(of),
            language: "en".to_owned(),
        };
        state.open_store(kind.get_untracked(), place);
    };
    let pick = move |e: leptos::ev::Event| {
        let id = event_target_value(&e);
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
            <label class="field">
                <span>"Kind"</span>
                <select data-testid="store-kind" on:change=pick>
                    {STORES
                        .iter()
                        .map(|s| view! { <option value=s.id>{s.title}</option> })
                        .collect_view()}
                </select>
            </label>
            <label class="field">
                <span>"Address"</span>
                <input
                    type="url"
                    data-testid="store-url"
                    placeholder=example
                    prop:value=move || url.get()
                    on:input=move |e| url.set(event_target_value(&e))
                />
            </label>
            <Show when=move || kind.get() == "neo4j">
                <label class="field">
                    <span>"Database"</span>
                    <input
                        placeholder="neo4j"
                        prop:value=move || database.get()
                        on:input=move |e| database.set(event_target_value(&e))
                    />
                </label>
            </Show>
            <label class="field">
                <span>"Key, if it wants one: user:password, or a token"</span>
                <input
                    type="password"
                    autocomplete="off"
                    data-testid="store-key"
                    prop:value=move || key.get()
                    on:input=move |e| key.set(event_target_value(&e))
                />
            </label>
            <button
                class="ghost"
                data-testid="store-open"
                disabled=move || url.with(|u| u.trim().is_empty()) || state.opening.get()
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
