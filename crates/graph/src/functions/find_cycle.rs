//! A simple cycle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::search::NONE;
use crate::{Adjacency, Graph, NodeIdx, NodeName};

/// Finds a cycle in the graph (along the direction of the edges if the graph is directed).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// A cycle, or null if there is none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes of the cycle in order, each once (the last is joined to the first), or null if the
    /// graph has no cycle.
    cycle: Option<Vec<NodeName>>,
}

/// A simple cycle, each node once and closed implicitly, or `None` if there is none.
///
/// A self loop is a cycle of one node; two opposite edges of a directed graph are one of two.
///
/// Paper: Graph-Grounded LLMs §III (ii).
///
/// # Complexity
/// O(n + m).
pub fn find_cycle(graph: &Graph) -> Option<Vec<NodeIdx>> {
    let adjacency = graph.adjacency();
    Some(adjacency.places(&cycle_in(&adjacency)?))
}

/// A cycle of the graph as evidence, which the call touches.
pub(super) fn cycle_found(graph: &Graph, out: &mut CallOutcome) -> Option<Vec<NodeName>> {
    let nodes = find_cycle(graph)?;
    out.touched = Touched::cycle(graph, &nodes);
    Some(out.touched.nodes.clone())
}

/// Depth first, with its own stack: a path of a million nodes must not overflow the real one.
pub(crate) fn cycle_in(g: &Adjacency) -> Option<Vec<u32>> {
    let n = g.n_nodes();
    let (mut parent, mut state) = (vec![NONE; n], vec![0u8; n]);
    // (node, edge it was entered by, next neighbour to look at)
    let mut stack: Vec<(u32, u32, usize)> = Vec::new();
    for root in 0..n as u32 {
        if state[root as usize] != 0 {
            continue;
        }
        state[root as usize] = 1;
        stack.push((root, NONE, 0));
        while let Some(top) = stack.last_mut() {
            let (u, entered) = (top.0, top.1);
            let Some(&(v, e)) = g.out[u as usize].get(top.2) else {
                state[u as usize] = 2;
                stack.pop();
                continue;
            };
            top.2 += 1;
            if !g.directed && e == entered {
                continue;
            }
            match state[v as usize] {
                0 => {
                    state[v as usize] = 1;
                    parent[v as usize] = u;
                    stack.push((v, e, 0));
                }
                1 => {
                    let mut cycle = vec![u];
                    let mut at = u;
                    while at != v {
                        at = parent[at as usize];
                        cycle.push(at);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                _ => {}
            }
        }
    }
    None
}

pub(super) struct FindCycle;

impl Typed for FindCycle {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let cycle = cycle_found(graph, out);
        Ok(Returns { cycle })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindCycle>(Facts {
    name: "find_cycle",
    title: "Find a cycle",
    group: Group::Order,
    paper: "Graph-Grounded LLMs §III (ii)",
    writes: false,
    raises: &[],
    complexity: "O(n + m)",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)]),
        arguments: json!({}),
    },
});
