//! The models that requests name, and runs with what they need of their job.

use std::rc::Rc;

use agent::{EndpointModel, Limits, RunContext};
use llm::{Endpoint, Model};
use protocol::FromWorker;
use protocol::runs::{ModelChoice, OwnWeights};
use systems::experiment::{Experiment, RoleModel};
use trace::Step;

use crate::context::Context;
use crate::fetch::{PageTransport, Watching};
use crate::own::Own;
use crate::person::Person;

/// The names of our own model in files of runs, which the companion gives it too.
const OWN: &str = "local:own";
const ALONE: &str = "local:alone";

/// The model that a request names; `script` makes one of a script's name.
///
/// # Errors
/// There is no such script, or the endpoint's protocol is not known.
pub(crate) fn model(
    context: &Context,
    choice: ModelChoice,
    script: impl FnOnce(&str) -> Result<Box<dyn Model>, String>,
) -> Result<Box<dyn Model>, String> {
    Ok(match choice {
        ModelChoice::Script { name } => script(&name)?,
        ModelChoice::Person => Box::new(Person::new(context.clone())),
        ModelChoice::Own => Box::new(Own::new(context.clone(), OwnWeights::Problems)),
        ModelChoice::Alone => Box::new(Own::new(context.clone(), OwnWeights::Alone)),
        ModelChoice::Endpoint { endpoint, model } => {
            let transport = Rc::new(PageTransport::new(context));
            Box::new(EndpointModel::new(endpoint, model, transport)?)
        }
    })
}

/// The model that plays a role of an experiment.
///
/// # Errors
/// There is no such script, or the endpoint's protocol is not known.
pub(crate) fn of_role(
    context: &Context,
    experiment: &dyn Experiment,
    role: &str,
    choice: ModelChoice,
) -> Result<Box<dyn Model>, String> {
    model(context, choice, |name| experiment.script_named(role, name))
}

/// A model as a setup has it.
pub(crate) fn role_model(choice: &ModelChoice) -> RoleModel {
    match choice {
        ModelChoice::Script { name } => RoleModel::script(name.as_str()),
        ModelChoice::Endpoint { endpoint, model } => RoleModel::at(endpoint, model.as_str()),
        ModelChoice::Own => RoleModel::at(&Endpoint::new("local", ""), OWN),
        ModelChoice::Alone => RoleModel::at(&Endpoint::new("local", ""), ALONE),
        ModelChoice::Person => RoleModel::script("a person"),
    }
}

/// Makes a run with what it needs of its job: limits, clock, stop and observer, and where its steps
/// go.
pub(crate) async fn run<T>(
    context: &Context,
    limits: Limits,
    run: impl AsyncFnOnce(RunContext<'_>, &mut dyn FnMut(&Step)) -> T,
) -> T {
    let watching = Watching::new(context);
    let host = context.host.clone();
    let clock = move || host.now_ms();
    let cancel = &context.controls.cancel;
    let at = RunContext { limits, seed: None, clock: &clock, cancel, watch: &watching };
    let mut on_step = |step: &Step| {
        watching.step();
        context.post(FromWorker::Step { step: Box::new(step.clone()) });
    };
    run(at, &mut on_step).await
}
