//! How far the farthest node is.

use super::shortest_path_lengths::from_each;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::{Graph, NodeIdx, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Gives the eccentricity of nodes: the distance from each to the node farthest from it. Uses the
/// edge weights if the graph is weighted, else counts edges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The nodes; leave out for all.
    #[serde(default)]
    pub nodes: Option<Vec<NodeName>>,
}

/// The eccentricities.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// One entry for each node.
    eccentricities: Vec<NodeEccentricity>,
}

/// The eccentricity of one node.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeEccentricity {
    /// The node.
    node: NodeName,
    /// The distance to the node farthest from it.
    eccentricity: f64,
}

/// The distance from each node to the one farthest from it, in the order of the nodes.
///
/// # Errors
/// `empty_graph`, `not_connected` (the witness names two nodes without a path), `negative_cycle`,
/// `too_much_work`.
///
/// # Complexity
/// O(n·(n + m)·log n).
pub fn eccentricity(graph: &Graph) -> Result<Vec<(NodeIdx, f64)>, FunctionError> {
    bounds::not_empty(graph)?;
    let nodes: Vec<NodeIdx> = graph.indices().collect();
    let mut farthest = Vec::with_capacity(nodes.len());
    let farthest_of = |row: &[f64]| match row.iter().position(|d| d.is_infinite()) {
        Some(j) => Err(j),
        None => Ok(row.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    };
    for (i, found) in from_each(graph, farthest_of)?.into_iter().enumerate() {
        let distance = found.map_err(|j| {
            let (a, b) = (graph.name(nodes[i]), graph.name(nodes[j]));
            FunctionError::new(
                "not_connected",
                format!(
                    "{a} cannot reach {b}, so the farthest distance is infinite: ask for a \
                     connected graph or one of its components"
                ),
            )
            .with_witness(json!({ "from": a, "to": b }))
        })?;
        farthest.push((nodes[i], distance));
    }
    Ok(farthest)
}

pub(super) struct EccentricityFunction;

impl Typed for EccentricityFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let all = eccentricity(graph)?;
        let mut chosen = all.clone();
        if let Some(nodes) = &args.nodes {
            let g = graph.adjacency();
            let place = |name| graph.index(name).map(|i| all[g.position(i) as usize]);
            chosen = nodes.iter().map(place).collect::<Result<_, _>>()?;
        }
        let eccentricities: Vec<_> = chosen
            .into_iter()
            .map(|(i, eccentricity)| NodeEccentricity { node: graph.name(i).clone(), eccentricity })
            .collect();
        out.touched.nodes = args.nodes.unwrap_or_default();
        Ok(Returns { eccentricities })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<EccentricityFunction>(Facts {
    name: "eccentricity",
    title: "Eccentricity",
    group: Group::Metrics,
    paper: "",
    writes: false,
    raises: &[
        ("unknown_node", "A node is not in the graph."),
        ("empty_graph", "The graph has no nodes."),
        ("not_connected", "Some node cannot reach another; the witness names the two."),
        ("negative_cycle", "A cycle of negative weight can be reached."),
        ("too_much_work", "The graph is too large for this."),
    ],
    complexity: "O(n·(n + m)·log n)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3)]),
        arguments: json!({}),
    },
});
