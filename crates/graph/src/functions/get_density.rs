//! How full a graph is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::Graph;

/// Gives the density of the graph: its number of edges divided by the number of possible edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The density.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// From 0 (no edges) to 1 (every pair of nodes is joined); 0 for fewer than 2 nodes.
    density: f64,
}

/// Edges divided by possible edges (self loops count as edges but not as possible ones); 0 for
/// fewer than two nodes.
///
/// # Complexity
/// O(1).
pub fn get_density(graph: &Graph) -> f64 {
    let n = graph.n_nodes() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let pairs = if graph.is_directed() { n * (n - 1.0) } else { n * (n - 1.0) / 2.0 };
    graph.n_edges() as f64 / pairs
}

pub(super) struct GetDensityFunction;

impl Typed for GetDensityFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        Ok(Returns { density: get_density(graph) })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<GetDensityFunction>(Facts {
    name: "get_density",
    title: "Density",
    group: Group::Describe,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O(1)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3)]),
        arguments: json!({}),
    },
});
