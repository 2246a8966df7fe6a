//! The weight of one edge.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Gives the weight of the edge between two nodes; 1 if the edge has none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node where the edge starts.
    pub source: NodeName,
    /// The node where the edge ends.
    pub target: NodeName,
}

/// The weight.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The weight of the edge.
    weight: f64,
    /// Its capacity, or null if it has none.
    capacity: Option<f64>,
}

/// The weight of the edge from `source` to `target` (1 where none was given), or `None` if there is
/// no edge.
///
/// O(1) expected.
///
/// # Complexity
/// O(1).
pub fn get_edge_weight(graph: &Graph, source: NodeIdx, target: NodeIdx) -> Option<f64> {
    Some(graph.edge_between(source, target)?.weight_or_one())
}

pub(super) struct GetEdgeWeightFunction;

impl Typed for GetEdgeWeightFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let edge = graph.require_edge(&args.source, &args.target)?;
        if edge.weight.is_none() {
            out.notes.push("the edge has no weight of its own, so it counts as 1".into());
        }
        out.touched.edges.push((args.source, args.target));
        Ok(Returns { weight: edge.weight_or_one(), capacity: edge.capacity })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<GetEdgeWeightFunction>(Facts {
    name: "get_edge_weight",
    title: "Weight of an edge",
    group: Group::Describe,
    paper: "",
    writes: false,
    raises: &[
        ("unknown_node", "A node is not in the graph."),
        ("unknown_edge", "There is no edge between the two nodes."),
    ],
    complexity: "O(1)",
    example: || Example {
        graph: sample::weighted(&[(0, 1, 4.0), (1, 2, 2.5)]),
        arguments: json!({ "source": 2, "target": 1 }),
    },
});
