//! Results of knowledge graphs and of families: their tables, and every run as a trace.

use engine::message::{KgAsk, KgReply, ResultsView};
use eval::prices::Prices;
use eval::results::SheetOptions;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tasks::Verdict;
use web_sys::File;

use crate::components::data_table::DataTable;
use crate::components::verdict::{VerdictSelect, words};
use crate::components::virtual_list::VirtualList;
use crate::services::engine_client::ask_knowledge;
use crate::services::open::{Open, TraceToOpen};
use crate::services::{clipboard, files};

/// What the panel shows.
#[derive(Clone, Copy)]
pub(crate) struct ResultsState {
    pub(crate) view: RwSignal<Option<ResultsView>>,
    pub(crate) title: RwSignal<String>,
    pub(crate) reading: RwSignal<bool>,
    pub(crate) notice: RwSignal<Option<String>>,
    search: RwSignal<String>,
    verdict: RwSignal<Option<Verdict>>,
}

impl ResultsState {
    pub(crate) fn new(notice: RwSignal<Option<String>>) -> Self {
        Self {
            view: RwSignal::new(None),
            title: RwSignal::default(),
            reading: RwSignal::new(false),
            notice,
            search: RwSignal::default(),
            verdict: RwSignal::new(None),
        }
    }

    /// Adds up files; what was shown stays where they cannot be read.
    pub(super) fn open(self, list: Vec<File>, prices: Prices) {
        if let Some(problem) = list.iter().find_map(files::too_large) {
            return self.notice.set(Some(problem));
        }
        self.notice.set(None);
        self.reading.set(true);
        spawn_local(async move {
            let options = Box::new(SheetOptions { prices, is_compat: false });
            match ask_knowledge(&KgAsk::Results { options }, &list).await {
                Ok(KgReply::Results { view }) => {
                    let name = list.first().map(File::name).unwrap_or_default();
                    let stem = name.trim_end_matches(".jsonl");
                    self.title.set(stem.to_owned());
                    self.search.set(String::new());
                    self.verdict.set(None);
                    self.view.set(Some(*view));
                }
                Ok(_) => {}
                Err(message) => self.notice.set(Some(message)),
            }
            self.reading.set(false);
        });
    }

    fn save(self) {
        spawn_local(async move {
            let title = match self.title.get_untracked().trim() {
                "" => "Results".to_owned(),
                title => title.to_owned(),
            };
            match ask_knowledge(&KgAsk::ResultsPage { title: title.clone() }, &[]).await {
                Ok(KgReply::Written { text, ending }) => {
                    clipboard::save(&format!("{title}.{ending}"), "text/html", &text);
                }
                Ok(_) => {}
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    fn open_run(self, place: usize, open: Open) {
        spawn_local(async move {
            match ask_knowledge(&KgAsk::ResultsRun { place }, &[]).await {
                Ok(KgReply::ResultsRun { record }) => {
                    let name = format!("{}: {}", record.trace.system, record.input);
                    open.trace(TraceToOpen::Record { record, name, problem: None });
                }
                Ok(_) => {}
                Err(message) => self.notice.set(Some(message)),
            }
        });
    }

    /// The runs that are listed, by their places.
    fn places(self) -> Vec<usize> {
        let search = self.search.get().to_lowercase();
        let verdict = self.verdict.get();
        self.view.with(|view| {
            let Some(view) = view else { return Vec::new() };
            let rows = view.runs.iter().enumerate().filter(|(_, run)| {
                let is_found = search.is_empty()
                    || run.question.to_lowercase().contains(&search)
                    || run.setup.to_lowercase().contains(&search);
                is_found && verdict.is_none_or(|v| v == run.verdict)
            });
            rows.map(|(i, _)| i).collect()
        })
    }
}

/// Tables, runs and the file.
#[component]
pub(super) fn ResultsPanel(state: ResultsState, open: Open) -> impl IntoView {
    let tables = move || {
        state.view.with(|view| {
            let tables = view.as_ref().map(|v| v.tables.clone()).unwrap_or_default();
            tables
                .into_iter()
                .filter(|t| !t.rows.is_empty())
                .map(|table| view! { <DataTable table/> })
                .collect_view()
        })
    };
    let lede = move || state.view.with(|v| v.as_ref().map(|v| v.lede.clone()));
    let has_runs = move || state.view.with(|v| v.as_ref().is_some_and(|v| !v.runs.is_empty()));
    view! {
        <section class="bench-report" aria-label="Results" data-testid="results">
            <p class="quiet-text">{lede}</p>
            <div class="bench-act">
                <label class="field">
                    <span>"Title"</span>
                    <input
                        prop:value=move || state.title.get()
                        on:input=move |e| state.title.set(event_target_value(&e))
                    />
                </label>
                <button class="ghost" data-testid="results-save" on:click=move |_| state.save()>
                    "Save as one HTML file"
                </button>
            </div>
            {tables}
        </section>
        <Show when=has_runs>
            <Runs state open/>
        </Show>
    }
    .into_any()
}

#[component]
fn Runs(state: ResultsState, open: Open) -> impl IntoView {
    let places = Memo::new(move |_| state.places());
    let shown = move |i: usize| {
        let Some(place) = places.with(|p| p.get(i).copied()) else { return ().into_any() };
        let run = state.view.with(|v| v.as_ref().and_then(|v| v.runs.get(place).cloned()));
        let Some(run) = run else { return ().into_any() };
        let (word, tone) = words(run.verdict);
        view! {
            <button
                class="bench-row results-row"
                title=run.explanation
                on:click=move |_| state.open_run(place, open)
            >
                <span>{run.question}</span>
                <span>{run.setup}</span>
                <span class=format!("tone {tone}")>{word}</span>
                <span class="num">{run.n_steps}</span>
            </button>
        }
        .into_any()
    };
    let row = move |i: usize| view! { {move || shown(i)} }.into_any();
    let n_runs = move || state.view.with(|v| v.as_ref().map_or(0, |v| v.runs.len()));
    view! {
        <section aria-label="Runs" data-testid="results-runs">
            <h2>{move || format!("Runs: {} of {}", places.with(Vec::len), n_runs())}</h2>
            <div class="bench-act">
                <label class="field">
                    <span>"Question or system"</span>
                    <input
                        type="search"
                        data-testid="results-search"
                        prop:value=move || state.search.get()
                        on:input=move |e| state.search.set(event_target_value(&e))
                    />
                </label>
                <VerdictSelect testid="results-verdict" on_pick=Callback::new(move |v| state.verdict.set(v))/>
            </div>
            <div class="bench-table">
                <div class="bench-row results-row bench-heads">
                    <span>"Question"</span>
                    <span>"System and model"</span>
                    <span>"Verdict"</span>
                    <span class="num">"Steps"</span>
                </div>
                <VirtualList
                    n=Signal::derive(move || places.with(Vec::len))
                    row_height=36.0
                    at=Signal::derive(|| None)
                    label="Runs"
                    row
                />
            </div>
        </section>
    }
}
