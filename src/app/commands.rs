//! What the palette offers: every page, lesson, task and function, the runs and benchmarks that are
//! kept, and a few things to do.

use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::ListFunctions;
use tasks::TaskId;

use crate::components::palette::{Command, Goal, Palette};
use crate::pages::PAGES;
use crate::routes;
use crate::services::{benches, engine_client, open, screen};
use crate::shell::Shell;
use crate::state::bench::{BenchName, name};
use crate::state::lesson::NAMES;
use crate::state::numbers::plural;

/// Kept runs that are offered: the newest.
const MOST_RUNS: usize = 50;

const MODEL: &str = "model";
const FULL: &str = "full";
const PRINT: &str = "print";

/// The palette; the functions are asked for when it first opens.
#[component]
pub(super) fn Commands(shell: Shell) -> impl IntoView {
    let functions = RwSignal::new(Vec::<String>::new());
    let benchmarks = RwSignal::new(Vec::<BenchName>::new());
    let leads = |title: String, kind: &'static str, href: String| Command {
        title,
        kind,
        goal: Goal::Address(href),
    };
    let commands = Signal::derive(move || {
        let pages =
            PAGES.iter().map(|p| leads(p.title.to_owned(), "page", routes::href(p.path, &[])));
        let lessons = NAMES.iter().map(|name| {
            let href = routes::href("lessons", &[("l", name)]);
            leads(name.replace('-', " "), "lesson", href)
        });
        let acts = [("Choose the model", MODEL), ("Full screen", FULL), ("Print this page", PRINT)]
            .map(|(title, act)| Command { title: title.into(), kind: "do", goal: Goal::Act(act) });
        let tasks = TaskId::ALL
            .into_iter()
            .map(|t| leads(t.title().to_owned(), "task", open::task_href(t)));
        let runs: Vec<Command> = shell.kept_runs.list.with(|list| {
            let shown = list.iter().take(MOST_RUNS);
            let run = |run: &crate::state::stored::RunSummary| {
                let id = format!("{:.0}", run.id);
                let href = routes::href(open::TRACE, &[("run", &id)]);
                leads(format!("{} · {}", run.problem, run.model), "kept run", href)
            };
            shown.map(run).collect()
        });
        let benchmarks: Vec<Command> = benchmarks.with(|list| {
            let named = |meta: &BenchName| {
                let id = format!("{:.0}", meta.id);
                let title = format!("{} · {}", name(&meta.title), plural(meta.n_runs, "run"));
                leads(title, "benchmark", routes::href("bench", &[("b", &id)]))
            };
            list.iter().take(MOST_RUNS).map(named).collect()
        });
        let functions = functions.get().into_iter().map(|f| {
            let href = open::function_href(&f);
            leads(f, "function", href)
        });
        let all = pages
            .chain(acts)
            .chain(lessons)
            .chain(tasks)
            .chain(functions)
            .chain(benchmarks)
            .chain(runs);
        all.collect::<Vec<Command>>()
    });
    let on_open = Callback::new(move |()| {
        spawn_local(async move {
            // Those whose list cannot be read are not offered; the Bench page says why.
            benchmarks.set(benches::names().await.unwrap_or_default());
        });
        if functions.with_untracked(|f| !f.is_empty()) {
            return;
        }
        spawn_local(async move {
            if let Ok(list) = engine_client::interactive().ask(ListFunctions {}).await {
                functions.set(list.into_iter().map(|f| f.name).collect());
            }
        });
    });
    let on_go = Callback::new(move |goal: Goal| match goal {
        Goal::Address(href) => routes::go(&href),
        Goal::Act(MODEL) => shell.chooses_model.set(true),
        Goal::Act(FULL) => screen::toggle_full(),
        Goal::Act(_) => drop(window().print()),
    });
    view! { <Palette commands on_open on_go/> }
}
