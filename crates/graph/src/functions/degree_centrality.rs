//! The share of the others that a node is joined to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeName};

/// Gives the degree centrality of each node: its degree divided by the number of other nodes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The centralities.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// One entry for each node.
    values: Vec<NodeValue>,
}

/// The value of one node.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeValue {
    /// The node.
    node: NodeName,
    /// The degree divided by the number of other nodes.
    value: f64,
}

/// The degree of each node divided by n - 1, in the order of the nodes; 1 for a single node.
///
/// # Complexity
/// O(n + m).
pub fn degree_centrality(graph: &Graph) -> Vec<f64> {
    let others = graph.n_nodes() as f64 - 1.0;
    if others < 1.0 {
        return vec![1.0; graph.n_nodes()];
    }
    // One short list, which stays in the processor's cache while the edges go by.
    let mut degrees = vec![0_u32; graph.node_bound()];
    for (u, v) in graph.ends() {
        degrees[u.index()] += 1;
        degrees[v.index()] += 1;
    }
    graph.indices().map(|node| f64::from(degrees[node.index()]) / others).collect()
}

pub(super) struct DegreeCentralityFunction;

impl Typed for DegreeCentralityFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let values = degree_centrality(graph);
        let nodes = graph.names().zip(values).map(|(n, v)| NodeValue { node: n.clone(), value: v });
        Ok(Returns { values: nodes.collect() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<DegreeCentralityFunction>(Facts {
    name: "degree_centrality",
    title: "Degree centrality",
    group: Group::Metrics,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (0, 2), (0, 3)]),
        arguments: json!({}),
    },
});
