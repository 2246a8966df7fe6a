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
mod fusion;
mod graph;
mod growth;
mod languages;
mod no_graph;
mod options;
mod prompts;
mod replies;
mod rounds;
pub mod scripted;
mod tools;

use std::collections::BTreeMap;

use agent::RunContext;
use llm::Model;
use serde::{Deserialize, Serialize};
use trace::{Step, Trace};

use crate::experiment::{ModelRole, Session};
use controller::Controller;

pub use fusion::{FUSION, KgotFusionOptions, KgotMember, run_fusion};
pub use graph::GrowingGraph;
pub use growth::{GraphGrowth, Grown, GrownEdge, GrownNode};
pub use languages::{
    AnswerElsewhere, CypherGraphs, Elsewhere, GraphAnswer, GraphLanguage, GraphQuestion, GraphRows,
    KgotLanguage, Languages, MAX_ROWS, Networkx, SentGraph, python_keys, state_text, triples_text,
};
pub use no_graph::{NO_GRAPH, run_without_graph};
pub use options::{KgotOptions, PromptForm};
pub(crate) use tools::PYTHON_LIMIT_MS;
pub use tools::{
    FileContents, FileReader, KgotFile, PythonEdge, PythonFailure, PythonFault, PythonFile,
    PythonGraph, PythonKey, PythonNode, PythonReply, PythonRequest, PythonRunner, TaskTools,
    ToolCache, ToolPlace, WebTools, told_graph,
};

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

/// Whether a task is solved by growing a graph, and in how many languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgotMethod {
    /// No graph: one model has the tools alone.
    NoGraph,
    /// One graph, in the language of the options.
    #[default]
    OneLanguage,
    /// A graph in each of some languages, and a choice among their answers.
    Fusion {
        /// The languages, in the order in which they solve the task.
        members: Vec<KgotLanguage>,
    },
}

impl KgotMethod {
    /// The languages in which graphs are written.
    pub fn languages(&self, options: &KgotOptions) -> Vec<KgotLanguage> {
        match self {
            Self::NoGraph => Vec::new(),
            Self::OneLanguage => vec![options.language],
            Self::Fusion { members } => members.clone(),
        }
    }
}

/// Who plays the roles.
#[derive(Clone, Copy)]
pub struct KgotModels<'a> {
    /// The graph executor.
    pub graph: &'a dyn Model,
    /// The tool executor.
    pub tools: &'a dyn Model,
}

/// What a run has beside its models.
#[derive(Clone)]
pub struct KgotPlace<'a> {
    /// What tools may reach.
    pub tools: ToolPlace<'a>,
    /// The languages beside Cypher.
    pub languages: Languages<'a>,
    /// Who looks on and may correct the graph by queries in Cypher; hears of each [`Grown`].
    pub session: &'a dyn Session,
    /// The graph to begin with; an empty one, if none.
    pub start: Option<&'a GrowingGraph>,
}

impl Default for KgotPlace<'_> {
    /// No tools that reach beyond the task, Cypher alone, nobody who looks on, and an empty graph.
    fn default() -> Self {
        let tools = ToolPlace::default();
        Self { tools, languages: Languages::default(), session: &|_: &Step| (), start: None }
    }
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

impl KgotCost {
    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.ms += other.ms;
    }
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
    /// What each of several languages answered, where a task was solved in several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<KgotMember>,
    /// What the judge said of the answer, where a model judges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<KgotGrade>,
}

impl KgotOutcome {
    /// Adds what another run took, and nothing of what it found.
    fn add_costs(&mut self, other: &Self) {
        self.n_rounds += other.n_rounds;
        self.n_finishing += other.n_finishing;
        self.n_queries += other.n_queries;
        self.n_fixed += other.n_fixed;
        self.n_dropped += other.n_dropped;
        for (function, cost) in &other.costs {
            self.costs.entry(function.clone()).or_default().add(cost);
        }
    }
}

/// What a model said of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KgotGrade {
    /// The judge's name for people.
    pub judge: String,
    /// Its grade.
    pub grade: tasks::kgot::SimpleQaGrade,
    /// Its reply, cut where it is long.
    pub said: String,
}

/// What a run gives.
pub struct KgotAnswered {
    /// The steps, with who was asked.
    pub trace: Trace,
    /// The rest.
    pub outcome: KgotOutcome,
    /// The graph with all its earlier states.
    pub graph: GrowingGraph,
}

/// Solves a task, with tools that reach what is at a place; [`ToolPlace::default`] is nothing outside
/// of the task. A model that errs, a limit and a wish to stop are in what comes back.
///
/// Paper: Knowledge Graph of Thoughts §3.2, Figure 4.
pub async fn run(
    task: &KgotTask,
    options: &KgotOptions,
    models: KgotModels<'_>,
    place: &KgotPlace<'_>,
    setting: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> KgotAnswered {
    let talk = Controller::talk("kgot", task, models, place, setting, on_step);
    Controller::new(task, options, models, place, setting, talk).run().await
}
