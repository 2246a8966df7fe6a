//! The shortest way through all nodes and back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, bounds,
    sample,
};
use crate::exact::tour::{MAX_DIRECTED, MAX_NODES, Tour, find_shortest_tour};
use crate::{Graph, NodeName};

/// Steps of a call, each so small that these take about a second in a browser.
const STEPS: u64 = 100_000_000;

/// Finds a shortest tour (travelling salesman): a closed walk along edges that visits every node once,
/// with the least sum of weights; an edge without a weight counts 1. The search has a limit and says if
/// it reached it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tour found, or why there is none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes of the tour in order, the first again at the end (a single node is alone); null if
    /// none was found.
    tour: Option<Vec<NodeName>>,
    /// The sum of the weights of its edges, or null.
    length: Option<f64>,
    /// No tour is shorter than this; null if there is none or nothing is known.
    at_least: Option<f64>,
    /// Whether the answer is certain: no tour is shorter, or none exists. False if the search gave up
    /// before it knew.
    is_proven: bool,
    /// Why no tour was found, or null.
    reason: Option<String>,
}

/// Why a graph that has no tour has none.
fn why_none(graph: &Graph) -> String {
    if graph.n_nodes() == 0 {
        return "there is no tour: the graph has no nodes".into();
    }
    let g = graph.adjacency();
    let n_others = |row: &[(u32, u32)], v: usize| row.iter().filter(|e| e.0 as usize != v).count();
    let needed = if g.directed || g.n_nodes() == 2 { 1 } else { 2 };
    for (v, name) in graph.names().enumerate() {
        let after = n_others(&g.out[v], v);
        let before = g.into.get(v).map_or(after, |row| n_others(row, v));
        if g.directed && after.min(before) < needed {
            let what = if after < needed { "leaves" } else { "enters" };
            return format!("there is no tour: no edge {what} node {name}");
        }
        if after < needed {
            return format!(
                "there is no tour: node {name} has {after} neighbors, and a tour needs {needed}"
            );
        }
    }
    "there is no tour: no closed walk along edges visits every node exactly once".into()
}

/// Why nothing is known.
fn why_undecided(graph: &Graph) -> String {
    let n = graph.n_nodes();
    if graph.is_directed() && n > MAX_DIRECTED {
        format!(
            "undecided: the graph is directed and has {n} nodes; tours of directed graphs are \
             searched up to {MAX_DIRECTED} nodes"
        )
    } else if n > MAX_NODES {
        format!("undecided: the graph has {n} nodes; tours are searched up to {MAX_NODES} nodes")
    } else {
        format!("undecided: {} steps found no tour and did not rule one out", STEPS)
    }
}

pub(super) struct FindShortestTour;

impl Typed for FindShortestTour {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        // Sums that no number can hold would look like tours that do not exist.
        bounds::finite(graph.edges().map(|e| e.weight_or_one().abs()).sum())?;
        let none = |is_proven, reason| Returns {
            tour: None,
            length: None,
            at_least: None,
            is_proven,
            reason: Some(reason),
        };
        Ok(match find_shortest_tour(graph, STEPS) {
            Tour::Found { nodes, length, bound, is_proven } => {
                if !is_proven {
                    out.notes.push(bounds::unproven(STEPS, "a shorter tour may exist"));
                }
                out.touched = Touched::walk(graph, &nodes);
                let tour = Some(out.touched.nodes.clone());
                if nodes.len() > 1 {
                    out.touched.nodes.pop();
                }
                Returns {
                    tour,
                    length: Some(length),
                    at_least: Some(bound).filter(|b| b.is_finite()),
                    is_proven,
                    reason: None,
                }
            }
            Tour::None => none(true, why_none(graph)),
            Tour::Undecided => none(false, why_undecided(graph)),
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindShortestTour>(Facts {
    name: "find_shortest_tour",
    title: "Shortest tour",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[("overflow", "The weights add up to more than a number can hold.")],
    complexity: "exponential, at most 100 million steps",
    example: || Example {
        graph: sample::weighted(&[
            (0, 1, 2.0),
            (0, 2, 9.0),
            (0, 3, 4.0),
            (1, 2, 3.0),
            (1, 3, 7.0),
            (2, 3, 1.0),
        ]),
        arguments: json!({}),
    },
});
