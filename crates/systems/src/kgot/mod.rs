//! Knowledge Graph of Thoughts: a task is solved by growing a knowledge graph.
//!
//! Paper: Knowledge Graph of Thoughts §3. In each round several answers of the graph executor vote
//! whether the graph can answer (Solve) or needs more (Enhance). To enhance, the tool executor calls
//! tools, and what they give becomes queries that write to the graph. To solve, queries read the
//! graph; a result is made into the answer, with a calculation where one is needed.
//!
//! Where this departs from the paper and its public code: `docs/kgot.md`.

mod controller;
pub mod experiment;
mod finish;
mod graph;
mod options;
mod prompts;
mod replies;
mod rounds;
pub mod scripted;
mod tools;

use std::collections::BTreeMap;

use agent::RunContext;
use kg::property::GraphStore;
use llm::Model;
use serde::{Deserialize, Serialize};
use trace::{Step, Trace};

use crate::experiment::ModelRole;

pub use graph::{KgotLanguage, state_text};
pub use options::{KgotOptions, PromptForm};
pub use tools::{KgotFile, TaskTools};

/// The role that keeps the graph: it votes, writes queries and makes the answer.
pub const GRAPH: ModelRole = ModelRole {
    id: "graph",
    title: "Graph executor",
    lede: "Votes, writes the queries, and makes the answer.",
};

/// The role that calls tools.
pub const TOOLS: ModelRole = ModelRole {
    id: "tools",
    title: "Tool executor",
    lede: "Chooses which tools to call for what the graph does not have yet.",
};

/// A task in plain words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KgotTask {
    /// What is asked.
    pub question: String,
    /// What tools can read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<KgotFile>,
}

/// Who plays the roles.
#[derive(Clone, Copy)]
pub struct KgotModels<'a> {
    /// The graph executor.
    pub graph: &'a dyn Model,
    /// The tool executor.
    pub tools: &'a dyn Model,
}

/// What a function of the controller took, as the public code logs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KgotCost {
    /// Questions to a model.
    pub calls: u64,
    /// Tokens that were sent, as far as endpoints report them.
    pub prompt_tokens: u64,
    /// Tokens that came back.
    pub completion_tokens: u64,
    /// Milliseconds; those of questions that were asked at the same time are added up.
    pub ms: f64,
}

/// What a run leaves beside its trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KgotOutcome {
    /// The answer; none where the run was stopped.
    pub answer: Option<String>,
    /// Rounds that enhanced the graph.
    pub n_rounds: u32,
    /// Whether the answer was forced: the rounds were used up, and the model might guess.
    pub is_forced: bool,
    /// Questions to a model after the vote to solve.
    pub n_finishing: u64,
    /// Queries that wrote, that were fixed, and that were dropped.
    pub n_queries: u64,
    /// See [`KgotOutcome::n_queries`].
    pub n_fixed: u64,
    /// See [`KgotOutcome::n_queries`].
    pub n_dropped: u64,
    /// What each function of the controller took.
    pub costs: BTreeMap<String, KgotCost>,
    /// The nodes that the answer stands on, as the drawing names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub support: Vec<String>,
    /// The graph at the end, as a snapshot file.
    pub snapshot: String,
}

/// What a run gives.
pub struct KgotAnswered {
    /// The steps, with who was asked.
    pub trace: Trace,
    /// The rest.
    pub outcome: KgotOutcome,
    /// The graph with all its earlier states.
    pub store: GraphStore,
}

/// Solves a task. A model that errs, a limit and a wish to stop are in what comes back.
///
/// Paper: Knowledge Graph of Thoughts §3.2, Figure 4.
pub async fn run(
    task: &KgotTask,
    options: &KgotOptions,
    models: KgotModels<'_>,
    setting: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> KgotAnswered {
    controller::Controller::new(task, options, models, setting, on_step).run().await
}
