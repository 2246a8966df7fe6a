//! The left state: which problem, in which words, and what to do with it.

use std::sync::Arc;

use graph::NodeName;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::problem::{FunctionView, ListFunctions};
use tasks::TaskId;

use super::run_choices::RunChoices;
use super::state::{PageState, Shown};
use crate::components::demo_note::DemoNote;
use crate::components::form::{Area, Field, Select};
use crate::components::long_text::LongText;
use crate::components::problem_choice::{ProblemChoice, WordsChoice};
use crate::components::ready_graphs::ReadyGraphs;
use crate::components::schema_form::SchemaForm;
use crate::components::verdict::words;
use crate::routes::href;
use crate::services::open_problem::Several;
use crate::services::{engine_client, screen};
use crate::state::form::fields;
use crate::state::stored::RunSummary;

#[component]
pub(super) fn LeftColumn(state: PageState, dialog: NodeRef<Dialog>) -> impl IntoView {
    let task = Memo::new(move |_| {
        state
            .open
            .problem
            .with(|p| p.as_ref().map_or(state.open.setup.with(|d| d.task), |p| p.task))
    });
    let question = Memo::new(move |_| {
        state
            .open
            .problem
            .with(|p| p.as_ref().map_or_else(Arc::default, |p| p.question.as_str().into()))
    });
    let is_own = move || state.open.problem.with(|p| p.as_ref().is_some_and(|p| p.seed.is_none()));
    view! {
            <h1>{move || task.get().title()}</h1>
            <p class="lede">{move || task.get().lede()}</p>
            <Choices state/>
            <GraphOfSeveral state/>
            <Show when=is_own>
                <OwnQuestion state/>
            </Show>
            <div class="heading">
                <h2>"Question"</h2>
                <button
                    class="quiet"
                    data-testid="import"
                    on:click=move |_| {
                        if let Some(dialog) = dialog.get_untracked() {
                            let _ = dialog.show_modal();
                        }
                    }
                >
                    "Use your own graph…"
                </button>
            </div>
            <LongText text=question class="question" testid="question"/>
            <h2>"Answer it"</h2>
            <DemoNote settings=state.open.settings/>
            <div class="actions">
                <RunButton state system="grounded" title="Run with graph tools" class="run"/>
                <RunButton state system="standalone" title="Run without tools" class="ghost"/>
                <RunButton state system="program" title="Run a program" class="ghost"/>
                <button class="ghost" data-testid="solve" on:click=move |_| state.solve()>
                    "Show the right answer"
                </button>
                <button
                    class="ghost"
                    data-testid="be-the-model"
                    disabled=move || !state.open.can_run()
                    on:click=move |_| {
                        state.take_the_seat();
                        screen::show_stage();
                    }
                >
                    "Be the model yourself"
                </button>
            </div>
            <p class="quiet-text">
                "The same as a game, with as few calls as you can: "
                <a href=href("daily", &[]) data-testid="to-daily">"the problem of the day"</a>
            </p>
            <RunChoices state/>
            <ByHand state/>
            <JudgeMine state/>
            <KeptRuns state/>
    }
}

#[component]
fn RunButton(
    state: PageState,
    system: &'static str,
    title: &'static str,
    class: &'static str,
) -> impl IntoView {
    let is_running = move || state.session.is_busy_with(system);
    view! {
        <button
            class=class
            data-testid=system
            disabled=move || !is_running() && !state.open.can_run()
            on:click=move |_| state.run_or_stop(system)
        >
            {move || if is_running() { "Stop" } else { title }}
        </button>
    }
}

/// Chooses a graph of a file that has several.
#[component]
fn GraphOfSeveral(state: PageState) -> impl IntoView {
    let open = state.open;
    let field = move |several: Several| {
        let Several { number, n, .. } = several;
        view! {
            <Field label=format!("Graph in the file, 1 to {n}")>
                <input
                    type="number"
                    min="1"
                    max=n.to_string()
                    data-testid="graph-number"
                    prop:value=number.to_string()
                    on:change=move |event| {
                        if let Ok(number) = event_target_value(&event).parse() {
                            open.open_number(number);
                        }
                    }
                />
            </Field>
        }
    };
    move || open.several.get().map(field)
}

/// Task, difficulty, seed, and how the question is put.
#[component]
fn Choices(state: PageState) -> impl IntoView {
    let setup = state.open.setup;
    let on_change = Callback::new(move |to| state.open.change(to));
    view! {
        <ProblemChoice setup on_change settings=state.open.settings chooses_model=state.chooses_model/>
        <ReadyGraphs testid="ready" on_pick=Callback::new(move |id| state.open_ready(id))/>
        <details class="how">
            <summary>"Wording and prompt"</summary>
            <WordsChoice setup on_change/>
        </details>
    }
}

/// The most nodes that are listed to choose one of.
const MOST_LISTED: usize = 500;

/// What is asked about a graph of one's own, or about one that was edited.
#[component]
fn OwnQuestion(state: PageState) -> impl IntoView {
    let set = move |query: tasks::Query| {
        let mut changed = None;
        state.open.problem.update(|p| {
            if let Some(p) = p {
                p.task = query.task();
                p.query = query;
                changed = Some(p.clone());
            }
        });
        state.stories.set(Default::default());
        state.shown.set(Shown::Problem);
        if let Some(problem) = changed {
            state.open.reword(problem);
        }
    };
    // What can be asked of this graph; what is asked stands among it.
    let possible = Memo::new(move |_| {
        state.open.problem.with(|p| {
            let Some(p) = p else { return Vec::new() };
            let mut list = TaskId::suited(&p.graph);
            if !list.iter().any(|q| q.task() == p.task) {
                list.push(p.query.clone());
            }
            list
        })
    });
    let chosen = move || {
        let task = state.open.problem.with(|p| p.as_ref().map(|p| p.task))?;
        possible.with(|l| l.iter().position(|q| q.task() == task))
    };
    let questions = Signal::derive(move || {
        let titles = possible.get().into_iter().map(|q| q.task().title().to_owned());
        titles.enumerate().map(|(i, title)| (i.to_string(), title)).collect()
    });
    view! {
        <Select
            label="Ask about this graph"
            testid="ask"
            options=questions
            value=Signal::derive(move || chosen().map(|i| i.to_string()).unwrap_or_default())
            on_change=move |at: String| {
                let query = at.parse().ok().and_then(|i: usize| possible.get_untracked().into_iter().nth(i));
                if let Some(query) = query {
                    set(query);
                }
            }
        />
        {move || {
            let query = state.open.problem.with(|p| p.as_ref().map(|p| p.query.clone()))?;
            let (from, to) = query.ends().map(|(a, b)| (a.clone(), b.clone()))?;
            let has_two = !query.has_one_end();
            let (q1, q2) = (query.clone(), query);
            let (keep_from, keep_to) = (from.clone(), to.clone());
            let second = has_two.then(|| {
                let pick = Callback::new(move |name| set(q2.with_ends(keep_from.clone(), name)));
                view! { <Field label="To">{node_choice(state, to.clone(), pick)}</Field> }
            });
            let pick = Callback::new(move |name| set(q1.with_ends(name, keep_to.clone())));
            Some(
                view! {
                    <div class="row">
                        <Field label="From">{node_choice(state, from.clone(), pick)}</Field>
                        {second}
                    </div>
                },
            )
        }}
    }
}

/// The control in which a node is chosen. A list of a hundred thousand names is no choice: there a
/// name is typed.
fn node_choice(state: PageState, chosen: NodeName, pick: Callback<NodeName>) -> AnyView {
    let problem = state.open.problem;
    let names = problem.with(|p| {
        p.as_ref().map(|p| p.graph.names().cloned().collect::<Vec<_>>()).unwrap_or_default()
    });
    if names.len() <= MOST_LISTED {
        let options = names
            .into_iter()
            .map(|n| view! { <option selected=n == chosen>{n.to_string()}</option> })
            .collect_view();
        return view! {
            <select on:change=move |e| pick.run(NodeName::from(event_target_value(&e)))>
                {options}
            </select>
        }
        .into_any();
    }
    let typed = move |e| {
        let name = NodeName::from(event_target_value(&e).trim());
        let is_there =
            problem.with_untracked(|p| p.as_ref().is_some_and(|p| p.graph.has_node(&name)));
        if is_there {
            state.open.notice.set(None);
            pick.run(name);
        } else {
            let words = format!("The graph has no node {:?}.", name.to_string());
            state.open.notice.set(Some(words));
        }
    };
    view! { <input type="text" value=chosen.to_string() on:change=typed/> }.into_any()
}

/// A function called by hand on the graph that is shown.
#[component]
fn ByHand(state: PageState) -> impl IntoView {
    let list = RwSignal::new(Vec::<FunctionView>::new());
    let chosen = RwSignal::new(String::new());
    let load = move || {
        if !list.with_untracked(Vec::is_empty) {
            return;
        }
        spawn_local(async move {
            match engine_client::interactive().ask(ListFunctions {}).await {
                Ok(functions) => {
                    chosen.set("find_shortest_path".into());
                    list.set(functions);
                }
                Err(message) => state.open.notice.set(Some(message)),
            }
        });
    };
    let names = Signal::derive(move || {
        list.with(|l| l.iter().map(|f| (f.name.clone(), f.name.clone())).collect())
    });
    view! {
        <details class="by-hand" on:toggle=move |_| load()>
            <summary data-testid="by-hand">"Call a function by hand"</summary>
            <Select
                label="Function"
                testid="function"
                options=names
                value=chosen
                on_change=move |name| chosen.set(name)
            />
            {move || {
                let name = chosen.get();
                let function = list.with(|l| l.iter().find(|f| f.name == name).cloned())?;
                let form = fields(&function.parameters, &function.example_arguments);
                Some(
                    view! {
                        <p class="quiet-text">{function.description.clone()}</p>
                        <SchemaForm
                            fields=form
                            button="Call it"
                            on_submit=Callback::new(move |arguments| {
                                state.call(name.clone(), arguments);
                            })
                        />
                    },
                )
            }}
        </details>
    }
}

/// An answer of one's own, judged like a model's.
#[component]
fn JudgeMine(state: PageState) -> impl IntoView {
    let text = RwSignal::new(String::new());
    view! {
        <details class="judge">
            <summary data-testid="judge-open">"Check your own answer"</summary>
            <Area
                label="In any words"
                testid="judge-text"
                rows=4
                value=text
                on_input=move |words| text.set(words)
            />
            <button
                class="ghost"
                data-testid="judge"
                on:click=move |_| state.judge(text.get_untracked())
            >
                "Judge it"
            </button>
        </details>
    }
}

/// Runs that are kept in this browser.
#[component]
fn KeptRuns(state: PageState) -> impl IntoView {
    let list = Memo::new(move |_| {
        let mut list = state.kept.list.get();
        list.retain(RunSummary::is_on_problem);
        list
    });
    view! {
        <details class="kept">
            <summary data-testid="kept">
                {move || {
                    match list.with(Vec::len) {
                        0 => "No runs kept yet".to_owned(),
                        1 => "1 run kept in this browser".to_owned(),
                        n => format!("{n} runs kept in this browser"),
                    }
                }}
            </summary>
            <ol class="runs">
                <For each=move || list.get() key=|r| r.id.to_bits() let:run>
                    <li>
                        <button class="open" on:click=move |_| state.reopen(run.id)>
                            <b>{run.problem.clone()}</b>
                            <span>
                                {run.verdict.map_or("", |verdict| words(verdict).0)} " · "
                                {systems::nlgraph::find(&run.system).map_or("", |s| s.title)} " · "
                                {run.model.clone()}
                            </span>
                        </button>
                        <button
                            class="quiet"
                            aria-label=format!("Delete the run on {}", run.problem)
                            on:click=move |_| state.kept.delete(run.id)
                        >
                            "Delete"
                        </button>
                    </li>
                </For>
            </ol>
        </details>
    }
}
