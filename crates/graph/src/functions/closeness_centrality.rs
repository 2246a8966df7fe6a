//! How near a node is to the others.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub use super::shared::{Centralities as Returns, NodeValue};
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::search::Hops;
use crate::{Graph, threads};

/// Gives the closeness centrality of each node: one divided by the average distance of the other
/// nodes to it, times the share of nodes that can reach it. Counts edges; weights are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The closeness of each node, in the order of the nodes: `(r - 1)/(n - 1) · (r - 1)/(sum of
/// distances to it)` where r nodes reach it (Wasserman and Faust); 0 if none does.
///
/// In a directed graph the distances to a node count, so the search runs against the edges.
///
/// # Errors
/// `too_much_work`.
///
/// # Complexity
/// O(n·(n + m)).
pub fn closeness_centrality(graph: &Graph) -> Result<Vec<f64>, FunctionError> {
    bounds::search_from_each(graph)?;
    let g = graph.adjacency();
    let back = if g.directed { &g.into } else { &g.out };
    let n = g.n_nodes();
    let others = n as f64 - 1.0;
    let of = |hops: &mut Hops, s: usize| {
        hops.search(back, s as u32);
        let reached = hops.order.len() as f64 - 1.0;
        let total: u64 = hops.order.iter().map(|&v| u64::from(hops.depth[v as usize])).sum();
        if total > 0 { reached / total as f64 * (reached / others) } else { 0.0 }
    };
    let work = (n * (n + 2 * g.edges.len())) as u64;
    Ok(threads::map(n, work, || Hops::new(n), of))
}

pub(super) struct ClosenessCentralityFunction;

impl Typed for ClosenessCentralityFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_unweighted(graph, out);
        Ok(Returns { values: NodeValue::all(graph, closeness_centrality(graph)?) })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<ClosenessCentralityFunction>(Facts {
        name: "closeness_centrality",
        title: "Closeness centrality",
        group: Group::Metrics,
        paper: "",
        writes: false,
        raises: &[("too_much_work", "The graph is too large for this.")],
        complexity: "O(n·(n + m))",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (2, 3)]),
            arguments: json!({}),
        },
    });
