//! Knowledge Graph of Thoughts: tasks, runs that grow a graph, and the graph itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::kgot::{
    GraphAnswer, GraphGrowth, GraphQuestion, KgotFile, KgotLanguage, KgotOutcome, WebTools,
};
use systems::remote::{CopyPlace, StorePlace};

use crate::exact::Exact;
use crate::runs::RunKind;
use crate::service::services;

/// What requests about a graph fail with when none has grown in the worker, as after it was ended.
pub const NO_GRAPH_YET: &str =
    "the worker has no graph any more; run the task again, or open a snapshot";

/// Reads the files that are attached, as tools are to read them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadKgotFiles {
    /// Their names, in their order.
    pub names: Vec<String>,
}

/// A file of a task, with what tools will read of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskFile {
    /// The file.
    pub file: KgotFile,
    /// The beginning of its text.
    pub preview: String,
}

/// The files of a task that could be read, and why the others could not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskFiles {
    /// The files, in their order.
    pub files: Vec<TaskFile>,
    /// What is wrong with each of the others, for people.
    pub refused: Vec<String>,
}

/// Tasks, as [`StartRun`](crate::runs::StartRun) runs them.
#[derive(Clone, Debug)]
pub struct KgotRun;

impl RunKind for KgotRun {
    const NAME: &'static str = "run/kgot";
    const CASES: &'static str = "cases/kgot";
    type ByHand = KgotByHand;
    type Event = KgotEvent;
    type Outcome = KgotOutcome;
}

/// What a person lets a run have beside its task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KgotByHand {
    /// Whether it begins with the graph that is at hand.
    pub keeps_graph: bool,
    /// What of the web tools may ask.
    pub web: WebTools,
    /// Whether models may run Python.
    pub python: bool,
    /// Whether the model that calls tools sees images.
    pub sees: bool,
    /// Where a copy of the graph is kept, if anywhere.
    pub copy: Option<CopyPlace>,
}

/// What a run that grows a graph tells on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgotEvent {
    /// The graph has grown, by the step that comes next or has just come.
    Grown(#[serde(with = "crate::exact")] GraphGrowth),
    /// The run is over, and the copy in a store is the graph.
    Copied(CopiedGraph),
    /// The graph is copied no further; the words say why.
    NotCopied(String),
}

/// What a copy of a graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedGraph {
    /// The number of nodes.
    pub n_nodes: usize,
    /// The number of edges.
    pub n_edges: usize,
}

/// Opens a snapshot file as the graph of the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenSnapshot {
    /// The text of the file; an empty one is an empty graph.
    pub text: String,
}

/// A snapshot file that was opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenedSnapshot {
    /// The graph.
    #[serde(with = "crate::exact")]
    pub graph: GraphGrowth,
    /// What of the file it does not show, for people.
    pub notes: Vec<String>,
}

/// Writes the graph as a snapshot file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteSnapshot {
    /// After how many growths that were told; the newest, if none.
    pub at: Option<usize>,
}

/// Asks the graph. Nothing that is asked can change it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskGrown {
    /// After how many growths that were told; the newest, if none.
    pub at: Option<usize>,
    /// In which language.
    pub language: KgotLanguage,
    /// The query.
    pub query: String,
}

/// What the graph answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownTable {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    #[serde(with = "crate::exact")]
    pub rows: Vec<Vec<Value>>,
    /// The ids of the nodes that stand in them.
    pub nodes: Vec<u64>,
    /// Whether there are more rows.
    pub is_cut: bool,
}

/// Asks a graph that comes with the question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnswerGraphQuestion {
    /// The graph and the query.
    #[serde(with = "crate::exact")]
    pub question: GraphQuestion,
}

/// Corrects the graph by hand, in Cypher, where no run is at work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CorrectGrown {
    /// After how many growths that were told; later ones are left out then. The newest, if none.
    pub at: Option<usize>,
    /// The query.
    pub query: String,
}

/// Copies the graph to a store, in place of what stands under its name there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CopyGraph {
    /// After how many growths that were told; the newest, if none.
    pub at: Option<usize>,
    /// Where to.
    #[serde(with = "crate::exact")]
    pub place: CopyPlace,
}

/// Asks a store elsewhere in its own language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskStore {
    /// The store.
    #[serde(with = "crate::exact")]
    pub store: StorePlace,
    /// The query.
    pub query: String,
    /// The address that was typed to allow the query to write; without one it only reads.
    pub confirmed: Option<String>,
}

services! {
    ReadKgotFiles, "kgot/files" => Exact<TaskFiles>,
    OpenSnapshot, "kgot/open" => OpenedSnapshot,
    WriteSnapshot, "kgot/write" => String,
    AskGrown, "kgot/ask" => GrownTable,
    AnswerGraphQuestion, "kgot/answer" => Exact<GraphAnswer>,
    CorrectGrown, "kgot/correct" => Exact<GraphGrowth>,
    CopyGraph, "kgot/copy" => CopiedGraph,
    AskStore, "kgot/store" => GrownTable,
}
