//! The left room: which problem, in which words, and what to do with it.

use std::sync::Arc;

use engine::message::FunctionView;
use engine::{Output, Request};
use graph::NodeName;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tasks::{Difficulty, Group, TaskId};

use super::room::{Room, Shown};
use super::run_choices::RunChoices;
use crate::components::long_text::LongText;
use crate::components::schema_form::SchemaForm;
use crate::components::verdict::words;
use crate::services::{engine_client, screen};
use crate::state::form::fields;
use crate::state::how::{STYLES, WORDINGS};

/// The panel.
#[component]
pub(super) fn ProblemPanel(room: Room, dialog: NodeRef<Dialog>) -> impl IntoView {
    let task = Memo::new(move |_| {
        room.problem.with(|p| p.as_ref().map_or(room.draft.with(|d| d.task), |p| p.task))
    });
    let question = Memo::new(move |_| {
        room.problem.with(|p| p.as_ref().map_or_else(Arc::default, |p| p.question.as_str().into()))
    });
    let is_own = move || room.problem.with(|p| p.as_ref().is_some_and(|p| p.seed.is_none()));
    view! {
        <section class="left" aria-label="Problem">
            <h1>{move || task.get().title()}</h1>
            <p class="lede">{move || task.get().lede()}</p>
            <Choices room/>
            <Show when=is_own>
                <OwnQuestion room/>
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
                    "Paste or open…"
                </button>
            </div>
            <LongText text=question class="question" testid="question"/>
            <h2>"Answer it"</h2>
            <div class="actions">
                <RunButton room system="grounded" title="Run with graph tools" class="run"/>
                <RunButton room system="standalone" title="Run without tools" class="ghost"/>
                <button class="ghost" data-testid="solve" on:click=move |_| room.solve()>
                    "Solve it exactly"
                </button>
                <button
                    class="ghost"
                    data-testid="be-the-model"
                    disabled=move || room.problem.with(Option::is_none)
                    on:click=move |_| {
                        room.take_the_seat();
                        screen::show_stage();
                    }
                >
                    "Be the model yourself"
                </button>
            </div>
            <RunChoices room/>
            <ByHand room/>
            <JudgeMine room/>
            <KeptRuns room/>
        </section>
    }
}

#[component]
fn RunButton(
    room: Room,
    system: &'static str,
    title: &'static str,
    class: &'static str,
) -> impl IntoView {
    let is_running = move || room.running.with(|r| r.as_deref() == Some(system));
    view! {
        <button
            class=class
            data-testid=system
            disabled=move || room.problem.with(Option::is_none)
            on:click=move |_| {
                if is_running() {
                    room.stop();
                } else {
                    room.run(system);
                    screen::show_stage();
                }
            }
        >
            {move || if is_running() { "Stop" } else { title }}
        </button>
    }
}

/// Task, difficulty, seed, and how the question is put.
#[component]
fn Choices(room: Room) -> impl IntoView {
    let draft = room.draft;
    let change = move |update: &dyn Fn(&mut super::room::Draft)| {
        draft.update(|d| {
            update(d);
            if !d.task.difficulties().contains(&d.difficulty) {
                d.difficulty = Difficulty::Easy;
            }
        });
        room.generate();
    };
    let reworded = move || {
        if let Some(problem) = room.problem.get_untracked() {
            room.reword(problem);
        }
    };
    view! {
        <label class="field">
            <span>"Task"</span>
            <select
                data-testid="task"
                on:change=move |e| {
                    if let Some(task) = TaskId::from_name(&event_target_value(&e)) {
                        change(&|d| d.task = task);
                    }
                }
            >
                {Group::ALL
                    .into_iter()
                    .map(|group| {
                        let options = group
                            .tasks()
                            .map(|t| {
                                view! {
                                    <option
                                        value=t.as_str()
                                        selected=move || draft.with(|d| d.task == t)
                                    >
                                        {t.title()}
                                    </option>
                                }
                            })
                            .collect_view();
                        view! { <optgroup label=group.title()>{options}</optgroup> }
                    })
                    .collect_view()}
            </select>
        </label>
        <div class="row">
            <label class="field">
                <span>"Difficulty"</span>
                <select
                    data-testid="difficulty"
                    on:change=move |e| {
                        if let Some(level) = Difficulty::from_name(&event_target_value(&e)) {
                            change(&|d| d.difficulty = level);
                        }
                    }
                >
                    {move || {
                        let now = draft.get();
                        now.task
                            .difficulties()
                            .iter()
                            .map(|level| {
                                let level = *level;
                                view! {
                                    <option value=level.as_str() selected=now.difficulty == level>
                                        {capital(level.as_str())}
                                    </option>
                                }
                            })
                            .collect_view()
                    }}
                </select>
            </label>
            <label class="field">
                <span>"Seed"</span>
                <span class="seed">
                    <input
                        type="number"
                        min="0"
                        step="1"
                        data-testid="seed"
                        prop:value=move || draft.with(|d| d.seed.to_string())
                        on:change=move |e| {
                            if let Ok(seed) = event_target_value(&e).parse() {
                                change(&|d| d.seed = seed);
                            }
                        }
                    />
                    <button
                        class="quiet"
                        title="The next problem"
                        aria-label="The next problem"
                        on:click=move |_| change(&|d| d.seed = d.seed.wrapping_add(1))
                    >
                        "Next"
                    </button>
                </span>
            </label>
        </div>
        <details class="how">
            <summary>"How it is put"</summary>
            <label class="field">
                <span>"Wording"</span>
                <select on:change=move |e| {
                    if let Some((w, _)) = WORDINGS.get(index_of(&e)) {
                        draft.update(|d| d.wording = *w);
                        reworded();
                    }
                }>
                    {WORDINGS
                        .iter()
                        .enumerate()
                        .map(|(i, (w, title))| {
                            let w = *w;
                            view! {
                                <option value=i.to_string() selected=move || draft.with(|d| d.wording == w)>
                                    {*title}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
            </label>
            <label class="field">
                <span>"Prompting style"</span>
                <select on:change=move |e| {
                    if let Some((s, _)) = STYLES.get(index_of(&e)) {
                        draft.update(|d| d.style = *s);
                        reworded();
                    }
                }>
                    {STYLES
                        .iter()
                        .enumerate()
                        .map(|(i, (s, title))| {
                            let s = *s;
                            view! {
                                <option value=i.to_string() selected=move || draft.with(|d| d.style == s)>
                                    {*title}
                                </option>
                            }
                        })
                        .collect_view()}
                </select>
            </label>
        </details>
    }
}

fn index_of(event: &leptos::ev::Event) -> usize {
    event_target_value(event).parse().unwrap_or(usize::MAX)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The most nodes that are listed to choose one of.
const MOST_LISTED: usize = 500;

/// What is asked about a graph of one's own, or about one that was edited.
#[component]
fn OwnQuestion(room: Room) -> impl IntoView {
    let set = move |query: tasks::Query| {
        let mut changed = None;
        room.problem.update(|p| {
            if let Some(p) = p {
                p.task = query.task();
                p.query = query;
                changed = Some(p.clone());
            }
        });
        room.stories.set(Default::default());
        room.shown.set(Shown::Problem);
        if let Some(problem) = changed {
            room.reword(problem);
        }
    };
    let names = move || {
        room.problem.with(|p| {
            p.as_ref().map(|p| p.graph.names().cloned().collect::<Vec<_>>()).unwrap_or_default()
        })
    };
    // A list of a hundred thousand names is no choice: there a name is typed.
    let node = move |chosen: NodeName, pick: Callback<NodeName>| {
        let names = names();
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
            let is_there = room
                .problem
                .with_untracked(|p| p.as_ref().is_some_and(|p| p.graph.has_node(&name)));
            if is_there {
                room.notice.set(None);
                pick.run(name);
            } else {
                room.notice.set(Some(format!("The graph has no node {:?}.", name.to_string())));
            }
        };
        view! { <input type="text" value=chosen.to_string() on:change=typed/> }.into_any()
    };
    view! {
        <label class="field">
            <span>"Ask about this graph"</span>
            <select
                data-testid="ask"
                on:change=move |e| {
                    let list = room
                        .problem
                        .with_untracked(|p| p.as_ref().map(|p| TaskId::suited(&p.graph)));
                    if let Some(q) = list.and_then(|l| l.into_iter().nth(index_of(&e))) {
                        set(q);
                    }
                }
            >
                {move || {
                    room.problem
                        .with(|p| {
                            p.as_ref()
                                .map(|p| {
                                    let mut list = TaskId::suited(&p.graph);
                                    if !list.iter().any(|q| q.task() == p.task) {
                                        list.push(p.query.clone());
                                    }
                                    list.iter()
                                        .enumerate()
                                        .map(|(i, q)| {
                                            let task = q.task();
                                            view! {
                                                <option value=i.to_string() selected=task == p.task>
                                                    {task.title()}
                                                </option>
                                            }
                                        })
                                        .collect_view()
                                })
                        })
                }}
            </select>
        </label>
        {move || {
            let query = room.problem.with(|p| p.as_ref().map(|p| p.query.clone()))?;
            let (from, to) = query.ends().map(|(a, b)| (a.clone(), b.clone()))?;
            let (q1, q2) = (query.clone(), query);
            let (keep_from, keep_to) = (from.clone(), to.clone());
            Some(
                view! {
                    <div class="row">
                        <label class="field">
                            <span>"From"</span>
                            {node(
                                from.clone(),
                                Callback::new(move |name| {
                                    set(q1.with_ends(name, keep_to.clone()));
                                }),
                            )}
                        </label>
                        <label class="field">
                            <span>"To"</span>
                            {node(
                                to.clone(),
                                Callback::new(move |name| {
                                    set(q2.with_ends(keep_from.clone(), name));
                                }),
                            )}
                        </label>
                    </div>
                },
            )
        }}
    }
}

/// A function called by hand on the graph that is shown.
#[component]
fn ByHand(room: Room) -> impl IntoView {
    let list = RwSignal::new(Vec::<FunctionView>::new());
    let chosen = RwSignal::new(String::new());
    let load = move || {
        if !list.with_untracked(Vec::is_empty) {
            return;
        }
        spawn_local(async move {
            match engine_client::interactive().ask(Request::Catalog).await {
                Ok(Output::Catalog { functions }) => {
                    chosen.set("find_shortest_path".into());
                    list.set(functions);
                }
                Ok(_) => {}
                Err(message) => room.notice.set(Some(message)),
            }
        });
    };
    view! {
        <details class="by-hand" on:toggle=move |_| load()>
            <summary data-testid="by-hand">"Call a function by hand"</summary>
            <label class="field">
                <span>"Function"</span>
                <select
                    data-testid="function"
                    on:change=move |e| chosen.set(event_target_value(&e))
                >
                    {move || {
                        list.with(|l| {
                            l.iter()
                                .map(|f| {
                                    view! {
                                        <option
                                            value=f.name.clone()
                                            selected=chosen.with(|c| *c == f.name)
                                        >
                                            {f.name.clone()}
                                        </option>
                                    }
                                })
                                .collect_view()
                        })
                    }}
                </select>
            </label>
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
                                room.call(name.clone(), arguments);
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
fn JudgeMine(room: Room) -> impl IntoView {
    let text = RwSignal::new(String::new());
    view! {
        <details class="judge">
            <summary data-testid="judge-open">"Judge an answer of your own"</summary>
            <label class="field">
                <span>"In any words"</span>
                <textarea
                    rows="4"
                    data-testid="judge-text"
                    prop:value=move || text.get()
                    on:input=move |e| text.set(event_target_value(&e))
                ></textarea>
            </label>
            <button
                class="ghost"
                data-testid="judge"
                on:click=move |_| room.judge(text.get_untracked())
            >
                "Judge it"
            </button>
        </details>
    }
}

/// Runs that are kept in this browser.
#[component]
fn KeptRuns(room: Room) -> impl IntoView {
    view! {
        <details class="kept">
            <summary data-testid="kept">
                {move || {
                    match room.kept.with(Vec::len) {
                        0 => "No runs kept yet".to_owned(),
                        1 => "1 run kept in this browser".to_owned(),
                        n => format!("{n} runs kept in this browser"),
                    }
                }}
            </summary>
            <ol class="runs">
                <For each=move || room.kept.get() key=|r| r.id.to_bits() let:run>
                    <li>
                        <button class="open" on:click=move |_| room.reopen(run.id)>
                            <b>{run.problem.clone()}</b>
                            <span>
                                {words(run.verdict).0} " · "
                                {systems::find(&run.system).map_or("", |s| s.title)} " · "
                                {run.model.clone()}
                            </span>
                        </button>
                        <button
                            class="quiet"
                            aria-label=format!("Delete the run on {}", run.problem)
                            on:click=move |_| room.delete(run.id)
                        >
                            "Delete"
                        </button>
                    </li>
                </For>
            </ol>
        </details>
    }
}
