//! Message passing: each node takes the sum of its neighbours' embeddings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Delta, Graph, NodeIdx, NodeName};

/// Runs layers of a graph convolution on the node embeddings: in each layer every node's embedding
/// becomes the sum of the embeddings of all its neighbours, without its own. Set the embeddings
/// first. The graph keeps its embeddings.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// How many layers, at least 1.
    pub layers: usize,
}

/// The embedding of one node after the last layer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeEmbedding {
    /// The node.
    node: NodeName,
    /// Its new embedding.
    embedding: Vec<f64>,
}

/// The embeddings of all nodes after the last layer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// One entry for each node.
    embeddings: Vec<NodeEmbedding>,
}

/// Additions that a call may make; a hundred layers on a large graph stay below it.
const MAX_ADDITIONS: u64 = 200_000_000;

/// The embeddings after `layers` rounds of message passing, in the order of the nodes.
///
/// Each round a node takes the sum of its neighbours' embeddings, without its own (unless a self
/// loop makes it its own neighbour). In a directed graph messages run along the edges.
///
/// # Errors
/// `no_layers`, `missing_embedding`, `dimension_mismatch`, `too_much_work`, `overflow`.
///
/// # Complexity
/// O(layers · m · d) for embeddings of d entries. Paper: Graph-Grounded LLMs §III (viii).
pub fn graph_convolution(
    graph: &Graph,
    layers: usize,
) -> Result<Vec<(NodeIdx, Vec<f64>)>, FunctionError> {
    if layers == 0 {
        return Err(FunctionError::new("no_layers", "layers is 0: give at least 1"));
    }
    let missing: Vec<String> = graph
        .indices()
        .filter(|&i| graph.embedding(i).is_none())
        .map(|i| graph.name(i).to_string())
        .collect();
    if let Some(first) = missing.first() {
        let shown = missing.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        return Err(FunctionError::new(
            "missing_embedding",
            format!(
                "{} of {} nodes have no embedding ({shown}{}): call set_node_embeddings with an \
                 embedding for node {first} and the others",
                missing.len(),
                graph.n_nodes(),
                if missing.len() > 8 { ", …" } else { "" },
            ),
        ));
    }
    let g = graph.adjacency();
    let mut now: Vec<Vec<f64>> =
        g.nodes.iter().map(|&i| graph.embedding(i).unwrap_or_default().to_vec()).collect();
    let width = now.first().map_or(0, Vec::len);
    if let Some(odd) = now.iter().position(|x| x.len() != width) {
        return Err(FunctionError::new(
            "dimension_mismatch",
            format!(
                "node {} has an embedding of {} entries, node {} one of {width}: give all the same \
                 number",
                graph.name(g.nodes[odd]),
                now[odd].len(),
                graph.name(g.nodes[0])
            ),
        ));
    }
    let work = (layers as u64)
        .saturating_mul(1 + 2 * g.edges.len() as u64 + g.n_nodes() as u64)
        .saturating_mul(width.max(1) as u64);
    if work > MAX_ADDITIONS {
        return Err(FunctionError::new(
            "too_much_work",
            format!(
                "{layers} layers take about {work} additions, at most {MAX_ADDITIONS} are done: \
                 ask for fewer layers"
            ),
        ));
    }
    let from = if g.directed { &g.into } else { &g.out };
    for _ in 0..layers {
        let mut next = vec![vec![0.0; width]; now.len()];
        for (sum, list) in next.iter_mut().zip(from.iter()) {
            for &(u, _) in list {
                for (total, x) in sum.iter_mut().zip(&now[u as usize]) {
                    *total += x;
                }
            }
        }
        now = next;
    }
    if now.iter().flatten().any(|x| !x.is_finite()) {
        return Err(FunctionError::new(
            "overflow",
            "the sums grow beyond what a number can hold: ask for fewer layers",
        ));
    }
    Ok(g.nodes.iter().copied().zip(now).collect())
}

pub(super) struct GraphConvolution;

impl Typed for GraphConvolution {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        if graph.is_directed() {
            out.notes.push(
                "the graph is directed: each node sums the embeddings of the nodes with an edge to \
                 it"
                .into(),
            );
        }
        let embeddings = graph_convolution(graph, args.layers)?
            .into_iter()
            .map(|(i, embedding)| NodeEmbedding { node: graph.name(i).clone(), embedding })
            .collect();
        Ok(Returns { embeddings })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<GraphConvolution>(Facts {
    name: "graph_convolution",
    title: "Graph convolution",
    group: Group::Embeddings,
    paper: "Graph-Grounded LLMs §III (viii)",
    writes: false,
    raises: &[
        ("no_layers", "The number of layers is 0."),
        ("missing_embedding", "A node has no embedding."),
        ("dimension_mismatch", "The embeddings do not all have the same number of entries."),
        ("too_much_work", "So many layers on so large a graph are not computed."),
        ("overflow", "The sums grow beyond what a number can hold."),
    ],
    complexity: "O(layers · m · d)",
    example: || {
        let mut graph = sample::undirected(&[(0, 1), (1, 2), (2, 3), (0, 2)]);
        for (node, values) in [(0, [1.0, 1.0]), (1, [1.0, 2.0]), (2, [2.0, 0.0]), (3, [0.0, 1.0])] {
            let node = NodeName::Int(node);
            let _ = graph.apply(&Delta::SetEmbedding { node, values: values.to_vec() });
        }
        Example { graph, arguments: json!({ "layers": 1 }) }
    },
});
