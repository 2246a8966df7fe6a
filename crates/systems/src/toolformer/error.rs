//! Why a call gave nothing.

use graph::functions::FunctionError;
use serde::{Deserialize, Serialize};

use super::syntax::SyntaxError;

fn or_list(all: &[String]) -> String {
    if all.is_empty() { String::new() } else { format!("; near it are {}", all.join(", ")) }
}

fn or_facts(all: &[String]) -> String {
    match all {
        [] => String::new(),
        all => format!("; between the two there are {}", all.join(", ")),
    }
}

/// What says which part to load.
fn subset(what: &str) -> &'static str {
    match what {
        "links" => "a set such as {(\"a\", \"b\")}",
        "facts" => {
            "a set such as {(\"head\", \"relation\", \"tail\")}, {(\"head\", \"tail\")} or \
             {relation#name}"
        }
        _ => "a set such as {\"a\", \"b\"}",
    }
}

/// Why a call gave nothing. The rest of its text stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CallError {
    /// It cannot be read.
    #[error("{error}")]
    Syntax {
        /// Where in the text, and what would be right.
        error: SyntaxError,
    },
    /// No dataset has that name.
    #[error("there is no dataset {name:?}; there are {}", .known.join(", "))]
    UnknownDataset {
        /// What was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The dataset is known, and its data are not here.
    #[error("the data of {dataset:?} are not here: {how}")]
    NoData {
        /// The dataset that is not loaded.
        dataset: String,
        /// What they are and how to get them.
        how: String,
    },
    /// The model is known, and not here.
    #[error("the model {model:?} is not here: {how}")]
    NoModel {
        /// The model that is not there.
        model: String,
        /// What it is and how to get it.
        how: String,
    },
    /// The set has no such graph.
    #[error("{dataset:?} has no graph {graph:?}{}", or_list(.near))]
    UnknownGraph {
        /// The dataset that was searched.
        dataset: String,
        /// What was asked for.
        graph: String,
        /// Names that are like it.
        near: Vec<String>,
    },
    /// The graph has no such node.
    #[error("the graph has no node {node:?}{}", or_list(.near))]
    UnknownNode {
        /// What was asked for.
        node: String,
        /// Names that are like it.
        near: Vec<String>,
    },
    /// The graph has no such link.
    #[error("the graph has no link between {from:?} and {to:?}")]
    UnknownLink {
        /// The name at one end.
        from: String,
        /// The name at the other end.
        to: String,
    },
    /// The knowledge graph has no such relation.
    #[error("the data have no relation {relation:?}{}", or_list(.near))]
    UnknownRelation {
        /// What was asked for.
        relation: String,
        /// Names that are like it.
        near: Vec<String>,
    },
    /// The knowledge graph has no such fact.
    #[error(
        "the data have no fact {head:?} {} {tail:?}{}",
        .relation.as_deref().unwrap_or("…"),
        or_facts(.near)
    )]
    UnknownFact {
        /// The entity at its start.
        head: String,
        /// The relation; none where any would do.
        relation: Option<String>,
        /// The entity at its end.
        tail: String,
        /// Facts between the two that there are.
        near: Vec<String>,
    },
    /// A name that several entities have.
    #[error("{n} entities have the name {name:?}; give the id of one: {}", .ids.join(", "))]
    Several {
        /// What the call wrote in the place of an id.
        name: String,
        /// The ids of some of them.
        ids: Vec<String>,
        /// How many have it.
        n: usize,
    },
    /// A file that cannot be loaded.
    #[error("the file {path:?} cannot be loaded: {why}")]
    File {
        /// Its path, as the call has it.
        path: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// An address in the place of a dataset.
    #[error(
        "{address:?} is an address, and nothing is fetched for a call: a model writes calls, and \
         would choose whom this machine asks. Fetch the file yourself; then hand it over as a data \
         set (--data NAME=FILE, or drop it on the page), or name it in a folder that --files allows"
    )]
    Address {
        /// What was asked for.
        address: String,
    },
    /// A subset that is none.
    #[error(
        "{found} does not say which {what} to load; {} does, and so does \"all {what}\"",
        subset(.what)
    )]
    Subset {
        /// Nodes, links, graphs, entities or facts.
        what: String,
        /// What stands in its place.
        found: String,
    },
    /// The name of the function before the colon.
    #[error("there is no model {domain:?}; there are {}", .known.join(", "))]
    UnknownDomain {
        /// What was asked for.
        domain: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The name of the function.
    #[error("there is no function {function:?}; {does}")]
    UnknownFunction {
        /// What was asked for.
        function: String,
        /// What there is, or whose it is.
        does: String,
    },
    /// Other arguments than the function takes.
    #[error("{function} takes {expected}; {found} stands there")]
    Arguments {
        /// The function that was called.
        function: String,
        /// The arguments that it takes.
        expected: String,
        /// What it was given.
        found: String,
    },
    /// The function and the graph do not fit.
    #[error("{function} says nothing about {dataset:?}: {does}")]
    DoesNotApply {
        /// The function that was called.
        function: String,
        /// The dataset that was loaded.
        dataset: String,
        /// What the function is for.
        does: String,
    },
    /// A name that no earlier call gave, or that is forgotten.
    #[error("{name:?} names no graph that is remembered; {how}")]
    UnknownName {
        /// The name that stands for nothing.
        name: String,
        /// What would be right.
        how: String,
    },
    /// Two nodes without a path.
    #[error("there is no path from {from} to {to}")]
    NoPath {
        /// The node where the path would start.
        from: String,
        /// The node where it would end.
        to: String,
    },
    /// The graph library refused.
    #[error("{message}")]
    Graph {
        /// A stable word for it.
        code: String,
        /// The message of the graph library.
        message: String,
    },
    /// The model could not answer.
    #[error("{message}")]
    ModelFailed {
        /// Why the model cannot answer.
        message: String,
    },
    /// Something that the paper's public code cannot do, in the mode that does as it does.
    #[error("the paper's public code cannot do this: {why}")]
    Reference {
        /// What the public code cannot do.
        why: String,
    },
}

impl CallError {
    /// A model that could not answer.
    pub fn model(message: impl Into<String>) -> Self {
        Self::ModelFailed { message: message.into() }
    }
}

impl From<FunctionError> for CallError {
    fn from(error: FunctionError) -> Self {
        Self::Graph { code: error.code, message: error.message }
    }
}

impl From<SyntaxError> for CallError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax { error }
    }
}
