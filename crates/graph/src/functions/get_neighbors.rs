//! The neighbours of a node.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Lists the neighbours of a node; in a directed graph those after it and those before it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node.
    pub node: NodeName,
}

/// The neighbours.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes that an edge leads to from this node, in the order of the edges.
    neighbors: Vec<NodeName>,
    /// In a directed graph the nodes that have an edge to this node, else null.
    predecessors: Option<Vec<NodeName>>,
}

/// The nodes that an edge leads to from `node`, in the order of the edges.
///
/// # Complexity
/// O(degree).
pub fn get_neighbors(graph: &Graph, node: NodeIdx) -> Vec<NodeIdx> {
    graph.neighbors(node)
}

/// The nodes that have an edge to `node`; in an undirected graph the neighbours.
///
/// O(degree).
pub fn get_predecessors(graph: &Graph, node: NodeIdx) -> Vec<NodeIdx> {
    graph.predecessors(node)
}

pub(super) struct GetNeighborsFunction;

impl Typed for GetNeighborsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let node = graph.index(&args.node)?;
        let after = get_neighbors(graph, node);
        out.touched.edges =
            after.iter().map(|&v| (args.node.clone(), graph.name(v).clone())).collect();
        let predecessors = graph.is_directed().then(|| get_predecessors(graph, node));
        if let Some(before) = &predecessors {
            let edges = before.iter().map(|&u| (graph.name(u).clone(), args.node.clone()));
            out.touched.edges.extend(edges);
        }
        out.touched.nodes.push(args.node);
        Ok(Returns {
            neighbors: graph.names_of(&after),
            predecessors: predecessors.map(|list| graph.names_of(&list)),
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<GetNeighborsFunction>(Facts {
    name: "get_neighbors",
    title: "Neighbours",
    group: Group::Describe,
    paper: "",
    writes: false,
    raises: &[("unknown_node", "A node is not in the graph.")],
    complexity: "O(degree)",
    example: || Example {
        graph: sample::directed(&[(0, 1), (0, 2), (3, 0)]),
        arguments: json!({ "node": 0 }),
    },
});
