//! All maximal sets of nodes that are all joined.

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Touched, Typed, bounds,
    sample,
};
use crate::{Graph, NodeIdx, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Lists all maximal cliques: the groups of nodes that are all joined to each other and to which no
/// node can be added. Directions are ignored. At most 1,000 are listed; the result says if there are
/// more.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Lists only cliques of at least so many nodes; left out, of any size.
    #[serde(default)]
    min_size: Option<usize>,
}

/// The cliques found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// How many were found.
    n_cliques: usize,
    /// The cliques, the largest first, each with its nodes.
    cliques: Vec<Vec<NodeName>>,
    /// Whether all are listed; false if there are more, or if the search reached its limit.
    is_complete: bool,
}

/// The most cliques that a result lists.
pub const MAX_LISTED: usize = 1_000;
/// The most nodes of all that are listed.
const MAX_NODES_LISTED: usize = 50_000;

/// Maximal cliques that were found, and whether these are all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cliques {
    /// The first of them in the order of the search, at most [`MAX_LISTED`], each in the order of the
    /// graph; then sorted, the largest first.
    pub listed: Vec<Vec<NodeIdx>>,
    /// How many were found.
    pub n_found: usize,
    /// Whether the search came to its end.
    pub exact: bool,
}

/// Where the search stands with one node more in the clique.
struct Frame {
    /// Nodes that are joined to all of the clique, and were not looked at.
    open: Vec<u32>,
    /// Nodes that are joined to all of the clique, whose cliques were found already.
    done: Vec<u32>,
    /// Those of the open ones that are to be taken in turn.
    turns: Vec<u32>,
}

/// All maximal cliques of at least `min_size` nodes, where directions and self loops do not matter:
/// Bron and Kerbosch's search with a pivot, from each node among those behind it in an order in
/// which each has few neighbours behind it. A node without edges is a clique of its own.
///
/// petgraph's `maximal_cliques` calls itself once a node of a clique and has no bound.
///
/// # Complexity
/// Exponential, as there may be 3^(n/3) of them; at most `budget` steps.
///
/// # Examples
/// ```
/// use graph::Graph;
/// use graph::functions::find_cliques::find_cliques;
/// let mut graph = Graph::undirected();
/// for (a, b) in [(0usize, 1usize), (1, 2), (2, 0), (2, 3)] {
///     graph.link(a, b)?;
/// }
/// let sizes: Vec<usize> = find_cliques(&graph, 1, 1_000).listed.iter().map(Vec::len).collect();
/// assert_eq!(sizes, [3, 2]);
/// # Ok::<(), graph::GraphError>(())
/// ```
pub fn find_cliques(graph: &Graph, min_size: usize, budget: u64) -> Cliques {
    let g = graph.adjacency().into_undirected();
    let n = g.n_nodes();
    let joined: Vec<FxHashSet<u32>> = (0..n)
        .map(|v| g.out[v].iter().map(|e| e.0).filter(|&w| w as usize != v).collect())
        .collect();
    let order = by_degeneracy(&joined);
    let mut rank = vec![0u32; n];
    for (i, &v) in order.iter().enumerate() {
        rank[v as usize] = i as u32;
    }
    let mut found = Cliques { exact: true, ..Cliques::default() };
    let mut n_nodes = 0;
    let mut steps = 0u64;
    for &root in &order {
        let mut near: Vec<u32> = joined[root as usize].iter().copied().collect();
        near.sort_unstable();
        let (open, done) = near.into_iter().partition(|&w| rank[w as usize] > rank[root as usize]);
        let mut clique = vec![root];
        let mut frames = vec![framed(open, done, &joined, &mut steps)];
        while let Some(frame) = frames.last_mut() {
            if steps > budget {
                found.exact = false;
                found.listed.sort_by(largest_first);
                return found;
            }
            if frame.open.is_empty() && frame.done.is_empty() && clique.len() >= min_size {
                found.n_found += 1;
                n_nodes += clique.len();
                if found.listed.len() < MAX_LISTED && n_nodes <= MAX_NODES_LISTED {
                    let mut nodes = clique.clone();
                    nodes.sort_unstable();
                    found.listed.push(g.places(&nodes));
                }
            }
            let Some(v) = frame.turns.pop() else {
                frames.pop();
                clique.pop();
                continue;
            };
            let near = &joined[v as usize];
            let keep = |list: &[u32]| list.iter().copied().filter(|w| near.contains(w)).collect();
            let (open, done) = (keep(&frame.open), keep(&frame.done));
            steps += (frame.open.len() + frame.done.len()) as u64;
            frame.open.retain(|&w| w != v);
            frame.done.push(v);
            clique.push(v);
            frames.push(framed(open, done, &joined, &mut steps));
        }
    }
    found.listed.sort_by(largest_first);
    found
}

fn largest_first(a: &Vec<NodeIdx>, b: &Vec<NodeIdx>) -> std::cmp::Ordering {
    b.len().cmp(&a.len()).then_with(|| a.cmp(b))
}

/// A step of the search: of the open nodes only those are taken in turn that are not joined to the
/// pivot, which is joined to the most of them. A clique without any of these could take the pivot in.
fn framed(open: Vec<u32>, done: Vec<u32>, joined: &[FxHashSet<u32>], steps: &mut u64) -> Frame {
    let n_joined = |&v: &u32| open.iter().filter(|w| joined[v as usize].contains(w)).count();
    *steps += ((open.len() + done.len()) * open.len()) as u64 + 1;
    let pivot = open.iter().chain(&done).max_by_key(|v| n_joined(v));
    let turns = match pivot {
        Some(&pivot) => {
            open.iter().copied().filter(|w| !joined[pivot as usize].contains(w)).collect()
        }
        None => Vec::new(),
    };
    Frame { open, done, turns }
}

/// The nodes, each time one with the fewest neighbours among those that are left. O(n + m).
fn by_degeneracy(joined: &[FxHashSet<u32>]) -> Vec<u32> {
    let n = joined.len();
    let mut degree: Vec<usize> = joined.iter().map(FxHashSet::len).collect();
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); degree.iter().max().map_or(1, |d| d + 1)];
    for v in (0..n as u32).rev() {
        buckets[degree[v as usize]].push(v);
    }
    let mut order = Vec::with_capacity(n);
    let mut is_taken = vec![false; n];
    let mut least = 0;
    while order.len() < n {
        let Some(v) = buckets[least].pop() else {
            least += 1;
            continue;
        };
        if is_taken[v as usize] || degree[v as usize] != least {
            continue;
        }
        is_taken[v as usize] = true;
        order.push(v);
        let mut near: Vec<u32> = joined[v as usize].iter().copied().collect();
        near.sort_unstable();
        for w in near {
            if !is_taken[w as usize] {
                degree[w as usize] -= 1;
                buckets[degree[w as usize]].push(w);
            }
        }
        least = least.saturating_sub(1);
    }
    order
}

pub(super) struct FindCliques;

impl Typed for FindCliques {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_undirected(graph, out);
        let found = find_cliques(graph, args.min_size.unwrap_or(1), bounds::SEARCH_STEPS);
        let n_listed = found.listed.len();
        if !found.exact {
            out.notes.push(format!(
                "the search stopped after {} steps: there may be more cliques",
                bounds::SEARCH_STEPS
            ));
        }
        if n_listed < found.n_found {
            out.notes.push(format!(
                "only the first {n_listed} of {} cliques that were found are listed: ask for larger \
                 ones alone with min_size",
                found.n_found
            ));
        }
        // What is pointed to is the largest: all of them together are the graph.
        if let Some(largest) = found.listed.first() {
            let pairs = largest
                .iter()
                .enumerate()
                .flat_map(|(i, &a)| largest[i + 1..].iter().map(move |&b| (a, b)));
            out.touched = Touched::edges(graph, &pairs.collect::<Vec<_>>());
            out.touched.nodes = graph.names_of(largest);
        }
        Ok(Returns {
            n_cliques: found.n_found,
            is_complete: found.exact && n_listed == found.n_found,
            cliques: found.listed.iter().map(|nodes| graph.names_of(nodes)).collect(),
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<FindCliques>(Facts {
    name: "find_cliques",
    title: "All maximal cliques",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[],
    complexity: "exponential, at most 20 million steps",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (0, 2), (1, 2), (2, 3), (3, 4)]),
        arguments: json!({ "min_size": 2 }),
    },
});
