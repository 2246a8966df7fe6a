//! The systems of a benchmark, and the models that play their roles.

use leptos::prelude::*;
use protocol::bench::{RoleView, SystemView};
use protocol::runs::ModelChoice;

use super::super::state::PageState;
use super::{chosen, toggle};
use crate::components::form::{Check, Select};
use crate::services::keys;
use crate::state::settings::ModelSettings;
use crate::workbench::role::{RoleSelect, model_name};

/// The scripts that can play the first role of the experiment.
fn scripts(state: PageState) -> Vec<(String, String)> {
    let role = chosen(state).and_then(|e| e.roles.into_iter().next());
    role.map(|r| r.scripts).unwrap_or_default()
}

/// A box for each system.
#[component]
pub(super) fn Systems(state: PageState) -> impl IntoView {
    let systems = move || {
        let Some(experiment) = chosen(state) else { return Vec::new() };
        let order: Vec<String> = experiment.systems.iter().map(|s| s.id.clone()).collect();
        let of = |SystemView { id, title, lede, .. }: SystemView| {
            let (mine, order) = (id.clone(), order.clone());
            view! {
                <Check
                    label=move || title.clone()
                    title=lede
                    testid=format!("system-{id}")
                    checked=Signal::derive(move || state.spec.with(|s| s.systems.contains(&mine)))
                    on_change=move |is_in| {
                        state.spec.update(|s| {
                            toggle(&mut s.systems, id.clone(), is_in);
                            // In the order of the list, whatever was ticked first.
                            s.systems.sort_by_key(|t| order.iter().position(|x| x == t));
                        });
                    }
                />
            }
        };
        experiment.systems.into_iter().map(of).collect()
    };
    view! {
        <h3>"Systems"</h3>
        {systems}
    }
}

/// The models of the first role, then one for each other role.
#[component]
pub(super) fn Models(state: PageState, settings: RwSignal<ModelSettings>) -> impl IntoView {
    let add = move |choice: ModelChoice| {
        state.spec.update(|s| {
            if !s.models.contains(&choice) {
                s.models.push(choice);
            }
        });
    };
    let to_add = move || {
        let mut options = vec![(String::new(), "Choose…".to_owned())];
        let has = |name: &str| {
            let is_it = |m: &ModelChoice| matches!(m, ModelChoice::Script { name: n } if n == name);
            state.spec.with(|s| s.models.iter().any(is_it))
        };
        options.extend(scripts(state).into_iter().filter(|(name, _)| !has(name)));
        options
    };
    let knows = move || {
        chosen(state).is_some_and(|e| e.suits_own_model) && settings.with(ModelSettings::is_own)
    };
    let may_add = Memo::new(move |_| knows() || settings.with(ModelSettings::is_brought));
    let in_use = move || match may_add.get() {
        true => format!("Add {}", settings.with(|s| model_name(&s.choice(), &[]))),
        false => "Add the model in use (none that can answer this)".to_owned(),
    };
    view! {
        <h3>"Models"</h3>
        <ul class="bench-models">{move || listed(state)}</ul>
        <Select
            label="Add a script"
            testid="bench-script"
            options=Signal::derive(to_add)
            value=Signal::stored(String::new())
            on_change=move |name: String| {
                if !name.is_empty() {
                    add(ModelChoice::Script { name });
                }
            }
        />
        <button
            class="ghost"
            data-testid="bench-endpoint"
            disabled=move || !may_add.get()
            on:click=move |_| add(settings.with_untracked(ModelSettings::choice))
        >
            {in_use}
        </button>
        <p class="quiet-text">
            "Choose a model with the model button above, add it here, then choose another: several may be in one benchmark."
        </p>
        {move || {
            let roles = chosen(state).map(|e| e.roles).unwrap_or_default();
            roles.into_iter().skip(1).map(|role| view! { <Role state settings role/> }).collect_view()
        }}
    }
}

/// The models that were added, each with a button that takes it out.
fn listed(state: PageState) -> impl IntoView {
    let scripts = scripts(state);
    let of = |choice: ModelChoice| {
        let name = model_name(&choice, &scripts);
        let label = format!("Remove {name}");
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
    };
    state.spec.with(|s| s.models.clone()).into_iter().map(of).collect_view()
}

/// Which model plays a role beside the first.
#[component]
fn Role(state: PageState, settings: RwSignal<ModelSettings>, role: RoleView) -> impl IntoView {
    let RoleView { id, title, lede, scripts } = role;
    let nobody = if id == "judge" { "nobody" } else { "the same model" };
    let mine = id.clone();
    let value = move || state.spec.with(|s| s.roles.get(&mine).cloned());
    let testid = format!("bench-role-{id}");
    let choose = move |choice: Option<ModelChoice>| {
        state.spec.update(|s| match choice {
            Some(choice) => {
                s.roles.insert(id.clone(), choice);
            }
            None => {
                s.roles.remove(&id);
            }
        });
    };
    view! {
        <div title=lede>
            <RoleSelect
                label=title
                testid
                settings
                scripts
                nobody
                value=Signal::derive(value)
                on_change=Callback::new(choose)
                on_problem=Callback::new(move |why| state.notice.set(Some(why)))
            />
        </div>
    }
}
