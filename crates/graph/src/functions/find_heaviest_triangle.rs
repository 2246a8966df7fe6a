//! Three nodes that are all joined, with the most weight.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, bounds,
    sample,
};
use crate::{Delta, Graph, NodeIdx, NodeName};

/// Finds the triangle of the maximum sum of the weights of its nodes: three interconnected nodes
/// whose weights add up to the most. A node's weight is an embedding of one number; set the weights
/// of the nodes with `set_node_embeddings` first. Directions and weights of edges are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The triangle found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Its three nodes, or null if no three nodes are all joined.
    triangle: Option<Vec<NodeName>>,
    /// The sum of their weights, or null.
    total: Option<f64>,
    /// How many triangles there are.
    n_triangles: u64,
}

/// A triangle, and what was seen on the way to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// The heaviest one, its nodes in the order of the graph, with the sum of their weights; of
    /// equally heavy ones the first by its nodes.
    pub heaviest: Option<([NodeIdx; 3], f64)>,
    /// How many there are.
    pub count: u64,
}

/// The triangle whose nodes' weights have the largest sum. Directions, weights of edges and self
/// loops do not matter; a node's weight is its embedding of one number.
///
/// # Errors
/// `no_node_weight` names a node without a weight; `too_much_work`.
///
/// # Complexity
/// O(m √m) by looking from each edge only at later neighbours, in the order of degrees.
///
/// # Examples
/// ```
/// use graph::functions::find_heaviest_triangle::find_heaviest_triangle;
/// use graph::{Delta, Graph};
/// let mut graph = Graph::undirected();
/// for (a, b) in [(0usize, 1usize), (1, 2), (2, 0), (2, 3)] {
///     graph.link(a, b)?;
/// }
/// for (node, weight) in [2.0, 9.0, 6.0, 10.0].into_iter().enumerate() {
///     graph.apply(&Delta::SetEmbedding { node: node.into(), values: vec![weight] })?;
/// }
/// let found = find_heaviest_triangle(&graph)?;
/// assert_eq!(found.heaviest.map(|(_, total)| total), Some(17.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_heaviest_triangle(graph: &Graph) -> Result<Triangles, FunctionError> {
    let g = graph.adjacency().into_undirected();
    let n = g.n_nodes();
    let mut weights = Vec::with_capacity(n);
    for &place in &g.nodes {
        let Some(&[weight]) = graph.embedding(place) else {
            let name = graph.name(place);
            return Err(FunctionError::new(
                "no_node_weight",
                format!("node {name} has no weight: set an embedding of one number for every node"),
            ));
        };
        weights.push(weight);
    }
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_key(|&v| (g.out[v as usize].len(), v));
    let mut rank = vec![0u32; n];
    for (i, &v) in (0u32..).zip(&order) {
        rank[v as usize] = i;
    }
    let later: Vec<Vec<u32>> = (0..n)
        .map(|v| g.out[v].iter().map(|e| e.0).filter(|&w| rank[w as usize] > rank[v]).collect())
        .collect();
    bounds::affordable(later.iter().flatten().map(|&w| later[w as usize].len() as u64 + 1).sum())?;
    let mut found = Triangles::default();
    let mut best: Option<([u32; 3], f64)> = None;
    let mut mark = vec![u32::MAX; n];
    for u in 0..n as u32 {
        for &v in &later[u as usize] {
            mark[v as usize] = u;
        }
        for &v in &later[u as usize] {
            for &w in later[v as usize].iter().filter(|&&w| mark[w as usize] == u) {
                found.count += 1;
                let mut nodes = [u, v, w];
                nodes.sort_unstable();
                // Added up in the order of the graph, so that it is the same sum however found.
                let total = nodes.iter().map(|&node| weights[node as usize]).sum();
                if best.is_none_or(|(first, most)| total > most || (total == most && nodes < first))
                {
                    best = Some((nodes, total));
                }
            }
        }
    }
    found.heaviest = best.map(|(nodes, total)| (nodes.map(|node| g.nodes[node as usize]), total));
    Ok(found)
}

pub(super) struct FindHeaviestTriangleFunction;

impl Typed for FindHeaviestTriangleFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let found = find_heaviest_triangle(graph)?;
        let Some(([a, b, c], total)) = found.heaviest else {
            return Ok(Returns { triangle: None, total: None, n_triangles: 0 });
        };
        out.touched = Touched::edges(graph, &[(a, b), (b, c), (a, c)]);
        out.touched.nodes = graph.names_of(&[a, b, c]);
        let triangle = Some(out.touched.nodes.clone());
        Ok(Returns { triangle, total: Some(total), n_triangles: found.count })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<FindHeaviestTriangleFunction>(Facts {
        name: "find_heaviest_triangle",
        title: "Heaviest triangle",
        group: Group::Structure,
        paper: "",
        writes: false,
        raises: &[
            ("no_node_weight", "A node has no embedding, or one of several numbers."),
            ("too_much_work", "The graph is too large for this."),
        ],
        complexity: "O(m √m)",
        example: || {
            let mut graph = sample::undirected(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)]);
            for (node, weight) in [2.0, 9.0, 6.0, 10.0].into_iter().enumerate() {
                // The node is there and the number finite, so this cannot fail.
                let _ =
                    graph.apply(&Delta::SetEmbedding { node: node.into(), values: vec![weight] });
            }
            Example { graph, arguments: json!({}) }
        },
    });
