//! Which model plays a role beside the first: the judge of a benchmark, the caller of a family.

use leptos::prelude::*;
use protocol::runs::ModelChoice;

use crate::components::form::Select;
use crate::state::settings::ModelSettings;

/// What stands for the model in use among the names of scripts.
const IN_USE: &str = "@";
/// What stands for a model that was in use when it was chosen, and is no more.
const KEPT: &str = "@kept";

/// A model in words; `scripts` are the names of scripts with their titles.
pub(crate) fn model_name(choice: &ModelChoice, scripts: &[(String, String)]) -> String {
    match choice {
        ModelChoice::Script { name } => {
            let known = scripts.iter().find(|(n, _)| n == name);
            known.map_or_else(|| name.clone(), |(_, label)| label.clone())
        }
        ModelChoice::Endpoint { endpoint, model } => format!("{model} at {}", endpoint.host()),
        ModelChoice::Person => "a person".into(),
        ModelChoice::Own => "our own small model".into(),
        ModelChoice::Alone => "our own small model, trained without tools".into(),
    }
}

/// A choice of who plays a role. The model in use stays in the role when another is taken into use:
/// so two roles get two models at two endpoints.
#[component]
pub(crate) fn RoleSelect(
    #[prop(into)] label: Signal<String>,
    #[prop(into)] testid: String,
    settings: RwSignal<ModelSettings>,
    /// The scripts that can play it, each with its title.
    scripts: Vec<(String, String)>,
    /// Who plays it where nothing is chosen, in words.
    #[prop(into)]
    nobody: String,
    #[prop(into)] value: Signal<Option<ModelChoice>>,
    on_change: Callback<Option<ModelChoice>>,
    /// Told where the model in use is chosen and there is none.
    on_problem: Callback<String>,
) -> impl IntoView {
    let in_use = move || settings.with(|s| s.is_brought().then(|| s.choice()));
    let titles = scripts.clone();
    let options = move || {
        let mut options = vec![(String::new(), nobody.clone())];
        let (now, chosen) = (in_use(), value.get());
        options.push((
            IN_USE.to_owned(),
            match &now {
                Some(now) => format!("the model in use: {}", model_name(now, &[])),
                None => "the model in use (none is set)".to_owned(),
            },
        ));
        if let Some(kept @ ModelChoice::Endpoint { .. }) = chosen
            && now.as_ref() != Some(&kept)
        {
            options.push((KEPT.to_owned(), model_name(&kept, &titles)));
        }
        options.extend(titles.clone());
        options
    };
    let chosen = move || match value.get() {
        Some(ModelChoice::Script { name }) => name,
        Some(other) if Some(&other) == in_use().as_ref() => IN_USE.to_owned(),
        Some(_) => KEPT.to_owned(),
        None => String::new(),
    };
    let choose = move |name: String| match name.as_str() {
        "" => on_change.run(None),
        KEPT => {}
        IN_USE => match untrack(in_use) {
            Some(now) => on_change.run(Some(now)),
            None => {
                on_change.run(None);
                on_problem.run("No model is in use: set one with the model button above.".into());
            }
        },
        _ => on_change.run(Some(ModelChoice::Script { name })),
    };
    view! {
        <Select
            label
            testid
            options=Signal::derive(options)
            value=Signal::derive(chosen)
            on_change=choose
        />
    }
}
