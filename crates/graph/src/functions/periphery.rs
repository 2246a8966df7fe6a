//! The nodes of largest eccentricity.

use super::shared::{ECCENTRICITY_RAISES, extreme};
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Gives the periphery of the graph: the nodes whose eccentricity is the diameter. Uses the edge
/// weights if the graph is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The periphery.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes.
    periphery: Vec<NodeName>,
    /// Their eccentricity: the diameter.
    diameter: f64,
}

/// The nodes of largest eccentricity, and that.
///
/// Sums of weights are compared with a relative tolerance of 1e-9.
///
/// # Errors
/// As [`eccentricity`](super::eccentricity::eccentricity).
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn periphery(graph: &Graph) -> Result<(Vec<NodeIdx>, f64), FunctionError> {
    extreme(graph, f64::max)
}

pub(super) struct PeripheryFunction;

impl Typed for PeripheryFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (nodes, diameter) = periphery(graph)?;
        out.touched.nodes = graph.names_of(&nodes);
        Ok(Returns { periphery: out.touched.nodes.clone(), diameter })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<PeripheryFunction>(Facts {
    name: "periphery",
    title: "Periphery",
    group: Group::Metrics,
    paper: "",
    writes: false,
    raises: ECCENTRICITY_RAISES,
    complexity: "O(n·(n + m)·log n)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (3, 4)]),
        arguments: json!({}),
    },
});
