//! The crate from outside.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod core;
mod find;
mod formats;
mod generators;
mod plans;
mod property;
#[cfg(feature = "rdf")]
mod property_sparql;
mod queries;
#[cfg(feature = "rdf")]
mod sparql;
mod stores;
