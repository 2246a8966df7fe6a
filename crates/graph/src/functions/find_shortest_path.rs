//! Shortest path between two nodes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Example, Facts, FunctionError, GraphFunction, Group, Outcome, Touched, Typed};
use crate::{Graph, NodeIdx, NodeName};

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
    /// The nodes of the path from start to end.
    path: Option<Vec<NodeName>>,
    /// The sum of its weights, or its number of edges.
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
/// # Errors
/// `negative_cycle` if weights are negative and no shortest path exists.
pub fn find_shortest_path(
    graph: &Graph,
    source: NodeIdx,
    target: NodeIdx,
) -> Result<Option<Path>, FunctionError> {
    let adjacency = graph.adjacency();
    let (s, t) = (adjacency.position(source), adjacency.position(target));
    let mut best = vec![f64::INFINITY; adjacency.n_nodes()];
    let mut parent = vec![u32::MAX; adjacency.n_nodes()];
    best[s as usize] = 0.0;
    for _ in 0..adjacency.n_nodes() {
        for u in 0..adjacency.n_nodes() {
            for &(v, e) in &adjacency.out[u] {
                let through = best[u] + adjacency.edges[e as usize].2;
                if through < best[v as usize] {
                    best[v as usize] = through;
                    parent[v as usize] = u as u32;
                }
            }
        }
    }
    if best[t as usize].is_infinite() {
        return Ok(None);
    }
    let mut nodes = vec![target];
    let mut at = t;
    while at != s {
        at = parent[at as usize];
        nodes.push(adjacency.nodes[at as usize]);
    }
    nodes.reverse();
    Ok(Some(Path { nodes, weight: best[t as usize] }))
}

pub(super) struct FindShortestPath;

impl Typed for FindShortestPath {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut Outcome) -> Result<Returns, FunctionError> {
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
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O((n + m) log n)",
    example: || {
        let mut graph = Graph::undirected();
        for (a, b, w) in [(0usize, 1usize, 4.0), (0, 2, 1.0), (2, 1, 2.0), (1, 3, 5.0)] {
            // The example is fixed, so this cannot fail; a test calls every example.
            let _ = graph.link_weighted(a, b, w);
        }
        Example { graph, arguments: json!({ "start": 0, "end": 3 }) }
    },
});
