//! Bench: systems and models on many problems, kept as they come, added up, checked again.

mod about;
mod form;
mod going;
mod lines;
mod list;
mod report;
mod running;
mod runs;
mod saving;
mod sorting;
mod state;

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{PageSpec, part};
use crate::components::notice::Notice;
use crate::routes;
use crate::services::files;
use crate::services::open::{Open, TraceToOpen};
use crate::shell::Shell;
use crate::state::records;
use crate::workbench::drop_frame::DropFrame;
use about::{AboutForm, AboutLine};
use form::Form;
use list::List;
use report::{AddPanel, CheckPanel, ComparePanel, Files, ReportPanel};
use running::{Running, Unkept};
use runs::RunsPanel;
use sorting::SortingPanel;
use state::PageState;

pub(super) static PAGE: PageSpec = PageSpec {
    path: "bench",
    title: "Bench",
    group: "Bench",
    styles: &["bench.css", "plot.css"],
    // Nobody is to be led there to change what is kept; what comes in the file itself may be shown.
    in_frames: false,
    data: Some(eval::EMBEDDED),
    part: part!(bench, bench, mount),
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(|shell| PageState::new(shell.prices));
    let Shell { settings, route, open, .. } = shell;
    state.refresh();
    // The address says which one is open, so that a reload opens it again, and "Back" the one before.
    Effect::new(move |followed: Option<bool>| {
        let Some(wanted) = route.with(|r| r.keys_of(PAGE.path).map(id_of)) else { return false };
        // Whoever comes back to the page by its plain address finds it as it was.
        let asks = followed.is_some() || wanted.is_some();
        if asks && !state.follow(wanted) {
            // The address stays that of what goes on.
            routes::push(&address(untrack(|| state.open_id())));
        }
        true
    });
    let open_id = Memo::new(move |_| state.open_id());
    Effect::new(move |before: Option<()>| {
        let now = open_id.get();
        let there = routes::current().keys_of(PAGE.path).map(id_of);
        match before {
            _ if there.is_none_or(|there| there == now) => {}
            Some(()) => routes::push(&address(now)),
            // What the address names is on its way.
            None if now.is_some() => routes::replace(&address(now)),
            None => {}
        }
    });
    Effect::new(move |_| {
        let title = open_id.get().map(|_| state.title.get()).filter(|t| !t.trim().is_empty());
        shell.detail.set(title);
    });
    let has_runs = move || state.outcome.shown.with(Option::is_some);
    let is_example = move || state.is_example.get();
    let is_own = move || !state.is_example.get();
    let on_open = Callback::new(move |key| open_run(state, open, key));
    view! {
        <DropFrame
            class="page bench"
            on_files=Callback::new(move |files| take_files(state, files))
        >
            <header class="page-head">
                <h1>
                    {move || {
                        if open_id.get().is_none() {
                            return "Bench".to_owned();
                        }
                        match state.title.get() {
                            title if title.trim().is_empty() => "A benchmark".into(),
                            title => title,
                        }
                    }}
                </h1>
                <Show when=move || open_id.get().is_none()>
                    <p class="lede">
                        "Systems and models on many problems. Every run is kept in this browser as it finishes: close the tab and resume later. The result is one file that others open offline, and that checks itself."
                    </p>
                </Show>
                <Show when=move || open_id.get().is_some()>
                    <p class="lede">
                        <button
                            class="quiet"
                            data-testid="bench-back"
                            on:click=move |_| state.close()
                            disabled=move || state.going.is_running.get()
                        >
                            "← All benchmarks"
                        </button>
                    </p>
                </Show>
            </header>
            <AboutLine state/>
            <Notice message=state.notice/>
            <Unkept state/>
            {move || {
                state.told.get().map(|words| view! { <p class="remark" role="status" data-testid="bench-told">{words}</p> })
            }}
            <Doing state/>
            <Show when=move || open_id.get().is_none()>
                <List state settings/>
            </Show>
            <Show when=move || open_id.get().is_some() && !state.is_embedded.get()>
                <Form state settings/>
            </Show>
            <Show when=move || open_id.get().is_some()>
                <Running state/>
            </Show>
            <Show when=has_runs>
                <Show when=is_example>
                    <Example/>
                </Show>
                <CheckPanel state/>
                <ReportPanel state/>
                <Show when=is_own>
                    <AddPanel state/>
                </Show>
                <ComparePanel state on_open/>
                <Show when=is_own>
                    <SortingPanel state on_open/>
                </Show>
                <RunsPanel state on_open/>
                <Show when=is_own>
                    <AboutForm state/>
                    <Files state/>
                </Show>
            </Show>
        </DropFrame>
    }
    .into_any()
}

/// The benchmark that an address names.
fn id_of(keys: &BTreeMap<String, String>) -> Option<f64> {
    keys.get("b")?.parse().ok()
}

/// The address of a benchmark, or of their list.
fn address(id: Option<f64>) -> String {
    let id = id.map(|id| format!("{id:.0}"));
    let keys: Vec<(&str, &str)> = id.iter().map(|id| ("b", id.as_str())).collect();
    routes::href(PAGE.path, &keys)
}

/// Reads runs files and pages that hold runs, several as one benchmark; a file of problems goes into the
/// form.
fn take_files(state: PageState, list: Vec<web_sys::File>) {
    if !list.is_empty() && state.going.is_running.get_untracked() {
        state.notice.set(Some("Files are taken when no run goes on: pause or stop first.".into()));
        return;
    }
    spawn_local(async move {
        let mut runs = Vec::new();
        for file in list {
            match files::text(&file).await {
                Ok(text) if is_runs(&text) || saving::is_saved_page(&text) => {
                    runs.push((file.name(), text));
                }
                Ok(text) if is_page(&text) => {
                    let words = "holds no runs. Drop a page that Bench saved, or its runs file.";
                    state.notice.set(Some(format!("{} {words}", file.name())));
                }
                Ok(text) if untrack(|| state.open_id()).is_some() => {
                    state.spec.update(|s| s.files.push((file.name(), text)));
                }
                Ok(text) if text.trim().is_empty() => {
                    state.notice.set(Some(format!("{} is empty", file.name())));
                }
                Ok(text) => {
                    state.begin();
                    state.spec.update(|s| s.files.push((file.name(), text)));
                }
                Err(message) => state.notice.set(Some(message)),
            }
        }
        state.import(runs).await;
    });
}

/// Whether a text is a page.
fn is_page(text: &str) -> bool {
    let head: String = text.trim_start_matches('\u{feff}').trim_start().chars().take(14).collect();
    head.eq_ignore_ascii_case("<!doctype html") || head.to_lowercase().starts_with("<html")
}

/// Whether a text is meant as a file of runs: lines with a type, or results of development versions,
/// which are refused by name.
fn is_runs(text: &str) -> bool {
    let line = text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
    let begins = line.trim_start_matches('\u{feff}');
    begins.starts_with("{\"type\":")
        || (begins.starts_with("{\"key\":") && begins.contains("\"run\":"))
        || (begins.contains("\"extract_model\":") && begins.contains("\"searches\":"))
}

/// Shows a run in the trace view.
fn open_run(state: PageState, open: Open, key: eval::Key) {
    state.last_opened.set(Some(key.clone()));
    spawn_local(async move {
        if let Some((record, problem)) = state.run(key).await {
            let name = records::with_who(&record.id, &record.trace.model, &record.trace.system);
            let problem = problem.map(Box::new);
            let href = address(untrack(|| state.open_id()));
            let back = Some(("← Back to the benchmark".to_owned(), href));
            open.trace(TraceToOpen::Record { record: Box::new(record), name, problem, back });
        }
    });
}

/// Whose runs the example has.
#[component]
fn Example() -> impl IntoView {
    view! {
        <section aria-label="Example" data-testid="bench-is-example">
            <h2>"An example: two small models, with and without graph tools"</h2>
            <p class="quiet-text">
                "Recorded runs of our own small model, which answers alone and with graph tools, and of SmolLM2-135M-Instruct, which answers alone: 38 problems that are made from seeds, in NLGraph's words, two of each task and level. Rows in italics are a paper's figures for GPT-4. A benchmark of your own takes its place."
            </p>
        </section>
    }
}

/// What goes on besides runs: reading, adding up, checking.
#[component]
fn Doing(state: PageState) -> impl IntoView {
    move || {
        state.step.get().map(|(words, done, total)| {
            let of = if total > 0 { format!("{done} of {total}") } else { done.to_string() };
            view! {
                <div class="progress" role="status">
                    <progress max=total.max(1).to_string() value=done.to_string()></progress>
                    <span>{format!("{words}: {of}")}</span>
                    <button class="quiet" on:click=move |_| state.stop_looking()>"Stop"</button>
                </div>
            }
        })
    }
}
