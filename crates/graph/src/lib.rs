#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod adjacency;
pub mod composed;
mod delta;
mod ends;
mod error;
pub mod exact;
pub mod formats;
pub mod functions;
pub mod generators;
mod graph;
mod meeting;
mod name;
mod routing;
mod rows;
mod search;
mod serial;
pub mod tables;
pub mod threads;

pub use adjacency::Adjacency;
pub use delta::Delta;
pub use error::GraphError;
pub use graph::{EdgeRef, Graph, NodeIdx};
pub use name::{NodeName, nearest_names};
pub use rows::Rows;
