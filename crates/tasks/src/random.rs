//! Random graphs, as generators of benchmarks make them.

use graph::{Delta, Graph};
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

/// A whole number from `low` to `high`, both included.
pub(crate) fn between(rng: &mut ChaCha8Rng, low: usize, high: usize) -> usize {
    // Drawn as u32 so that 32-bit and 64-bit machines agree.
    rng.random_range(low as u32..=high.max(low) as u32) as usize
}

/// One of the values.
pub(crate) fn one_of<T: Copy>(rng: &mut ChaCha8Rng, values: &[T]) -> T {
    values[between(rng, 0, values.len().saturating_sub(1))]
}

/// A value, as often as its weight says.
pub(crate) fn weighted(rng: &mut ChaCha8Rng, values: &[(usize, usize)]) -> usize {
    let total: usize = values.iter().map(|(_, weight)| weight).sum();
    let mut left = between(rng, 1, total);
    for (value, weight) in values {
        if left <= *weight {
            return *value;
        }
        left -= weight;
    }
    values.last().map_or(0, |(value, _)| *value)
}

/// The numbers `0..n` in a random order.
pub(crate) fn shuffled(rng: &mut ChaCha8Rng, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    shuffle(rng, &mut order);
    order
}

pub(crate) fn shuffle<T>(rng: &mut ChaCha8Rng, values: &mut [T]) {
    values.shuffle(rng);
}

/// Every pair `i < j` of `0..n` with probability `p`, in order.
pub(crate) fn pairs(rng: &mut ChaCha8Rng, n: usize, p: f64) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            if rng.random_bool(p) {
                found.push((i, j));
            }
        }
    }
    found
}

/// As [`pairs`], drawn again until the graph hangs together.
pub(crate) fn connected_pairs(rng: &mut ChaCha8Rng, n: usize, p: f64) -> Vec<(usize, usize)> {
    loop {
        let found = pairs(rng, n, p);
        let component = components(n, &found);
        if component.iter().all(|c| *c == component[0]) {
            return found;
        }
    }
}

/// A random tree on `0..n` with shuffled labels.
pub(crate) fn tree(rng: &mut ChaCha8Rng, n: usize) -> Vec<(usize, usize)> {
    let label = shuffled(rng, n);
    let mut edges: Vec<(usize, usize)> =
        (1..n).map(|i| (label[between(rng, 0, i - 1)], label[i])).collect();
    shuffle(rng, &mut edges);
    edges
}

/// Turns each edge round or not, at random.
pub(crate) fn turn(rng: &mut ChaCha8Rng, edges: &mut [(usize, usize)]) {
    for edge in edges {
        if rng.random_bool(0.5) {
            *edge = (edge.1, edge.0);
        }
    }
}

/// For each node the least node of its component.
pub(crate) fn components(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    let mut parent: Vec<usize> = (0..n).collect();
    for (a, b) in edges {
        let (a, b) = (root(&mut parent, *a), root(&mut parent, *b));
        parent[a.max(b)] = a.min(b);
    }
    (0..n).map(|i| root(&mut parent, i)).collect()
}

/// The graph with nodes `0..n` and these edges; a value is a weight, or a capacity in a directed
/// graph.
pub(crate) fn graph(
    directed: bool,
    n: usize,
    edges: impl IntoIterator<Item = (usize, usize, Option<f64>)>,
) -> Graph {
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    for i in 0..n {
        // Generated graphs are tiny and well formed, so neither this nor the next can fail.
        let _ = graph.ensure_node(i);
    }
    for (a, b, value) in edges {
        let (weight, capacity) = if directed { (None, value) } else { (value, None) };
        let _ =
            graph.apply(&Delta::AddEdge { source: a.into(), target: b.into(), weight, capacity });
    }
    graph
}

/// As [`graph`], without values.
pub(crate) fn plain(
    directed: bool,
    n: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
) -> Graph {
    graph(directed, n, edges.into_iter().map(|(a, b)| (a, b, None)))
}
