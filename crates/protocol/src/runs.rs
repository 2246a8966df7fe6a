//! Runs of a system with a model.

use agent::Limits;
use llm::{Endpoint, Message};
use serde::{Deserialize, Serialize};
use systems::{Run, RunOptions};

use crate::exact::Exact;
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

/// Asks our own model how a turn of it comes about, token by token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LookInside {
    /// The conversation before it.
    pub before: Vec<Message>,
    /// What it said: words, calls.
    pub said: Box<Message>,
    /// Whether the graph functions were offered.
    pub has_tools: bool,
}

/// Two nodes that a question names one behind the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedPair {
    /// Its first token, counted from the first of the question.
    pub first: usize,
    /// The token behind its last.
    pub end: usize,
    /// Both nodes.
    pub nodes: [u32; 2],
}

/// A token of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaidToken {
    /// The likeliest texts at its place with their probabilities, the likeliest first.
    pub likely: Vec<(String, f32)>,
    /// How likely the token itself was.
    pub probability: f32,
    /// How much the model looked at each token before it: the mean over all heads of all layers.
    pub looks: Vec<f32>,
}

/// How an answer came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LookedInside {
    /// The characters that each token adds, those of the question first. Marks add none.
    pub pieces: Vec<String>,
    /// How many tokens the question has.
    pub n_question: usize,
    /// The pairs of nodes that the question names.
    pub pairs: Vec<NamedPair>,
    /// One for each token of the answer.
    pub said: Vec<SaidToken>,
}

services! {
    RunProblem, "problem/run" => FinishedRun,
    LookInside, "problem/look" => Exact<LookedInside>,
}
