//! Whether two nodes are joined.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Tells whether there is an edge from one node to another (in either direction if the graph is
/// undirected).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node where the edge starts.
    pub source: NodeName,
    /// The node where the edge ends.
    pub target: NodeName,
}

/// Whether there is an edge.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the edge is in the graph.
    has_edge: bool,
}

/// Whether there is an edge from `source` to `target`.
///
/// O(1) expected.
///
/// # Complexity
/// O(1).
pub fn has_edge(graph: &Graph, source: NodeIdx, target: NodeIdx) -> bool {
    graph.edge_between(source, target).is_some()
}

pub(super) struct HasEdgeFunction;

impl Typed for HasEdgeFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let has_edge = has_edge(graph, graph.index(&args.source)?, graph.index(&args.target)?);
        out.touched.nodes = vec![args.source.clone(), args.target.clone()];
        if has_edge {
            out.touched.edges.push((args.source, args.target));
        }
        Ok(Returns { has_edge })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<HasEdgeFunction>(Facts {
    name: "has_edge",
    title: "Is there an edge",
    group: Group::Describe,
    paper: "",
    writes: false,
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O(1)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2)]),
        arguments: json!({ "source": 2, "target": 1 }),
    },
});
