//! Shortest distances between all nodes.

use super::shortest_path_lengths::from_each;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Finds the shortest distance between every two nodes of a graph of at most 1,000 nodes. Uses the
/// edge weights if the graph is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The distances as a table.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes; rows and columns of the table stand in this order.
    nodes: Vec<NodeName>,
    /// In row i and column j the distance from the i-th node to the j-th, or null if there is no
    /// path.
    distances: Vec<Vec<Option<f64>>>,
}

/// The most nodes for which a table is made: a million entries.
const MAX_NODES: usize = 1000;

/// The distance between every two nodes, in the order of the nodes; `None` where there is no path.
///
/// petgraph's `johnson` gives them in a hash map of pairs, and of a negative cycle no witness.
///
/// # Errors
/// `negative_cycle`, and `too_much_work` for more than 1,000 nodes.
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn all_pairs_shortest_distances(graph: &Graph) -> Result<Vec<Vec<Option<f64>>>, FunctionError> {
    if graph.n_nodes() > MAX_NODES {
        return Err(FunctionError::new(
            "too_much_work",
            format!(
                "the graph has {} nodes, a table is made for at most {MAX_NODES}: ask for \
                 shortest_path_lengths from the nodes you need",
                graph.n_nodes()
            ),
        ));
    }
    let finite = |d: &f64| d.is_finite().then_some(*d);
    from_each(graph, |row| row.iter().map(finite).collect())
}

pub(super) struct AllPairsShortestDistancesFunction;

impl Typed for AllPairsShortestDistancesFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let distances = all_pairs_shortest_distances(graph)?;
        Ok(Returns { nodes: graph.names().cloned().collect(), distances })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<AllPairsShortestDistancesFunction>(Facts {
        name: "all_pairs_shortest_distances",
        title: "All distances",
        group: Group::Paths,
        paper: "",
        writes: false,
        raises: &[
            ("negative_cycle", "A cycle of negative weight can be reached."),
            ("too_much_work", "The graph is too large for this."),
        ],
        complexity: "O(n·(n + m)·log n)",
        example: || Example {
            graph: sample::weighted(&[(0, 1, 4.0), (0, 2, 1.0), (2, 1, 2.0), (3, 4, 5.0)]),
            arguments: json!({}),
        },
    });
