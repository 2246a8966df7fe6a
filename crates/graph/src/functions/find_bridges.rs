//! Edges that hold the graph together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, bounds,
    sample,
};
use crate::{Graph, NodeIdx, NodeName, search};

/// Finds the bridges: edges without which the graph would fall into more parts. Directions are
/// ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The bridges.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The edges, each a pair of nodes.
    bridges: Vec<[NodeName; 2]>,
}

/// The bridges (directions do not matter; two opposite edges are one), in the order of the edges.
///
/// One search gives bridges, articulation points and parts; petgraph has a search for each.
///
/// # Complexity
/// O(n + m).
pub fn find_bridges(graph: &Graph) -> Vec<(NodeIdx, NodeIdx)> {
    let g = graph.adjacency().into_undirected();
    search::low_points(&g)
        .bridges
        .iter()
        .map(|&e| {
            let (a, b, _) = g.edges[e as usize];
            (g.nodes[a as usize], g.nodes[b as usize])
        })
        .collect()
}

pub(super) struct FindBridgesFunction;

impl Typed for FindBridgesFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        out.touched = Touched::edges(graph, &find_bridges(graph));
        let bridges = out.touched.edges.iter().map(|(a, b)| [a.clone(), b.clone()]).collect();
        Ok(Returns { bridges })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindBridgesFunction>(Facts {
    name: "find_bridges",
    title: "Bridges",
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
