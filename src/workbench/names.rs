//! The panel for how names are compared, with a field to try it.

use kg::find::FindOptions;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::kg::{FindNodes, FoundNodes, HitView, Similarity};

use crate::components::form::Select;
use crate::services::open_graph::OpenGraph;
use crate::services::{engine_client, files, single_file};

/// What can be chosen: the value in the page, what it is, what it costs.
const WAYS: [(&str, Similarity, &str); 4] = [
    ("trigrams", Similarity::Trigrams, "Character trigrams"),
    ("bm25", Similarity::Bm25, "BM25, by the words in common"),
    ("table", Similarity::Table, "A table of words (1.8 MB)"),
    ("minilm", Similarity::Minilm, "MiniLM, a model (91 MB)"),
];

#[component]
pub(crate) fn NamesPanel(
    graph: OpenGraph,
    /// How nodes are looked for by hand; nothing where there is no graph to look in.
    #[prop(optional, into)]
    find: Option<Signal<FindOptions>>,
) -> impl IntoView {
    let similarity = graph.similarity;
    spawn_local(similarity.look());
    let choose = move |value: String| {
        if let Some((_, by, _)) = WAYS.iter().find(|w| w.0 == value) {
            similarity.choose(graph, *by);
        }
    };
    let now = move || {
        let chosen = similarity.chosen.get();
        WAYS.iter().find(|w| w.1 == chosen).map_or("", |w| w.0)
    };
    let options: Vec<_> = WAYS
        .iter()
        // The page as one file has no engine with models.
        .filter(|w| w.1 != Similarity::Minilm || !single_file::is_one_file())
        .map(|(value, _, title)| ((*value).to_owned(), (*title).to_owned()))
        .collect();
    view! {
        <details class="how names" data-testid="names">
            <summary>"How names are compared"</summary>
            <Select
                label="How names are compared"
                bare=true
                testid="similarity"
                options=Signal::stored(options)
                value=Signal::derive(move || now().to_owned())
                on_change=choose
            />
            <div role="status">
                {move || {
                    similarity.said.get().map(|words| {
                        view! { <p class="report no" data-testid="similarity-said">{words}</p> }
                    })
                }}
                <p class="facts" data-testid="kg-similarity">
                    {move || format!("Now by {}.", similarity.measure.with(|m| m.label.clone()))}
                </p>
            </div>
            <Doing graph/>
            <Show when=move || similarity.wants_files.get()>
                <div class="own-model" data-testid="wants-model">
                    <p class="quiet-text">
                        "This site does not ship the model. Choose its three files together: model.safetensors, tokenizer.json and config.json of all-MiniLM-L6-v2 or another BERT. They stay on this machine."
                    </p>
                    <label class="quiet file-button">
                        "Choose the files…"
                        <input
                            type="file"
                            multiple
                            data-testid="model-files"
                            accept=".safetensors,.json"
                            on:change=move |e| similarity.take_files(graph, &files::chosen(&e))
                        />
                    </label>
                </div>
            </Show>
            <Show when=move || similarity.is_kept.get()>
                <p class="kept-model">
                    <span class="facts">"MiniLM is kept in this browser for the next visit."</span>
                    <button class="link" data-testid="model-delete" on:click=move |_| similarity.delete()>
                        "Delete it"
                    </button>
                </p>
            </Show>
            // Of a graph that stays in a store only the types are here.
            {find
                .map(|options| {
                    view! {
                        <Show when=move || {
                            graph.view.with(|v| v.as_ref().is_some_and(|v| v.store.is_none()))
                        }>
                            <Find graph options/>
                        </Show>
                    }
                })}
        </details>
    }
    .into_any()
}

/// What is being loaded or read, with a way to stop it.
#[component]
fn Doing(graph: OpenGraph) -> impl IntoView {
    let doing = graph.similarity.doing;
    let words = move || {
        doing.get().map(|d| match (d.total, d.words.starts_with("Loading")) {
            (total, _) if total <= 0.0 => format!("{}…", d.words),
            (total, true) => {
                format!("{}: {:.1} of {:.1} MB", d.words, d.done / 1e6, total / 1e6)
            }
            (total, false) => format!("{}: {} of {total}", d.words, d.done),
        })
    };
    view! {
        <Show when=move || doing.with(Option::is_some)>
            <div class="doing" data-testid="similarity-doing">
                <p class="facts">{words}</p>
                <progress
                    aria-label="How far it is"
                    max=move || doing.get().filter(|d| d.total > 0.0).map(|d| d.total.to_string())
                    value=move || doing.get().filter(|d| d.total > 0.0).map(|d| d.done.to_string())
                ></progress>
                <button class="ghost" data-testid="similarity-stop" on:click=move |_| graph.similarity.stop()>
                    "Stop"
                </button>
            </div>
        </Show>
    }
}

/// Nodes looked for by words, to see what a comparison is worth.
#[component]
fn Find(graph: OpenGraph, options: Signal<FindOptions>) -> impl IntoView {
    let hint = RwSignal::new(String::new());
    let found = RwSignal::new(None::<Result<FoundNodes, String>>);
    let turn = StoredValue::new(0_u64);
    let find = move || {
        let words = hint.get_untracked();
        turn.update_value(|t| *t += 1);
        if words.trim().is_empty() {
            found.set(None);
            return;
        }
        let now = turn.get_value();
        let options = options.get_untracked();
        let ask = FindNodes { hint: words, node_type: None, options };
        spawn_local(async move {
            let reply = engine_client::knowledge().ask(ask).await;
            if turn.try_get_value() == Some(now) {
                found.set(Some(reply));
            }
        });
    };
    // What was found was found otherwise, or in another graph.
    Effect::new(move |before: Option<()>| {
        graph.similarity.measure.track();
        graph.view.track();
        if before.is_some() {
            found.set(None);
        }
    });
    let row = |hit: HitView, is_taken: bool| {
        view! {
            <li class:taken=is_taken>
                <b>{hit.node}</b>
                <span>{hit.node_type}</span>
                <span class="num">{format!("{:.4}", hit.score)}</span>
            </li>
        }
    };
    view! {
        <form
            class="find"
            on:submit=move |e| {
                e.prevent_default();
                find();
            }
        >
            <input
                type="search"
                aria-label="Words for a node"
                placeholder="Try it: words for a node"
                data-testid="find-hint"
                prop:value=move || hint.get()
                on:input=move |e| hint.set(event_target_value(&e))
            />
            <button class="ghost" data-testid="find">"Find"</button>
        </form>
        {move || {
            found.get().map(|told| match told {
                Err(message) => view! { <p class="report no">{message}</p> }.into_any(),
                Ok(FoundNodes { hits, near }) if hits.is_empty() && near.is_empty() => {
                    view! { <p class="facts" data-testid="found">"Nothing is like it."</p> }.into_any()
                }
                Ok(FoundNodes { hits, near }) => {
                    let n = hits.len();
                    view! {
                        <p class="facts">
                            {match n {
                                0 => "Nothing is like enough to be taken; the nearest:".to_owned(),
                                1 => "1 is taken, with how like it is; then the nearest others:".to_owned(),
                                _ => format!("{n} are taken, with how like they are; then the nearest others:"),
                            }}
                        </p>
                        <ol class="found" data-testid="found">
                            {hits.into_iter().map(|h| row(h, true)).collect_view()}
                            {near.into_iter().map(|h| row(h, false)).collect_view()}
                        </ol>
                    }
                        .into_any()
                }
            })
        }}
    }
}
