//! Adds nodes.

pub use super::shared::GraphSize as Returns;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds};
use crate::{Delta, Graph, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Adds nodes to the graph. A node that is there already stays as it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes.
    pub nodes: Vec<NodeName>,
}

/// The deltas that add those nodes that are missing, and the names that were there already.
///
/// # Errors
/// `too_large` if the graph would have too many nodes.
///
/// # Complexity
/// O(number of nodes given).
pub fn add_nodes(
    graph: &Graph,
    nodes: &[NodeName],
) -> Result<(Vec<Delta>, Vec<NodeName>), FunctionError> {
    let mut known = FxHashSet::default();
    let (mut deltas, mut there) = (Vec::new(), Vec::new());
    for node in nodes {
        if graph.has_node(node) || !known.insert(node) {
            there.push(node.clone());
        } else {
            deltas.push(Delta::AddNode { node: node.clone() });
        }
    }
    bounds::fits(graph.n_nodes() + deltas.len(), graph.n_edges())?;
    Ok((deltas, there))
}

pub(super) struct AddNodesFunction;

impl Typed for AddNodesFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let (deltas, there) = add_nodes(graph, &args.nodes)?;
        if !there.is_empty() {
            out.notes.push(format!("already there: {}", bounds::listed(&there)));
        }
        let n_nodes = graph.n_nodes() + deltas.len();
        out.deltas = deltas;
        out.touched.nodes = args.nodes;
        Ok(Returns { n_nodes, n_edges: graph.n_edges() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<AddNodesFunction>(Facts {
    name: "add_nodes",
    title: "Add nodes",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A and the examples of §II-B",
    writes: true,
    raises: &[("too_large", "The graph would have too many nodes.")],
    complexity: "O(nodes given)",
    example: || Example {
        graph: Graph::undirected(),
        arguments: json!({ "nodes": [0, 1, 2, 3, 4] }),
    },
});
