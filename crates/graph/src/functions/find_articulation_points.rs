//! Nodes that hold the graph together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::{Graph, NodeIdx, NodeName, search};

/// Finds the articulation points (cut nodes): nodes without which the graph would fall into more
/// parts. Directions are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The nodes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The articulation points.
    articulation_points: Vec<NodeName>,
}

/// The articulation points (directions do not matter), in the order of the nodes.
///
/// One search gives bridges, articulation points and parts; petgraph has a search for each.
///
/// # Complexity
/// O(n + m).
pub fn find_articulation_points(graph: &Graph) -> Vec<NodeIdx> {
    let g = graph.adjacency().into_undirected();
    let parts = search::low_points(&g).parts_without;
    g.nodes.iter().zip(parts).filter(|p| p.1 > 1).map(|p| *p.0).collect()
}

pub(super) struct FindArticulationPointsFunction;

impl Typed for FindArticulationPointsFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        out.touched.nodes = graph.names_of(&find_articulation_points(graph));
        Ok(Returns { articulation_points: out.touched.nodes.clone() })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<FindArticulationPointsFunction>(Facts {
        name: "find_articulation_points",
        title: "Articulation points",
        group: Group::Connectivity,
        paper: "",
        writes: false,
        raises: &[],
        complexity: "O(n + m)",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]),
            arguments: json!({}),
        },
    });
