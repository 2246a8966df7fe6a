//! A path that visits every node once: exact, within a budget of steps.

mod rotations;
mod search;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Graph, NodeIdx, NodeName};

/// Finds a Hamilton path: a path that visits every node of the graph exactly once, along the
/// direction of the edges if the graph is directed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// A Hamilton path, or why there is none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether there is one; null if the search gave up before it knew.
    exists: Option<bool>,
    /// The nodes of the path in order, or null.
    path: Option<Vec<NodeName>>,
    /// If there is no path: why; if the search gave up: how far it went. Else null.
    reason: Option<String>,
}

/// What a search for a Hamilton path found.
#[derive(Clone, Debug, PartialEq)]
pub enum HamiltonOutcome {
    /// A path through every node.
    Found(Vec<NodeIdx>),
    /// There is none, for a stated reason.
    None {
        /// Why there is none, in a sentence.
        reason: String,
    },
    /// The budget ran out first.
    Undecided {
        /// The steps that were spent.
        steps: u64,
    },
}

/// The steps that a call from a model may take: about a second in a browser.
pub const DEFAULT_BUDGET: u64 = 50_000_000;

/// Searches for a Hamilton path. A yes and a no are both certain; the budget is a count of
/// neighbours looked at, so the same call ends in the same way on every machine.
///
/// First cheap proofs that there is none (components, dead ends, cut nodes, sides of unequal size),
/// then a depth-first search that goes to the tightest neighbour first and gives up early where the
/// rest falls apart, and for at most 20 nodes dynamic programming over sets of nodes. Where an eighth
/// of the budget has found nothing in an undirected graph, rotations may take half of what is left;
/// they find paths of large graphs and prove nothing.
///
/// # Complexity
/// Exponential; at most `budget` steps. Paper: Graph-Grounded LLMs §III (vii) and remark 1.
pub fn find_hamilton_path(graph: &Graph, budget: u64) -> HamiltonOutcome {
    // Departs from §IV remark 1: the paper backtracks without pruning, for undirected graphs only.
    search::run(graph, budget)
}

pub(super) struct FindHamiltonPath;

impl Typed for FindHamiltonPath {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        Ok(match find_hamilton_path(graph, DEFAULT_BUDGET) {
            HamiltonOutcome::Found(nodes) => {
                out.touched = Touched::walk(graph, &nodes);
                let path = Some(out.touched.nodes.clone());
                Returns { exists: Some(true), path, reason: None }
            }
            HamiltonOutcome::None { reason } => {
                Returns { exists: Some(false), path: None, reason: Some(reason) }
            }
            HamiltonOutcome::Undecided { steps } => Returns {
                exists: None,
                path: None,
                reason: Some(format!(
                    "undecided: {steps} steps found no path and did not rule one out"
                )),
            },
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindHamiltonPath>(Facts {
    name: "find_hamilton_path",
    title: "Hamilton path",
    group: Group::Structure,
    paper: "Graph-Grounded LLMs §III (vii), §IV remark 1",
    writes: false,
    raises: &[],
    complexity: "exponential, at most 50 million steps",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5)]),
        arguments: json!({}),
    },
});
