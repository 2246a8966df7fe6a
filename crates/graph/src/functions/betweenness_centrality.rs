//! How many shortest paths pass a node.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Example, Facts, FunctionError, GraphFunction, Group, Outcome, Typed, bounds, sample};
use crate::search::NONE;
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
/// Brandes' algorithm. rustworkx-core has it too, but through its `rand` it needs a source of
/// randomness that a bare wasm32 target lacks, and it brings threads that a browser may not have.
///
/// # Errors
/// `too_much_work`, `overflow`.
///
/// # Complexity
/// O(n·(n + m)).
pub fn betweenness_centrality(graph: &Graph) -> Result<Vec<f64>, FunctionError> {
    bounds::search_from_each(graph)?;
    let g = graph.adjacency();
    let n = g.n_nodes();
    let mut between = vec![0.0f64; n];
    for s in 0..n {
        // Breadth first: how many shortest paths lead to each node, and the order of the visit.
        let (mut depth, mut ways) = (vec![NONE; n], vec![0.0; n]);
        let mut order = vec![s as u32];
        (depth[s], ways[s]) = (0, 1.0);
        let mut next = 0;
        while let Some(&u) = order.get(next) {
            next += 1;
            for &(v, _) in &g.out[u as usize] {
                let (u, v) = (u as usize, v as usize);
                if depth[v] == NONE {
                    depth[v] = depth[u] + 1;
                    order.push(v as u32);
                }
                if depth[v] == depth[u] + 1 {
                    ways[v] += ways[u];
                }
            }
        }
        // Backwards: the share of paths from s that go on through each node.
        let mut share = vec![0.0; n];
        for &u in order.iter().rev() {
            let u = u as usize;
            for &(v, _) in &g.out[u] {
                let v = v as usize;
                if depth[v] == depth[u] + 1 {
                    share[u] += ways[u] / ways[v] * (1.0 + share[v]);
                }
            }
            if u != s {
                between[u] += share[u];
            }
        }
    }
    // Layer upon layer may give more shortest paths than a number can count.
    if between.iter().any(|b: &f64| !b.is_finite()) {
        return Err(FunctionError::new(
            "overflow",
            "there are more shortest paths than a number can count: use a smaller graph",
        ));
    }
    let pairs = (n as f64 - 1.0) * (n as f64 - 2.0);
    Ok(between.into_iter().map(|b| if pairs > 0.0 { b / pairs } else { 0.0 }).collect())
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
        raises: &[
            ("too_much_work", "The graph is too large for this."),
            ("overflow", "There are more shortest paths than a number can count."),
        ],
        complexity: "O(n·(n + m))",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (1, 4)]),
            arguments: json!({}),
        },
    });
