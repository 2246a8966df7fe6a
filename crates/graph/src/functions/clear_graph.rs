//! Removes everything.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Delta, Graph};

/// Deletes all nodes and edges of the graph. It stays directed or undirected as it was.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// What was removed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many nodes were deleted.
    n_nodes_deleted: usize,
    /// How many edges were deleted.
    n_edges_deleted: usize,
}

/// The delta that empties a graph.
///
/// O(1).
///
/// # Complexity
/// O(n + m).
pub fn clear_graph() -> Delta {
    Delta::Clear
}

pub(super) struct ClearGraphFunction;

impl Typed for ClearGraphFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        out.deltas.push(clear_graph());
        Ok(Returns { n_nodes_deleted: graph.n_nodes(), n_edges_deleted: graph.n_edges() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<ClearGraphFunction>(Facts {
    name: "clear_graph",
    title: "Clear the graph",
    group: Group::Build,
    paper: "",
    writes: true,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example { graph: sample::undirected(&[(0, 1), (1, 2)]), arguments: json!({}) },
});
