//! Whether the graph has a cycle.

use super::find_cycle::cycle_found;
use super::find_cycle::find_cycle;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Tells whether the graph has a cycle (along the direction of the edges if the graph is directed),
/// and gives one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// Whether there is a cycle, with one as evidence.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the graph has a cycle.
    has_cycle: bool,
    /// The nodes of a cycle (the last is joined to the first), or null.
    cycle: Option<Vec<NodeName>>,
}

/// Whether the graph has a cycle; [`find_cycle`] gives it.
///
/// Paper: Graph-Grounded LLMs §III (ii).
///
/// petgraph's `is_cyclic_directed` recurses, and neither it nor its sibling has the cycle.
///
/// # Complexity
/// O(n + m).
pub fn has_cycle(graph: &Graph) -> bool {
    find_cycle(graph).is_some()
}

pub(super) struct HasCycleFunction;

impl Typed for HasCycleFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let cycle = cycle_found(graph, out);
        Ok(Returns { has_cycle: cycle.is_some(), cycle })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<HasCycleFunction>(Facts {
    name: "has_cycle",
    title: "Is there a cycle",
    group: Group::Order,
    paper: "Graph-Grounded LLMs §III (ii)",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (3, 1)]),
        arguments: json!({}),
    },
});
