//! Removes edges, not their ends.

pub use super::shared::GraphSize as Returns;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Delta, Graph, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Deletes edges from the graph. Their nodes stay.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The edges, each a pair of nodes: `[[0, 1], [1, 2]]`.
    #[schemars(with = "Vec<[NodeName; 2]>")]
    pub edges: Vec<(NodeName, NodeName)>,
}

/// The deltas that remove the edges, each once.
///
/// # Errors
/// `unknown_node`, `unknown_edge`.
///
/// # Complexity
/// O(number of edges given).
pub fn delete_edges(
    graph: &Graph,
    edges: &[(NodeName, NodeName)],
) -> Result<Vec<Delta>, FunctionError> {
    let mut gone = FxHashSet::default();
    let mut deltas = Vec::new();
    for (source, target) in edges {
        let edge = graph.require_edge(source, target)?;
        if gone.insert((edge.source_idx, edge.target_idx)) {
            deltas.push(Delta::RemoveEdge { source: source.clone(), target: target.clone() });
        }
    }
    Ok(deltas)
}

pub(super) struct DeleteEdgesFunction;

impl Typed for DeleteEdgesFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        out.deltas = delete_edges(graph, &args.edges)?;
        out.touched.edges = args.edges;
        Ok(Returns { n_nodes: graph.n_nodes(), n_edges: graph.n_edges() - out.deltas.len() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<DeleteEdgesFunction>(Facts {
    name: "delete_edges",
    title: "Delete edges",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A",
    writes: true,
    raises: &[
        ("unknown_node", "A node is not in the graph."),
        ("unknown_edge", "An edge is not in the graph."),
    ],
    complexity: "O(edges given)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 0)]),
        arguments: json!({ "edges": [[0, 1]] }),
    },
});
