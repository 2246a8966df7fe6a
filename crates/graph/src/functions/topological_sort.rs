//! An order of the nodes in which every edge points forward.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::{Adjacency, Graph, NodeIdx, NodeName};

/// Sorts the nodes of a directed graph so that every edge goes from an earlier node to a later one.
/// Use it when some things must come before others.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// An order of the nodes, or a cycle that makes one impossible.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// All nodes in a valid order, or null if there is none.
    order: Option<Vec<NodeName>>,
    /// If there is no order: the nodes of a cycle (the last is joined to the first), else null.
    cycle: Option<Vec<NodeName>>,
}

/// A topological order (of all, the one that takes the earliest node whenever it may), or else a
/// directed cycle as witness.
///
/// An edge of an undirected graph points both ways, so it is a cycle of two.
///
/// # Errors
/// The cycle, closed implicitly.
///
/// # Complexity
/// O((n + m) log n). Paper: Graph-Grounded LLMs §III (iii).
pub fn topological_sort(graph: &Graph) -> Result<Vec<NodeIdx>, Vec<NodeIdx>> {
    let adjacency = graph.adjacency();
    match order_of(&adjacency) {
        Ok(order) => Ok(adjacency.places(&order)),
        Err(cycle) => Err(adjacency.places(&cycle)),
    }
}

// Kahn with a heap. petgraph's toposort gives a depth-first order, which depends on how the graph
// was written down and is harder to follow for a person.
pub(crate) fn order_of(g: &Adjacency) -> Result<Vec<u32>, Vec<u32>> {
    let n = g.n_nodes();
    let into = if g.directed { &g.into } else { &g.out };
    let mut waiting: Vec<u32> = into.iter().map(|list| list.len() as u32).collect();
    let mut ready: BinaryHeap<Reverse<u32>> =
        (0..n as u32).filter(|&v| waiting[v as usize] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(Reverse(u)) = ready.pop() {
        order.push(u);
        for &(v, _) in &g.out[u as usize] {
            waiting[v as usize] -= 1;
            if waiting[v as usize] == 0 {
                ready.push(Reverse(v));
            }
        }
    }
    if order.len() == n {
        return Ok(order);
    }
    // Every node left has a predecessor that is left, so walking backwards must come round.
    let mut left = vec![true; n];
    for &v in &order {
        left[v as usize] = false;
    }
    let Some(mut at) = (0..n as u32).find(|&v| left[v as usize]) else { return Ok(order) };
    let mut seen_at = vec![usize::MAX; n];
    let mut walk = Vec::new();
    while seen_at[at as usize] == usize::MAX {
        seen_at[at as usize] = walk.len();
        walk.push(at);
        let before = into[at as usize].iter().map(|&(p, _)| p).find(|&p| left[p as usize]);
        let Some(before) = before else { break };
        at = before;
    }
    let mut cycle = walk.split_off(seen_at[at as usize]);
    cycle.reverse();
    Err(cycle)
}

pub(super) struct TopologicalSort;

impl Typed for TopologicalSort {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        needs_direction(graph)?;
        match topological_sort(graph) {
            Ok(order) => {
                out.touched.nodes = graph.names_of(&order);
                Ok(Returns { order: Some(out.touched.nodes.clone()), cycle: None })
            }
            Err(cycle) => {
                out.touched = Touched::cycle(graph, &cycle);
                Ok(Returns { order: None, cycle: Some(out.touched.nodes.clone()) })
            }
        }
    }
}

/// The error for an undirected graph where only directions give a meaning.
pub(super) fn needs_direction(graph: &Graph) -> Result<(), FunctionError> {
    if graph.is_directed() || graph.n_edges() == 0 {
        return Ok(());
    }
    Err(FunctionError::new(
        "not_directed",
        "the graph is undirected, so no edge says which node comes first: \
         make it again with create_graph and directed = true, each edge from the earlier node to \
         the later one",
    ))
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<TopologicalSort>(Facts {
    name: "topological_sort",
    title: "Topological order",
    group: Group::Order,
    paper: "Graph-Grounded LLMs §III (iii)",
    writes: false,
    raises: &[("not_directed", "The graph is undirected.")],
    complexity: "O((n + m) log n)",
    example: || Example {
        graph: sample::directed(&[(3, 1), (1, 0), (3, 2), (2, 0), (4, 2)]),
        arguments: json!({}),
    },
});
