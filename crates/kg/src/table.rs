//! Answers in rows.

use serde::{Deserialize, Serialize};

use crate::NodeIx;

/// A value in an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// A node of the graph.
    Node {
        /// Its place in the graph.
        node: NodeIx,
        /// The name that people read, or the id where it has none.
        name: String,
    },
    /// A type, an edge or an attribute of the graph, or another IRI, as it is called here.
    Name(String),
    /// A text, number or the like, as text.
    Value(String),
}

impl Cell {
    /// What a person reads.
    pub fn text(&self) -> &str {
        match self {
            Self::Node { name, .. } => name,
            Self::Name(text) | Self::Value(text) => text,
        }
    }
}

/// An answer: a table. Of `ASK` it has one cell, of `CONSTRUCT` three columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnswerTable {
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its rows; a cell without a value is `None`.
    pub rows: Vec<Vec<Option<Cell>>>,
    /// Whether there were more rows than asked for.
    pub is_cut: bool,
}
