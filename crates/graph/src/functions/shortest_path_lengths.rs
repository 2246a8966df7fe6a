//! Shortest distances from one node.

use super::find_shortest_path::negative_cycle;
use super::{Example, Facts, FunctionError, GraphFunction, Group, Outcome, Typed, bounds, sample};
use crate::{Adjacency, Graph, NodeIdx, NodeName, search};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Finds the shortest distance from one node to every node that it can reach. Uses the edge weights
/// if the graph is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The starting node.
    pub start: NodeName,
}

/// The distances.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// One entry for each node that can be reached, in the order of the nodes.
    distances: Vec<Distance>,
}

/// The distance to one node.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Distance {
    /// The node.
    node: NodeName,
    /// The sum of the weights on the way, or the number of edges.
    distance: f64,
}

/// The distance to every node, in the order of the nodes; `None` where there is no path.
///
/// # Errors
/// `negative_cycle` if `source` reaches a cycle of negative weight.
///
/// # Complexity
/// O((n + m) log n), with negative weights O(n·m).
pub fn shortest_path_lengths(
    graph: &Graph,
    source: NodeIdx,
) -> Result<Vec<(NodeIdx, Option<f64>)>, FunctionError> {
    let g = graph.adjacency();
    let distance = distances_from(graph, &g, g.position(source))?;
    let finite = |d: f64| d.is_finite().then_some(d);
    Ok(g.nodes.iter().zip(distance).map(|(&i, d)| (i, finite(d))).collect())
}

/// The same by positions; infinite where there is no path.
pub(super) fn distances_from(
    graph: &Graph,
    g: &Adjacency,
    s: u32,
) -> Result<Vec<f64>, FunctionError> {
    if g.edges.iter().all(|e| e.2 >= 0.0) {
        return Ok(search::dijkstra(g, s).distance);
    }
    search::bellman_ford(g, s, &vec![true; g.n_nodes()])
        .map(|reach| reach.distance)
        .map_err(|cycle| negative_cycle(graph, &g.places(&cycle)))
}

/// The distances from each node in turn, within the limit of work.
pub(super) fn distances_from_all(graph: &Graph) -> Result<Vec<Vec<f64>>, FunctionError> {
    let g = graph.adjacency();
    let n = g.n_nodes() as u64;
    let each = if g.edges.iter().all(|e| e.2 >= 0.0) { 1 } else { n };
    bounds::affordable((n + 2 * g.edges.len() as u64).saturating_mul(n).saturating_mul(each))?;
    (0..g.n_nodes() as u32).map(|s| distances_from(graph, &g, s)).collect()
}

pub(super) struct ShortestPathLengthsFunction;

impl Typed for ShortestPathLengthsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut Outcome) -> Result<Returns, FunctionError> {
        let start = graph.index(&args.start)?;
        let reached: Vec<Distance> = shortest_path_lengths(graph, start)?
            .into_iter()
            .filter_map(|(i, d)| Some(Distance { node: graph.name(i).clone(), distance: d? }))
            .collect();
        out.touched.nodes = reached.iter().map(|d| d.node.clone()).collect();
        Ok(Returns { distances: reached })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<ShortestPathLengthsFunction>(Facts {
        name: "shortest_path_lengths",
        title: "Distances from a node",
        group: Group::Paths,
        paper: "",
        writes: false,
        raises: &[
            ("unknown_node", "A node is not in the graph."),
            ("negative_cycle", "A cycle of negative weight can be reached."),
        ],
        complexity: "O((n + m) log n); O(n·m) with negative weights",
        example: || Example {
            graph: sample::weighted(&[(0, 1, 4.0), (0, 2, 1.0), (2, 1, 2.0), (1, 3, 5.0)]),
            arguments: json!({ "start": 0 }),
        },
    });
