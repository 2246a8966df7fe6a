//! How near a node is to the others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Example, Facts, FunctionError, GraphFunction, Group, Outcome, Typed, bounds, sample};
use crate::{Graph, NodeName, search};

/// Gives the closeness centrality of each node: one divided by the average distance of the other
/// nodes to it, times the share of nodes that can reach it. Counts edges; weights are ignored.
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
    /// From 0 to 1.
    value: f64,
}

/// The closeness of each node, in the order of the nodes: `(r - 1)/(n - 1) · (r - 1)/(sum of
/// distances to it)` where r nodes reach it (Wasserman and Faust); 0 if none does.
///
/// Searched along the reversed edges here, because rustworkx-core's serves only whole graphs with
/// its own index types and the shared search is a line.
///
/// # Errors
/// `too_much_work`.
///
/// # Complexity
/// O(n·(n + m)).
pub fn closeness_centrality(graph: &Graph) -> Result<Vec<f64>, FunctionError> {
    bounds::search_from_each(graph)?;
    let mut g = graph.adjacency();
    if g.directed {
        std::mem::swap(&mut g.out, &mut g.into);
    }
    let others = g.n_nodes() as f64 - 1.0;
    let of = |s: u32| {
        let (mut reached, mut total) = (-1.0, 0.0);
        for d in search::bfs(&g, s).distance.into_iter().filter(|d| d.is_finite()) {
            reached += 1.0;
            total += d;
        }
        if total > 0.0 { reached / total * (reached / others) } else { 0.0 }
    };
    Ok((0..g.n_nodes() as u32).map(of).collect())
}

pub(super) struct ClosenessCentralityFunction;

impl Typed for ClosenessCentralityFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut Outcome) -> Result<Returns, FunctionError> {
        bounds::note_unweighted(graph, out);
        let values = closeness_centrality(graph)?;
        let nodes = graph.names().zip(values).map(|(n, v)| NodeValue { node: n.clone(), value: v });
        Ok(Returns { values: nodes.collect() })
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
