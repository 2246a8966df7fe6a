//! Whether two graphs differ only in names.

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::search::NONE;
use crate::{Adjacency, Graph, NodeIdx, NodeName};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// Tells whether another graph, given by its edges, has the same shape as this one: whether its
/// nodes can be renamed so that the edges are the same. Weights are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The edges of the other graph, each a pair of nodes: `[[0, 1], [1, 2]]`.
    #[schemars(with = "Vec<[NodeName; 2]>")]
    pub edges: Vec<(NodeName, NodeName)>,
    /// Nodes of the other graph that have no edges; leave out if there are none.
    #[serde(default)]
    pub nodes: Vec<NodeName>,
}

/// Whether they have the same shape.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// Whether the graphs have the same shape; null if the search gave up before it knew.
    is_isomorphic: Option<bool>,
    /// For each node of this graph its partner in the other, or null.
    mapping: Option<Vec<MappedPair>>,
    /// Why they differ or why it is undecided, or null.
    reason: Option<String>,
}

/// A node and its partner.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MappedPair {
    /// The node of this graph.
    node: NodeName,
    /// Its partner in the other graph.
    partner: NodeName,
}

/// What a comparison of two graphs found.
#[derive(Clone, Debug, PartialEq)]
pub enum Isomorphism {
    /// For each node of the first graph, in order, its partner in the second.
    Same(Vec<(NodeIdx, NodeIdx)>),
    /// They differ, for a stated reason.
    Different {
        /// Why, in a sentence.
        reason: String,
    },
    /// The budget ran out first.
    Undecided {
        /// The steps that were spent.
        steps: u64,
    },
}

/// Whether two graphs have the same shape (weights do not matter), by colour refinement and a
/// search of at most `budget` steps.
///
/// petgraph has VF2, which cannot be stopped and recurses.
///
/// # Complexity
/// Exponential; at most `budget` steps.
pub fn is_isomorphic(a: &Graph, b: &Graph, budget: u64) -> Isomorphism {
    let different = |reason: String| Isomorphism::Different { reason };
    if a.is_directed() != b.is_directed() {
        return different("one graph is directed and the other is not".into());
    }
    if a.n_nodes() != b.n_nodes() {
        return different(format!("{} nodes against {}", a.n_nodes(), b.n_nodes()));
    }
    if a.n_edges() != b.n_edges() {
        return different(format!("{} edges against {}", a.n_edges(), b.n_edges()));
    }
    let (ga, gb) = (a.adjacency(), b.adjacency());
    let n = ga.n_nodes();
    let (ca, cb) = refined(&ga, &gb);
    let mut places: BTreeMap<u32, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    for v in 0..n {
        places.entry(ca[v]).or_default().0.push(v as u32);
        places.entry(cb[v]).or_default().1.push(v as u32);
    }
    if places.values().any(|(x, y)| x.len() != y.len()) {
        return different(
            "the numbers of neighbours, and of their neighbours, do not agree".into(),
        );
    }
    // The rarest colours first: they leave the fewest choices.
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_key(|&v| (places[&ca[v as usize]].0.len(), ca[v as usize], v));
    let arcs = |g: &Adjacency| -> FxHashSet<(u32, u32)> {
        let both =
            |&(u, v, _): &(u32, u32, f64)| [(u, v), if g.directed { (u, v) } else { (v, u) }];
        g.edges.iter().flat_map(both).collect()
    };
    let (ea, eb) = (arcs(&ga), arcs(&gb));
    let mut partner = vec![NONE; n];
    let mut taken = vec![false; n];
    let mut next = vec![0usize; n + 1];
    let (mut depth, mut steps) = (0, 0u64);
    while depth < n {
        let v = order[depth];
        let candidates = &places[&ca[v as usize]].1;
        let found = (next[depth]..candidates.len()).find(|&i| {
            let w = candidates[i];
            steps += 1 + depth as u64;
            !taken[w as usize]
                && ea.contains(&(v, v)) == eb.contains(&(w, w))
                && order[..depth].iter().all(|&x| {
                    let y = partner[x as usize];
                    ea.contains(&(v, x)) == eb.contains(&(w, y))
                        && ea.contains(&(x, v)) == eb.contains(&(y, w))
                })
        });
        if steps > budget {
            return Isomorphism::Undecided { steps };
        }
        if let Some(i) = found {
            next[depth] = i + 1;
            partner[v as usize] = candidates[i];
            taken[candidates[i] as usize] = true;
            depth += 1;
            next[depth] = 0;
        } else {
            if depth == 0 {
                return different("no renaming of the nodes makes the edges agree".into());
            }
            depth -= 1;
            taken[partner[order[depth] as usize] as usize] = false;
        }
    }
    let pairs = ga.nodes.iter().zip(partner).map(|(&x, y)| (x, gb.nodes[y as usize])).collect();
    Isomorphism::Same(pairs)
}

/// Colours that equal nodes of both graphs share: split by the colours of the neighbours until
/// nothing splits any more.
fn refined(a: &Adjacency, b: &Adjacency) -> (Vec<u32>, Vec<u32>) {
    let n = a.n_nodes();
    let mut colors = vec![0u32; 2 * n];
    let mut count = 0;
    loop {
        let signature = |v: usize| {
            let (g, base) = if v < n { (a, 0) } else { (b, n) };
            let of = |list: &[(u32, u32)]| -> Vec<u32> {
                let mut seen: Vec<u32> = list.iter().map(|e| colors[base + e.0 as usize]).collect();
                seen.sort_unstable();
                seen
            };
            let into = g.into.get(v - base).map_or(Vec::new(), of);
            (colors[v], of(&g.out[v - base]), into)
        };
        let signatures: Vec<_> = (0..2 * n).map(signature).collect();
        let mut numbers = BTreeMap::new();
        for s in &signatures {
            numbers.insert(s, 0u32);
        }
        for (i, number) in numbers.values_mut().enumerate() {
            *number = i as u32;
        }
        let refined: Vec<u32> = signatures.iter().map(|s| numbers[s]).collect();
        let now = numbers.len();
        colors = refined;
        if now == count {
            let second = colors.split_off(n);
            return (colors, second);
        }
        count = now;
    }
}

pub(super) struct IsIsomorphicFunction;

impl Typed for IsIsomorphicFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let mut other = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
        for node in args.nodes {
            other.ensure_node(node)?;
        }
        for (a, b) in args.edges {
            other.link(a, b)?;
        }
        // Each round of refinement may split off one node only.
        let (n, m) = (graph.n_nodes() as u64, graph.n_edges() as u64);
        bounds::affordable((n + m).saturating_mul(n))?;
        Ok(match is_isomorphic(graph, &other, bounds::SEARCH_STEPS) {
            Isomorphism::Same(pairs) => {
                let pair = |&(x, y): &(NodeIdx, NodeIdx)| MappedPair {
                    node: graph.name(x).clone(),
                    partner: other.name(y).clone(),
                };
                let mapping = Some(pairs.iter().map(pair).collect());
                Returns { is_isomorphic: Some(true), mapping, reason: None }
            }
            Isomorphism::Different { reason } => {
                Returns { is_isomorphic: Some(false), mapping: None, reason: Some(reason) }
            }
            Isomorphism::Undecided { steps } => Returns {
                is_isomorphic: None,
                mapping: None,
                reason: Some(format!("undecided after {steps} steps")),
            },
        })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<IsIsomorphicFunction>(Facts {
    name: "is_isomorphic",
    title: "Is it the same graph",
    group: Group::Structure,
    paper: "",
    writes: false,
    raises: &[
        ("too_much_work", "The graph is too large for this."),
        ("too_large", "The other graph would be too large."),
    ],
    complexity: "exponential, at most 20 million steps",
    example: || Example {
        graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (3, 0)]),
        arguments: json!({ "edges": [["a", "c"], ["c", "b"], ["b", "d"], ["d", "a"]] }),
    },
});
