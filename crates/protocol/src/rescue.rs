//! Disaster response: scenarios, plans, and turns of a conversation.

use agent::Limits;
use serde::{Deserialize, Serialize};
use systems::rescue::{Dialogue, Turn};
use tasks::rescue::{RescueFinding, RescuePlan, Scenario};

use crate::exact::Exact;
use crate::runs::ModelChoice;
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

/// Says something to the model, which may call functions and then answers. What it did until then or
/// until it was stopped comes back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TalkRescue {
    /// The conversation so far.
    #[serde(with = "crate::exact")]
    pub dialogue: Box<Dialogue>,
    /// What is said.
    pub words: String,
    /// The model.
    #[serde(with = "crate::exact")]
    pub model: ModelChoice,
    /// How far it may go.
    pub limits: Limits,
    /// How many functions are sent beside those that every plan needs; all if absent.
    #[serde(default)]
    pub n_tools: Option<usize>,
}

services! {
    GenerateScenario, "rescue/generate" => Exact<Scenario>,
    ReadScenario, "rescue/read" => Exact<Scenario>,
    PlanRescue, "rescue/plan" => PlannedRescue,
    CheckRescue, "rescue/check" => CheckedRescue,
    TalkRescue, "rescue/talk" => Exact<Turn>,
}
