//! Starts a new graph.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::add_edges::{RAISES, add_edges};
use super::add_nodes::add_nodes;
use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed};
use crate::{Delta, Graph, NodeName};

/// Builds a new graph in one call, from its nodes and edges, and drops the one that was there. Call
/// this first.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Whether edges have a direction.
    pub directed: bool,
    /// Whether edges have weights; leave out if `weights` says it.
    #[serde(default)]
    pub weighted: Option<bool>,
    /// All nodes, also those without edges.
    #[serde(default)]
    pub nodes: Option<Vec<NodeName>>,
    /// All edges, each once, as a pair of nodes.
    #[serde(default)]
    #[schemars(with = "Option<Vec<[NodeName; 2]>>")]
    pub edges: Option<Vec<(NodeName, NodeName)>>,
    /// One weight for each edge, in the same order.
    #[serde(default)]
    pub weights: Option<Vec<f64>>,
    /// One capacity for each edge, in the same order, for flow problems.
    #[serde(default)]
    pub capacities: Option<Vec<f64>>,
}

/// What kind of graph was made, and how large it is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether edges have a direction.
    directed: bool,
    /// Whether edges have weights.
    weighted: bool,
    /// How many nodes the graph has; absent if neither nodes nor edges were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    n_nodes: Option<usize>,
    /// How many edges the graph has; absent if neither nodes nor edges were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    n_edges: Option<usize>,
}

pub(super) struct CreateGraph;

impl Typed for CreateGraph {
    type Args = Args;
    type Returns = Returns;
    fn call(_: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let Args { directed, nodes, edges, weights, capacities, .. } = args;
        if args.weighted == Some(false) && weights.is_some() {
            out.notes.push("`weights` were given, so the graph is weighted".into());
        }
        let weighted = args.weighted.unwrap_or(false) || weights.is_some();
        out.deltas.push(Delta::Create { directed, weighted });
        let has_content =
            [nodes.is_some(), edges.is_some(), weights.is_some(), capacities.is_some()];
        if has_content == [false; 4] {
            return Ok(Returns { directed, weighted, n_nodes: None, n_edges: None });
        }
        let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
        let (nodes, edges) = (nodes.unwrap_or_default(), edges.unwrap_or_default());
        let (of_nodes, _) = add_nodes(&graph, &nodes)?;
        for delta in &of_nodes {
            graph.apply(delta)?;
        }
        let added = add_edges(&graph, &edges, weights.as_deref(), capacities.as_deref())?;
        out.notes.extend(added.note());
        let (n_nodes, n_edges) = (graph.n_nodes() + added.new_nodes, added.new_edges);
        out.deltas.extend(of_nodes.into_iter().chain(added.deltas));
        (out.touched.nodes, out.touched.edges) = (nodes, edges);
        Ok(Returns { directed, weighted, n_nodes: Some(n_nodes), n_edges: Some(n_edges) })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<CreateGraph>(Facts {
    name: "create_graph",
    title: "Create a graph",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A; that one call builds the whole graph is ours",
    writes: true,
    raises: RAISES,
    complexity: "O(nodes and edges given)",
    example: || Example {
        graph: Graph::undirected(),
        arguments: json!({
            "directed": false, "nodes": [0, 1, 2, 3], "edges": [[0, 1], [1, 2], [2, 0]],
            "weights": [4, 1, 2],
        }),
    },
});
