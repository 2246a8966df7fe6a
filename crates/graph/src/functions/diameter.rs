//! The largest eccentricity.

use super::eccentricity::eccentricity;
use super::find_shortest_path::{Path, find_shortest_path};
use super::shared::{ECCENTRICITY_RAISES, extreme};
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Gives the diameter of the graph, the longest of all shortest distances, and a path that long. Uses the edge weights if
/// the graph is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The diameter.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The diameter.
    diameter: f64,
    /// The nodes of a shortest path between two nodes that are so far apart.
    path: Vec<NodeName>,
}

/// The largest eccentricity.
///
/// # Errors
/// As [`eccentricity`].
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn diameter(graph: &Graph) -> Result<f64, FunctionError> {
    Ok(extreme(graph, f64::max)?.1)
}

/// A shortest path between two nodes that are farthest apart; the first such two in the order of the
/// graph.
///
/// # Errors
/// As [`eccentricity`].
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn longest_shortest_path(graph: &Graph) -> Result<Path, FunctionError> {
    let all = eccentricity(graph)?;
    let most = all.iter().map(|e| e.1).fold(f64::NEG_INFINITY, f64::max);
    let from = all.iter().find(|e| e.1 == most).map(|e| e.0);
    let mut longest: Option<Path> = None;
    if let Some(from) = from {
        for to in graph.indices() {
            let path = find_shortest_path(graph, from, to)?;
            let best = longest.as_ref().map_or(f64::NEG_INFINITY, |path| path.weight);
            if let Some(path) = path.filter(|path| path.weight > best) {
                longest = Some(path);
            }
        }
    }
    Ok(longest.unwrap_or(Path { nodes: Vec::new(), weight: most }))
}

pub(super) struct DiameterFunction;

impl Typed for DiameterFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let Path { nodes, weight } = longest_shortest_path(graph)?;
        Ok(Returns { diameter: weight, path: graph.names_of(&nodes) })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<DiameterFunction>(Facts {
    name: "diameter",
    title: "Diameter",
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
