//! Reasoning systems from outside, by scripted models, tapes and made-up weights.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod composed;
mod fake_python;
mod free;
mod graph_copy;
mod kgetool;
mod kgetool_oracle;
mod kgot;
mod kgot_fusion;
mod kgot_networkx;
mod kgot_tools;
mod kgqa;
mod numbered;
mod options;
mod program;
mod recorded;
mod remote;
mod rescue;
mod scripts;
mod shapes;
mod surface;
mod toolformer;
mod town;
