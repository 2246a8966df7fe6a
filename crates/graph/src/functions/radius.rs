//! The smallest eccentricity.

use super::shared::{ECCENTRICITY_RAISES, extreme};
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::Graph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Gives the radius of the graph: the smallest eccentricity, which is the distance from a most
/// central node to the node farthest from it. Uses the edge weights if the graph is weighted, else
/// counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The radius.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The radius.
    radius: f64,
}

/// The smallest eccentricity.
///
/// # Errors
/// As [`eccentricity`](super::eccentricity::eccentricity).
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn radius(graph: &Graph) -> Result<f64, FunctionError> {
    Ok(extreme(graph, f64::min)?.1)
}

pub(super) struct RadiusFunction;

impl Typed for RadiusFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let radius = radius(graph)?;
        Ok(Returns { radius })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<RadiusFunction>(Facts {
    name: "radius",
    title: "Radius",
    group: Group::Metrics,
    paper: "",
    writes: false,
    raises: ECCENTRICITY_RAISES,
    complexity: "O(n·(n + m)·log n)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3)]),
        arguments: json!({}),
    },
});
