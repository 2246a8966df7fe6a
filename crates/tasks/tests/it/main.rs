//! Tasks from outside: they are generated, worded, read back, solved and judged.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod arbitrary;
mod attached;
mod claims;
mod claims_labels;
mod conformance;
mod errors;
mod family;
mod forms;
mod generated;
mod kgot;
mod kgqa;
mod modern;
mod named;
mod official;
mod rescue;
mod reviewed;
mod shuffled;
mod styles;
mod threads;
mod tiny;
mod town;
mod variants;
mod verdicts;
