//! The left column: runs that are kept, files that were opened, and what can be done with a trace.

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::notes::RunNotes;
use super::state::{Entry, PageState};
use crate::components::form::Select;
use crate::components::notice::Notice;
use crate::components::verdict;
use crate::services::files;
use crate::services::kept_runs::KeptRuns;
use crate::services::open::Open;
use crate::state::fork::tree;
use crate::state::numbers::plural;
use crate::state::stored::RunSummary;
use crate::state::transcripts;
use crate::workbench::share::ShareButton;

/// Kept runs that the list shows.
const MOST_KEPT: usize = 100;

/// Opens files of traces.
pub(super) fn take_files(state: PageState, list: Vec<File>) {
    for file in list {
        let began = window().performance().map_or(0.0, |p| p.now());
        spawn_local(async move {
            match files::too_large(&file) {
                None => state.open_file(file, began).await,
                Some(message) => state.session.notice.set(Some(message)),
            }
        });
    }
}

#[component]
pub(super) fn LeftColumn(state: PageState, kept: KeptRuns, open: Open) -> impl IntoView {
    view! {
            <h1>"Traces"</h1>
            <p class="lede">"What a model did, step by step."</p>
            {move || {
                state
                    .entry()
                    .and_then(|e| e.back)
                    .map(|(words, href)| view! { <p><a class="back" data-testid="back" href=href>{words}</a></p> })
            }}
            <label class="file-button">
                "Open trace files…"
                <input
                    type="file"
                    multiple
                    accept=".json,.jsonl,.ndjson,.eval,.zip,.gz"
                    data-testid="trace-file"
                    on:change=move |e| take_files(state, files::chosen(&e))
                />
            </label>
            <Show when=move || state.entries.with(Vec::is_empty)>
                <div class="actions">
                    <button class="ghost" data-testid="trace-examples" on:click=move |_| state.open_examples()>
                        "Open two examples"
                    </button>
                    <button
                        class="ghost"
                        data-testid="paper-transcripts"
                        on:click=move |_| {
                            let began = window().performance().map_or(0.0, |p| p.now());
                            let name = "The paper's transcripts".to_owned();
                            state.open_text(name, transcripts::TEXT.to_owned(), began);
                        }
                    >
                        "Open the transcripts in the Graph-Grounded LLMs paper"
                    </button>
                </div>
            </Show>
            {move || state.current.with(Option::is_none).then(|| view! { <Notice message=state.session.notice/> })}
            <Show when=move || state.entries.with(|l| l.len() > 1) || kept.list.with(|l| l.len() > 1)>
                <p>
                    <button
                        class="ghost"
                        data-testid="run-table"
                        aria-pressed=move || state.is_table.get().to_string()
                        on:click=move |_| state.is_table.update(|on| *on = !*on)
                    >
                        "Table of all runs"
                    </button>
                </p>
            </Show>
            <Opened state/>
            <Actions state open/>
            <RunNotes state/>
            <h2>"Kept runs"</h2>
            <Kept state kept/>
    }
}

/// Open traces, the forks of each under it.
#[component]
fn Opened(state: PageState) -> impl IntoView {
    let row = move |entry: &Entry, depth: usize, is_current: bool| {
        let (id, n) = (entry.id, entry.trace.steps.len());
        let mut words = vec![plural(n, "step")];
        words.extend(entry.record.score.as_ref().map(|s| s.label.replace('_', " ")));
        words.extend(entry.notes.tags.iter().map(|tag| format!("#{tag}")));
        view! {
            <li style:--depth=depth.to_string() class:fork=depth != 0>
                <button
                    class="open"
                    aria-current=is_current.then_some("true")
                    on:click=move |_| state.show_start(id)
                >
                    <b>{entry.name.clone()}</b>
                    <span>{words.join(" · ")}</span>
                </button>
                <button
                    class="quiet"
                    aria-label="Close"
                    title="Close"
                    on:click=move |_| state.close(id)
                >
                    "×"
                </button>
            </li>
        }
    };
    let rows = move || {
        let current = state.current.get();
        state.entries.with(|list| {
            let origins: Vec<_> = list.iter().map(|e| (e.id, e.origin.map(|o| o.0))).collect();
            tree(&origins)
                .into_iter()
                .map(|(depth, i)| row(&list[i], depth, current == Some(list[i].id)))
                .collect_view()
        })
    };
    view! {
        <Show when=move || state.entries.with(|l| !l.is_empty())>
            <h2>"Open"</h2>
            <ul class="runs opened" data-testid="open-traces">{rows}</ul>
            {move || {
                state
                    .opened_ms
                    .get()
                    .map(|ms| {
                        view! {
                            <p class="quiet-text" data-testid="opened-ms">
                                {format!("The last file opened in {ms:.0} ms.")}
                            </p>
                        }
                    })
            }}
        </Show>
    }
}

/// What can be done with the trace that is shown.
#[component]
fn Actions(state: PageState, open: Open) -> impl IntoView {
    let problem = move || state.entry().and_then(|e| e.problem);
    let others = Signal::derive(move || {
        let current = state.current.get();
        let first = (String::new(), "Choose another open trace…".to_owned());
        state.entries.with(|list| {
            let others = list.iter().filter(|e| Some(e.id) != current);
            let others = others.map(|e| (e.id.to_string(), e.name.clone()));
            std::iter::once(first).chain(others).collect()
        })
    });
    let formats = Signal::derive(|| {
        let all = trace::formats::TITLES.into_iter();
        let all = all.map(|(id, title)| (id.to_owned(), title.to_owned()));
        std::iter::once((String::new(), "Choose a format…".to_owned())).chain(all).collect()
    });
    let report = move || {
        let replay = state.replayed.get()?;
        let n = replay.findings.len();
        let n_drift = replay.drift().count();
        let n_not_ours = replay.n_not_ours();
        let mut words = match (n - n_not_ours, n_drift) {
            (0, _) if n_not_ours > 0 => String::new(),
            (0, _) => "There is no call to compute again.".to_owned(),
            (n, 0) => format!("All {n} results are the same."),
            (n, d) => format!("{d} of {n} results differ; they are marked in the list."),
        };
        if n_not_ours > 0 {
            let calls = plural(n_not_ours, "call");
            words += &format!(" {calls} of functions that are not ours: not run again.");
        }
        Some(view! {
            <p
                class=if n_drift == 0 { "report ok" } else { "report no" }
                data-testid="replay-report"
                role="status"
            >
                {words}
            </p>
        })
    };
    view! {
        <Show when=move || state.current.with(Option::is_some)>
            <div class="actions">
                <Show when=move || problem().is_some()>
                    <button
                        class="ghost"
                        data-testid="to-solve"
                        on:click=move |_| {
                            if let Some(problem) = problem() {
                                open.problem(problem);
                            }
                        }
                    >
                        "Open its problem"
                    </button>
                </Show>
                <button class="ghost" data-testid="replay" on:click=move |_| state.replay()>
                    "Replay without a model"
                </button>
                <ShareButton on_share=Callback::new(move |sharing| state.share(sharing))/>
                {report}
                <Select
                    label="Compare with"
                    testid="compare-with"
                    options=others
                    value=""
                    on_change=move |at: String| {
                    if let Ok(id) = at.parse() {
                        state.compare(id);
                    }
                    }
                />
                <Select
                    label="Save as"
                    testid="save-as"
                    options=formats
                    value=""
                    on_change=move |at: String| {
                    if !at.is_empty() {
                        state.export(&at);
                    }
                    }
                />
            </div>
        </Show>
    }
}

#[component]
fn Kept(state: PageState, kept: KeptRuns) -> impl IntoView {
    let row = move |run: &RunSummary, depth: usize| {
        let id = run.id;
        let words = run.verdict.map(|verdict| verdict::words(verdict).0.to_owned());
        let mut facts: Vec<String> = words.into_iter().collect();
        facts.extend([run.model.clone(), plural(run.n_calls, "call")]);
        facts.extend(run.origin.map(|o| format!("from step {}", o.step)));
        facts.extend(run.tags.iter().map(|tag| format!("#{tag}")));
        view! {
            <li style:--depth=depth.to_string() class:fork=depth != 0>
                <button class="open" on:click=move |_| state.open_kept(id, None)>
                    <b>{run.problem.clone()}</b>
                    <span>{facts.join(" · ")}</span>
                </button>
            </li>
        }
    };
    let rows = move || {
        kept.list.with(|list| {
            let shown = &list[..list.len().min(MOST_KEPT)];
            let origins: Vec<_> = shown.iter().map(|r| (r.id, r.origin.map(|o| o.run))).collect();
            tree(&origins).into_iter().map(|(depth, i)| row(&shown[i], depth)).collect_view()
        })
    };
    let hidden = move || kept.list.with(|list| list.len().saturating_sub(MOST_KEPT));
    view! {
        {move || {
            kept.list.with(Vec::is_empty)
                .then(|| view! { <p class="quiet-text">"None yet: run something on another page, as a problem on Solve."</p> })
        }}
        <ul class="runs" data-testid="kept-runs">{rows}</ul>
        {move || {
            let n = hidden();
            (n > 0).then(|| view! { <p class="quiet-text">{format!("{n} older ones are in the table.")}</p> })
        }}
    }
}
