//! The left column: the task with its files, who works on it, and how.

use leptos::prelude::*;

use super::how::How;
use super::state::PageState;
use super::store::StoreForm;
use crate::components::form::{Area, Check, Field, Select, Text};
use crate::components::needs_model::NeedsModel;
use crate::components::run_or_stop::RunOrStop;
use crate::services::files;
use crate::services::python::PythonState;
use crate::state::kgot_form::ENDPOINT;
use crate::state::settings::ModelSettings;

#[component]
pub(super) fn LeftColumn(state: PageState, chooses_model: RwSignal<bool>) -> impl IntoView {
    let title = Signal::derive(move || {
        if state.has_graph() { "Grow a graph and solve" } else { "Solve without a graph" }
            .to_owned()
    });
    view! {
        <h1>"Knowledge Graph of Thoughts"</h1>
        <p class="lede">
            "A task is solved by growing a graph of facts. The model votes: is something missing, or can the graph answer? Tools fetch what is missing, queries write it down, and in the end a query reads the answer."
        </p>
        <TaskForm state/>
        <NeedsModel
            why=Signal::derive(move || {
                let is_own = !state.tasks.with(Vec::is_empty)
                    && state.chosen.with(|chosen| chosen.picked.is_none());
                let plays = state.form.with(|form| state.settings.with(|s| form.is_played(s)));
                (is_own && plays)
                    .then_some("A script plays the model here, and it knows only the built-in tasks. A task of your own needs a model.")
            })
            chooses_model
        />
        <Files state/>
        <RunOrStop
            is_busy=Signal::derive(move || state.session.is_busy())
            title
            on_run=Callback::new(move |()| state.run())
            on_stop=Callback::new(move |()| state.session.stop())
        />
        <Pausing state/>
        <Seats state/>
        <ToolsForm state/>
        <How state/>
        <StartGraph state/>
        <Show when=move || state.has_graph()>
            <StoreForm state/>
        </Show>
    }
}

#[component]
fn TaskForm(state: PageState) -> impl IntoView {
    let tasks = Signal::derive(move || {
        let own = std::iter::once((String::new(), "your own".to_owned()));
        state.tasks.with(|all| {
            let lines = all.iter().enumerate();
            let lines = lines
                .map(|(i, t)| (i.to_string(), format!("{}. {}: {}", i + 1, t.level, t.question)));
            own.chain(lines).collect()
        })
    });
    view! {
        <Select
            label="A task of the set"
            testid="kgot-task"
            options=tasks
            value=Signal::derive(move || {
                state.chosen.with(|c| c.picked.map(|i| i.to_string())).unwrap_or_default()
            })
            on_change=move |at: String| match at.parse() {
                Ok(index) => state.pick_task(index),
                Err(_) => state.begin_own(),
            }
        />
        <Area
            label="What is asked"
            testid="kgot-question"
            rows=4
            maxlength="20000"
            placeholder="How many sheep do the villages on the Elm road have in all?"
            value=Signal::derive(move || state.chosen.with(|c| c.task.question.clone()))
            on_input=move |words| state.type_in(words)
        />
    }
}

/// The files of the task, each with what it says.
#[component]
fn Files(state: PageState) -> impl IntoView {
    let rows = move || {
        state.chosen.with(|chosen| {
            chosen
                .task
                .files
                .iter()
                .map(|file| {
                    let (name, dropped) = (file.name.clone(), file.name.clone());
                    let n = file.n_bytes();
                    let size =
                        if n < 10_000 { format!("{n} bytes") } else { format!("{} KB", n / 1000) };
                    let text: String = match chosen.previews.get(&file.name) {
                        Some(preview) => preview.clone(),
                        None => file.text.chars().take(20_000).collect(),
                    };
                    view! {
                        <li>
                            <details>
                                <summary>
                                    <code>{name}</code>
                                    " "
                                    <small>{size}</small>
                                </summary>
                                <pre tabindex="0">{text}</pre>
                            </details>
                            <button
                                class="quiet"
                                aria-label=format!("Take {} away", file.name)
                                on:click=move |_| state.drop_file(&dropped)
                            >
                                "×"
                            </button>
                        </li>
                    }
                })
                .collect_view()
        })
    };
    let title = move || match state.chosen.with(|c| c.task.files.len()) {
        0 => "No files; add some".to_owned(),
        1 => "1 file".to_owned(),
        n => format!("{n} files"),
    };
    view! {
        <details class="kgot-files">
            <summary data-testid="kgot-files-title">{title}</summary>
            <ul aria-label="Files of the task" data-testid="kgot-files">{rows}</ul>
            <Field label="Add files. They stay here; the model sees only what tools quote">
                <input
                    type="file"
                    multiple
                    data-testid="kgot-add-files"
                    on:change=move |e| state.take_files(files::chosen(&e))
                />
            </Field>
        </details>
    }
}

/// Pause, correct, go on.
#[component]
fn Pausing(state: PageState) -> impl IntoView {
    let asked = RwSignal::new(false);
    Effect::new(move |_| {
        if !state.session.is_busy() || state.is_paused.get() {
            asked.set(false);
        }
    });
    view! {
        <Show when=move || state.session.is_busy() && state.has_graph()>
            <div class="pausing" role="status">
                <Show
                    when=move || state.is_paused.get()
                    fallback=move || {
                        view! {
                            <button
                                class="ghost"
                                data-testid="kgot-pause"
                                disabled=asked
                                on:click=move |_| {
                                    asked.set(true);
                                    state.pause(true);
                                }
                            >
                                {move || {
                                    if asked.get() { "Pausing before the next step…" } else { "Pause" }
                                }}
                            </button>
                        }
                    }
                >
                    <p>
                        "The run has paused. Correct the graph if you like: add a fact under the drawing, or click a node to drop one."
                    </p>
                    <button
                        class="run"
                        data-testid="kgot-continue"
                        on:click=move |_| state.pause(false)
                    >
                        "Continue"
                    </button>
                </Show>
            </div>
        </Show>
    }
}

#[component]
fn Seats(state: PageState) -> impl IntoView {
    let seats = Signal::derive(move || {
        let mut all = vec![
            ("script".to_owned(), "Script (knows the set's answers)".to_owned()),
            ("faulty".to_owned(), "Script that also errs".to_owned()),
        ];
        let endpoint = state.settings.with(|s| s.is_brought().then(|| s.words()));
        all.extend(endpoint.map(|words| (ENDPOINT.to_owned(), words)));
        all
    });
    let seat = move |i: usize, title: &'static str, id: &'static str| {
        let at = Signal::derive(move || state.form.with(|f| f.seats[i].clone()));
        view! {
            <Select
                label=title
                testid=id
                options=seats
                value=at
                on_change=move |name| state.form.update(|f| f.seats[i] = name)
            />
        }
    };
    let has_endpoint = move || {
        state.settings.with(ModelSettings::is_brought)
            && state.form.with(|f| f.seats[1] == ENDPOINT)
    };
    view! {
        <Show when=move || state.has_graph()>
            {seat(0, "Graph executor: votes, queries, answers", "kgot-graph-seat")}
        </Show>
        {seat(1, "Tool executor: calls the tools", "kgot-tools-seat")}
        <Show when=has_endpoint>
            <Text
                label="Another model for the tools, at the same endpoint"
                testid="kgot-tool-model"
                placeholder="the same"
                maxlength="200"
                value=Signal::derive(move || state.form.with(|f| f.tool_model.clone()))
                on_input=move |words| state.form.update(|f| f.tool_model = words)
            />
        </Show>
        <Show when=move || !state.settings.with(ModelSettings::is_brought)>
            <p class="quiet-text">
                "A script is a program that knows the answers. It shows how the method works; it says nothing about how good it is."
            </p>
        </Show>
    }
}

/// What tools may reach beyond the files.
#[component]
fn ToolsForm(state: PageState) -> impl IntoView {
    let form = state.form;
    let told = move || match state.python.get() {
        PythonState::Off => None,
        PythonState::Loading(done, total) => {
            Some(format!("Loading Python: {:.1} of {:.1} MB…", done / 1e6, total / 1e6))
        }
        PythonState::Ready => Some("Python is ready.".to_owned()),
        PythonState::Failed(why) => Some(why),
    };
    let optional = |words: String| Some(words).filter(|w| !w.trim().is_empty());
    view! {
        <details class="how" data-testid="kgot-tools">
            <summary>"What tools may reach"</summary>
            <p class="quiet-text">
                "Tools read the files, calculate, and ask a model. Nothing else, unless you allow it here."
            </p>
            <Check
                label=|| "Wikipedia, which then knows what is looked for"
                testid="kgot-wikipedia"
                checked=Signal::derive(move || form.with(|f| f.web.wikipedia))
                on_change=move |on| form.update(|f| f.web.wikipedia = on)
            />
            <Check
                label=|| "Python with NetworkX, in a sandbox of this page (loads 8 MB)"
                testid="kgot-python"
                checked=Signal::derive(move || form.with(|f| f.has_python))
                on_change=move |on| state.want_python(on)
            />
            <p class="facts" role="status" data-testid="kgot-python-state">{told}</p>
            <Check
                label=|| "The tool executor's model sees: show it images of the task"
                testid="kgot-sees"
                checked=Signal::derive(move || form.with(|f| f.sees))
                on_change=move |on| form.update(|f| f.sees = on)
            />
            <Text
                label="A search server: SearXNG, or an address with {query}"
                testid="kgot-search"
                kind="url"
                placeholder="http://127.0.0.1:8888/search?q={query}"
                maxlength="500"
                value=Signal::derive(move || form.with(|f| f.web.search.clone().unwrap_or_default()))
                on_input=move |words| form.update(|f| f.web.search = optional(words))
            />
            <Text
                label="A reader of web pages: an address with {url}"
                testid="kgot-reader"
                kind="url"
                placeholder="http://127.0.0.1:3000/{url}"
                maxlength="500"
                value=Signal::derive(move || form.with(|f| f.web.reader.clone().unwrap_or_default()))
                on_input=move |words| form.update(|f| f.web.reader = optional(words))
            />
        </details>
    }
}

/// The graph to begin with.
#[component]
fn StartGraph(state: PageState) -> impl IntoView {
    let counts = move || {
        let now = state.growing.with(|g| g.newest());
        (now.nodes.len(), now.edges.len())
    };
    let words = move || {
        let (nodes, edges) = counts();
        format!("Begin with the graph that is shown ({nodes} nodes, {edges} relationships)")
    };
    view! {
        <Show when=move || state.has_graph()>
            <details class="how" data-testid="kgot-start">
                <summary>"The graph to begin with"</summary>
                <Check
                    label=move || words
                    testid="kgot-keeps"
                    checked=Signal::derive(move || state.form.with(|f| f.keeps_graph))
                    on_change=move |on| state.form.update(|f| f.keeps_graph = on)
                />
                <Field label="Open a snapshot (APOC JSON lines, as Neo4j exports)">
                    <input
                        type="file"
                        accept=".json,.jsonl"
                        data-testid="kgot-open-snapshot"
                        on:change=move |e| state.open_snapshot(files::chosen(&e))
                    />
                </Field>
                <div class="actions">
                    <button
                        class="ghost"
                        data-testid="kgot-save-snapshot"
                        disabled=move || counts().0 == 0
                        on:click=move |_| state.save_snapshot()
                    >
                        "Save the graph in view"
                    </button>
                </div>
            </details>
        </Show>
    }
}
