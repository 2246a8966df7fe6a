//! Whether one node can be reached from another.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Graph, NodeIdx, NodeName, meeting, search};

/// Tells whether there is a path between two nodes of the graph (along the direction of the edges
/// if the graph is directed), and gives one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The starting node.
    pub start: NodeName,
    /// The ending node.
    pub end: NodeName,
}

/// Whether there is a path, with one as evidence.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether end can be reached from start.
    has_path: bool,
    /// The nodes of a path with the fewest edges, or null if there is none.
    path: Option<Vec<NodeName>>,
}

/// Whether `target` can be reached from `source`; every node reaches itself.
///
/// Paper: Graph-Grounded LLMs §III (i).
///
/// petgraph's `has_path_connecting` searches from one end, where two ends meet after few nodes.
///
/// # Complexity
/// O(n + m).
pub fn has_path(graph: &Graph, source: NodeIdx, target: NodeIdx) -> bool {
    meeting::is_reachable(graph, source, target)
}

/// A path with the fewest edges from `source` to `target`, both included, or `None`.
///
/// O(n + m).
pub fn path_between(graph: &Graph, source: NodeIdx, target: NodeIdx) -> Option<Vec<NodeIdx>> {
    let adjacency = graph.adjacency();
    let reach = search::bfs(&adjacency, adjacency.position(source));
    let path = reach.path_to(adjacency.position(target))?;
    Some(adjacency.places(&path))
}

pub(super) struct HasPath;

impl Typed for HasPath {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (s, t) = (graph.index(&args.start)?, graph.index(&args.end)?);
        let path = path_between(graph, s, t).map(|nodes| {
            out.touched = Touched::walk(graph, &nodes);
            out.touched.nodes.clone()
        });
        Ok(Returns { has_path: path.is_some(), path })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<HasPath>(Facts {
    name: "has_path",
    title: "Is there a path",
    group: Group::Connectivity,
    paper: "Graph-Grounded LLMs §III (i)",
    writes: false,
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(1, 3), (2, 3), (4, 5)]),
        arguments: json!({ "start": 1, "end": 2 }),
    },
});
