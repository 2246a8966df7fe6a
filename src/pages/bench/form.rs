//! What a benchmark is to do.

use eval::prices::dollars;
use leptos::prelude::*;
use protocol::bench::{BenchSpec, ExperimentView, RoleView, SystemView};
use protocol::runs::ModelChoice;

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

/// What stands for all groups, or all levels.
const ALL: &str = "all";

fn model_name(choice: &ModelChoice, scripts: &[(String, String)]) -> String {
    match choice {
        ModelChoice::Script { name } => {
            let known = scripts.iter().find(|(n, _)| n == name);
            known.map_or_else(|| name.clone(), |(_, label)| label.clone())
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
            <summary>"Setup"</summary>
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
                <WhichExperiment state has_runs/>
                <div class="bench-cols">
                    <Models state settings/>
                    <Cases state has_runs/>
                    <How state/>
                </div>
            </fieldset>
        </details>
        <Start state/>
    }
}

/// The experiment that the form is about, once the worker has told which there are.
fn chosen(state: PageState) -> Option<ExperimentView> {
    let id = state.spec.with(|s| s.experiment.clone());
    state.catalog.with(|all| all.iter().find(|e| e.id == id).cloned())
}

/// Puts the form's choices back to what is usual in an experiment.
fn choose(state: PageState, experiment: &ExperimentView) {
    let script = experiment.roles.first().and_then(|r| r.scripts.get(1).or(r.scripts.first()));
    let models = script.map(|(name, _)| ModelChoice::Script { name: name.clone() });
    state.spec.update(|s| {
        let usual = BenchSpec::default();
        let is_same = experiment.id == usual.experiment;
        s.experiment.clone_from(&experiment.id);
        s.systems = match is_same {
            true => usual.systems,
            false => experiment.systems.iter().map(|s| s.id.clone()).collect(),
        };
        s.models = models.into_iter().collect();
        s.roles.clear();
        s.options = serde_json::Value::Null;
        s.groups = vec![ALL.into()];
        s.levels = if is_same { usual.levels } else { vec![ALL.into()] };
        s.world.clear();
        s.n = usual.n;
    });
}

/// Which experiment, and what it measures.
#[component]
fn WhichExperiment(state: PageState, has_runs: Memo<bool>) -> impl IntoView {
    let options = move || {
        let now = state.spec.with(|s| s.experiment.clone());
        let of = |e: ExperimentView| {
            let is_now = e.id == now;
            view! { <option value=e.id selected=is_now>{e.title}</option> }
        };
        state.catalog.get().into_iter().map(of).collect_view()
    };
    view! {
        <label class="field">
            <span>"Experiment"</span>
            <select
                data-testid="bench-experiment"
                disabled=move || has_runs.get()
                on:change=move |e| {
                    let id = event_target_value(&e);
                    let found = state.catalog.with_untracked(|all| all.iter().find(|x| x.id == id).cloned());
                    if let Some(experiment) = found {
                        choose(state, &experiment);
                    }
                }
            >
                {options}
            </select>
        </label>
        <p class="quiet-text">{move || chosen(state).map(|e| e.lede)}</p>
    }
}

#[component]
fn Models(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    let systems = move || {
        let Some(experiment) = chosen(state) else { return Vec::new() };
        let order: Vec<String> = experiment.systems.iter().map(|s| s.id.clone()).collect();
        let of = |system: SystemView| {
            let (id, order) = (system.id.clone(), order.clone());
            let is_in = {
                let id = id.clone();
                move || state.spec.with(|s| s.systems.contains(&id))
            };
            view! {
                <label class="tick" title=system.lede>
                    <input
                        type="checkbox"
                        data-testid=format!("system-{id}")
                        prop:checked=is_in
                        on:change=move |e| {
                            let is_in = event_target_checked(&e);
                            state.spec.update(|s| {
                                toggle(&mut s.systems, id.clone(), is_in);
                                // In the order of the list, whatever was ticked first.
                                s.systems.sort_by_key(|t| order.iter().position(|x| x == t));
                            });
                        }
                    />
                    <span>{system.title}</span>
                </label>
            }
        };
        experiment.systems.into_iter().map(of).collect()
    };
    let models = move || {
        let scripts = chosen(state).and_then(|e| e.roles.into_iter().next()).map(|r| r.scripts);
        let scripts = scripts.unwrap_or_default();
        state
            .spec
            .with(|s| s.models.clone())
            .into_iter()
            .map(|choice| {
                let name = model_name(&choice, &scripts);
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
    let scripts = move || {
        let role = chosen(state).and_then(|e| e.roles.into_iter().next());
        let of = |(name, label): (String, String)| view! { <option value=name>{label}</option> };
        role.map(|r| r.scripts).unwrap_or_default().into_iter().map(of).collect_view()
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
                    {scripts}
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
                                format!("Add {}", model_name(&s.choice(), &[]))
                            } else {
                                "Add the endpoint in use (none yet)".to_owned()
                            }
                        })
                }}
            </button>
            <p class="quiet-text">
                "Set an endpoint with the model button above, add it here, then set another: several may be in one benchmark."
            </p>
            <Roles state settings/>
        </div>
    }
}

/// The models of roles beside the first, where the experiment has any.
#[component]
fn Roles(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    move || {
        let roles = chosen(state).map(|e| e.roles).unwrap_or_default();
        let of = |role: RoleView| {
            let id = role.id.clone();
            let now = state.spec.with(|s| s.roles.get(&id).cloned());
            let is_now =
                |name: &str| matches!(&now, Some(ModelChoice::Script { name: n }) if n == name);
            let is_endpoint = matches!(&now, Some(ModelChoice::Endpoint { .. }));
            let nobody = if id == "judge" { "nobody" } else { "the same model" };
            let scripts = role
                .scripts
                .iter()
                .map(|(name, label)| {
                    view! {
                        <option value=name.clone() selected=is_now(name)>{label.clone()}</option>
                    }
                })
                .collect_view();
            view! {
                <label class="field" title=role.lede>
                    <span>{role.title}</span>
                    <select
                        data-testid=format!("bench-role-{id}")
                        on:change=move |e| {
                            let choice = match event_target_value(&e).as_str() {
                                "" => None,
                                "@" => Some(settings.with_untracked(ModelSettings::choice)),
                                name => Some(ModelChoice::Script { name: name.to_owned() }),
                            };
                            state.spec.update(|s| match choice {
                                Some(choice) => {
                                    s.roles.insert(id.clone(), choice);
                                }
                                None => {
                                    s.roles.remove(&id);
                                }
                            });
                        }
                    >
                        <option value="" selected=now.is_none()>{nobody}</option>
                        <option
                            value="@"
                            selected=is_endpoint
                            disabled=move || !settings.with(|s| s.use_endpoint)
                        >
                            "the endpoint in use"
                        </option>
                        {scripts}
                    </select>
                </label>
            }
        };
        roles.into_iter().skip(1).map(of).collect_view()
    }
}

/// Boxes for the members of a list of which any may be chosen; `all` stands for all of them.
fn ticks(
    state: PageState,
    names: Vec<String>,
    all: Vec<String>,
    get: fn(&mut BenchSpec) -> &mut Vec<String>,
) -> impl IntoView {
    let order = names.clone();
    let of = move |name: String| {
        let (shown, all, order) = (name.replace('_', " "), all.clone(), order.clone());
        let is_in = {
            let (name, all) = (name.clone(), all.clone());
            move || {
                let mut spec = state.spec.get();
                get(&mut spec).iter().any(|n| *n == name || (n == ALL && all.contains(&name)))
            }
        };
        view! {
            <label class="tick">
                <input
                    type="checkbox"
                    prop:checked=is_in
                    on:change=move |e| {
                        let is_in = event_target_checked(&e);
                        state.spec.update(|s| {
                            let list = get(s);
                            if list.iter().any(|n| n == ALL) {
                                list.clone_from(&all);
                            }
                            toggle(list, name.clone(), is_in);
                            list.sort_by_key(|n| order.iter().position(|a| a == n));
                        });
                    }
                />
                <span>{shown}</span>
            </label>
        }
    };
    names.into_iter().map(of).collect_view()
}

#[component]
fn Cases(state: PageState, has_runs: Memo<bool>) -> impl IntoView {
    let groups = move || {
        let of = chosen(state).map(|e| (e.groups, e.all_groups)).unwrap_or_default();
        ticks(state, of.0, of.1, |s| &mut s.groups)
    };
    let levels = move || {
        let names = chosen(state).map(|e| e.levels).unwrap_or_default();
        ticks(state, names.clone(), names, |s| &mut s.levels)
    };
    let world = move || {
        let usual = chosen(state).map(|e| e.world).filter(|w| !w.is_empty())?;
        Some(view! {
            <label class="field">
                <span>"They stand on"</span>
                <input
                    data-testid="bench-world"
                    placeholder=usual
                    prop:value=move || state.spec.with(|s| s.world.clone())
                    on:change=move |e| {
                        let typed = event_target_value(&e).trim().to_owned();
                        state.spec.update(|s| s.world = typed);
                    }
                />
            </label>
        })
    };
    let from_files = move || state.spec.with(|s| !s.files.is_empty());
    view! {
        <div>
            <h3>"Cases"</h3>
            <Show when=move || has_runs.get()>
                <p class="quiet-text">"Those of this benchmark stay: its runs are about them."</p>
            </Show>
            <fieldset disabled=move || has_runs.get() || from_files()>
                <div class="bench-ticks">{groups}</div>
                <div class="bench-ticks">{levels}</div>
                {world}
                <div class="bench-numbers">
                    <Number state label="Of each group and level" id="bench-n" get=|s| s.n as f64 set=|s, v| s.n = v as usize min=1.0/>
                    <Number state label="First seed" id="bench-seed" get=|s| s.seed as f64 set=|s, v| s.seed = v as u64 min=0.0/>
                </div>
            </fieldset>
            <label class="file-button">
                "Or take files of cases…"
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

type Spec = BenchSpec;

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
    let is_nlgraph = move || state.spec.with(|s| s.experiment == "nlgraph");
    view! {
        <div>
            <h3>"How"</h3>
            <Show when=is_nlgraph>
                <Choice state label="Words" list=&WORDINGS get=|s| s.wording set=|s, v| s.wording = v/>
                <Choice state label="Prompt" list=&STYLES get=|s| s.style set=|s, v| s.style = v/>
            </Show>
            <Show when=move || !is_nlgraph()>
                <Options state/>
            </Show>
            <div class="bench-numbers">
                <Number state label="Votes of a run" id="bench-votes" get=|s| f64::from(s.votes) set=|s, v| s.votes = v as u32 min=1.0/>
                <Number state label="Samples of each case" id="bench-samples" get=|s| f64::from(s.n_samples) set=|s, v| s.n_samples = v as u32 min=1.0/>
                <Number state label="Runs at once" id="bench-concurrency" get=|s| s.concurrency as f64 set=|s, v| s.concurrency = (v as usize).min(64) min=1.0/>
                <Maybe state label="Temperature" id="bench-temperature" placeholder="not set" get=|s| s.temperature set=|s, v| s.temperature = v/>
                <Show when=is_nlgraph>
                    <Maybe state label="Tools sent" id="bench-tools" placeholder="all" get=|s| s.n_tools.map(|n| n as f64) set=|s, v| s.n_tools = v.map(|v| v as usize)/>
                </Show>
                <Maybe state label="Stop at tokens" id="bench-max-tokens" placeholder="no limit" get=|s| s.budget.max_tokens.map(|n| n as f64) set=|s, v| s.budget.max_tokens = v.map(|v| v as u64)/>
                <Maybe state label="Stop at dollars" id="bench-max-dollars" placeholder="no limit" get=|s| s.budget.max_dollars set=|s, v| s.budget.max_dollars = v/>
            </div>
            <Show when=is_nlgraph>
                <label class="tick">
                    <input
                        type="checkbox"
                        prop:checked=move || state.spec.with(|s| s.attach)
                        on:change=move |e| state.spec.update(|s| s.attach = event_target_checked(&e))
                    />
                    <span>"Hand the graph over beside the question"</span>
                </label>
            </Show>
        </div>
    }
}

/// The options of an experiment as lines NAME=VALUE, with the usual ones to look at.
#[component]
fn Options(state: PageState) -> impl IntoView {
    let usual = move || {
        let of = |s: SystemView| {
            let options = serde_json::to_string_pretty(&s.options).unwrap_or_default();
            view! {
                <details>
                    <summary>{format!("Usual options of {}", s.title)}</summary>
                    <pre class="quiet-text">{options}</pre>
                </details>
            }
        };
        chosen(state).map(|e| e.systems.into_iter().map(of).collect_view())
    };
    view! {
        <label class="field">
            <span>"Other options, a JSON object"</span>
            <textarea
                rows="3"
                data-testid="bench-options"
                placeholder="{\"max_steps\": 40}"
                prop:value=move || {
                    state.spec.with(|s| match &s.options {
                        serde_json::Value::Null => String::new(),
                        options => options.to_string(),
                    })
                }
                on:change=move |e| {
                    let typed = event_target_value(&e);
                    match typed.trim() {
                        "" => state.spec.update(|s| s.options = serde_json::Value::Null),
                        text => match serde_json::from_str(text) {
                            Ok(options) => state.spec.update(|s| s.options = options),
                            Err(error) => state.notice.set(Some(format!(
                                "The options are not JSON: {error}; an example is {{\"max_steps\": 40}}"
                            ))),
                        },
                    }
                }
            ></textarea>
        </label>
        {usual}
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
                    {move || if has_runs() { "Resume" } else { "Start" }}
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
                                    "{} runs{before}; about {} input and {} output tokens, {}. Measured on the script's own conversations; a model that takes more turns takes more.",
                                    e.n_runs,
                                    e.input_tokens,
                                    e.output_tokens,
                                    dollars(e.dollars),
                                )
                            })
                    }}
                </output>
            </div>
        </Show>
    }
}
