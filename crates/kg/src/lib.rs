#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod adjacency;
mod builder;
mod error;
mod examples;
pub mod find;
pub mod formats;
pub mod generators;
pub mod iris;
mod kg;
mod mentions;
mod names;
pub mod plan;
pub mod property;
mod schema;
pub mod stores;
mod strings;
mod table;

pub use adjacency::Direction;
pub use builder::KgBuilder;
pub use error::KgError;
pub use examples::{QueryExample, examples};
pub use formats::rdf::each as each_triple;
pub use iris::PREFIXES;
pub use kg::{EdgeTypeIx, Kg, NodeIx, NodeTypeIx};
pub use mentions::{Mention, mentions};
pub use names::fold;
pub use schema::{EdgeType, NodeType, Schema, TypePair};
pub use table::{AnswerTable, Cell};
