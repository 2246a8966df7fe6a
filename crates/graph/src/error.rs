//! What can be wrong with a change to a graph.

use crate::NodeName;

/// A change that a graph cannot take. The message says what was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// A node was named that is not in the graph.
    #[error("unknown node {node}: {hint}")]
    UnknownNode {
        /// The name that was asked for.
        node: NodeName,
        /// The names that the graph has, or the nearest of them.
        hint: String,
    },
    /// An edge was named that is not in the graph.
    #[error("no edge between {source_node} and {target}: {hint}")]
    UnknownEdge {
        /// The source that was given.
        source_node: NodeName,
        /// The target that was given.
        target: NodeName,
        /// What is there instead.
        hint: String,
    },
    /// A node was added under a name that is taken.
    #[error("node {node} is in the graph already")]
    DuplicateNode {
        /// The name that is taken.
        node: NodeName,
    },
    /// A weight, capacity or embedding entry is not a finite number.
    #[error("{what} must be a finite number, got {value}")]
    NotFinite {
        /// What the value is: a weight or a capacity.
        what: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// A capacity is negative.
    #[error("the capacity of edge ({source_node}, {target}) must be at least 0, got {value}")]
    NegativeCapacity {
        /// The source of the edge.
        source_node: NodeName,
        /// The target of the edge.
        target: NodeName,
        /// The value that was given.
        value: f64,
    },
    /// The graph would grow beyond its limit.
    #[error("a graph has at most {limit} {what}")]
    TooLarge {
        /// What there is too much of: nodes or edges.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
}
