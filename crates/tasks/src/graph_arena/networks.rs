//! Networks like those that GraphArena cuts out of real ones.

use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;

use crate::random::{between, components, shuffle};

/// The graph with these names and edges.
fn named(names: &[NodeName], edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
    let mut graph = Graph::undirected();
    for name in names {
        // Generated graphs are tiny and well formed, so neither this nor the next can fail.
        let _ = graph.ensure_node(name.clone());
    }
    for (a, b) in edges {
        if graph.edge(&names[a], &names[b]).is_none() {
            let _ = graph.link(names[a].clone(), names[b].clone());
        }
    }
    graph
}

/// People who write papers together: groups of two to five, each with one who is in a group before.
pub(super) fn collaborations(rng: &mut ChaCha8Rng, names: &[NodeName]) -> Graph {
    let n = names.len();
    let mut edges = Vec::new();
    let mut known = 1;
    while known < n {
        let new = between(rng, 1, 4).min(n - known);
        let mut team: Vec<usize> = (known..known + new).collect();
        for _ in 0..between(rng, 1, 2) {
            team.push(between(rng, 0, known - 1));
        }
        team.sort_unstable();
        team.dedup();
        for (i, a) in team.iter().enumerate() {
            edges.extend(team[i + 1..].iter().map(|b| (*a, *b)));
        }
        known += new;
    }
    shuffle(rng, &mut edges);
    named(names, edges)
}

/// A connected network with about so many edges for each node, some of which close triangles.
pub(super) fn connected(
    rng: &mut ChaCha8Rng,
    names: &[NodeName],
    per_node: (usize, usize),
) -> Graph {
    let n = names.len();
    // As hundredths.
    let wanted = n * between(rng, per_node.0, per_node.1) / 100;
    let mut edges: Vec<(usize, usize)> = (1..n).map(|i| (between(rng, 0, i - 1), i)).collect();
    let mut tries = 0;
    while edges.len() < wanted && tries < 20 * n {
        tries += 1;
        let (a, b) = match between(rng, 0, 1) {
            0 => (between(rng, 0, n - 1), between(rng, 0, n - 1)),
            // A friend of a friend.
            _ => {
                let (x, y) = edges[between(rng, 0, edges.len() - 1)];
                let (z, w) = edges[between(rng, 0, edges.len() - 1)];
                if y == z { (x, w) } else { (x, z) }
            }
        };
        let edge = (a.min(b), a.max(b));
        if a != b && !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    shuffle(rng, &mut edges);
    named(names, edges)
}

/// A network in one to `most` parts.
pub(super) fn parted(rng: &mut ChaCha8Rng, names: &[NodeName], most: usize) -> Graph {
    let n = names.len();
    let n_parts = between(rng, 1, most.clamp(1, n));
    let mut edges = Vec::new();
    for i in n_parts..n {
        // Node i joins one that is there; the first of each part stands alone until somebody does.
        edges.push((between(rng, 0, i - 1), i));
    }
    let part = components(n, &edges);
    for _ in 0..n / 2 {
        let (a, b) = (between(rng, 0, n - 1), between(rng, 0, n - 1));
        let edge = (a.min(b), a.max(b));
        if a != b && part[a] == part[b] && !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    shuffle(rng, &mut edges);
    named(names, edges)
}

/// Airports in the plane, each with each joined, the distances in kilometres.
pub(super) fn flights(rng: &mut ChaCha8Rng, names: &[NodeName]) -> Graph {
    let places: Vec<(i64, i64)> = names
        .iter()
        .map(|_| (between(rng, 0, 6_000) as i64, between(rng, 0, 4_000) as i64))
        .collect();
    let mut graph = Graph::undirected();
    for name in names {
        let _ = graph.ensure_node(name.clone());
    }
    for (i, a) in places.iter().enumerate() {
        for (j, b) in places.iter().enumerate().skip(i + 1) {
            let square = (a.0 - b.0).pow(2) + (a.1 - b.1).pow(2);
            let km = square.isqrt().max(1) as f64;
            let _ = graph.link_weighted(names[i].clone(), names[j].clone(), km);
        }
    }
    graph
}
