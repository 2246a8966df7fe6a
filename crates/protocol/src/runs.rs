//! Runs of a system with a model.

use agent::Limits;
use llm::Endpoint;
use serde::{Deserialize, Serialize};
use systems::{Run, RunOptions};

use crate::problem::ProblemView;
use crate::service::services;

/// Where the page has the weights of our own model, and their name beside a message.
pub const OWN_WEIGHTS: &str = "assets/models/own/own.bin";

/// Which model runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModelChoice {
    /// A script in the worker itself.
    Script {
        /// The name of the script.
        name: String,
    },
    /// A person, in the model's place.
    Person,
    /// Our own small model, in the worker itself; the page has its weights.
    Own,
    /// A model at an endpoint.
    Endpoint {
        /// Where.
        endpoint: Endpoint,
        /// Its name there.
        model: String,
    },
}

/// Runs a system on a problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunProblem {
    /// The system's id.
    pub system: String,
    /// The problem.
    #[serde(with = "crate::exact")]
    pub problem: Box<ProblemView>,
    /// The model.
    #[serde(with = "crate::exact")]
    pub model: ModelChoice,
    /// How far it may go.
    pub limits: Limits,
    /// How it goes about it.
    #[serde(with = "crate::exact")]
    pub options: Box<RunOptions>,
    /// So many runs, put together by the majority of their answers; 0 counts as 1.
    pub n_runs: u32,
}

/// A finished run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FinishedRun {
    /// The run.
    #[serde(with = "crate::exact")]
    pub run: Box<Run>,
    /// All runs of a vote, in their order; empty if there was one.
    #[serde(with = "crate::exact")]
    pub all: Vec<Run>,
}

services! {
    RunProblem, "problem/run" => FinishedRun,
}
