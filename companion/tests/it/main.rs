//! The program as a person starts it.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bench;
mod cassette;
mod commands;
#[cfg(unix)]
mod documents;
mod encoding;
mod experiments;
mod finetune;
mod graphs;
mod hostile_models;
#[cfg(unix)]
mod inputs;
mod keys;
mod kg;
mod kgetool;
mod local_models;
mod mcp;
#[cfg(unix)]
mod outputs;
mod outside;
mod program;
mod programs;
mod property;
mod serve;
mod servers;
mod sharing;
mod toolformer;
mod traces;
mod train;
