//! Adds edges, and their ends where they are missing.

use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Example, Facts, FunctionError, GraphFunction, Group, Outcome, Typed, applied};
use crate::{Delta, Graph, NodeName};

/// Adds edges to the graph. Nodes that are not there yet are added too. An edge that is there
/// already gets the new weight.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The edges, each a pair of nodes: `[[0, 1], [1, 2]]`.
    pub edges: Vec<(NodeName, NodeName)>,
    /// One weight for each edge, in the same order; leave out for an unweighted graph.
    #[serde(default)]
    pub weights: Option<Vec<f64>>,
    /// One capacity for each edge, in the same order, for flow problems.
    #[serde(default)]
    pub capacities: Option<Vec<f64>>,
}

/// How large the graph is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    n_nodes: usize,
    n_edges: usize,
}

pub(super) struct AddEdges;

impl Typed for AddEdges {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut Outcome) -> Result<Returns, FunctionError> {
        for (what, values) in [("weights", &args.weights), ("capacities", &args.capacities)] {
            if let Some(values) = values
                && values.len() != args.edges.len()
            {
                return Err(FunctionError::new(
                    "length_mismatch",
                    format!(
                        "{} edges but {} {what}: give one for each edge",
                        args.edges.len(),
                        values.len()
                    ),
                ));
            }
        }
        let mut known: FxHashSet<NodeName> = graph.names().cloned().collect();
        for (i, (source, target)) in args.edges.into_iter().enumerate() {
            for node in [&source, &target] {
                if known.insert(node.clone()) {
                    out.deltas.push(Delta::AddNode { node: node.clone() });
                }
            }
            let weight = args.weights.as_ref().map(|w| w[i]);
            let capacity = args.capacities.as_ref().map(|c| c[i]);
            out.touched.edges.push((source.clone(), target.clone()));
            out.deltas.push(Delta::AddEdge { source, target, weight, capacity });
        }
        let next = applied(graph, &out.deltas)?;
        Ok(Returns { n_nodes: next.n_nodes(), n_edges: next.n_edges() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<AddEdges>(Facts {
    name: "add_edges",
    title: "Add edges",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A and the examples of §II-B",
    writes: true,
    raises: &[
        ("length_mismatch", "There is not one weight or capacity for each edge."),
        ("not_finite", "A weight or capacity is not a finite number."),
        ("negative_capacity", "A capacity is below 0."),
    ],
    complexity: "O(n + m)",
    example: || Example {
        graph: Graph::undirected(),
        arguments: json!({ "edges": [[0, 1], [1, 2], [2, 0]], "weights": [4, 1, 2] }),
    },
});
