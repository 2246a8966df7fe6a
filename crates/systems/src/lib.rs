#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod backends;
pub mod experiment;
pub mod experiments;
pub mod free;
pub mod graph_cot;
pub mod graphrunner;
pub mod grounded;
pub mod kgetool;
pub mod kgot;
pub mod kgqa;
pub mod nlgraph;
mod program;
pub mod rag;
pub mod remote;
mod reply;
pub mod rescue;
mod run;
mod standalone;
pub mod toolformer;

pub use backends::{Backends, NoBackends, QueryFault, TrainedModel, TripleStore};
pub use reply::{Exchange, asks_back, with_exchanges, with_reply};
pub use run::{Run, RunOptions, RunRequest, run_system};
