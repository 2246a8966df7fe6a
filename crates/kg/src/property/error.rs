//! What can be wrong with a change of a property graph.

use super::ids::{EdgeId, NodeId};

/// Why a property graph is not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PropertyError {
    /// A node that the graph does not have, or has no more.
    #[error("there is no node {0}; it may have been deleted")]
    NoNode(NodeId),
    /// An edge that the graph does not have, or has no more.
    #[error("there is no edge {0}; it may have been deleted")]
    NoEdge(EdgeId),
    /// A node that edges hold.
    #[error("node {node} still has {edges} edges; delete them first, or with it (DETACH DELETE)")]
    HasEdges {
        /// The node.
        node: NodeId,
        /// How many edges touch it.
        edges: usize,
    },
    /// A label, a type of an edge or the name of a property that is empty.
    #[error("{0} is empty; expected a name")]
    Empty(&'static str),
    /// A number that no file can hold.
    #[error("property {name:?} would be no finite number")]
    NotFinite {
        /// The name of the property.
        name: String,
    },
    /// A text or a list that is longer than may be.
    #[error("property {name:?} would take {size} bytes; a property may take at most {limit}")]
    TooLong {
        /// The name of the property.
        name: String,
        /// The bytes that it would take.
        size: usize,
        /// The most that may be.
        limit: usize,
    },
    /// More nodes or edges than a graph may have.
    #[error("the graph would have more than {limit} {what}")]
    TooMany {
        /// What there would be too much of.
        what: &'static str,
        /// The most that may be.
        limit: usize,
    },
}
