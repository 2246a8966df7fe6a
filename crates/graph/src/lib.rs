//! Graphs, their changes, and the function library that models call.
//!
//! A [`Graph`] is the fold of its [`Delta`]s. A [`GraphFunction`](functions::GraphFunction) is a
//! deterministic algorithm with a name, a JSON description and an example; [`functions::FUNCTIONS`]
//! lists them all.
//!
//! This crate is pure: no clock, no files, no ambient randomness. Seeds are arguments.
#![warn(missing_docs)]

mod adjacency;
mod delta;
mod ends;
mod error;
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
pub mod threads;

pub use adjacency::Adjacency;
pub use delta::Delta;
pub use error::GraphError;
pub use graph::{EdgeRef, Graph, NodeIdx};
pub use name::{NodeName, nearest_names};
pub use rows::Rows;
