//! The crate from outside.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod core;
mod find;
mod formats;
mod generators;
mod others;
mod plans;
mod property;
mod queries;
mod stores;
