//! Why a call gave nothing.

use graph::functions::FunctionError;
use serde::{Deserialize, Serialize};

use super::syntax::SyntaxError;

fn or_list(all: &[String]) -> String {
    if all.is_empty() { String::new() } else { format!("; near it are {}", all.join(", ")) }
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
    /// A subset that is none.
    #[error(
        "{found} does not say which {what} to load; a set such as {{\"a\", \"b\"}} of nodes or \
         {{(\"a\", \"b\")}} of links does, and so does \"all {what}\""
    )]
    Subset {
        /// Nodes or links.
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
