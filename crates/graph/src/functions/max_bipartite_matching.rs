//! Maximum matching of a bipartite graph.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::is_bipartite::sides_of;
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, sample,
};
use crate::search::NONE;
use crate::{Graph, NodeIdx, NodeName};

/// Finds a maximum matching of a bipartite graph: the most edges of which no two share a node. Use
/// it to give each applicant a different job.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// A maximum matching.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many edges the matching has.
    size: usize,
    /// The matched pairs, the node of the first side before that of the second.
    matching: Vec<[NodeName; 2]>,
}

/// A maximum matching of a bipartite graph (directions do not matter), each pair with the node of
/// the left side of [`is_bipartite`](super::is_bipartite::is_bipartite) first.
///
/// Hopcroft-Karp. petgraph's `maximum_bipartite_matching` wants the sides given, and its general
/// matching cannot say why a graph has no sides.
///
/// # Errors
/// `not_bipartite` with an odd cycle as witness.
///
/// # Complexity
/// O(m·√n). Paper: Graph-Grounded LLMs §III (vi).
pub fn max_bipartite_matching(graph: &Graph) -> Result<Vec<(NodeIdx, NodeIdx)>, FunctionError> {
    let g = graph.adjacency().into_undirected();
    let side = sides_of(&g).map_err(|cycle| {
        let names = graph.names_of(&g.places(&cycle));
        let text: Vec<String> =
            names.iter().chain(names.first()).map(ToString::to_string).collect();
        FunctionError::new(
            "not_bipartite",
            format!(
                "the graph is not bipartite, so it has no two sides to match: the cycle {} has an \
                 odd number of edges ({}); check these edges",
                text.join(" - "),
                names.len()
            ),
        )
        .with_witness(json!({ "odd_cycle": names }))
    })?;
    let n = g.n_nodes();
    let left: Vec<u32> = (0..n as u32).filter(|&v| !side[v as usize]).collect();
    let mut mate = vec![NONE; n];
    let mut layer = vec![NONE; n];
    let mut next = vec![0usize; n];
    loop {
        // Layers of shortest alternating paths from the free nodes on the left.
        layer.fill(NONE);
        next.fill(0);
        let mut queue = VecDeque::new();
        for &u in &left {
            if mate[u as usize] == NONE {
                layer[u as usize] = 0;
                queue.push_back(u);
            }
        }
        let mut open = false;
        while let Some(u) = queue.pop_front() {
            for &(v, _) in &g.out[u as usize] {
                let w = mate[v as usize];
                if w == NONE {
                    open = true;
                } else if layer[w as usize] == NONE {
                    layer[w as usize] = layer[u as usize] + 1;
                    queue.push_back(w);
                }
            }
        }
        if !open {
            break;
        }
        let mut path: Vec<u32> = Vec::new();
        for &root in &left {
            if mate[root as usize] != NONE {
                continue;
            }
            path.clear();
            path.push(root);
            while let Some(&u) = path.last() {
                let Some(&(v, _)) = g.out[u as usize].get(next[u as usize]) else {
                    path.pop();
                    if let Some(&before) = path.last() {
                        next[before as usize] += 1;
                    }
                    continue;
                };
                let w = mate[v as usize];
                if w == NONE {
                    // Flip the path: each node on it takes the neighbour it was looking at.
                    for &u in path.iter().rev() {
                        let v = g.out[u as usize][next[u as usize]].0;
                        mate[u as usize] = v;
                        mate[v as usize] = u;
                        next[u as usize] += 1;
                    }
                    break;
                }
                if layer[w as usize] == layer[u as usize] + 1 {
                    path.push(w);
                } else {
                    next[u as usize] += 1;
                }
            }
        }
    }
    Ok(left
        .iter()
        .filter(|&&u| mate[u as usize] != NONE)
        .map(|&u| (g.nodes[u as usize], g.nodes[mate[u as usize] as usize]))
        .collect())
}

pub(super) struct MaxBipartiteMatching;

impl Typed for MaxBipartiteMatching {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let pairs = max_bipartite_matching(graph)?;
        out.touched = Touched::edges(graph, &pairs);
        let matching: Vec<[NodeName; 2]> =
            pairs.iter().map(|&(a, b)| [graph.name(a).clone(), graph.name(b).clone()]).collect();
        Ok(Returns { size: matching.len(), matching })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<MaxBipartiteMatching>(Facts {
    name: "max_bipartite_matching",
    title: "Maximum bipartite matching",
    group: Group::Flow,
    paper: "Graph-Grounded LLMs §III (vi)",
    writes: false,
    raises: &[("not_bipartite", "The graph has an odd cycle, which is the witness.")],
    complexity: "O(m·√n)",
    example: || Example {
        graph: sample::undirected(&[(0, 10), (0, 11), (1, 10), (2, 11), (2, 12)]),
        arguments: json!({}),
    },
});
