//! The largest set of nodes that are all joined.

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, bounds,
    sample,
};
use crate::{Graph, NodeIdx, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Finds a largest clique: the most nodes that are all joined to each other. Directions are
/// ignored. The search has a limit and says if it reached it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The clique found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many nodes it has.
    size: usize,
    /// Its nodes.
    clique: Vec<NodeName>,
    /// Whether no larger clique exists; false if the search reached its limit first.
    is_maximum: bool,
}

/// A clique that was found, and whether it is certain that none is larger.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clique {
    /// Its nodes, in the order of the graph.
    pub nodes: Vec<NodeIdx>,
    /// Whether none is larger.
    pub exact: bool,
}

/// A largest clique (directions do not matter), by branch and bound with greedy colourings as
/// bounds, in at most `budget` steps.
///
/// petgraph lists all maximal cliques, of which there may be exponentially many.
///
/// # Complexity
/// Exponential; at most `budget` steps.
pub fn max_clique(graph: &Graph, budget: u64) -> Clique {
    let g = graph.adjacency().into_undirected();
    let n = g.n_nodes();
    let joined: Vec<FxHashSet<u32>> = (0..n)
        .map(|v| g.out[v].iter().map(|e| e.0).filter(|&w| w as usize != v).collect())
        .collect();
    let mut by_degree: Vec<u32> = (0..n as u32).collect();
    by_degree.sort_by_key(|&v| (joined[v as usize].len(), v));
    let (mut best, mut clique): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut steps = 0u64;
    // Roots from the least degree up: each looks for cliques among its later neighbours only.
    let mut rank = vec![0u32; n];
    for (i, &v) in by_degree.iter().enumerate() {
        rank[v as usize] = i as u32;
    }
    for &root in &by_degree {
        let mut later: Vec<u32> = joined[root as usize]
            .iter()
            .copied()
            .filter(|&w| rank[w as usize] > rank[root as usize])
            .collect();
        later.sort_by_key(|&w| rank[w as usize]);
        clique.clear();
        clique.push(root);
        let mut frames = vec![coloured(&later, &joined, &mut steps)];
        if best.is_empty() {
            best.clone_from(&clique);
        }
        while let Some(frame) = frames.last_mut() {
            if steps > budget {
                best.sort_unstable();
                return Clique { nodes: g.places(&best), exact: false };
            }
            let Some((v, colours)) = frame.pop() else {
                frames.pop();
                clique.pop();
                continue;
            };
            if clique.len() + colours as usize <= best.len() {
                frame.clear();
                continue;
            }
            let rest: Vec<u32> =
                frame.iter().map(|f| f.0).filter(|w| joined[v as usize].contains(w)).collect();
            steps += frame.len() as u64;
            clique.push(v);
            if clique.len() > best.len() {
                best.clone_from(&clique);
            }
            frames.push(coloured(&rest, &joined, &mut steps));
        }
    }
    best.sort_unstable();
    Clique { nodes: g.places(&best), exact: true }
}

/// The nodes with the number of colours that they and those before them need: no clique among them
/// is larger.
fn coloured(nodes: &[u32], joined: &[FxHashSet<u32>], steps: &mut u64) -> Vec<(u32, u32)> {
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for &v in nodes {
        let free = classes.iter().position(|class| {
            *steps += class.len() as u64;
            class.iter().all(|w| !joined[v as usize].contains(w))
        });
        match free {
            Some(c) => classes[c].push(v),
            None => classes.push(vec![v]),
        }
    }
    let numbered =
        |(c, class): (usize, Vec<u32>)| class.into_iter().map(move |v| (v, c as u32 + 1));
    classes.into_iter().enumerate().flat_map(numbered).collect()
}

pub(super) struct MaxCliqueFunction;

impl Typed for MaxCliqueFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let found = max_clique(graph, bounds::SEARCH_STEPS);
        if !found.exact {
            out.notes.push(bounds::unproven(bounds::SEARCH_STEPS, "a larger clique may exist"));
        }
        let mut edges = Vec::new();
        for (i, &a) in found.nodes.iter().enumerate() {
            edges.extend(found.nodes[i + 1..].iter().map(|&b| (a, b)));
        }
        out.touched = Touched::edges(graph, &edges);
        out.touched.nodes = graph.names_of(&found.nodes);
        let clique = out.touched.nodes.clone();
        Ok(Returns { size: clique.len(), clique, is_maximum: found.exact })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<MaxCliqueFunction>(Facts {
    name: "max_clique",
    title: "Maximum clique",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "exponential, at most 20 million steps",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (0, 2), (1, 2), (2, 3), (3, 4)]),
        arguments: json!({}),
    },
});
