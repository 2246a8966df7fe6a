//! How often neighbours are joined.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use super::shared::NodeValue;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::Graph;

/// Gives the clustering coefficient: for each node the share of pairs of its neighbours that are
/// joined to each other, and the average over all nodes. Directions, weights and self loops are
/// ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The coefficients.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The average over all nodes; 0 without nodes.
    average: f64,
    /// One entry for each node.
    values: Vec<NodeValue>,
}

/// For each node, in order, the share of pairs of its neighbours that are joined; 0 for fewer than
/// two neighbours. Directions, weights and self loops do not matter.
///
/// # Errors
/// `too_much_work`.
///
/// # Complexity
/// O(the sum of the squares of the degrees).
pub fn clustering_coefficient(graph: &Graph) -> Result<Vec<f64>, FunctionError> {
    let g = graph.adjacency().into_undirected();
    let n = g.n_nodes();
    let near: Vec<Vec<u32>> = (0..n)
        .map(|v| g.out[v].iter().map(|e| e.0).filter(|&w| w as usize != v).collect())
        .collect();
    bounds::affordable(
        g.edges
            .iter()
            .map(|e| near[e.0 as usize].len() as u64 + near[e.1 as usize].len() as u64)
            .sum(),
    )?;
    let mut mark = vec![u32::MAX; n];
    let mut values = Vec::with_capacity(n);
    for v in 0..n {
        for &w in &near[v] {
            mark[w as usize] = v as u32;
        }
        let joined =
            |&w: &u32| near[w as usize].iter().filter(|&&x| mark[x as usize] == v as u32).count();
        let ordered_pairs: usize = near[v].iter().map(joined).sum();
        let d = near[v].len() as f64;
        values.push(if d < 2.0 { 0.0 } else { ordered_pairs as f64 / (d * (d - 1.0)) });
    }
    Ok(values)
}

pub(super) struct ClusteringCoefficientFunction;

impl Typed for ClusteringCoefficientFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let values = clustering_coefficient(graph)?;
        let average = values.iter().sum::<f64>() / values.len().max(1) as f64;
        Ok(Returns { average, values: NodeValue::all(graph, values) })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<ClusteringCoefficientFunction>(Facts {
        name: "clustering_coefficient",
        title: "Clustering coefficient",
        group: Group::Metrics,
        paper: "",
        writes: false,
        raises: &[("too_much_work", "The graph is too large for this.")],
        complexity: "O(the sum of the squares of the degrees)",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (2, 0), (2, 3)]),
            arguments: json!({}),
        },
    });
