//! Sets the weights of edges that are there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::{Delta, Graph, GraphError, NodeName};

/// Sets the weights of edges that are in the graph.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The edges, each a pair of nodes: `[[0, 1], [1, 2]]`.
    #[schemars(with = "Vec<[NodeName; 2]>")]
    pub edges: Vec<(NodeName, NodeName)>,
    /// One weight for each edge, in the same order.
    pub weights: Vec<f64>,
}

/// How many edges have a new weight.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many weights were set.
    n_set: usize,
}

/// The deltas that give edges new weights; their capacities stay.
///
/// # Errors
/// `length_mismatch`, `unknown_node`, `unknown_edge`, `not_finite`.
///
/// # Complexity
/// O(number of edges given).
pub fn set_edge_weights(
    graph: &Graph,
    edges: &[(NodeName, NodeName)],
    weights: &[f64],
) -> Result<Vec<Delta>, FunctionError> {
    bounds::one_for_each("edges", edges.len(), "weights", weights.len())?;
    edges
        .iter()
        .zip(weights)
        .map(|((source, target), &value)| {
            if !value.is_finite() {
                return Err(GraphError::NotFinite { what: "a weight", value }.into());
            }
            let capacity = graph.require_edge(source, target)?.capacity;
            let (source, target) = (source.clone(), target.clone());
            Ok(Delta::AddEdge { source, target, weight: Some(value), capacity })
        })
        .collect()
}

pub(super) struct SetEdgeWeightsFunction;

impl Typed for SetEdgeWeightsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        out.deltas = set_edge_weights(graph, &args.edges, &args.weights)?;
        out.touched.edges = args.edges;
        Ok(Returns { n_set: out.deltas.len() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<SetEdgeWeightsFunction>(Facts {
    name: "set_edge_weights",
    title: "Set edge weights",
    group: Group::Build,
    paper: "Graph-Grounded LLMs §II-A",
    writes: true,
    raises: &[
        ("length_mismatch", "There is not one weight for each edge."),
        ("unknown_node", "A node is not in the graph."),
        ("unknown_edge", "An edge is not in the graph."),
        ("not_finite", "A weight is not a finite number."),
    ],
    complexity: "O(edges given)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2)]),
        arguments: json!({ "edges": [[0, 1], [1, 2]], "weights": [2.5, 4] }),
    },
});
