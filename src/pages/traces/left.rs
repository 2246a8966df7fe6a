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
use crate::state::records;
use crate::state::run_table::RunPlace;
use crate::state::stored::RunSummary;
use crate::state::transcripts;
use crate::workbench::share::ShareButton;

/// Open traces that one can be compared with here; in the table any two.
const MOST_OTHERS: usize = 100;
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
            <Walk state/>
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
            <Show when=move || state.entries.with(|l| l.iter().all(|e| e.is_example))>
                <div class="actions">
                    <Show when=move || state.entries.with(Vec::is_empty)>
                        <button class="ghost" data-testid="trace-examples" on:click=move |_| state.open_examples()>
                            "Open two examples"
                        </button>
                    </Show>
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
            {move || {
                (state.current.with(Option::is_none) || state.is_table.get())
                    .then(|| view! { <Notice message=state.session.notice/> <Notice message=kept.fault/> })
            }}
            {move || {
                let remarks = state.remarks.get()?;
                Some(view! { <p class="remark" role="status" data-testid="reader-remarks">{remarks}</p> })
            }}
            <Show when=move || state.entries.with(|l| l.len() > 1) || kept.list.with(|l| l.len() > 1)>
                <p>
                    <button
                        class="ghost"
                        data-testid="run-table"
                        aria-pressed=move || state.is_table.get().to_string()
                        on:click=move |_| {
                            state.compared.set(None);
                            state.is_table.update(|on| *on = !*on);
                        }
                    >
                        "Table of all runs"
                    </button>
                </p>
            </Show>
            {move || {
                state.entries.with(|l| l.iter().any(|e| e.is_example)).then(|| view! {
                    <p class="quiet-text" data-testid="examples-are">
                        "Two recorded runs of our own small model: one corrects a mistake with tools, one invents an answer without them. What you open takes their place."
                    </p>
                })
            }}
            <Opened state/>
            <Actions state open/>
            <RunNotes state/>
            <h2>"Kept runs"</h2>
            <Kept state kept/>
    }
}

/// The way from one row of the table to the next, and back to it.
#[component]
fn Walk(state: PageState) -> impl IntoView {
    let at = Memo::new(move |_| {
        let (id, kept) = state.entry().map(|e| (e.id, e.kept))?;
        let is_it = |place: &RunPlace| match place {
            RunPlace::Open(open) => *open == id,
            RunPlace::Kept(key) => kept == Some(*key),
        };
        state.walk.with(|walk| Some((walk.iter().position(is_it)?, walk.len())))
    });
    let go = move |by: fn(usize) -> Option<usize>| {
        let to = at.get_untracked().and_then(|(at, _)| by(at));
        let place = state.walk.with_untracked(|walk| walk.get(to?).copied());
        place.into_iter().for_each(|place| state.open_place(place));
    };
    view! {
        <Show when=move || at.get().is_some() && !state.is_table.get()>
            <p class="walk" data-testid="walk">
                <button class="quiet" data-testid="to-table" on:click=move |_| state.is_table.set(true)>
                    "← Table"
                </button>
                <button class="quiet" on:click=move |_| go(|at| at.checked_sub(1))>"Previous"</button>
                <button class="quiet" data-testid="walk-on" on:click=move |_| go(|at| Some(at + 1))>"Next"</button>
                <span class="quiet-text">
                    {move || at.get().map(|(at, n)| format!("{} of {n}", at + 1))}
                </span>
            </p>
        </Show>
    }
}

/// Open traces, the forks of each under it.
#[component]
fn Opened(state: PageState) -> impl IntoView {
    let row = move |(id, depth, name, words): (u64, usize, String, String)| {
        view! {
            <li style:--depth=depth.to_string() class:fork=depth != 0>
                <button
                    class="open"
                    aria-current=move || (state.current.get() == Some(id)).then_some("true")
                    on:click=move |_| state.show_start(id)
                >
                    <b>{name}</b>
                    <span>{words}</span>
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
    let words = |entry: &Entry| {
        let mut words = vec![plural(entry.trace.steps.len(), "step")];
        words.extend(entry.record.score.as_ref().map(records::score_words));
        words.extend(entry.notes.tags.iter().map(|tag| format!("#{tag}")));
        words.join(" · ")
    };
    // Rows that say the same stay: the time that a file takes does not grow with those that are open.
    let rows = Memo::new(move |_| {
        state.entries.with(|list| {
            let origins: Vec<_> = list.iter().map(|e| (e.id, e.origin.map(|o| o.0))).collect();
            let found = tree(&origins).into_iter();
            let of = |(depth, i): (usize, usize)| {
                let entry = &list[i];
                (entry.id, depth, entry.name.clone(), words(entry))
            };
            found.map(of).collect::<Vec<_>>()
        })
    });
    view! {
        <Show when=move || state.entries.with(|l| !l.is_empty())>
            <h2>"Open"</h2>
            <ul class="runs opened" data-testid="open-traces">
                <For each=move || rows.get() key=Clone::clone children=row/>
            </ul>
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
    // Those of the same question come first.
    let others = Memo::new(move |_| {
        let current = state.current.get();
        let first = (String::new(), "Choose another open trace…".to_owned());
        state.entries.with(|list| {
            let input = list.iter().find(|e| Some(e.id) == current).map(|e| &e.record.input);
            let mut others: Vec<&Entry> = list.iter().filter(|e| Some(e.id) != current).collect();
            others.sort_by_key(|e| Some(&e.record.input) != input);
            let others = others.into_iter().take(MOST_OTHERS);
            let others = others.map(|e| (e.id.to_string(), e.name.clone()));
            std::iter::once(first).chain(others).collect::<Vec<_>>()
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
                    options=Signal::derive(move || others.get())
                    value=""
                    on_change=move |at: String| {
                    if let (Some(left), Ok(right)) = (state.current.get_untracked(), at.parse()) {
                        state.compare(left, right);
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
