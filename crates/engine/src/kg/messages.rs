//! What the page asks about knowledge graphs, and what it is told.

use agent::Limits;
use draw::{Marks, Places};
use graph::Graph;
use kg::Schema;
use kg::find::{FindOptions, How};
use kg::plan::Finding;
use kg::stores::Place;
use serde::{Deserialize, Serialize};
use systems::kgqa::{Effort, KgOptions, KgRun};
use tasks::kgqa::KgQuestion;

use crate::Request;
use crate::likeness::Likeness;
use crate::message::ModelChoice;
use crate::sparql::SparqlReply;

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
    /// A store, in which it stays; its schema alone comes here.
    Store {
        /// The id of its kind.
        kind: String,
        /// Where it is.
        place: Place,
    },
    /// Files that are attached to the request.
    Files {
        /// What the graph is to be called.
        title: String,
    },
}

/// What is asked about a knowledge graph.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KgAsk {
    /// Opens a graph in the place of the one that was open.
    Open {
        /// Which.
        source: KgSource,
    },
    /// Tells likeness otherwise; a graph that is open stays open. What a way needs is attached under
    /// the names of [`Likeness::files`].
    Likeness {
        /// How.
        by: Likeness,
    },
    /// Lets a model read the names of the graph that is open, with [`Event::Progress`], so that
    /// nothing waits for it later. Does nothing where likeness needs no such reading.
    Learn,
    /// Asks the graph that is open in SPARQL; only an engine with `rdf` can.
    Sparql {
        /// The query.
        query: String,
        /// The most rows.
        max_rows: usize,
    },
    /// Writes the graph that is open.
    Write {
        /// The format's id.
        format: String,
    },
    /// Questions about the generated metro network that is open.
    Questions {
        /// How many at most.
        n: usize,
        /// How many hops at least.
        min_hops: u32,
        /// The seed.
        seed: u64,
    },
    /// Lets a system answer.
    Ask {
        /// The system's id.
        system: String,
        /// The question.
        question: Box<KgQuestion>,
        /// How it goes about it.
        options: Box<KgOptions>,
        /// The model.
        model: ModelChoice,
        /// How far it may go.
        limits: Limits,
        /// A plan that a person wrote, in the planner's place; GraphRunner alone takes one.
        #[serde(default)]
        plan: Option<String>,
    },
    /// Verifies a plan that somebody wrote.
    Verify {
        /// The plan, in any form.
        plan: String,
        /// The question.
        question: String,
        /// How it is verified.
        options: Box<KgOptions>,
    },
    /// Finds nodes by what they are called or what is meant.
    Find {
        /// The hint.
        hint: String,
        /// Of this type; of any if absent.
        node_type: Option<String>,
        /// How they are chosen.
        options: FindOptions,
    },
}

/// What comes of a [`KgAsk`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KgReply {
    /// A graph is open.
    Opened {
        /// What the page shows of it.
        view: Box<KgView>,
    },
    /// Likeness is told otherwise.
    Likened {
        /// By what, for people.
        label: String,
    },
    /// What came of a query.
    Sparql(SparqlReply),
    /// A file.
    Written {
        /// Its text.
        text: String,
        /// What its name ends with.
        ending: String,
    },
    /// Questions.
    Questions {
        /// In their order.
        questions: Vec<KgQuestion>,
    },
    /// A system has answered, or was stopped.
    Ran {
        /// What happened.
        run: Box<KgRun>,
        /// Where the nodes that it touched stand.
        places: Places,
        /// The plan's way over the types.
        way: Marks,
        /// What it took; tokens are told by the endpoint, or are about those of the text.
        effort: Effort,
    },
    /// A plan was verified.
    Verified {
        /// The plan in the paper's form.
        printed: String,
        /// What is wrong with it.
        findings: Vec<Finding>,
        /// For each step the types that its nodes can have.
        types: Vec<Vec<String>>,
        /// Its way over the types.
        way: Marks,
    },
    /// Nodes were looked for.
    Found {
        /// Those that are taken.
        hits: Vec<HitView>,
        /// The best of the others.
        near: Vec<HitView>,
    },
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
    pub drawing: Graph,
    /// Where they stand.
    pub places: Places,
    /// For each type the first names of it.
    pub samples: Vec<Vec<String>>,
    /// What likeness is told by.
    pub likeness: String,
    /// Lines of the files that could not be read.
    pub n_faults: usize,
    /// The first of them.
    pub faults: Vec<String>,
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
    pub how: How,
}

impl KgAsk {
    /// The request that asks this.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn request(&self) -> Result<Request, String> {
        let ask = serde_json::to_string(self).map_err(unread)?;
        Ok(Request::Kg { ask, files: Vec::new() })
    }
}

impl KgReply {
    /// Reads the text of an [`Output::Kg`](crate::Output::Kg).
    ///
    /// # Errors
    /// The text is none of ours.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(unread)
    }
}

pub(super) fn unread(error: serde_json::Error) -> String {
    format!("a fault of ours: a message about a knowledge graph cannot be read ({error})")
}
