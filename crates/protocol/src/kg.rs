//! Knowledge graphs: opened, searched, asked by systems, and plans verified.

use std::collections::BTreeMap;

use draw::{Marks, Places};
use graph::Graph;
use graph::formats::TableColumns;
use kg::find::{FindOptions, FoundBy};
use kg::plan::PlanFinding;
use kg::stores::StoreAddress;
use kg::{AnswerTable, Schema};
use serde::{Deserialize, Serialize};
use systems::kgqa::{KgByHand, KgOptions, Outcome};
use tasks::kgqa::KgQuestion;

use crate::exact::Exact;
use crate::numbers::PackedNumbers;
use crate::problem::TableView;
use crate::runs::RunKind;
use crate::service::services;
use crate::traces::TextFile;

/// What requests fail with when no graph is open in the worker, as after it was ended.
pub const NOT_OPEN: &str = "no knowledge graph is open";

/// Where a knowledge graph comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgSource {
    /// The generated metro network.
    Metro {
        /// How many lines, 2 to 16.
        n_lines: usize,
        /// The seed.
        seed: u64,
    },
    /// The generated town: families, shops, events, and long texts about some of them.
    Town {
        /// The seed.
        seed: u64,
    },
    /// A tiny graph with made-up types, on which our own small model can plan.
    Tiny {
        /// The seed.
        seed: u64,
    },
    /// A store, in which it stays; its schema alone comes here.
    Store {
        /// The id of its kind.
        kind: String,
        /// Where it is.
        place: StoreAddress,
    },
    /// Files that are attached to the request.
    Files {
        /// What the graph is to be called.
        title: String,
        /// Which columns of a table are what, where a person said so.
        columns: Option<TableColumns>,
    },
}

/// The beginning of a file: whether it is a table whose columns a person has to name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PreviewTable {
    /// The name of the file.
    pub name: String,
    /// Its first [`kg::formats::TABLE_HEAD`] bytes.
    pub head: String,
}

/// Opens a graph in the place of the one that was open. Files are attached to the request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LoadGraph {
    /// Where it comes from.
    pub source: KgSource,
}

/// How similar two names are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Similarity {
    /// By character trigrams.
    #[default]
    Trigrams,
    /// By the words that they have in common, the seldom ones most.
    Bm25,
    /// By a table of word embeddings.
    Table,
    /// By a BERT that makes embeddings of sentences; only an engine with `ml` can.
    Minilm,
}

/// The file of the table of word embeddings.
pub const TABLE: &str = "words.bin";
/// The files of a model: its weights, its tokenizer, its sizes.
pub const MODEL: [&str; 3] = ["model.safetensors", "tokenizer.json", "config.json"];

impl Similarity {
    /// The names of the files that are attached to a request for this.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            Self::Trigrams | Self::Bm25 => &[],
            Self::Table => &[TABLE],
            Self::Minilm => &MODEL,
        }
    }
}

/// How names are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NameMeasure {
    /// The measure's name for people.
    pub label: String,
    /// Its own threshold θ, which counts where none is set; 0 to 1.
    pub threshold: f32,
}

/// Switches the similarity measure of the open graph. Its files are attached under the names of
/// [`Similarity::files`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SetSimilarity {
    /// The measure.
    pub by: Similarity,
}

/// Lets a model read the names of the open graph, with progress, so that nothing waits for it later.
/// Does nothing where the similarity measure needs no such reading.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EmbedNames {}

/// Asks the open graph in SPARQL; only an engine with `rdf` can.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QueryGraph {
    /// The query.
    pub query: String,
    /// The most rows.
    pub max_rows: usize,
}

/// What came of a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SparqlReply {
    /// Its answer.
    Answer {
        /// The rows.
        table: AnswerTable,
        /// Milliseconds of making triples of the graph; 0 where that was done before.
        made_ms: f64,
        /// Milliseconds of the query.
        took_ms: f64,
    },
    /// It has none; the message says why and what would be right.
    Fault {
        /// The message.
        message: String,
        /// Line and column, both from 1, where it is about a place of the query.
        place: Option<(usize, usize)>,
    },
}

/// Writes the open graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteGraph {
    /// The format's id.
    pub format: String,
}

/// Makes questions about the graph that is open: those of its generator where it is a generated one,
/// else such as are put together from its types and edges (`tasks::kgqa::is_typed` tells).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MakeQuestions {
    /// How many at most.
    pub n: usize,
    /// How many hops at least; 0 for questions about texts too, which need none.
    pub min_hops: u32,
    /// The seed.
    pub seed: u64,
}

/// Reads the one file that is attached, if it is one of questions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadQuestions {
    /// How many of its questions are wanted at most.
    pub n: usize,
}

/// What a file of questions has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionFile {
    /// The first of its questions, with their right answers.
    pub questions: Vec<KgQuestion>,
    /// How many questions it has in all.
    pub n: usize,
    /// Of how many all answers are names or ids of nodes of the graph that is open; absent where no
    /// graph is here.
    pub n_known: Option<usize>,
}

/// Questions about the graph that is open, as [`StartRun`](crate::runs::StartRun) runs them.
#[derive(Clone, Debug)]
pub struct KgRun;

impl RunKind for KgRun {
    const NAME: &'static str = "run/kgqa";
    const CASES: &'static str = "cases/kgqa";
    type ByHand = KgByHand;
    type Event = KgDrawn;
    type Outcome = Outcome;
}

/// How a run is drawn; sent at its end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct KgDrawn {
    /// The places of the nodes that it touched.
    pub places: Places,
    /// The plan's way over the types.
    pub way: Marks,
}

/// Verifies a plan that somebody wrote.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VerifyPlan {
    /// The plan, in any form.
    pub plan: String,
    /// The question.
    pub question: String,
    /// How it is verified.
    pub options: Box<KgOptions>,
}

/// A plan after verification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerifiedPlan {
    /// The plan in the paper's form.
    pub printed: String,
    /// What is wrong with it.
    pub findings: Vec<PlanFinding>,
    /// For each step the types that its nodes can have.
    pub types: Vec<Vec<String>>,
    /// Its way over the types.
    pub way: Marks,
}

/// Finds nodes by what they are called or what is meant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FindNodes {
    /// The hint.
    pub hint: String,
    /// Of this type; of any if absent.
    pub node_type: Option<String>,
    /// How they are chosen.
    pub options: FindOptions,
}

/// The nodes that were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundNodes {
    /// Those that are taken.
    pub hits: Vec<HitView>,
    /// The best of the others.
    pub near: Vec<HitView>,
}

/// What the page shows of a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KgView {
    /// What it is called.
    pub title: String,
    /// The number of nodes.
    pub n_nodes: usize,
    /// The number of edges.
    pub n_edges: usize,
    /// The memory that it takes, in bytes, without attributes.
    pub memory: usize,
    /// The kind of store in which it stays, for people, if it is in one.
    #[serde(default)]
    pub store: Option<String>,
    /// Milliseconds that reading and indexing took.
    pub took_ms: f64,
    /// Its types.
    pub schema: Schema,
    /// Types as nodes, joined where edges join them.
    #[serde(with = "crate::compact::text")]
    pub drawing: Graph,
    /// Where they stand.
    pub places: Places,
    /// For each type the first names of it.
    pub samples: Vec<Vec<String>>,
    /// The similarity measure of its names, for people.
    pub similarity: String,
    /// Lines of the files that could not be read.
    pub n_faults: usize,
    /// The first of them.
    pub faults: Vec<String>,
    /// What the graph does not show of what could be read, for people.
    pub notes: Vec<String>,
    /// What types of nodes and edges are called for people, by their names.
    pub labels: BTreeMap<String, String>,
}

/// A node that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HitView {
    /// Its label.
    pub node: String,
    /// Its type.
    pub node_type: String,
    /// How well it fits, from 0 to 1.
    pub score: f32,
    /// How it was found.
    pub how: FoundBy,
}

/// Tells the whole graph that is open, to be drawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShowWhole {}

/// A whole knowledge graph for a drawing. Its nodes are known by their places in `names`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholeKg {
    /// The name of each node.
    pub names: Vec<String>,
    /// The types of nodes.
    pub types: Vec<String>,
    /// For each node its place in `types`.
    pub type_of: PackedNumbers<u32>,
    /// For each edge two nodes, source and target.
    pub edges: PackedNumbers<u32>,
}

services! {
    ShowWhole, "kg/whole" => WholeKg,
    LoadGraph, "kg/load" => KgView,
    PreviewTable, "kg/preview" => Exact<Option<TableView>>,
    SetSimilarity, "kg/similarity" => NameMeasure,
    EmbedNames, "kg/embed" => NameMeasure,
    QueryGraph, "kg/sparql" => SparqlReply,
    WriteGraph, "kg/write" => TextFile,
    MakeQuestions, "kg/questions" => Vec<KgQuestion>,
    // Nothing where the file is none of questions.
    ReadQuestions, "kg/read_questions" => Option<QuestionFile>,
    VerifyPlan, "kg/verify" => VerifiedPlan,
    FindNodes, "kg/find" => FoundNodes,
}
