//! The left room: runs that are kept, files that were opened, and what can be done with a trace.

use engine::message::ProblemView;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::state::TracesState;
use crate::components::notice::Notice;
use crate::components::verdict;
use crate::pages::sharing::ShareButton;
use crate::services::files;
use crate::state::stored::RunSummary;

/// Opens files of traces.
pub(super) fn take_files(state: TracesState, list: Vec<File>) {
    for file in list {
        let began = window().performance().map_or(0.0, |p| p.now());
        spawn_local(async move {
            match files::text(&file).await {
                Ok(text) => state.open_text(file.name(), text, began),
                Err(message) => state.notice.set(Some(message)),
            }
        });
    }
}

/// The panel.
#[component]
pub(super) fn ListPanel(
    state: TracesState,
    kept: RwSignal<Vec<RunSummary>>,
    on_problem: Callback<ProblemView>,
) -> impl IntoView {
    view! {
        <section class="left" aria-label="Traces">
            <h1>"Traces"</h1>
            <p class="lede">"What a model did, step by step."</p>
            <label class="file-button">
                "Open trace files…"
                <input
                    type="file"
                    multiple
                    accept=".json,.jsonl"
                    data-testid="trace-file"
                    on:change=move |e| take_files(state, files::chosen(&e))
                />
            </label>
            {move || state.current.with(Option::is_none).then(|| view! { <Notice message=state.notice/> })}
            <Opened state/>
            <Actions state on_problem/>
            <h2>"Kept runs"</h2>
            <Kept state kept/>
        </section>
    }
}

#[component]
fn Opened(state: TracesState) -> impl IntoView {
    let rows = move || {
        let current = state.current.get();
        state.entries.with(|list| {
            list.iter()
                .map(|entry| {
                    let (id, n) = (entry.id, entry.trace.steps.len());
                    let words = match &entry.record.score {
                        Some(score) => format!("{n} steps · {}", score.label),
                        None => format!("{n} steps"),
                    };
                    view! {
                        <li>
                            <button
                                class="open"
                                aria-current=(current == Some(id)).then_some("true")
                                on:click=move |_| state.show(id, n)
                            >
                                <b>{entry.name.clone()}</b>
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
                })
                .collect_view()
        })
    };
    view! {
        <Show when=move || state.entries.with(|l| !l.is_empty())>
            <h2>"Open"</h2>
            <ul class="runs" data-testid="open-traces">{rows}</ul>
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
fn Actions(state: TracesState, on_problem: Callback<ProblemView>) -> impl IntoView {
    let problem = move || state.entry().and_then(|e| e.problem);
    let others = move || {
        let current = state.current.get();
        state.entries.with(|list| {
            list.iter()
                .filter(|e| Some(e.id) != current)
                .map(|e| view! { <option value=e.id.to_string()>{e.name.clone()}</option> })
                .collect_view()
        })
    };
    let formats = move || {
        trace::formats::TITLES
            .into_iter()
            .map(|(id, title)| view! { <option value=id>{title}</option> })
            .collect_view()
    };
    let report = move || {
        let replay = state.replayed.get()?;
        let n = replay.findings.len();
        let n_drift = replay.drift().count();
        let words = match (n, n_drift) {
            (0, _) => "There is no call to compute again.".to_owned(),
            (n, 0) => format!("All {n} results are the same."),
            (n, d) => format!("{d} of {n} results differ; they are marked in the list."),
        };
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
                                on_problem.run(problem);
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
                <label class="field">
                    <span>"Compare with"</span>
                    <select
                        data-testid="compare-with"
                        on:change=move |e| {
                            if let Ok(id) = event_target_value(&e).parse() {
                                state.compare(id);
                            }
                        }
                    >
                        <option value="">"Choose another open trace…"</option>
                        {others}
                    </select>
                </label>
                <label class="field">
                    <span>"Save as"</span>
                    <select
                        data-testid="save-as"
                        on:change=move |e| {
                            let format = event_target_value(&e);
                            if !format.is_empty() {
                                state.export(&format);
                            }
                        }
                    >
                        <option value="">"Choose a format…"</option>
                        {formats}
                    </select>
                </label>
            </div>
        </Show>
    }
}

#[component]
fn Kept(state: TracesState, kept: RwSignal<Vec<RunSummary>>) -> impl IntoView {
    let rows = move || {
        kept.with(|list| {
            list.iter()
                .take(100)
                .map(|run| {
                    let id = run.id;
                    let (words, _) = verdict::words(run.verdict);
                    view! {
                        <li>
                            <button class="open" on:click=move |_| state.open_kept(id)>
                                <b>{run.problem.clone()}</b>
                                <span>
                                    {words}
                                    " · "
                                    {run.model.clone()}
                                    " · "
                                    {format!("{} calls", run.n_calls)}
                                </span>
                            </button>
                        </li>
                    }
                })
                .collect_view()
        })
    };
    view! {
        {move || {
            kept.with(Vec::is_empty)
                .then(|| view! { <p class="quiet-text">"None yet: run a problem on the Solve page."</p> })
        }}
        <ul class="runs" data-testid="kept-runs">{rows}</ul>
    }
}
