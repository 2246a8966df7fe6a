//! The graph that is open, asked in SPARQL by an engine of its own.

use std::sync::Arc;

use kg::QueryExample;
use leptos::html::Textarea;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::kg::{LoadGraph, QueryGraph, SparqlReply};

use super::state::PageState;
use crate::components::form::Select;
use crate::services::engine_client::{
    self, Beside, SPARQL_DEADLINE_S as DEADLINE_S, Unanswered, ask_sparql,
};
use crate::services::{clipboard, single_file};
use crate::state::rows;

/// The most rows of an answer, which are saved.
const MAX_ROWS: usize = 10_000;
/// The rows that are shown at a time.
const ROWS_AT_ONCE: usize = 500;
/// What loading the engine costs a visitor.
const ENGINE: &str = "2 MB";

/// What the panel holds; it outlives a visit to another page.
#[derive(Clone, Copy)]
pub(crate) struct SparqlState {
    /// Whether the panel stands in the drawing's place.
    pub(crate) is_open: RwSignal<bool>,
    query: RwSignal<String>,
    reply: RwSignal<Option<Arc<SparqlReply>>>,
    /// What is being done for a query.
    busy: RwSignal<Option<&'static str>>,
    said: RwSignal<Option<String>>,
    /// How many rows are shown.
    n_shown: RwSignal<usize>,
    /// Counts queries, so that what comes of one that was stopped is not shown.
    turn: StoredValue<u64>,
    /// The graph that the engine has: which worker, and which opening of a graph.
    has: StoredValue<Option<(u64, u64)>>,
}

impl SparqlState {
    pub(crate) fn new() -> Self {
        Self {
            is_open: RwSignal::new(false),
            query: RwSignal::default(),
            reply: RwSignal::new(None),
            busy: RwSignal::new(None),
            said: RwSignal::new(None),
            n_shown: RwSignal::new(ROWS_AT_ONCE),
            turn: StoredValue::new(0),
            has: StoredValue::new(None),
        }
    }

    /// Another graph is open: what was answered was about the one before.
    pub(super) fn forget(self) {
        if self.busy.get_untracked().is_some() {
            self.stop();
        }
        self.reply.set(None);
        self.said.set(None);
        self.n_shown.set(ROWS_AT_ONCE);
        self.query.set(String::new());
    }

    /// Ends the engine, whatever it computes.
    fn stop(self) {
        self.turn.update_value(|t| *t += 1);
        engine_client::rdf().end();
        self.busy.set(None);
        self.said.set(Some("Stopped. The next query opens the graph anew.".into()));
    }

    /// Has the graph opened again in a new engine, in place of one that is gone.
    fn restart(self, kg: PageState) {
        spawn_local(async move {
            // Where it cannot be, the next query says so.
            let _ = self.open_graph(kg, self.turn.get_value()).await;
        });
    }

    fn ask(self, kg: PageState) {
        if self.busy.get_untracked().is_some() {
            return self.stop();
        }
        let query = self.query.get_untracked();
        if query.trim().is_empty() {
            self.said.set(Some("Write a query, or take an example.".into()));
            return;
        }
        self.turn.update_value(|t| *t += 1);
        let turn = self.turn.get_value();
        self.said.set(None);
        self.reply.set(None);
        self.n_shown.set(ROWS_AT_ONCE);
        self.busy.set(Some("Loading the engine and opening the graph in it…"));
        spawn_local(async move {
            let reply = self.answer(kg, query, turn).await;
            if self.turn.get_value() != turn {
                return;
            }
            self.busy.set(None);
            match reply {
                Ok(reply) => self.reply.set(Some(Arc::new(reply))),
                Err(Unanswered::Late) => {
                    self.said.set(Some(format!(
                        "The query took longer than {DEADLINE_S} seconds and was stopped; join its patterns by common names, or ask for less. The graph is still open."
                    )));
                    self.restart(kg);
                }
                Err(Unanswered::Gone) => {
                    self.said.set(Some(
                        "The query needed more memory than a page has, or was nested too deeply, and was stopped; ask for less. The graph is still open.".into(),
                    ));
                    self.restart(kg);
                }
                Err(Unanswered::Refused(message)) => self.said.set(Some(message)),
            }
        });
    }

    /// Sees to it that the engine has the graph that is open.
    async fn open_graph(self, kg: PageState, turn: u64) -> Result<(), String> {
        let engine = engine_client::rdf();
        let (serial, source, files) = kg.graph.opened();
        if self.has.get_value() != Some((engine.epoch(), serial)) {
            let beside = Beside { files: &files, ..Beside::default() };
            engine
                .ask_with(&LoadGraph { source }, &beside, |_, _| ())
                .await
                .map_err(String::from)?;
            if self.turn.get_value() == turn {
                self.has.set_value(Some((engine.epoch(), serial)));
            }
        }
        Ok(())
    }

    async fn answer(
        self,
        kg: PageState,
        query: String,
        turn: u64,
    ) -> Result<SparqlReply, Unanswered> {
        self.open_graph(kg, turn).await?;
        if self.turn.get_value() == turn {
            self.busy.set(Some("Asking…"));
        }
        let ask = QueryGraph { query, max_rows: MAX_ROWS };
        ask_sparql(&engine_client::rdf(), ask).await
    }
}

#[component]
pub(super) fn SparqlPanel(state: PageState) -> impl IntoView {
    let sparql = state.sparql;
    let field = NodeRef::<Textarea>::new();
    if single_file::is_one_file() {
        return view! {
            <p class="empty" data-testid="sparql-absent">
                "SPARQL is not in the page as one file. Open the page from a server, or ask the companion: graphground kg sparql."
            </p>
        }
        .into_any();
    }
    let examples = Memo::new(move |_| {
        state.graph.view.with(|v| v.as_ref().map_or_else(Vec::new, |v| kg::examples(&v.schema)))
    });
    Effect::new(move |_| {
        state.graph.view.track();
        let first = examples.with(|e| e.first().map(|e: &QueryExample| e.query.clone()));
        if sparql.query.with_untracked(String::is_empty) {
            sparql.query.set(first.unwrap_or_default());
        }
    });
    let take = move |at: String| {
        let at = at.parse::<usize>().ok();
        let query = examples.with(|all| at.and_then(|i| all.get(i)).map(|e| e.query.clone()));
        if let Some(query) = query {
            sparql.query.set(query);
        }
    };
    let options = Signal::derive(move || {
        let all = examples.get().into_iter().enumerate();
        all.map(|(i, e)| (i.to_string(), e.title)).collect()
    });
    let in_store = move || state.graph.view.with(|v| v.as_ref().is_some_and(|v| v.store.is_some()));
    view! {
        <Show when=in_store>
            <p class="empty" data-testid="sparql-in-store">
                "This graph stays in its store; ask it in SPARQL there. Here a graph is asked that is open in the page."
            </p>
        </Show>
        <div class="sparql" hidden=in_store>
            <Select
                label="Examples for this graph"
                testid="sparql-examples"
                options
                value=""
                on_change=take
            />
            <textarea
                rows="8"
                class="machine-in"
                spellcheck="false"
                autocapitalize="off"
                aria-label="The query in SPARQL"
                data-testid="sparql-query"
                node_ref=field
                prop:value=move || sparql.query.get()
                on:input=move |e| sparql.query.set(event_target_value(&e))
                on:keydown=move |e| {
                    if e.key() == "Enter" && (e.ctrl_key() || e.meta_key()) {
                        e.prevent_default();
                        sparql.ask(state);
                    }
                }
            ></textarea>
            <div class="actions">
                <button
                    class="run"
                    data-testid="sparql-run"
                    disabled=move || state.graph.view.with(Option::is_none)
                    on:click=move |_| sparql.ask(state)
                >
                    {move || if sparql.busy.with(Option::is_some) { "Stop" } else { "Ask" }}
                </button>
                <span class="facts">
                    {format!("Or Ctrl+Enter. The first query loads an engine of {ENGINE}.")}
                </span>
            </div>
            <details class="how">
                <summary>"How names are written"</summary>
                <p class="quiet-text">
                    "An id, a type, an edge and an attribute stand behind " <code>"node:"</code> ", "
                    <code>"type:"</code> ", " <code>"edge:"</code> " and " <code>"attribute:"</code>
                    ", with %20 for a space: " <code>"edge:has%20mother"</code> ". A node's type is "
                    <code>"a type:…"</code> ", its name " <code>"rdfs:label"</code>
                    ", where it has one beside its id. An id that is an address is written "
                    <code>"<https://…>"</code> "."
                </p>
            </details>
            <div role="status">
                {move || sparql.busy.get().map(|words| view! { <p class="facts">{words}</p> })}
                {move || {
                    sparql.said.get().map(|words| view! { <p class="facts" data-testid="sparql-said">{words}</p> })
                }}
            </div>
            {move || sparql.reply.get().map(|reply| shown(&reply, sparql, field))}
        </div>
    }
    .into_any()
}

fn shown(reply: &Arc<SparqlReply>, state: SparqlState, field: NodeRef<Textarea>) -> AnyView {
    let (table, made_ms, took_ms) = match &**reply {
        SparqlReply::Answer { table, made_ms, took_ms } => (table, *made_ms, *took_ms),
        SparqlReply::Fault { message, place } => return fault(message, *place, state, field),
    };
    let n = table.rows.len();
    let rows = match (n, table.is_cut) {
        (_, true) => format!("The first {n} rows; there are more. LIMIT and OFFSET choose others."),
        (0, _) => "No rows: nothing in the graph fits.".to_owned(),
        (1, _) => "1 row.".to_owned(),
        _ => format!("{n} rows."),
    };
    let made = if made_ms > 0.0 {
        format!(", after {made_ms:.0} ms of making triples of the graph")
    } else {
        String::new()
    };
    let heads = table.columns.iter().map(|c| view! { <th scope="col">{c.clone()}</th> });
    let heads = heads.collect_view();
    // So many at a time: ten thousand rows at once would hold up the page.
    let held = reply.clone();
    let lines = move |from: usize| match &*held {
        SparqlReply::Answer { table, .. } => {
            table.rows.iter().skip(from).take(ROWS_AT_ONCE).map(|row| line(row)).collect_view()
        }
        SparqlReply::Fault { .. } => Vec::new(),
    };
    let n_shown = state.n_shown;
    let parts = move || (0..n_shown.get().min(n)).step_by(ROWS_AT_ONCE).collect::<Vec<_>>();
    let save = |title: &'static str, kind: &'static str, write: fn(&kg::AnswerTable) -> String| {
        let reply = reply.clone();
        view! {
            <button
                class="quiet"
                data-testid=format!("sparql-{title}")
                on:click=move |_| {
                    if let SparqlReply::Answer { table, .. } = &*reply {
                        clipboard::save(&format!("answer.{title}"), kind, &write(table));
                    }
                }
            >
                {format!("Save as {}", title.to_uppercase())}
            </button>
        }
    };
    view! {
        <div class="sparql-answer">
            <p class="facts" data-testid="sparql-facts">
                {format!("{rows} Answered in {took_ms:.0} ms{made}.")}
            </p>
            {save("csv", "text/csv", rows::csv)}
            {save("tsv", "text/tab-separated-values", rows::tsv)}
        </div>
        {(n > 0)
            .then(|| {
                view! {
                    <div class="scroll" tabindex="0" role="region" aria-label="The answer" data-testid="sparql-table">
                        <table>
                            <thead>
                                <tr>{heads}</tr>
                            </thead>
                            <tbody>
                                <For each=parts key=|from| *from let:from>
                                    {lines(from)}
                                </For>
                            </tbody>
                        </table>
                    </div>
                    <Show when=move || n_shown.get() < n>
                        <p class="cut">
                            <span>{move || format!("{} of {n} rows are shown.", n_shown.get())}</span>
                            <button
                                class="quiet"
                                data-testid="sparql-more"
                                on:click=move |_| n_shown.update(|s| *s += ROWS_AT_ONCE)
                            >
                                {format!("Show {ROWS_AT_ONCE} more")}
                            </button>
                        </p>
                    </Show>
                }
            })}
    }
    .into_any()
}

fn line(row: &[Option<kg::Cell>]) -> AnyView {
    let cells = row.iter().map(|cell| match cell {
        None => view! { <td class="none">"–"</td> }.into_any(),
        Some(kg::Cell::Value(text)) => view! { <td>{text.clone()}</td> }.into_any(),
        Some(kg::Cell::Node { name, .. }) => view! { <td><b>{name.clone()}</b></td> }.into_any(),
        Some(kg::Cell::Name(name)) => view! { <td><i>{name.clone()}</i></td> }.into_any(),
    });
    view! { <tr>{cells.collect_view()}</tr> }.into_any()
}

fn fault(
    message: &str,
    place: Option<(usize, usize)>,
    state: SparqlState,
    field: NodeRef<Textarea>,
) -> AnyView {
    let go = place.map(|place| {
        let on_click = move |_| {
            let Some(field) = field.get_untracked() else { return };
            let at = state.query.with_untracked(|q| rows::offset(q, place));
            let _ = field.focus();
            let _ = field.set_selection_range(at, at + 1);
        };
        view! {
            <button class="link" data-testid="sparql-place" on:click=on_click>
                "Go there"
            </button>
        }
    });
    view! {
        <p class="report no" role="alert" data-testid="sparql-fault">
            {message.to_owned()}
            " "
            {go}
        </p>
    }
    .into_any()
}
