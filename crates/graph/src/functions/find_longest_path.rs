//! A longest simple path.

use super::topological_sort::order_of;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, bounds,
    sample,
};
use crate::search::NONE;
use crate::{Adjacency, Graph, NodeIdx, NodeName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Finds a longest path that visits no node twice. Uses the edge weights if the graph is weighted,
/// else counts edges. Exact for directed graphs without cycles; on others the search has a limit
/// and says if it reached it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The longest path found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The nodes of the path.
    path: Vec<NodeName>,
    /// The sum of its weights, or its number of edges.
    length: f64,
    /// Whether no longer path exists; false if the search reached its limit first.
    is_longest: bool,
}

/// A path that was found, and whether it is certain that none is longer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LongestPath {
    /// The nodes of the path; a single node if no edge makes a path longer than 0.
    pub nodes: Vec<NodeIdx>,
    /// The sum of the weights.
    pub weight: f64,
    /// Whether no path is longer.
    pub exact: bool,
}

/// A longest simple path: exact without cycles, else by a search of at most `budget` steps.
///
/// # Complexity
/// O((n + m) log n) for a directed graph without cycles, else exponential within the budget.
pub fn find_longest_path(graph: &Graph, budget: u64) -> LongestPath {
    let g = graph.adjacency();
    if g.n_nodes() == 0 {
        return LongestPath { exact: true, ..LongestPath::default() };
    }
    let (nodes, weight, exact) = match order_of(&g) {
        Ok(order) if g.directed => {
            let (nodes, weight) = along(&g, &order);
            (nodes, weight, true)
        }
        _ => try_all(&g, budget),
    };
    LongestPath { nodes: g.places(&nodes), weight, exact }
}

/// Best path into each node in topological order.
fn along(g: &Adjacency, order: &[u32]) -> (Vec<u32>, f64) {
    let mut best = vec![0.0; g.n_nodes()];
    let mut parent = vec![NONE; g.n_nodes()];
    for &u in order {
        for &(v, e) in &g.out[u as usize] {
            let through = best[u as usize] + g.edges[e as usize].2;
            if through > best[v as usize] {
                best[v as usize] = through;
                parent[v as usize] = u;
            }
        }
    }
    let mut at = 0;
    for v in 0..g.n_nodes() {
        if best[v] > best[at] {
            at = v;
        }
    }
    let weight = best[at];
    let mut nodes = vec![at as u32];
    while parent[at] != NONE {
        at = parent[at] as usize;
        nodes.push(at as u32);
    }
    nodes.reverse();
    (nodes, weight)
}

/// Depth first from each node, leaving where even the heaviest edges could not beat the best.
fn try_all(g: &Adjacency, budget: u64) -> (Vec<u32>, f64, bool) {
    let n = g.n_nodes();
    let heaviest = g.edges.iter().fold(0.0, |a: f64, e| a.max(e.2));
    let (mut best, mut best_path) = (0.0, vec![0u32]);
    let mut used = vec![false; n];
    let mut steps = 0u64;
    for root in 0..n as u32 {
        let mut path = vec![(root, 0usize, 0.0)];
        used[root as usize] = true;
        while let Some(top) = path.last_mut() {
            let (u, weight) = (top.0, top.2);
            let next = g.out[u as usize].get(top.1).copied();
            top.1 += 1;
            let room = (n - path.len()) as f64 * heaviest;
            match next {
                Some((v, e)) if weight + room > best => {
                    steps += 1;
                    if steps > budget {
                        return (best_path, best, false);
                    }
                    if used[v as usize] {
                        continue;
                    }
                    let longer = weight + g.edges[e as usize].2;
                    used[v as usize] = true;
                    path.push((v, 0, longer));
                    if longer > best {
                        best = longer;
                        best_path = path.iter().map(|p| p.0).collect();
                    }
                }
                _ => {
                    used[u as usize] = false;
                    path.pop();
                }
            }
        }
    }
    (best_path, best, true)
}

pub(super) struct FindLongestPathFunction;

impl Typed for FindLongestPathFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let found = find_longest_path(graph, bounds::SEARCH_STEPS);
        if !found.exact {
            out.notes.push(format!(
                "the search stopped after {} steps: a longer path may exist",
                bounds::SEARCH_STEPS
            ));
        }
        bounds::finite(found.weight)?;
        out.touched = Touched::walk(graph, &found.nodes);
        Ok(Returns {
            path: out.touched.nodes.clone(),
            length: found.weight,
            is_longest: found.exact,
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindLongestPathFunction>(Facts {
    name: "find_longest_path",
    title: "Longest path",
    group: Group::Paths,
    paper: "",
    writes: false,
    raises: &[("overflow", "The weights add up to more than a number can hold.")],
    complexity: "O((n + m) log n) without cycles, else exponential within 20 million steps",
    example: || Example {
        graph: sample::directed(&[(0, 1), (1, 2), (0, 2), (2, 3), (4, 3)]),
        arguments: json!({}),
    },
});
