//! Dataset: whole files of problems, parsed, solved and verified on this machine.

mod rows;
mod state;

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::exact::Exact;
use protocol::problem::OpenQuestion;
use tasks::TaskId;
use tasks::dataset::{LevelReport, RuleCounts};
use web_sys::File;

use super::{PageSpec, part};
use crate::components::notice::Notice;
use crate::services::transport::after;
use crate::services::{files, open};
use crate::shell::Shell;
use crate::workbench::drop_frame::DropFrame;
use rows::Rows;
use state::{Level, Line, PageState};

pub(super) static PAGE: PageSpec = PageSpec {
    path: open::FILES,
    title: "Dataset",
    group: "Solve",
    styles: &["dataset.css"],
    part: part!(library, dataset, mount),
    ..PageSpec::USUAL
};

fn mount(shell: Shell) -> AnyView {
    let state = shell.state(|_| PageState::new());
    state.check(&shell.open.take_files());
    // After the page is drawn: it must not be later for this.
    spawn_local(async move {
        after(300).await;
        state.show_samples().await;
    });
    view! {
        <DropFrame class="page dataset" on_files=Callback::new(move |files: Vec<File>| state.check(&files))>
            <header class="page-head">
                <h1>"Dataset"</h1>
                <p class="lede">
                    "Drop files of NLGraph, GraphArena, GraphWiz, GraphInstruct or GraCoRe. Every question is parsed, solved and verified here, in a worker of this browser; nothing is sent anywhere. Labels that are wrong are listed with what shows it; logged answers are judged by the benchmark's own script and by our rule."
                </p>
            </header>
            <Notice message=state.session.notice/>
            <label class="drop-zone">
                <b>"Drop files here, or choose them"</b>
                <span>"JSON, JSON lines, CSV or pickles, up to 200 MB each (64 MB, if not NLGraph's)"</span>
                <input
                    type="file"
                    multiple
                    accept=".json,.jsonl,.csv,.pkl,.pickle,.gz,application/json"
                    data-testid="dataset-files"
                    on:change=move |e| state.check(&files::chosen(&e))
                />
            </label>
            <Show when=move || state.progress.get().is_some()>
                <Progress state/>
            </Show>
            <Show when=move || state.are_samples.get()>
                <section class="samples" data-testid="dataset-samples">
                    <h2>"An example: 24 questions of ours"</h2>
                    <p>
                        "They are made from a seed, in the shape of the benchmark's files. For each task and difficulty the table counts the questions, those that could not be parsed, and those where our answer and the reference differ. Your files take their place. The benchmark's own are in the repository of the paper \"Can Language Models Solve Graph Problems in Natural Language?\". "
                        <button class="ghost" data-testid="dataset-answers" on:click=move |_| state.check_answers()>
                            "Load 30 sample answers"
                        </button>
                    </p>
                </section>
            </Show>
            <Show when=move || !state.files.with(Vec::is_empty)>
                <Table state/>
            </Show>
            <Show when=move || state.has_answers()>
                <BothRules state/>
            </Show>
            <Show when=move || state.picked.get().is_some()>
                <Rows
                    state
                    on_open=Callback::new(move |(file, key)| open(shell, state, file, key))
                />
            </Show>
        </DropFrame>
    }
    .into_any()
}

fn open(shell: Shell, state: PageState, file: usize, key: String) {
    spawn_local(async move {
        match state.engine.get_value().ask(OpenQuestion { file, key }).await {
            Ok(Exact(problem)) => shell.open.problem(problem),
            Err(message) => state.session.notice.set(Some(message)),
        }
    });
}

#[component]
fn Progress(state: PageState) -> impl IntoView {
    let now = move || state.progress.get().unwrap_or((0, 0));
    view! {
        <div class="progress" role="status">
            <progress max=move || now().1.max(1).to_string() value=move || now().0.to_string()></progress>
            <span>{move || format!("{} of {}", now().0, now().1)}</span>
            <button class="quiet" on:click=move |_| state.session.stop()>"Stop"</button>
        </div>
    }
}

/// What a benchmark's own script and our rule say of logged answers.
#[component]
fn BothRules(state: PageState) -> impl IntoView {
    let row = |(task, counts): (String, RuleCounts)| {
        let title = TaskId::from_name(&task).map_or(task, |t| t.title().to_owned());
        let numbers = [
            (counts.answers, false),
            (counts.official_right, false),
            (counts.fair_right, false),
            (counts.only_official, true),
            (counts.only_fair, true),
        ];
        let cells = numbers
            .into_iter()
            .map(|(n, is_fault)| view! { <td class="n" class:fault={is_fault && n > 0}>{n}</td> })
            .collect_view();
        view! {
            <tr>
                <th scope="row">{title}</th>
                {cells}
            </tr>
        }
    };
    let causes = move || {
        let of_task = |(task, counts): (String, RuleCounts)| {
            let title = TaskId::from_name(&task).map_or(task, |t| t.title().to_owned());
            counts.causes.into_iter().map(move |(cause, n)| (title.clone(), cause, n))
        };
        let row = |(title, cause, n): (String, String, usize)| {
            view! { <li><b>{title}</b>{format!(": {n} × {cause}")}</li> }
        };
        state.rules().into_iter().flat_map(of_task).map(row).collect_view()
    };
    view! {
        <section class="both-rules" data-testid="both-rules">
            <h2>"Logged answers by both rules"</h2>
            <p class="quiet-text">
                "Each benchmark brings a script that scores its answers. The table counts what it calls right, what we call right, and where they differ, by what the script went by and our verdict."
            </p>
            <div class="scroll">
                <table class="figures">
                    <thead>
                        <tr>
                            <th scope="col">"Task"</th>
                            <th scope="col" class="n">"Answers"</th>
                            <th scope="col" class="n">"Right by the script"</th>
                            <th scope="col" class="n">"Right here"</th>
                            <th scope="col" class="n">"Only by the script"</th>
                            <th scope="col" class="n">"Only here"</th>
                        </tr>
                    </thead>
                    <tbody>{move || state.rules().into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
            <details open>
                <summary>"Why they differ"</summary>
                <ul class="causes">{causes}</ul>
            </details>
        </section>
    }
}

/// Task × difficulty.
#[component]
fn Table(state: PageState) -> impl IntoView {
    let lines = Memo::new(move |_| state.lines());
    let faults = move || {
        state.files.with(|files| {
            files
                .iter()
                .filter_map(|f| f.report.as_ref().err().map(|e| (f.name.clone(), e.clone())))
                .map(|(name, e)| view! { <p class="report no"><b>{name}</b> ": " {e}</p> })
                .collect_view()
        })
    };
    let total = move || {
        let mut sum = LevelReport::default();
        lines.with(|l| l.iter().for_each(|line| sum.absorb(&line.report)));
        sum
    };
    view! {
        {faults}
        <p class="summary" data-testid="dataset-summary">
            {move || {
                state
                    .took
                    .get()
                    .map(|(n, ms, n_threads)| {
                        let on = match n_threads {
                            ..2 => String::new(),
                            n_threads => format!(" on {n_threads} threads"),
                        };
                        let questions = if n == 1 { "question" } else { "questions" };
                        format!("{n} {questions} parsed, solved and verified in {ms:.0} ms{on}.")
                    })
            }}
        </p>
        <div class="scroll">
            <table class="figures" data-testid="dataset-table">
                <thead>
                    <tr>
                        <th scope="col">"Task"</th>
                        <th scope="col">"Difficulty"</th>
                        <th scope="col" class="n">"Questions"</th>
                        <th scope="col" class="n">"Not parsed"</th>
                        <th scope="col" class="n">"Other answer than the reference"</th>
                        <th scope="col" class="n">"Reference rejected"</th>
                        <th scope="col" class="n">"Our answer rejected"</th>
                        <th scope="col" class="n">"Time"</th>
                    </tr>
                </thead>
                <tbody>
                    {move || {
                        lines
                            .get()
                            .into_iter()
                            .map(|line| table_row(state, line))
                            .collect_view()
                    }}
                </tbody>
                <tfoot>
                    <tr>
                        <th scope="row" colspan="2">"All"</th>
                        {move || cells(&total())}
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

fn table_row(state: PageState, line: Line) -> impl IntoView {
    let level = Level { task: line.task.clone(), difficulty: line.difficulty.clone() };
    let mine = level.clone();
    let is_picked = move || state.picked.with(|p| p.as_ref() == Some(&mine));
    view! {
        <tr class:picked=is_picked>
            <th scope="row">
                <button class="link" on:click=move |_| state.picked.set(Some(level.clone()))>
                    {line.title}
                </button>
            </th>
            <td>{line.difficulty.clone()}</td>
            {cells(&line.report)}
        </tr>
    }
}

fn cells(report: &LevelReport) -> impl IntoView + use<> {
    let numbers = [
        (report.questions, false),
        (report.parse_failures, true),
        (report.disagreements, true),
        (report.reference_rejected, true),
        (report.solution_rejected, true),
    ];
    let cells = numbers
        .into_iter()
        .map(|(n, is_fault)| view! { <td class="n" class:fault={is_fault && n > 0}>{n}</td> })
        .collect_view();
    view! {
        {cells}
        <td class="n">{format!("{:.0} ms", report.seconds * 1e3)}</td>
    }
}
