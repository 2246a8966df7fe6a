//! The neighbours that two nodes share.

use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Lists the nodes that are neighbours of both of two nodes; in a directed graph those that an edge
/// leads to from both. The two nodes themselves are not among them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The one node.
    pub first: NodeName,
    /// The other node.
    pub second: NodeName,
}

/// The neighbours that both have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The common neighbours, in the order of the first node's edges.
    neighbors: Vec<NodeName>,
    /// How many there are.
    count: usize,
}

/// The nodes that an edge leads to from both of two nodes, without the two themselves, in the order of
/// the first node's edges.
///
/// networkx' `common_neighbors` gives the same as a set and refuses directed graphs.
///
/// # Complexity
/// O(the degrees of both).
pub fn common_neighbors(graph: &Graph, first: NodeIdx, second: NodeIdx) -> Vec<NodeIdx> {
    let of_second: FxHashSet<NodeIdx> = graph.neighbors(second).into_iter().collect();
    let is_common = |v: &NodeIdx| *v != first && *v != second && of_second.contains(v);
    graph.neighbors(first).into_iter().filter(is_common).collect()
}

pub(super) struct CommonNeighbors;

impl Typed for CommonNeighbors {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (first, second) = (graph.index(&args.first)?, graph.index(&args.second)?);
        let neighbors = graph.names_of(&common_neighbors(graph, first, second));
        if graph.is_directed() {
            out.notes.push(
                "the graph is directed; these are the nodes that an edge leads to from both".into(),
            );
        }
        for v in &neighbors {
            out.touched.edges.push((args.first.clone(), v.clone()));
            out.touched.edges.push((args.second.clone(), v.clone()));
        }
        out.touched.nodes = neighbors.clone();
        let count = neighbors.len();
        Ok(Returns { neighbors, count })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<CommonNeighbors>(Facts {
    name: "common_neighbors",
    title: "Common neighbours",
    group: Group::Describe,
    paper: "",
    writes: false,
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O(degrees of both)",
    example: || Example {
        graph: sample::undirected(&[(0, 2), (1, 2), (0, 3), (1, 3), (0, 1), (1, 4)]),
        arguments: json!({ "first": 0, "second": 1 }),
    },
});
