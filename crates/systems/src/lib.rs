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
pub mod rag;
pub mod remote;
mod reply;
pub mod rescue;
mod run;
mod standalone;
pub mod toolformer;
mod vote;

pub use backends::{Backends, NoBackends, QueryFault, TrainedModel, TripleStore};
pub use reply::{Exchange, asks_back, with_exchanges, with_reply};
pub use run::{Run, RunOptions, RunRequest, run_system};
pub use vote::vote;

/// A reasoning system: how a model is asked, and with which tools.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// A stable id, which files and addresses have.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// What it says before the question. Paper: Graph-Grounded LLMs §II-B.
    pub prompt: &'static str,
    /// Whether its model gets the graph tools.
    pub has_tools: bool,
}

/// Every system, in the order in which lists show them.
pub static SYSTEMS: &[System] = &[grounded::SYSTEM, standalone::SYSTEM];

/// The system of that id.
pub fn find(id: &str) -> Option<&'static System> {
    SYSTEMS.iter().find(|s| s.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_has_a_name_of_its_own_and_words() {
        for (i, system) in SYSTEMS.iter().enumerate() {
            assert!(SYSTEMS[..i].iter().all(|s| s.id != system.id));
            assert!(!system.title.is_empty() && system.lede.ends_with('.'));
        }
    }
}
