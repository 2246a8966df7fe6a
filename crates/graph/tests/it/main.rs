//! The crate from outside.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod composed;
mod files;
mod formats;
mod oracles;
mod registry;
mod reported;
mod several;
mod threads;
