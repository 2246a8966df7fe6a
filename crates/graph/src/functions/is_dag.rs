//! Whether a directed graph has no cycle.

use super::find_cycle::cycle_found;
use super::find_cycle::find_cycle;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Tells whether the graph is a directed acyclic graph, and gives a cycle if it is not.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// Whether it is one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the graph is directed and has no cycle.
    is_dag: bool,
    /// The nodes of a cycle (the last is joined to the first), or null.
    cycle: Option<Vec<NodeName>>,
}

/// Whether the graph is directed and has no cycle.
///
/// # Complexity
/// O(n + m).
pub fn is_dag(graph: &Graph) -> bool {
    graph.is_directed() && find_cycle(graph).is_none()
}

pub(super) struct IsDagFunction;

impl Typed for IsDagFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        if !graph.is_directed() {
            out.notes.push("the graph is undirected, so it is not a directed acyclic graph".into());
            return Ok(Returns { is_dag: false, cycle: None });
        }
        let cycle = cycle_found(graph, out);
        Ok(Returns { is_dag: cycle.is_none(), cycle })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<IsDagFunction>(Facts {
    name: "is_dag",
    title: "Is it acyclic",
    group: Group::Order,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::directed(&[(0, 1), (1, 2), (2, 0)]),
        arguments: json!({}),
    },
});
