//! The cheapest edges that keep the parts together.

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, bounds,
    sample,
};
use crate::{Graph, NodeIdx, NodeName};
use petgraph::unionfind::UnionFind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Finds a minimum spanning tree: the edges of least total weight that keep the graph connected
/// (one tree for each component). Directions are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tree.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The edges of the tree.
    edges: Vec<[NodeName; 2]>,
    /// The sum of their weights, or their number.
    total_weight: f64,
    /// How many trees there are: one for each component.
    n_trees: usize,
}

/// A spanning forest of least weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanningForest {
    /// Its edges, lightest first.
    pub edges: Vec<(NodeIdx, NodeIdx)>,
    /// The sum of their weights.
    pub weight: f64,
    /// How many trees it has: one for each component.
    pub n_trees: usize,
}

/// A minimum spanning forest (directions do not matter; of two opposite edges the lighter counts).
///
/// Kruskal on petgraph's union-find. petgraph's own spanning tree breaks ties by heap order.
///
/// # Complexity
/// O(m log m).
pub fn minimum_spanning_tree(graph: &Graph) -> SpanningForest {
    let g = graph.adjacency().into_undirected();
    let mut order: Vec<usize> = (0..g.edges.len()).collect();
    order.sort_by(|&a, &b| g.edges[a].2.total_cmp(&g.edges[b].2).then(a.cmp(&b)));
    let mut parts = UnionFind::<u32>::new(g.n_nodes());
    let mut forest = SpanningForest { n_trees: g.n_nodes(), ..SpanningForest::default() };
    for e in order {
        let (a, b, weight) = g.edges[e];
        if parts.union(a, b) {
            forest.edges.push((g.nodes[a as usize], g.nodes[b as usize]));
            forest.weight += weight;
            forest.n_trees -= 1;
        }
    }
    forest
}

pub(super) struct MinimumSpanningTreeFunction;

impl Typed for MinimumSpanningTreeFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let forest = minimum_spanning_tree(graph);
        bounds::finite(forest.weight)?;
        out.touched = Touched::edges(graph, &forest.edges);
        let edges = out.touched.edges.iter().map(|(a, b)| [a.clone(), b.clone()]).collect();
        Ok(Returns { edges, total_weight: forest.weight, n_trees: forest.n_trees })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<MinimumSpanningTreeFunction>(Facts {
        name: "minimum_spanning_tree",
        title: "Minimum spanning tree",
        group: Group::Structure,
        paper: "",
        writes: false,
        raises: &[("overflow", "The weights add up to more than a number can hold.")],
        complexity: "O(m log m)",
        example: || Example {
            graph: sample::weighted(&[(0, 1, 4.0), (0, 2, 1.0), (2, 1, 2.0), (1, 3, 5.0)]),
            arguments: json!({}),
        },
    });
