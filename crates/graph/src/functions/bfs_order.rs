//! Breadth-first traversal.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub use super::shared::Visit as Returns;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Visits the nodes that can be reached from a start node, breadth first: nearest first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node to start from.
    pub start: NodeName,
}

/// The nodes reached from `start`, nearest first; neighbours in the order their edges came.
///
/// petgraph's `Bfs` takes neighbours in the opposite order of their edges.
///
/// # Complexity
/// O(n + m).
pub fn bfs_order(graph: &Graph, start: NodeIdx) -> Vec<NodeIdx> {
    let g = graph.adjacency();
    let mut seen = vec![false; g.n_nodes()];
    let mut order = vec![g.position(start)];
    seen[order[0] as usize] = true;
    let mut next = 0;
    while next < order.len() {
        for &(v, _) in &g.out[order[next] as usize] {
            if !std::mem::replace(&mut seen[v as usize], true) {
                order.push(v);
            }
        }
        next += 1;
    }
    g.places(&order)
}

pub(super) struct BfsOrderFunction;

impl Typed for BfsOrderFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        Ok(Returns::named(graph, &bfs_order(graph, graph.index(&args.start)?), out))
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<BfsOrderFunction>(Facts {
    name: "bfs_order",
    title: "Breadth-first order",
    group: Group::Connectivity,
    paper: "",
    writes: false,
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (0, 2), (1, 3), (2, 4)]),
        arguments: json!({ "start": 0 }),
    },
});
