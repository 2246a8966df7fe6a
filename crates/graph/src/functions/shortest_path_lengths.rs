//! Shortest distances from one node.

use super::find_shortest_path::negative_cycle;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::search::{Hops, NONE};
use crate::{Adjacency, Graph, NodeIdx, NodeName, search, threads};
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
/// petgraph's `dijkstra` gives them in a hash map, and counts edges no faster than weights.
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
    if g.has_unit_weights() {
        let mut hops = Hops::new(g.n_nodes());
        hops.search(&g.out, s);
        let far = |&d: &u32| if d == NONE { f64::INFINITY } else { f64::from(d) };
        return Ok(hops.depth.iter().map(far).collect());
    }
    if g.edges.iter().all(|e| e.2 >= 0.0) {
        return Ok(search::dijkstra(g, s, None).distance);
    }
    search::bellman_ford(g, s, &vec![true; g.n_nodes()])
        .map(|reach| reach.distance)
        .map_err(|cycle| negative_cycle(graph, &g.places(&cycle)))
}

/// What `f` makes of the distances from each node, within the limit of work.
///
/// `f` gets the distances of one node at a time: a table of all would take eight bytes a pair.
pub(super) fn from_each<T: Send>(
    graph: &Graph,
    f: impl Fn(&[f64]) -> T + Sync + Send,
) -> Result<Vec<T>, FunctionError> {
    let g = graph.adjacency();
    let n = g.n_nodes();
    let each = if g.edges.iter().all(|e| e.2 >= 0.0) { 1 } else { n as u64 };
    let work = ((n + 2 * g.edges.len()) as u64).saturating_mul(n as u64).saturating_mul(each);
    bounds::affordable(work)?;
    if g.has_unit_weights() {
        let scratch = || (Hops::new(n), vec![0.0; n]);
        return Ok(threads::map(n, work, scratch, |(hops, distance), s| {
            hops.search(&g.out, s as u32);
            for (d, &depth) in distance.iter_mut().zip(&hops.depth) {
                *d = if depth == NONE { f64::INFINITY } else { f64::from(depth) };
            }
            f(distance)
        }));
    }
    let one = |(): &mut (), s| Ok(f(&distances_from(graph, &g, s as u32)?));
    // Gathered before it is looked at, so that it is always the first fault that is told.
    threads::map(n, work, || (), one).into_iter().collect()
}

pub(super) struct ShortestPathLengthsFunction;

impl Typed for ShortestPathLengthsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
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
