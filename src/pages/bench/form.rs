//! What a benchmark is to do.

use engine::message::ModelChoice;
use eval::prices::dollars;
use leptos::prelude::*;
use systems::SYSTEMS;
use systems::grounded::scripted::Script;
use tasks::{Difficulty, TaskId};

use super::state::PageState;
use super::take_files;
use crate::services::{files, keys};
use crate::state::how::{STYLES, WORDINGS};
use crate::state::settings::ModelSettings;

/// Puts a thing into a list, or takes it out.
fn toggle<T: PartialEq>(list: &mut Vec<T>, thing: T, is_in: bool) {
    list.retain(|t| *t != thing);
    if is_in {
        list.push(thing);
    }
}

fn model_name(choice: &ModelChoice) -> String {
    match choice {
        ModelChoice::Script { name } => {
            Script::by_name(name).map_or_else(|| name.clone(), |s| llm::Model::label(&s))
        }
        ModelChoice::Endpoint { endpoint, model } => format!("{model} at {}", endpoint.host()),
        ModelChoice::Person => "a person".into(),
    }
}

/// The form, and the button that starts it. It folds once there are runs.
#[component]
pub(super) fn Form(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    let has_runs =
        Memo::new(move |_| state.open.with(|o| o.as_ref().is_some_and(|m| m.n_runs > 0)));
    // A benchmark that was read from a file has runs and no models of its own.
    let locked = Signal::derive(move || state.is_running.get());
    view! {
        <details class="bench-form" open=move || !has_runs.get()>
            <summary>"What is run"</summary>
            <fieldset disabled=move || locked.get()>
                <label class="field">
                    <span>"Name"</span>
                    <input
                        data-testid="bench-title"
                        maxlength="120"
                        placeholder="A benchmark"
                        prop:value=move || state.title.get()
                        on:input=move |e| state.title.set(event_target_value(&e))
                    />
                </label>
                <div class="bench-cols">
                    <Models state settings/>
                    <Problems state has_runs/>
                    <How state/>
                </div>
            </fieldset>
        </details>
        <Start state/>
    }
}

#[component]
fn Models(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    let systems = SYSTEMS
        .iter()
        .map(|system| {
            let id = system.id;
            let is_in = move || state.spec.with(|s| s.systems.iter().any(|t| t == id));
            view! {
                <label class="tick">
                    <input
                        type="checkbox"
                        data-testid=format!("system-{id}")
                        prop:checked=is_in
                        on:change=move |e| {
                            let is_in = event_target_checked(&e);
                            state.spec.update(|s| {
                                toggle(&mut s.systems, id.to_owned(), is_in);
                                // In the order of the list, whatever was ticked first.
                                s.systems.sort_by_key(|t| SYSTEMS.iter().position(|x| x.id == *t));
                            });
                        }
                    />
                    <span>{system.title}</span>
                </label>
            }
        })
        .collect_view();
    let models = move || {
        state
            .spec
            .with(|s| s.models.clone())
            .into_iter()
            .map(|choice| {
                let name = model_name(&choice);
                let label = format!("Take out {name}");
                let needs_key = matches!(&choice, ModelChoice::Endpoint { endpoint, .. }
                    if !keys::has(&endpoint.base_url) && endpoint.base_url.starts_with("https"));
                view! {
                    <li>
                        <span>{name}</span>
                        {needs_key.then(|| view! { <small class="warn">"no key in this tab"</small> })}
                        <button
                            class="quiet"
                            aria-label=label
                            on:click=move |_| state.spec.update(|s| s.models.retain(|m| *m != choice))
                        >
                            "✕"
                        </button>
                    </li>
                }
            })
            .collect_view()
    };
    let add = move |choice: ModelChoice| {
        state.spec.update(|s| {
            if !s.models.contains(&choice) {
                s.models.push(choice);
            }
        });
    };
    view! {
        <div>
            <h3>"Systems"</h3>
            {systems}
            <h3>"Models"</h3>
            <ul class="bench-models">{models}</ul>
            <label class="field">
                <span>"Add a script"</span>
                <select
                    data-testid="bench-script"
                    on:change=move |e| {
                        let name = event_target_value(&e);
                        if !name.is_empty() {
                            add(ModelChoice::Script { name });
                        }
                    }
                >
                    <option value="">"Choose…"</option>
                    {Script::names()
                        .into_iter()
                        .map(|(name, label)| view! { <option value=name>{label}</option> })
                        .collect_view()}
                </select>
            </label>
            <button
                class="ghost"
                data-testid="bench-endpoint"
                disabled=move || !settings.with(|s| s.use_endpoint)
                on:click=move |_| add(settings.with_untracked(ModelSettings::choice))
            >
                {move || {
                    settings
                        .with(|s| {
                            if s.use_endpoint {
                                format!("Add {}", model_name(&s.choice()))
                            } else {
                                "Add the endpoint in use (none yet)".to_owned()
                            }
                        })
                }}
            </button>
            <p class="quiet-text">
                "Set an endpoint with the model button above, add it here, then set another: several may be in one benchmark."
            </p>
        </div>
    }
}

#[component]
fn Problems(state: PageState, has_runs: Memo<bool>) -> impl IntoView {
    let tasks = TaskId::ALL
        .into_iter()
        .map(|task| {
            view! {
                <label class="tick">
                    <input
                        type="checkbox"
                        prop:checked=move || state.spec.with(|s| s.tasks.contains(&task))
                        on:change=move |e| {
                            let is_in = event_target_checked(&e);
                            state.spec.update(|s| {
                                toggle(&mut s.tasks, task, is_in);
                                s.tasks.sort();
                            });
                        }
                    />
                    <span>{task.title()}</span>
                </label>
            }
        })
        .collect_view();
    let levels = Difficulty::ALL
        .into_iter()
        .map(|level| {
            view! {
                <label class="tick">
                    <input
                        type="checkbox"
                        prop:checked=move || state.spec.with(|s| s.levels.contains(&level))
                        on:change=move |e| {
                            let is_in = event_target_checked(&e);
                            state.spec.update(|s| {
                                toggle(&mut s.levels, level, is_in);
                                s.levels.sort();
                            });
                        }
                    />
                    <span>{level.as_str()}</span>
                </label>
            }
        })
        .collect_view();
    let from_files = move || state.spec.with(|s| !s.files.is_empty());
    view! {
        <div>
            <h3>"Problems"</h3>
            <Show when=move || has_runs.get()>
                <p class="quiet-text">"Those of this benchmark stay: its runs are about them."</p>
            </Show>
            <fieldset disabled=move || has_runs.get() || from_files()>
                <div class="bench-ticks">{tasks}</div>
                <div class="bench-ticks">{levels}</div>
                <div class="bench-numbers">
                    <Number state label="Of each task and level" id="bench-n" get=|s| s.n as f64 set=|s, v| s.n = v as usize min=1.0/>
                    <Number state label="First seed" id="bench-seed" get=|s| s.seed as f64 set=|s, v| s.seed = v as u64 min=0.0/>
                </div>
            </fieldset>
            <label class="file-button">
                "Or take files of problems…"
                <input
                    type="file"
                    multiple
                    accept=".json,.jsonl"
                    data-testid="bench-problems"
                    prop:disabled=move || has_runs.get()
                    on:change=move |e| take_files(state, files::chosen(&e))
                />
            </label>
            {move || {
                state
                    .spec
                    .with(|s| {
                        s.files
                            .iter()
                            .map(|(name, text)| {
                                view! {
                                    <p class="quiet-text">
                                        {format!("{name}, {:.1} KB", text.len() as f64 / 1e3)}
                                    </p>
                                }
                            })
                            .collect_view()
                    })
            }}
        </div>
    }
}

type Spec = engine::message::BenchSpec;

/// A number of the form; empty where it may be absent.
#[component]
fn Number(
    state: PageState,
    label: &'static str,
    id: &'static str,
    get: fn(&Spec) -> f64,
    set: fn(&mut Spec, f64),
    min: f64,
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                type="number"
                min=min.to_string()
                data-testid=id
                prop:value=move || state.spec.with(|s| get(s).to_string())
                on:change=move |e| {
                    let typed = event_target_value(&e).parse::<f64>();
                    if let Some(value) = typed.ok().filter(|v| v.is_finite() && *v >= min) {
                        state.spec.update(|s| set(s, value));
                    }
                }
            />
        </label>
    }
}

/// The same where nothing may be told.
#[component]
fn Maybe(
    state: PageState,
    label: &'static str,
    id: &'static str,
    placeholder: &'static str,
    get: fn(&Spec) -> Option<f64>,
    set: fn(&mut Spec, Option<f64>),
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                type="number"
                min="0"
                step="any"
                placeholder=placeholder
                data-testid=id
                prop:value=move || state.spec.with(|s| get(s).map_or_else(String::new, |v| v.to_string()))
                on:change=move |e| {
                    let typed = event_target_value(&e).parse::<f64>();
                    let value = typed.ok().filter(|v| v.is_finite() && *v >= 0.0);
                    state.spec.update(|s| set(s, value));
                }
            />
        </label>
    }
}

/// One of a list of things that have names.
#[component]
fn Choice<T: Copy + PartialEq + Send + Sync + 'static>(
    state: PageState,
    label: &'static str,
    list: &'static [(T, &'static str)],
    get: fn(&Spec) -> T,
    set: fn(&mut Spec, T),
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <select on:change=move |e| {
                let place = event_target_value(&e).parse::<usize>().unwrap_or(0);
                if let Some((thing, _)) = list.get(place) {
                    state.spec.update(|s| set(s, *thing));
                }
            }>
                {list
                    .iter()
                    .enumerate()
                    .map(|(i, (thing, words))| {
                        view! {
                            <option
                                value=i.to_string()
                                selected=move || state.spec.with(|s| get(s) == *thing)
                            >
                                {*words}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </label>
    }
}

#[component]
fn How(state: PageState) -> impl IntoView {
    view! {
        <div>
            <h3>"How"</h3>
            <Choice state label="Words" list=&WORDINGS get=|s| s.wording set=|s, v| s.wording = v/>
            <Choice state label="Prompt" list=&STYLES get=|s| s.style set=|s, v| s.style = v/>
            <div class="bench-numbers">
                <Number state label="Samples of each problem" id="bench-samples" get=|s| f64::from(s.n_samples) set=|s, v| s.n_samples = v as u32 min=1.0/>
                <Number state label="Runs at once" id="bench-concurrency" get=|s| s.concurrency as f64 set=|s, v| s.concurrency = (v as usize).min(64) min=1.0/>
                <Maybe state label="Temperature" id="bench-temperature" placeholder="not set" get=|s| s.temperature set=|s, v| s.temperature = v/>
                <Maybe state label="Tools sent" id="bench-tools" placeholder="all" get=|s| s.n_tools.map(|n| n as f64) set=|s, v| s.n_tools = v.map(|v| v as usize)/>
                <Maybe state label="Stop at tokens" id="bench-max-tokens" placeholder="no limit" get=|s| s.budget.max_tokens.map(|n| n as f64) set=|s, v| s.budget.max_tokens = v.map(|v| v as u64)/>
                <Maybe state label="Stop at dollars" id="bench-max-dollars" placeholder="no limit" get=|s| s.budget.max_dollars set=|s, v| s.budget.max_dollars = v/>
            </div>
            <label class="tick">
                <input
                    type="checkbox"
                    prop:checked=move || state.spec.with(|s| s.attach)
                    on:change=move |e| state.spec.update(|s| s.attach = event_target_checked(&e))
                />
                <span>"Hand the graph over beside the question"</span>
            </label>
        </div>
    }
}

/// What it would take, and the start.
#[component]
fn Start(state: PageState) -> impl IntoView {
    let has_runs = move || state.open.with(|o| o.as_ref().is_some_and(|m| m.n_runs > 0));
    view! {
        <Show when=move || !state.is_running.get()>
            <div class="bench-act">
                <button class="run" data-testid="bench-start" on:click=move |_| state.start()>
                    {move || if has_runs() { "Go on" } else { "Start" }}
                </button>
                <button class="ghost" data-testid="bench-estimate" on:click=move |_| state.guess()>
                    "Estimate"
                </button>
                <output data-testid="bench-guess">
                    {move || {
                        state
                            .estimate
                            .get()
                            .map(|(e, n_finished)| {
                                let before = match n_finished {
                                    0 => String::new(),
                                    n => format!(", {n} finished before"),
                                };
                                format!(
                                    "{} runs{before}; about {} tokens read and {} written, {}. Measured on the script's own conversations; a model that takes more turns takes more.",
                                    e.n_runs,
                                    e.tokens_read,
                                    e.tokens_written,
                                    dollars(e.dollars),
                                )
                            })
                    }}
                </output>
            </div>
        </Show>
    }
}
