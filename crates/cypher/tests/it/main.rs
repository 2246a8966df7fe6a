//! The crate from outside.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod basis;
mod errors;
mod limits;
mod parser;
mod probes;
mod reference;
mod store;
