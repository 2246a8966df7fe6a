//! The mean of all shortest distances.

use super::shortest_path_lengths::from_each;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::Graph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Gives the average shortest distance over all ordered pairs of different nodes. Uses the edge
/// weights if the graph is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The average.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The average distance; 0 for a single node.
    average: f64,
}

/// The mean distance over all ordered pairs of different nodes; 0 for a single node.
///
/// # Errors
/// `empty_graph`, `not_connected`, `negative_cycle`, `too_much_work`, `overflow`.
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn average_shortest_path_length(graph: &Graph) -> Result<f64, FunctionError> {
    // Says which two nodes are apart, if any are.
    super::eccentricity::eccentricity(graph)?;
    let n = graph.n_nodes() as f64;
    if n < 2.0 {
        return Ok(0.0);
    }
    let total: f64 = from_each(graph, |row| row.iter().sum::<f64>())?.iter().sum();
    bounds::finite(total / (n * (n - 1.0)))
}

pub(super) struct AverageShortestPathLengthFunction;

impl Typed for AverageShortestPathLengthFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        Ok(Returns { average: average_shortest_path_length(graph)? })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<AverageShortestPathLengthFunction>(Facts {
        name: "average_shortest_path_length",
        title: "Average distance",
        group: Group::Metrics,
        paper: "",
        writes: false,
        raises: &[
            ("empty_graph", "The graph has no nodes."),
            ("not_connected", "Some node cannot reach another; the witness names the two."),
            ("negative_cycle", "A cycle of negative weight can be reached."),
            ("too_much_work", "The graph is too large for this."),
            ("overflow", "The distances add up to more than a number can hold."),
        ],
        complexity: "O(n·(n + m)·log n)",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (2, 3)]),
            arguments: json!({}),
        },
    });
