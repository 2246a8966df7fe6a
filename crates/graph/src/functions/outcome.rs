//! What a call of a function gives: a value, changes, what it looked at, or an error for the model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Delta, Graph, GraphError, NodeIdx, NodeName};

/// The result of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallOutcome {
    /// The result as JSON, in the shape of the function's `Returns`.
    pub value: Value,
    /// The changes that the call makes; empty for a function that only reads.
    pub deltas: Vec<Delta>,
    /// What the call looked at and points to: drawn on the graph.
    pub touched: Touched,
    /// Remarks for the model and the person, such as "the graph is directed; it was treated as
    /// undirected".
    pub notes: Vec<String>,
}

/// The nodes and edges that a result points to (a path, a cycle, a cut), in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Touched {
    /// Nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeName>,
    /// Edges, by their ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<(NodeName, NodeName)>,
}

impl Touched {
    /// A walk: its nodes, and the edges between neighbours in it.
    pub fn walk(graph: &Graph, nodes: &[NodeIdx]) -> Self {
        let names: Vec<NodeName> = nodes.iter().map(|&i| graph.name(i).clone()).collect();
        let edges = names.windows(2).map(|w| (w[0].clone(), w[1].clone())).collect();
        Self { nodes: names, edges }
    }

    /// A cycle, closed implicitly: its nodes, the edges between them and the one that closes it.
    pub fn cycle(graph: &Graph, nodes: &[NodeIdx]) -> Self {
        let mut touched = Self::walk(graph, nodes);
        if let (Some(first), Some(last)) = (touched.nodes.first(), touched.nodes.last()) {
            touched.edges.push((last.clone(), first.clone()));
        }
        touched
    }

    /// Edges with their ends, each node once.
    pub fn edges(graph: &Graph, edges: &[(NodeIdx, NodeIdx)]) -> Self {
        let mut nodes = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for &(a, b) in edges {
            for end in [a, b] {
                if seen.insert(end) {
                    nodes.push(graph.name(end).clone());
                }
            }
        }
        let edges =
            edges.iter().map(|&(a, b)| (graph.name(a).clone(), graph.name(b).clone())).collect();
        Self { nodes, edges }
    }
}

/// A graph and arguments for the catalogue, the tests and the Try form.
#[derive(Clone, Debug)]
pub struct Example {
    /// The graph to call it on.
    pub graph: Graph,
    /// The arguments.
    pub arguments: Value,
}

/// Why a call failed, in words that let a model correct itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct FunctionError {
    /// A stable word for the kind of error, such as `unknown_node`.
    pub code: String,
    /// What was wrong and what would be right.
    pub message: String,
    /// Evidence, such as the odd cycle of a graph that is not bipartite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

impl FunctionError {
    /// An error without a witness.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), witness: None }
    }

    /// Adds evidence.
    #[must_use]
    pub fn with_witness(mut self, witness: Value) -> Self {
        self.witness = Some(witness);
        self
    }
}

impl From<GraphError> for FunctionError {
    fn from(error: GraphError) -> Self {
        let code = match error {
            GraphError::UnknownNode { .. } => "unknown_node",
            GraphError::UnknownEdge { .. } => "unknown_edge",
            GraphError::DuplicateNode { .. } => "duplicate_node",
            GraphError::NotFinite { .. } => "not_finite",
            GraphError::NegativeCapacity { .. } => "negative_capacity",
            GraphError::TooLarge { .. } => "too_large",
        };
        Self::new(code, error.to_string())
    }
}
