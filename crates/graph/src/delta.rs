//! One change to a graph. A graph is the fold of its deltas.

use serde::{Deserialize, Serialize};

use crate::NodeName;

/// One change to a graph.
///
/// Every change that anything makes is one of these, so that a trace can rebuild the graph at any
/// step and a person can undo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Delta {
    /// Starts again with an empty graph.
    Create {
        /// Whether edges have a direction.
        directed: bool,
        /// Whether edges have weights that a person gave.
        weighted: bool,
    },
    /// Adds a node.
    AddNode {
        /// Its name, not yet in the graph.
        node: NodeName,
    },
    /// Removes a node and its edges.
    RemoveNode {
        /// The name of a node that is there.
        node: NodeName,
    },
    /// Gives a node another name; its edges stay.
    RenameNode {
        /// The name it has.
        from: NodeName,
        /// The name it gets, not yet in the graph.
        to: NodeName,
    },
    /// Adds an edge between two nodes that are there, or sets the weight and capacity of one that is.
    AddEdge {
        /// The source; either end where the graph is undirected.
        source: NodeName,
        /// The target.
        target: NodeName,
        /// Its weight; absent means 1 in an unweighted graph.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weight: Option<f64>,
        /// Its capacity, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        capacity: Option<f64>,
    },
    /// Removes an edge.
    RemoveEdge {
        /// The source; either end where the graph is undirected.
        source: NodeName,
        /// The target.
        target: NodeName,
    },
    /// Sets the embedding of a node.
    SetEmbedding {
        /// The name of a node that is there.
        node: NodeName,
        /// The vector, one entry a dimension.
        values: Vec<f64>,
    },
    /// Removes all nodes and edges; direction and weights stay as they are.
    Clear,
}
