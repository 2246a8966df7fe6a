//! What a benchmark is to do.

mod cases;
mod how;
mod systems;

use eval::prices::dollars;
use leptos::prelude::*;
use protocol::bench::{BenchSpec, ExperimentView};
use protocol::runs::ModelChoice;

use super::state::PageState;
use crate::components::form::{Select, Text};
use crate::state::numbers::grouped;
use crate::state::settings::ModelSettings;
use cases::Cases;
use how::How;
use systems::{Models, Systems};

/// Puts a thing into a list, or takes it out.
fn toggle<T: PartialEq>(list: &mut Vec<T>, thing: T, is_in: bool) {
    list.retain(|t| *t != thing);
    if is_in {
        list.push(thing);
    }
}

/// What stands for all groups, or all levels.
const ALL: &str = "all";

/// The form, and the button that starts it. It folds once there are runs.
#[component]
pub(super) fn Form(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    let has_runs =
        Memo::new(move |_| state.open.with(|o| o.as_ref().is_some_and(|m| m.n_runs > 0)));
    // A benchmark that was read from a file has runs and no models of its own.
    let locked = Signal::derive(move || state.going.is_running.get());
    view! {
        <details class="bench-form" open=move || !has_runs.get()>
            <summary>"Setup"</summary>
            <fieldset disabled=move || locked.get()>
                <Text
                    label="Name"
                    testid="bench-title"
                    maxlength="120"
                    placeholder="A benchmark"
                    value=state.title
                    on_input=move |typed| state.title.set(typed)
                />
                <WhichExperiment state has_runs/>
                <div class="bench-cols">
                    <div>
                        <Systems state/>
                        <Models state settings/>
                    </div>
                    <div>
                        <Cases state has_runs/>
                    </div>
                    <div>
                        <How state/>
                    </div>
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
        let list = state.catalog.get();
        list.into_iter().map(|e| (e.id, e.title)).collect::<Vec<_>>()
    };
    view! {
        <fieldset disabled=move || has_runs.get()>
            <Select
                label="Experiment"
                testid="bench-experiment"
                options=Signal::derive(options)
                value=Signal::derive(move || state.spec.with(|s| s.experiment.clone()))
                on_change=move |id: String| {
                    let all = state.catalog.get_untracked();
                    if let Some(experiment) = all.iter().find(|e| e.id == id) {
                        choose(state, experiment);
                    }
                }
            />
        </fieldset>
        <p class="quiet-text">{move || chosen(state).map(|e| e.lede)}</p>
    }
}

/// What it would take, and the start.
#[component]
fn Start(state: PageState) -> impl IntoView {
    let counts = move || state.open.with(|o| o.as_ref().map_or((0, 0), |m| (m.n_runs, m.n_jobs)));
    let is_done = move || {
        let (n_runs, n_jobs) = counts();
        n_runs > 0 && n_runs >= n_jobs
    };
    view! {
        <Show when=move || !state.going.is_running.get()>
            <div class="bench-act">
                <button
                    class=move || if is_done() { "ghost" } else { "run" }
                    data-testid="bench-start"
                    on:click=move |_| state.start()
                >
                    {move || match counts() {
                        (0, _) => "Start",
                        _ if is_done() => "Run what the setup adds",
                        _ => "Resume",
                    }}
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
                                    grouped(e.input_tokens as usize),
                                    grouped(e.output_tokens as usize),
                                    dollars(e.dollars),
                                )
                            })
                    }}
                </output>
            </div>
        </Show>
    }
}
