//! Depth-first traversal.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub use super::shared::Visit as Returns;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Visits the nodes that can be reached from a start node, depth first: as far as possible before
/// turning back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node to start from.
    pub start: NodeName,
}

/// The nodes reached from `start`, depth first and in preorder; neighbours in the order their edges
/// came.
///
/// petgraph's `Dfs` takes neighbours in the opposite order of their edges, and gives them in the order
/// in which they leave its stack.
///
/// # Complexity
/// O(n + m).
pub fn dfs_order(graph: &Graph, start: NodeIdx) -> Vec<NodeIdx> {
    let g = graph.adjacency();
    let mut seen = vec![false; g.n_nodes()];
    let root = g.position(start);
    seen[root as usize] = true;
    let mut order = vec![root];
    let mut stack = vec![(root, 0usize)];
    while let Some((u, next)) = stack.last_mut() {
        let Some(&(v, _)) = g.out[*u as usize].get(*next) else {
            stack.pop();
            continue;
        };
        *next += 1;
        if !std::mem::replace(&mut seen[v as usize], true) {
            order.push(v);
            stack.push((v, 0));
        }
    }
    g.places(&order)
}

pub(super) struct DfsOrderFunction;

impl Typed for DfsOrderFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        Ok(Returns::named(graph, &dfs_order(graph, graph.index(&args.start)?), out))
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<DfsOrderFunction>(Facts {
    name: "dfs_order",
    title: "Depth-first order",
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
