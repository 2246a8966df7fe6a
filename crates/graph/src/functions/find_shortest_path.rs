//! Shortest path between two nodes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Graph, NodeIdx, NodeName, meeting, search};

/// Finds a shortest path between two nodes of the graph. Uses the edge weights if the graph is
/// weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The starting node.
    pub start: NodeName,
    /// The ending node.
    pub end: NodeName,
}

/// A shortest path, or null if there is none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes of the path from start to end, or null if there is no path.
    path: Option<Vec<NodeName>>,
    /// The sum of its weights, or its number of edges; null if there is no path.
    length: Option<f64>,
}

/// A path and the sum of its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// From start to end, both included.
    pub nodes: Vec<NodeIdx>,
    /// The sum of the weights (1 for an edge without one).
    pub weight: f64,
}

/// A shortest path from `source` to `target`, or `None` if there is none.
///
/// Breadth first where there are no weights, else Dijkstra, both from either end; Bellman-Ford where
/// a weight is negative. Of paths with equal weight it always gives the same one.
///
/// petgraph's `astar` searches from one end and gives whichever of equal paths its heap has first.
///
/// # Errors
/// `negative_cycle` if a cycle of negative weight lies on the way, so that no path is shortest; the
/// cycle is the witness. In an undirected graph a single negative edge is such a cycle.
///
/// # Complexity
/// O((n + m) log n), with negative weights O(n·m). Paper: Graph-Grounded LLMs §II-A, figure 2.
pub fn find_shortest_path(
    graph: &Graph,
    source: NodeIdx,
    target: NodeIdx,
) -> Result<Option<Path>, FunctionError> {
    if !graph.is_weighted() {
        let path = meeting::fewest_edges(graph, source, target);
        return Ok(path.map(|nodes| Path { weight: nodes.len() as f64 - 1.0, nodes }));
    }
    if graph.is_never_negative() {
        let found = meeting::least_weight(graph, source, target);
        return Ok(found.map(|(nodes, weight)| Path { nodes, weight }));
    }
    let adjacency = graph.adjacency();
    let (s, t) = (adjacency.position(source), adjacency.position(target));
    let reach = if adjacency.edges.iter().all(|e| e.2 >= 0.0) {
        search::dijkstra(&adjacency, s, Some(t))
    } else {
        // A negative cycle beside the way does no harm, so only nodes that reach the target count.
        let within = search::reaching(&adjacency, t);
        if !within[s as usize] {
            return Ok(None);
        }
        search::bellman_ford(&adjacency, s, &within)
            .map_err(|cycle| negative_cycle(graph, &adjacency.places(&cycle)))?
    };
    let Some(path) = reach.path_to(t) else { return Ok(None) };
    Ok(Some(Path { nodes: adjacency.places(&path), weight: reach.distance[t as usize] }))
}

/// The error for a cycle of negative weight.
pub(super) fn negative_cycle(graph: &Graph, cycle: &[NodeIdx]) -> FunctionError {
    let names: Vec<&NodeName> = cycle.iter().map(|&i| graph.name(i)).collect();
    let text: Vec<String> = names.iter().chain(names.first()).map(ToString::to_string).collect();
    FunctionError::new(
        "negative_cycle",
        format!(
            "going round {} lowers the sum of weights without end, so no path is shortest: \
             check the negative weights{}",
            text.join(" -> "),
            if graph.is_directed() {
                ""
            } else {
                " (an undirected edge can be walked to and fro, so none may be negative)"
            }
        ),
    )
    .with_witness(json!({ "cycle": names }))
}

pub(super) struct FindShortestPath;

impl Typed for FindShortestPath {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (s, t) = (graph.index(&args.start)?, graph.index(&args.end)?);
        let Some(path) = find_shortest_path(graph, s, t)? else {
            return Ok(Returns { path: None, length: None });
        };
        out.touched = Touched::walk(graph, &path.nodes);
        Ok(Returns { path: Some(out.touched.nodes.clone()), length: Some(path.weight) })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindShortestPath>(Facts {
    name: "find_shortest_path",
    title: "Shortest path",
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
