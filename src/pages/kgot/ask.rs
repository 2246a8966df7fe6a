//! The graph in view, asked by hand.

use leptos::html::Textarea;
use leptos::prelude::*;
use protocol::kgot::GrownTable;
use serde_json::{Map, Value};
use systems::kgot::KgotLanguage;

use super::state::{Answered, PageState};
use super::store::Asked;
use crate::components::form::{Select, named};
use crate::state::kgot::properties_text;

/// The rows that are shown.
const SHOWN: usize = 200;

#[component]
pub(super) fn AskPanel(state: PageState) -> impl IntoView {
    let field = NodeRef::<Textarea>::new();
    // Where the cursor is in the query, in UTF-16 units as the browser counts.
    let place = RwSignal::new(0_u32);
    let languages = [
        (KgotLanguage::Cypher, "Cypher"),
        (KgotLanguage::Sparql, "SPARQL"),
        (KgotLanguage::Networkx, "Python"),
    ];
    let has_store = move || state.store.place().is_some();
    let whom = Signal::derive(move || {
        let n = if state.store.may_write() { Asked::ALL.len() } else { Asked::ALL.len() - 1 };
        named(&Asked::ALL[..n])
    });
    // What is not offered any more is not asked.
    Effect::new(move |_| {
        let (has_store, may_write) = (has_store(), state.store.may_write());
        state.hand.update(|hand| match &mut hand.whom {
            whom @ (Asked::Store | Asked::StoreToWrite) if !has_store => *whom = Asked::Graph,
            whom @ Asked::StoreToWrite if !may_write => *whom = Asked::Store,
            _ => {}
        });
    });
    let look = move || {
        if let Some(field) = field.get_untracked() {
            place.set(field.selection_start().ok().flatten().unwrap_or_default());
        }
    };
    let offered = Memo::new(move |_| {
        let query = state.hand.with(|hand| hand.query.clone());
        let before = before(&query, place.get());
        if before.len() != query.len() && !query[before.len()..].starts_with([' ', ')', ']', '\n'])
        {
            return (0, Vec::new());
        }
        state.now().words().complete(before)
    });
    let take = move |word: &str| {
        let (typed, _) = offered.get_untracked();
        let query = state.hand.with_untracked(|hand| hand.query.clone());
        let before = before(&query, place.get_untracked());
        let kept = &before[..before.len() - typed];
        let after = &query[before.len()..];
        let at = u32::try_from(format!("{kept}{word}").encode_utf16().count()).unwrap_or(u32::MAX);
        state.hand.update(|hand| hand.query = format!("{kept}{word}{after}"));
        place.set(at);
        request_animation_frame(move || {
            if let Some(field) = field.try_get_untracked().flatten() {
                let _ = field.focus();
                let _ = field.set_selection_range(at, at);
            }
        });
    };
    let words = move || {
        let (_, words) = offered.get();
        words
            .into_iter()
            .map(|word| {
                let mine = word.clone();
                view! {
                    <button type="button" class="quiet" on:click=move |_| take(&mine)>
                        {word}
                    </button>
                }
            })
            .collect_view()
    };
    let answer = move || {
        state.answered.get().map(|answered| match answered {
            Answered::Rows(table) => rows(&table),
            Answered::Fault(why) => {
                view! { <pre class="report no" role="alert" data-testid="kgot-fault">{why}</pre> }
                    .into_any()
            }
        })
    };
    view! {
        <details class="kgot-ask">
            <summary data-testid="kgot-ask">
                {move || {
                    if has_store() { "Ask the graph in view, or your store" } else { "Ask the graph in view" }
                }}
            </summary>
            <form on:submit=move |e| {
                e.prevent_default();
                state.put_query();
            }>
                <div class="query">
                    <textarea
                        rows="3"
                        spellcheck="false"
                        aria-label="Query"
                        data-testid="kgot-query"
                        node_ref=field
                        prop:value=move || state.hand.with(|hand| hand.query.clone())
                        on:input=move |e| {
                            let typed = event_target_value(&e);
                            state.hand.update(|hand| hand.query = typed);
                            look();
                        }
                        on:keyup=move |_| look()
                        on:click=move |_| look()
                        on:keydown=move |e| {
                            if e.key() == "Enter" && (e.ctrl_key() || e.meta_key()) {
                                e.prevent_default();
                                state.put_query();
                            }
                        }
                    ></textarea>
                    <div class="offered" aria-label="Words that fit here" data-testid="kgot-offered">
                        {words}
                    </div>
                </div>
                <div class="asking">
                    <Show when=has_store>
                        <Select
                            label="What is asked"
                            bare=true
                            testid="kgot-asked"
                            options=whom
                            value=Signal::derive(move || {
                                let at = state.hand.with(|hand| hand.whom);
                                let at = Asked::ALL.iter().position(|(a, _)| *a == at);
                                at.unwrap_or_default().to_string()
                            })
                            on_change=move |at: String| {
                                let at = at.parse().ok().and_then(|i: usize| Asked::ALL.get(i));
                                if let Some((asked, _)) = at {
                                    state.hand.update(|hand| hand.whom = *asked);
                                }
                            }
                        />
                    </Show>
                    <Show
                        when=move || state.hand.with(|hand| hand.whom == Asked::Graph)
                        fallback=move || view! { <span>{state.store.language()}</span> }
                    >
                        <Select
                            label="Language"
                            bare=true
                            testid="kgot-language"
                            options=Signal::stored(named(&languages))
                            value=Signal::derive(move || {
                                let at = state.hand.with(|hand| hand.language);
                                let at = languages.iter().position(|(l, _)| *l == at);
                                at.unwrap_or_default().to_string()
                            })
                            on_change=move |at: String| {
                                let at = at.parse().ok().and_then(|i: usize| languages.get(i));
                                if let Some((language, _)) = at {
                                    state.ask_in(*language);
                                }
                            }
                        />
                    </Show>
                    <button class="ghost" data-testid="kgot-put" disabled=state.is_asking>
                        {move || if state.is_asking.get() { "Asking…" } else { "Ask" }}
                    </button>
                </div>
            </form>
            <div aria-live="polite">{answer}</div>
        </details>
    }
}

/// What stands before a place that is counted in UTF-16 units.
fn before(query: &str, place: u32) -> &str {
    let mut left = place as usize;
    for (at, c) in query.char_indices() {
        if left < c.len_utf16() {
            return &query[..at];
        }
        left -= c.len_utf16();
    }
    query
}

fn rows(table: &GrownTable) -> AnyView {
    let n = table.rows.len();
    let count = match (n, table.is_cut) {
        (_, true) => format!("The first {n} rows; there are more."),
        (0, _) => "No rows: nothing in the graph fits.".to_owned(),
        (1, _) => "1 row.".to_owned(),
        _ => format!("{n} rows."),
    };
    let more = (n > SHOWN).then(|| format!(" The first {SHOWN} are shown."));
    let heads = table.columns.iter().map(|c| view! { <th scope="col">{c.clone()}</th> });
    let heads = heads.collect_view();
    let lines = table.rows.iter().take(SHOWN).map(|row| {
        let cells = row.iter().map(|value| view! { <td>{cell(value)}</td> }).collect_view();
        view! { <tr>{cells}</tr> }
    });
    let lines = lines.collect_view();
    view! {
        <p class="facts" data-testid="kgot-facts">{count} {more}</p>
        {(n > 0)
            .then(|| {
                view! {
                    <div class="scroll" tabindex="0" role="region" aria-label="The answer" data-testid="kgot-rows">
                        <table>
                            <thead>
                                <tr>{heads}</tr>
                            </thead>
                            <tbody>{lines}</tbody>
                        </table>
                    </div>
                }
            })}
    }
    .into_any()
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "–".to_owned(),
        Value::Object(map) => element(map).unwrap_or_else(|| value.to_string()),
        Value::Array(list) => {
            let all: Vec<String> = list.iter().map(cell).collect();
            format!("[{}]", all.join(", "))
        }
        other => other.to_string(),
    }
}

/// A node or an edge as a person would write it.
fn element(map: &Map<String, Value>) -> Option<String> {
    let Value::Object(properties) = map.get("properties")? else { return None };
    let values = properties_text(properties);
    let values = if values.is_empty() { values } else { format!(" {{{values}}}") };
    if let Some(Value::Array(labels)) = map.get("labels") {
        let labels: Vec<&str> = labels.iter().filter_map(Value::as_str).collect();
        return Some(format!("{}{values}", labels.join(":")));
    }
    let edge_type = map.get("type")?.as_str()?;
    Some(format!("{edge_type}{values}"))
}
