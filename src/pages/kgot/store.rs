//! A store of the person's own: it is asked by hand, and keeps a copy of the graph.

use kg::stores::{STORES, StoreAddress, check_copy_name, copy_iri, find};
use leptos::prelude::*;
use leptos::task::spawn_local;
use llm::ApiKey;
use protocol::kgot::{AskStore, CopiedGraph, CopyGraph, GrownTable};
use systems::remote::{CopyPlace, StorePlace};

use super::state::PageState;
use crate::components::form::{Check, Select, Text};
use crate::services::engine_client;
use crate::services::keys;

/// What is asked by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Asked {
    /// The graph in view.
    #[default]
    Graph,
    /// The store, which is only read.
    Store,
    /// The store, which may be changed.
    StoreToWrite,
}

impl Asked {
    pub(super) const ALL: [(Self, &'static str); 3] = [
        (Self::Graph, "the graph in view"),
        (Self::Store, "your store"),
        (Self::StoreToWrite, "your store, to change it"),
    ];
}

/// What the form of the store holds.
#[derive(Clone, Copy)]
pub(super) struct StoreState {
    kind: RwSignal<&'static str>,
    url: RwSignal<String>,
    update_url: RwSignal<String>,
    database: RwSignal<String>,
    /// What was typed to allow writing.
    typed: RwSignal<String>,
    name: RwSignal<String>,
    /// Whether a run keeps a copy there.
    pub(super) keeps_copy: RwSignal<bool>,
    /// What came of the last copy.
    pub(super) told: RwSignal<Option<String>>,
    is_copying: RwSignal<bool>,
}

impl StoreState {
    pub(super) fn new() -> Self {
        Self {
            kind: RwSignal::new(STORES[0].id),
            url: RwSignal::default(),
            update_url: RwSignal::default(),
            database: RwSignal::default(),
            typed: RwSignal::default(),
            name: RwSignal::new("kgot".to_owned()),
            keeps_copy: RwSignal::new(false),
            told: RwSignal::new(None),
            is_copying: RwSignal::new(false),
        }
    }

    /// The store, if one is named.
    pub(super) fn place(self) -> Option<StorePlace> {
        let given = |field: RwSignal<String>| {
            Some(field.with(|text| text.trim().to_owned())).filter(|text| !text.is_empty())
        };
        let (kind, url) = (self.kind.get(), given(self.url)?);
        let is_neo4j = kind == "neo4j";
        let database = given(self.database).filter(|_| is_neo4j);
        let address = StoreAddress { url, database, language: "en".to_owned() };
        let update_url = given(self.update_url).filter(|_| !is_neo4j);
        Some(StorePlace { kind: kind.to_owned(), address, update_url })
    }

    /// The address that is to be typed to allow writing, or why the store is none.
    fn writes_to(self) -> Option<Result<String, String>> {
        let place = self.place()?;
        Some(place.open().map(|store| store.writes_to()).map_err(|e| e.to_string()))
    }

    /// Whether writing is allowed.
    pub(super) fn may_write(self) -> bool {
        let plain = |text: &str| text.trim().trim_end_matches('/').to_owned();
        let typed = self.typed.with(|t| plain(t));
        matches!(self.writes_to(), Some(Ok(address)) if plain(&address) == typed)
    }

    /// Where the copy goes.
    pub(super) fn copy_place(self) -> Result<CopyPlace, String> {
        let store = self.place().ok_or("Write down the address of your store.")?;
        let name = self.name.with(|name| name.trim().to_owned());
        check_copy_name(&name).map_err(|e| e.to_string())?;
        Ok(CopyPlace { store, name, confirmed: self.typed.get() })
    }

    /// What a copy has come to.
    pub(super) fn tell(self, copied: CopiedGraph) {
        let CopiedGraph { n_nodes, n_edges } = copied;
        let name = self.name.get_untracked();
        let words = format!(
            "In your store, as “{}”: {n_nodes} nodes and {n_edges} relationships.",
            name.trim()
        );
        self.told.set(Some(words));
    }

    /// Copies the graph in view.
    fn copy(self, state: PageState) {
        let place = match untrack(|| self.copy_place()) {
            Ok(place) => place,
            Err(why) => return self.told.set(Some(why)),
        };
        self.is_copying.set(true);
        self.told.set(None);
        spawn_local(async move {
            let copied = async {
                let (engine, at) = state.holder().await?;
                engine.ask(CopyGraph { at, place }).await
            };
            match copied.await {
                Ok(copied) => self.tell(copied),
                Err(why) => self.told.set(Some(format!("Not copied: {why}"))),
            }
            self.is_copying.set(false);
        });
    }

    /// Asks the store, in its own language.
    pub(super) async fn ask(self, query: String, writes: bool) -> Result<GrownTable, String> {
        let Some(store) = untrack(|| self.place()) else {
            return Err("Write down the address of your store, on the left.".to_owned());
        };
        let confirmed = writes.then(|| self.typed.get_untracked());
        engine_client::knowledge().ask(AskStore { store, query, confirmed }).await
    }

    /// The language in which the store is asked.
    pub(super) fn language(self) -> &'static str {
        if self.kind.get() == "neo4j" { "Cypher" } else { "SPARQL" }
    }
}

/// The form.
#[component]
pub(super) fn StoreForm(state: PageState) -> impl IntoView {
    let store = state.store;
    let key = RwSignal::new(String::new());
    let kinds = STORES.iter().map(|s| (s.id.to_owned(), s.title.to_owned())).collect::<Vec<_>>();
    let is_neo4j = move || store.kind.get() == "neo4j";
    // Kept from the first letter on, so that no button has to be pressed for it.
    let keep_key = move || {
        if let Some(key) = ApiKey::new(&key.get_untracked()) {
            let urls = untrack(|| store.place())
                .map(|place| [Some(place.address.url), place.update_url])
                .into_iter()
                .flatten()
                .flatten();
            urls.for_each(|url| keys::set(&url, key.clone()));
        }
    };
    Effect::new(move |_| {
        store.place();
        keep_key();
    });
    let wanted = move || match store.writes_to() {
        None => "The address that is to be typed is shown here.".to_owned(),
        Some(Err(why)) => why,
        Some(Ok(_)) if store.may_write() => "Writing is allowed.".to_owned(),
        Some(Ok(address)) => format!("Nothing is written yet. To allow it, type {address}"),
    };
    let where_to = move || {
        let name = store.name.with(|name| name.trim().to_owned());
        if is_neo4j() {
            "There its nodes have the label Graphground. What stood under this name before is replaced; nothing else is touched."
                .to_owned()
        } else {
            format!(
                "There it is the graph <{}>. What stood in it before is replaced; nothing else is touched.",
                copy_iri(&name)
            )
        }
    };
    view! {
        <details class="how" data-testid="kgot-store">
            <summary>"A store of your own"</summary>
            <p class="quiet-text">
                "Neo4j or a SPARQL endpoint. You can ask it under the drawing, and it can keep a copy of the graph while it grows."
            </p>
            <Select
                label="Kind"
                testid="kgot-store-kind"
                options=Signal::stored(kinds)
                value=Signal::derive(move || store.kind.get().to_owned())
                on_change=move |id: String| {
                    if let Some(found) = find(&id) {
                        store.kind.set(found.id);
                    }
                }
            />
            <Text
                label="Address"
                testid="kgot-store-url"
                kind="url"
                maxlength="500"
                placeholder=Signal::derive(move || {
                    find(store.kind.get()).map_or_else(String::new, |s| s.example.to_owned())
                })
                value=store.url
                on_input=move |typed| store.url.set(typed)
            />
            <Show
                when=is_neo4j
                fallback=move || {
                    view! {
                        <Text
                            label="Address for updates, if it is another"
                            testid="kgot-store-update"
                            kind="url"
                            maxlength="500"
                            value=store.update_url
                            on_input=move |typed| store.update_url.set(typed)
                        />
                    }
                }
            >
                <Text
                    label="Database"
                    placeholder="neo4j"
                    maxlength="63"
                    value=store.database
                    on_input=move |typed| store.database.set(typed)
                />
            </Show>
            <Text
                label="Key, if it wants one: user:password, or a token"
                testid="kgot-store-key"
                kind="password"
                value=key
                on_input=move |typed| {
                    key.set(typed);
                    keep_key();
                }
            />
            <Text
                label="To allow writing: type the address that is written to"
                testid="kgot-store-confirm"
                kind="url"
                maxlength="500"
                value=store.typed
                on_input=move |typed| store.typed.set(typed)
            />
            <p class="facts" role="status" data-testid="kgot-store-writes">{wanted}</p>
            <Show when=move || store.may_write()>
                <Text
                    label="Name of the copy"
                    testid="kgot-store-name"
                    maxlength="60"
                    value=store.name
                    on_input=move |typed| store.name.set(typed)
                />
                <p class="quiet-text">{where_to}</p>
                <Check
                    label=|| "Keep a copy there while the graph grows"
                    testid="kgot-keep-copy"
                    checked=store.keeps_copy
                    on_change=move |on| store.keeps_copy.set(on)
                />
                <div class="actions">
                    <button
                        class="ghost"
                        data-testid="kgot-copy"
                        disabled=move || {
                            store.is_copying.get()
                                || state.growing.with(|g| g.newest().nodes.is_empty())
                        }
                        on:click=move |_| store.copy(state)
                    >
                        {move || {
                            if store.is_copying.get() { "Copying…" } else { "Copy the graph in view" }
                        }}
                    </button>
                </div>
            </Show>
            <p class="facts" role="status" data-testid="kgot-copied">{move || store.told.get()}</p>
        </details>
    }
}
