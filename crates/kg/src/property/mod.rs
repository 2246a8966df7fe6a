//! PropertyValue graphs: nodes with labels, typed edges, and values under names at both; they grow while
//! a task is worked on.
//!
//! [`PropertyGraph`] is the graph; a copy of it takes no time and shares what is the same.
//! [`GraphStore`] keeps the graph with all that it was before: [`GraphStore::write`] is a
//! transaction, of which all or nothing stays, and a [`Snapshot`] after each write can be read again.
//! [`snapshot_file`] reads and writes the files in which Neo4j's APOC exports a graph.
//!
//! A [`crate::Kg`] is another thing: read from a file, never changed, and a tenth of the size.

mod error;
mod graph;
mod ids;
pub mod names;
mod point;
pub mod snapshot_file;
mod store;
mod triples;
mod value;

pub use error::PropertyError;
pub use graph::{Element, PropertyEdge, PropertyGraph, PropertyNode};
pub use ids::{EdgeId, NodeId};
pub use point::PropertyPoint;
pub use store::{Changes, GraphStore, Snapshot, Writing};
pub use triples::triples;
pub use value::{Properties, PropertyValue};
