//! What can be wrong with the text of a question.

use crate::{TaskGroup, TaskId};

/// A name that is neither a task's nor a group's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown task {name:?}; expected {}, or a group: {}; all is nlgraph",
    TaskId::names(), TaskGroup::ALL.map(TaskGroup::as_str).join(", ")
)]
pub struct UnknownTask {
    /// The name that is not known.
    pub name: String,
}

/// Why a text is not a question that we can read: what, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Nothing in the text opens one of the eight questions.
    #[error(
        "no known question: the text begins with {found:?}; expected one of a benchmark's, \
         such as \"In an undirected graph, (i,j) means that …\""
    )]
    UnknownQuestion {
        /// The beginning of the text.
        found: String,
    },
    /// The question is a benchmark's, and none of the tasks here asks it.
    #[error("no task here asks this: {question:?}")]
    NoTask {
        /// The beginning of the question.
        question: String,
    },
    /// The row of a file is wrong.
    #[error("{message}")]
    Row {
        /// What is wrong, and where.
        message: String,
    },
    /// Something else stands where a part of the question should.
    #[error("line {line}, column {column}: expected {expected}, found {found:?}")]
    Expected {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What would be right.
        expected: String,
        /// The text that stands in its place.
        found: String,
    },
    /// The text ends too early.
    #[error("line {line}: the text ends where {expected} should follow; it seems cut off")]
    Truncated {
        /// The last line, from 1.
        line: usize,
        /// What would be right.
        expected: String,
    },
    /// A number names a node that the question does not have.
    #[error("line {line}, column {column}: {what} {id} in a question of {n} ({range})")]
    UnknownNode {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// Node, city, applicant or job.
        what: &'static str,
        /// The number that no node has.
        id: usize,
        /// How many there are.
        n: usize,
        /// Which numbers would be right.
        range: String,
    },
    /// The text, or the graph in it, is larger than we read.
    #[error("too large: {found} {what}; at most {limit} are read")]
    TooLarge {
        /// Bytes, nodes or edges.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are allowed.
        limit: usize,
    },
}
