//! The crate from outside.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]

mod archives;
mod formats;
mod others;
mod programs;
