//! How many shortest paths pass a node.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Example, Facts, FunctionError, GraphFunction, Group, Outcome, Typed, bounds, sample};
use crate::{Graph, NodeName};

/// Gives the betweenness centrality of each node: the share of shortest paths between other nodes
/// that pass through it. Counts edges; weights are ignored.
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

/// The share of shortest paths between other nodes that pass each node, in the order of the nodes,
/// normalised by the number of pairs.
///
/// By rustworkx-core (Brandes' algorithm), told never to use threads: a browser may have none, and
/// the order of sums must not depend on them.
///
/// # Errors
/// `too_much_work`.
///
/// # Complexity
/// O(n·(n + m)).
pub fn betweenness_centrality(graph: &Graph) -> Result<Vec<f64>, FunctionError> {
    bounds::search_from_each(graph)?;
    let g = graph.adjacency();
    let values = if g.directed {
        let view = g.to_petgraph::<petgraph::Directed>();
        rustworkx_core::centrality::betweenness_centrality(&view, false, true, usize::MAX)
    } else {
        let view = g.to_petgraph::<petgraph::Undirected>();
        rustworkx_core::centrality::betweenness_centrality(&view, false, true, usize::MAX)
    };
    Ok(values.into_iter().map(|value| value.unwrap_or(0.0)).collect())
}

pub(super) struct BetweennessCentralityFunction;

impl Typed for BetweennessCentralityFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut Outcome) -> Result<Returns, FunctionError> {
        bounds::note_unweighted(graph, out);
        let values = betweenness_centrality(graph)?;
        let nodes = graph.names().zip(values).map(|(n, v)| NodeValue { node: n.clone(), value: v });
        Ok(Returns { values: nodes.collect() })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<BetweennessCentralityFunction>(Facts {
        name: "betweenness_centrality",
        title: "Betweenness centrality",
        group: Group::Metrics,
        paper: "",
        writes: false,
        raises: &[("too_much_work", "The graph is too large for this.")],
        complexity: "O(n·(n + m))",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (1, 4)]),
            arguments: json!({}),
        },
    });
