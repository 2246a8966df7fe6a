//! Gives nodes their embeddings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::{Delta, Graph, GraphError, NodeName};

/// Sets the embeddings of nodes that are in the graph, for graph_convolution.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes.
    pub nodes: Vec<NodeName>,
    /// One embedding for each node, in the same order, all of the same length: `[[1, 2], [0, 1]]`.
    pub embeddings: Vec<Vec<f64>>,
}

/// How many nodes have a new embedding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many embeddings were set.
    n_set: usize,
}

/// The deltas that give nodes embeddings.
///
/// # Errors
/// `length_mismatch`, `dimension_mismatch`, `unknown_node`, `not_finite`.
///
/// # Complexity
/// O(number of entries).
pub fn set_node_embeddings(
    graph: &Graph,
    nodes: &[NodeName],
    embeddings: &[Vec<f64>],
) -> Result<Vec<Delta>, FunctionError> {
    bounds::one_for_each("nodes", nodes.len(), "embeddings", embeddings.len())?;
    let width = embeddings.first().map_or(0, Vec::len);
    let mut deltas = Vec::with_capacity(nodes.len());
    for (i, (node, values)) in nodes.iter().zip(embeddings).enumerate() {
        graph.index(node)?;
        if values.is_empty() || values.len() != width {
            return Err(FunctionError::new(
                "dimension_mismatch",
                format!(
                    "embeddings[{i}] (of node {node}) has {} entries, the first has {width}: give \
                     all the same number, at least 1",
                    values.len()
                ),
            ));
        }
        if let Some(&value) = values.iter().find(|v| !v.is_finite()) {
            return Err(GraphError::NotFinite { what: "an embedding entry", value }.into());
        }
        deltas.push(Delta::SetEmbedding { node: node.clone(), values: values.clone() });
    }
    Ok(deltas)
}

pub(super) struct SetNodeEmbeddingsFunction;

impl Typed for SetNodeEmbeddingsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        out.deltas = set_node_embeddings(graph, &args.nodes, &args.embeddings)?;
        out.touched.nodes = args.nodes;
        Ok(Returns { n_set: out.deltas.len() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<SetNodeEmbeddingsFunction>(Facts {
    name: "set_node_embeddings",
    title: "Set node embeddings",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §III (viii)",
    writes: true,
    raises: &[
        ("length_mismatch", "There is not one embedding for each node."),
        ("dimension_mismatch", "The embeddings differ in length or are empty."),
        ("unknown_node", "A node is not in the graph."),
        ("not_finite", "An entry is not a finite number."),
    ],
    complexity: "O(entries)",
    example: || Example {
        graph: sample::undirected(&[(0, 1)]),
        arguments: json!({ "nodes": [0, 1], "embeddings": [[1, 1], [2, 0]] }),
    },
});
