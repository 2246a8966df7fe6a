//! The scoring rules that five benchmarks published, with their faults, and readers of their files.
//!
//! A published figure can only be checked by the rule that made it. So [`nlgraph`] (NLGraph),
//! [`arena`] (GraphArena), [`wiz`] (GraphWiz) and [`instruct`] (GraphInstruct) score a text exactly
//! as the script of that benchmark does, also where the script is wrong: where it accepts a wrong
//! answer or rejects a right one. [`gracore`] is exact match, because GraCoRe published no script. These rules judge
//! nothing for us: what we say of an answer comes from [`crate::verify()`] alone.
//! `docs/benchmark-rules.md` lists what each rule does, its faults, and what a fair rule would say.
//!
//! The rules are pure functions that never panic. They take time in proportion to the text, for a
//! given graph. No line of the scripts is in them; a test holds them against the scores that the
//! scripts' own checks gave to generated texts.
//!
//! [`files`] reads the files in which the benchmarks keep questions and answers, and [`questions`]
//! reads GraphWiz's wording of tasks that NLGraph asks too.

pub mod arena;
mod both;
pub mod files;
pub mod gracore;
pub mod instruct;
pub mod nlgraph;
mod python;
pub mod questions;
pub mod wiz;

pub use both::{BothRules, both_rules, both_rules_beside};
pub(crate) use both::{official, remark, value_of};

use graph::{Graph, NodeIdx, NodeName};

/// Why a rule cannot score at all. No text causes it, only an incomplete problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OfficialError {
    /// The problem lacks what the rule of its task looks at.
    #[error("the rule of {task} needs {what}, and the problem has none")]
    Incomplete {
        /// The task, as its benchmark names it.
        task: &'static str,
        /// What the problem lacks, such as "a second graph".
        what: &'static str,
    },
    /// Two graphs are too alike to be told apart in a bounded search.
    #[error(
        "the rule of {task} compares two graphs, and {steps} steps did not decide whether they \
         have the same shape; graphs of molecules with at most 20 atoms need far fewer"
    )]
    Undecided {
        /// The task, as its benchmark names it.
        task: &'static str,
        /// The steps that were spent.
        steps: u64,
    },
}

/// The node that has exactly this text as its name.
fn node(graph: &Graph, text: &str) -> Option<NodeIdx> {
    place(graph, &NodeName::from(text))
}

/// The place of a node, if it is there.
fn place(graph: &Graph, name: &NodeName) -> Option<NodeIdx> {
    // An error would list the nearest names, which takes long.
    if graph.has_node(name) { graph.index(name).ok() } else { None }
}

/// Hops from a node to all nodes that it reaches, by the number of the place; `None` elsewhere.
fn hops(graph: &Graph, start: NodeIdx) -> Vec<Option<usize>> {
    let size = graph.indices().map(|place| place.index() + 1).max().unwrap_or_default();
    let mut hops = vec![None; size];
    hops[start.index()] = Some(0);
    let mut queue = std::collections::VecDeque::from([(start, 0)]);
    while let Some((at, hop)) = queue.pop_front() {
        for next in graph.neighbors(at) {
            if hops[next.index()].is_none() {
                hops[next.index()] = Some(hop + 1);
                queue.push_back((next, hop + 1));
            }
        }
    }
    hops
}
