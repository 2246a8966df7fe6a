//! The crate from outside.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]

mod formats;
mod others;
