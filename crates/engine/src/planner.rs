//! Disaster response: scenarios, plans, and turns of a conversation.

use std::any::Any;

use protocol::exact::Exact;
use protocol::rescue::{
    CheckRescue, CheckedRescue, GenerateScenario, PlanRescue, PlannedRescue, ReadScenario,
    RescueRun,
};
use protocol::runs::StartRun;
use systems::Backends;
use systems::experiment::{Case, Experiment, Setup, World};
use systems::rescue::experiment::Rescue;
use systems::rescue::{SaidNext, Turn};
use tasks::rescue::{Scenario, check_text, verify_plan};
use trace::Trace;

use crate::context::{Context, Ended};
use crate::run::PageRun;

pub(crate) async fn generate(_: &Context, ask: GenerateScenario) -> Result<Exact<Scenario>, Ended> {
    let made = tasks::rescue::generate(ask.n_locations, ask.seed);
    Ok(Exact(made.map_err(|e| e.to_string())?))
}

pub(crate) async fn read(_: &Context, ask: ReadScenario) -> Result<Exact<Scenario>, Ended> {
    Ok(Exact(Scenario::from_json(&ask.text).map_err(|e| e.to_string())?))
}

pub(crate) async fn plan(context: &Context, ask: PlanRescue) -> Result<PlannedRescue, Ended> {
    let began = context.host.now_ms();
    let plan = tasks::rescue::plan(&ask.scenario).map_err(|e| e.to_string())?;
    let took_ms = context.host.now_ms() - began;
    let findings = verify_plan(&ask.scenario, &plan);
    Ok(PlannedRescue { plan, findings, took_ms })
}

pub(crate) async fn check(_: &Context, ask: CheckRescue) -> Result<CheckedRescue, Ended> {
    let (findings, plan) = check_text(&ask.scenario, &ask.text);
    Ok(CheckedRescue { plan, findings })
}

impl<B: Backends> PageRun<B> for RescueRun {
    const EXPERIMENT: &'static dyn Experiment = &Rescue;

    fn title(_: &Setup, _: &Case, said: &SaidNext) -> String {
        said.words.clone()
    }

    fn world(_: &Context, _: &mut StartRun<Self>) -> Result<World, Ended> {
        Ok(World::default())
    }

    fn event(_: &Context, event: &dyn Any) -> Option<Exact<Turn>> {
        let turn: &Turn = event.downcast_ref()?;
        let trace = Trace::new(turn.trace.system.as_str(), turn.trace.model.clone(), Vec::new());
        Some(Exact(Turn { trace, ..turn.clone() }))
    }
}
