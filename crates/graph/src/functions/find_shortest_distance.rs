//! The length of a shortest path.

use super::find_shortest_path::find_shortest_path;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Graph, NodeIdx, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Finds the shortest distance between two nodes of the graph. Uses the edge weights if the graph
/// is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The starting node.
    pub start: NodeName,
    /// The ending node.
    pub end: NodeName,
}

/// The distance.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The shortest distance between the start and end nodes, or null if there is no path.
    distance: Option<f64>,
}

/// The weight of a shortest path, or `None` if there is none.
///
/// # Errors
/// `negative_cycle`, see [`find_shortest_path`].
///
/// # Complexity
/// O((n + m) log n), with negative weights O(n·m). Paper: Graph-Grounded LLMs §II-A, figure 2.
// Departs from figure 2: "no path" is a value here and no exception, because it is an answer.
pub fn find_shortest_distance(
    graph: &Graph,
    source: NodeIdx,
    target: NodeIdx,
) -> Result<Option<f64>, FunctionError> {
    Ok(find_shortest_path(graph, source, target)?.map(|path| path.weight))
}

pub(super) struct FindShortestDistanceFunction;

impl Typed for FindShortestDistanceFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (s, t) = (graph.index(&args.start)?, graph.index(&args.end)?);
        let path = find_shortest_path(graph, s, t)?;
        if let Some(path) = &path {
            out.touched = Touched::walk(graph, &path.nodes);
        }
        Ok(Returns { distance: path.map(|path| path.weight) })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<FindShortestDistanceFunction>(Facts {
        name: "find_shortest_distance",
        title: "Shortest distance",
        group: Group::Paths,
        paper: "Graph-Grounded LLMs §II-A, figure 2",
        writes: false,
        raises: &[
            ("unknown_node", "A node is not in the graph."),
            ("negative_cycle", "A cycle of negative weight lies on the way."),
        ],
        complexity: "O((n + m) log n); O(n·m) with negative weights",
        example: || Example {
            graph: sample::weighted(&[(0, 1, 4.0), (0, 2, 1.0), (2, 1, 2.0), (1, 3, 5.0)]),
            arguments: json!({ "start": 0, "end": 3 }),
        },
    });
