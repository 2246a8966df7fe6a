//! Removes nodes with their edges.

pub use super::shared::GraphSize as Returns;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Delta, Graph, NodeIdx, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Deletes nodes from the graph, with all their edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes to delete.
    pub nodes: Vec<NodeName>,
}

/// The deltas that remove the nodes (each once), and how many edges go with them.
///
/// # Errors
/// `unknown_node`.
///
/// # Complexity
/// O(the degrees of the nodes).
pub fn delete_nodes(
    graph: &Graph,
    nodes: &[NodeName],
) -> Result<(Vec<Delta>, usize), FunctionError> {
    let mut gone: FxHashSet<NodeIdx> = FxHashSet::default();
    let mut deltas = Vec::new();
    for node in nodes {
        if gone.insert(graph.index(node)?) {
            deltas.push(Delta::RemoveNode { node: node.clone() });
        }
    }
    let n_edges = graph
        .edges()
        .filter(|e| gone.contains(&e.source_idx) || gone.contains(&e.target_idx))
        .count();
    Ok((deltas, n_edges))
}

pub(super) struct DeleteNodesFunction;

impl Typed for DeleteNodesFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (deltas, gone) = delete_nodes(graph, &args.nodes)?;
        let n_nodes = graph.n_nodes() - deltas.len();
        out.deltas = deltas;
        out.touched.nodes = args.nodes;
        Ok(Returns { n_nodes, n_edges: graph.n_edges() - gone })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<DeleteNodesFunction>(Facts {
    name: "delete_nodes",
    title: "Delete nodes",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A",
    writes: true,
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O(nodes given + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 0)]),
        arguments: json!({ "nodes": [1] }),
    },
});
