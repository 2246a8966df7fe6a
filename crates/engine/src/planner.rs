//! Disaster response: scenarios, plans, and turns of a conversation.

use llm::Model;
use protocol::exact::Exact;
use protocol::rescue::{
    CheckRescue, CheckedRescue, GenerateScenario, PlanRescue, PlannedRescue, ReadScenario,
    TalkRescue,
};
use systems::rescue::scripted::RescueScript;
use systems::rescue::{Turn, choosing, say};
use tasks::rescue::{Scenario, check_text, verify_plan};

use crate::context::{Context, Ended};
use crate::models;

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

pub(crate) async fn talk(context: &Context, ask: TalkRescue) -> Result<Exact<Turn>, Ended> {
    let TalkRescue { dialogue, words, model, limits, n_tools } = ask;
    let model = models::model(context, model, script)?;
    let turn = models::run(context, limits, async |at, on_step| {
        say(*dialogue, &words, &*model, &choosing(n_tools), at, on_step).await
    })
    .await;
    Ok(Exact(turn))
}

fn script(name: &str) -> Result<Box<dyn Model>, String> {
    let found = RescueScript::by_name(name);
    let script =
        found.ok_or_else(|| format!("there is no script {name:?}; there are script, mistaken"))?;
    Ok(Box::new(script))
}
