//! What can be wrong with a knowledge graph.

/// Why a knowledge graph could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KgError {
    /// A node of one id with two types.
    #[error(
        "node {id:?} is of type {first:?} and again of type {second:?}; a node has one type, and \
         others go into its attributes"
    )]
    TwoTypes {
        /// The id of the node.
        id: String,
        /// The type that it had.
        first: String,
        /// The type that it was given again.
        second: String,
    },
    /// A text that has to say something is empty.
    #[error("{what} is empty; expected a name")]
    Empty {
        /// What is empty: an id, a type, a name.
        what: &'static str,
    },
    /// A text that is longer than may be.
    #[error("{what} {start:?}… has {length} bytes; at most {limit} are read")]
    TooLong {
        /// What is too long.
        what: &'static str,
        /// The first characters of the text.
        start: String,
        /// Its length in bytes.
        length: usize,
        /// The most that may be.
        limit: usize,
    },
    /// More things than fit.
    #[error("there are more than {limit} {what}")]
    TooMany {
        /// What there is too much of: nodes, edges, types.
        what: &'static str,
        /// The most that may be.
        limit: usize,
    },
    /// An edge that the given schema does not have.
    #[error(
        "the schema has no edge {edge_type:?} from {from:?} to {to:?}, which {source_id:?} → \
         {target_id:?} is; it has {allowed}"
    )]
    NotInSchema {
        /// The type of the edge.
        edge_type: String,
        /// The type of its source.
        from: String,
        /// The type of its target.
        to: String,
        /// The id of its source.
        source_id: String,
        /// The id of its target.
        target_id: String,
        /// Between which types such an edge may be.
        allowed: String,
    },
}
