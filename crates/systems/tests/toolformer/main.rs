//! Graph-ToolFormer from outside: its language, its tools, its executor, and its public data where
//! they are at hand.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod conformance;
mod executor;
mod language;
mod parts;
mod prompts;
mod wordnet;
