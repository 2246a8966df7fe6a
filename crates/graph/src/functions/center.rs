//! The nodes of smallest eccentricity.

use super::shared::{ECCENTRICITY_RAISES, extreme};
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Gives the center of the graph: the nodes whose eccentricity is the radius. Uses the edge weights
/// if the graph is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The center.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes.
    center: Vec<NodeName>,
    /// Their eccentricity: the radius.
    radius: f64,
}

/// The nodes of smallest eccentricity, and that.
///
/// Sums of weights are compared with a relative tolerance of 1e-9.
///
/// # Errors
/// As [`eccentricity`](super::eccentricity::eccentricity).
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn center(graph: &Graph) -> Result<(Vec<NodeIdx>, f64), FunctionError> {
    extreme(graph, f64::min)
}

pub(super) struct CenterFunction;

impl Typed for CenterFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (nodes, radius) = center(graph)?;
        out.touched.nodes = graph.names_of(&nodes);
        Ok(Returns { center: out.touched.nodes.clone(), radius })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<CenterFunction>(Facts {
    name: "center",
    title: "Centre",
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
