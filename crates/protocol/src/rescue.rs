//! Disaster response: scenarios, plans, and turns of a conversation.

use serde::{Deserialize, Serialize};
use systems::rescue::{SaidNext, Turn};
use tasks::rescue::{RescueFinding, RescuePlan, Scenario};

use crate::exact::Exact;
use crate::runs::RunKind;
use crate::service::services;

/// Makes a scenario.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenerateScenario {
    /// How many locations, from 9 to 200.
    pub n_locations: usize,
    /// The seed.
    pub seed: u64,
}

/// Reads a scenario file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadScenario {
    /// The text of a scenario file.
    pub text: String,
}

/// Plans without a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanRescue {
    /// The scenario.
    #[serde(with = "crate::exact")]
    pub scenario: Scenario,
}

/// A plan that the planner made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedRescue {
    /// The plan.
    #[serde(with = "crate::exact")]
    pub plan: RescuePlan,
    /// What the verifier finds wrong with it.
    #[serde(with = "crate::exact")]
    pub findings: Vec<RescueFinding>,
    /// Milliseconds that the planner took.
    pub took_ms: f64,
}

/// Checks a plan, in words or as the planner gives it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckRescue {
    /// The scenario.
    #[serde(with = "crate::exact")]
    pub scenario: Scenario,
    /// The plan in words.
    pub text: String,
}

/// A plan in words after the check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckedRescue {
    /// The plan that was read, if there was one.
    #[serde(with = "crate::exact")]
    pub plan: Option<RescuePlan>,
    /// The rules that the plan breaks.
    #[serde(with = "crate::exact")]
    pub findings: Vec<RescueFinding>,
}

/// Disasters, as [`StartRun`](crate::runs::StartRun) runs them: a whole case, or one turn of a
/// conversation.
#[derive(Clone, Debug)]
pub struct RescueRun;

impl RunKind for RescueRun {
    const NAME: &'static str = "run/rescue";
    const CASES: &'static str = "cases/rescue";
    type ByHand = SaidNext;
    /// Each turn as it ends, without its trace.
    type Event = Exact<Turn>;
    type Outcome = ();
}

services! {
    GenerateScenario, "rescue/generate" => Exact<Scenario>,
    ReadScenario, "rescue/read" => Exact<Scenario>,
    PlanRescue, "rescue/plan" => PlannedRescue,
    CheckRescue, "rescue/check" => CheckedRescue,
}
