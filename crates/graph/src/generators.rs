//! Graphs made from a seed. The same seed gives the same graph, on every machine and in every
//! version.
//!
//! Random generators take their seed as an argument and draw from ChaCha8, whose stream is fixed by
//! its definition. Sizes are bounded by [`MAX_NODES`].

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::{Graph, GraphError};

mod families;
mod named;
#[cfg(test)]
mod shapes;

pub use families::{
    balanced_tree, binomial_tree, circulant, circular_ladder, dorogovtsev_goltsev_mendes,
    full_rary_tree, hoffman_singleton, lcf, lollipop, turan,
};
pub use named::{named, names};

/// The most nodes that a generator makes; larger numbers are refused.
pub const MAX_NODES: usize = 10_000;

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn nodes(directed: bool, n: usize) -> Result<Graph, GraphError> {
    if n > MAX_NODES {
        return Err(GraphError::TooLarge { what: "nodes here", limit: MAX_NODES });
    }
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    for i in 0..n {
        graph.ensure_node(i)?;
    }
    Ok(graph)
}

fn joined(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Result<Graph, GraphError> {
    let mut graph = nodes(false, n)?;
    for (a, b) in edges {
        graph.link(a, b)?;
    }
    Ok(graph)
}

/// n nodes, each pair (ordered, if directed) joined with probability `p` (below 0 counts as 0,
/// above 1 as 1).
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
///
/// # Complexity
/// O(n²).
pub fn gnp(n: usize, p: f64, directed: bool, seed: u64) -> Result<Graph, GraphError> {
    let mut graph = nodes(directed, n)?;
    let mut rng = rng(seed);
    for a in 0..n {
        for b in if directed { 0 } else { a + 1 }..n {
            if a != b && rng.random::<f64>() < p {
                graph.link(a, b)?;
            }
        }
    }
    Ok(graph)
}

/// n nodes and m edges between random pairs. An undirected graph is connected from n - 1 edges on;
/// a directed one has no cycle, because every arc goes to the node of the greater number.
///
/// # Errors
/// More than [`MAX_NODES`] nodes, or more edges than there are pairs.
///
/// # Complexity
/// O(n log n + m) expected while the graph is sparse.
pub fn random_sparse(n: usize, m: usize, directed: bool, seed: u64) -> Result<Graph, GraphError> {
    let limit = n.saturating_mul(n.saturating_sub(1)) / 2;
    if m > limit {
        return Err(GraphError::TooLarge { what: "edges", limit });
    }
    let mut graph = nodes(directed, n)?;
    if !directed && n > 1 && m + 1 >= n {
        graph = random_tree(n, seed)?;
    }
    let mut rng = rng(seed ^ 0x5eed);
    while graph.n_edges() < m {
        let (a, b) = (rng.random_range(0..n), rng.random_range(0..n));
        if a != b {
            graph.link(a.min(b), a.max(b))?;
        }
    }
    Ok(graph)
}

/// A tree of n nodes, all labelled trees equally likely (from a random Prüfer sequence).
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
///
/// # Complexity
/// O(n²).
pub fn random_tree(n: usize, seed: u64) -> Result<Graph, GraphError> {
    let mut graph = nodes(false, n)?;
    if n < 2 {
        return Ok(graph);
    }
    let mut rng = rng(seed);
    let code: Vec<usize> = (2..n).map(|_| rng.random_range(0..n)).collect();
    let mut degree = vec![1usize; n];
    for &v in &code {
        degree[v] += 1;
    }
    for &v in &code {
        if let Some(leaf) = degree.iter().position(|&d| d == 1) {
            graph.link(leaf, v)?;
            degree[leaf] = 0;
            degree[v] -= 1;
        }
    }
    let mut last = (0..n).filter(|&v| degree[v] == 1);
    if let (Some(a), Some(b)) = (last.next(), last.next()) {
        graph.link(a, b)?;
    }
    Ok(graph)
}

/// A directed graph without cycles: the nodes in a random order, each pair joined forwards in it
/// with probability `p`. The numbers of the nodes do not give the order away.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
///
/// # Complexity
/// O(n²).
pub fn random_dag(n: usize, p: f64, seed: u64) -> Result<Graph, GraphError> {
    let mut graph = nodes(true, n)?;
    let mut rng = rng(seed);
    let mut order: Vec<usize> = (0..n).collect();
    order.shuffle(&mut rng);
    let mut edges = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            if rng.random::<f64>() < p {
                edges.push((order[i], order[j]));
            }
        }
    }
    edges.shuffle(&mut rng);
    for (a, b) in edges {
        graph.link(a, b)?;
    }
    Ok(graph)
}

/// `left` nodes from 0 on, `right` nodes after them, each pair across joined with probability `p`.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
///
/// # Complexity
/// O(left · right).
pub fn random_bipartite(left: usize, right: usize, p: f64, seed: u64) -> Result<Graph, GraphError> {
    let n = left.saturating_add(right);
    let mut graph = nodes(false, n)?;
    let mut rng = rng(seed);
    for a in 0..left {
        for b in left..n {
            if rng.random::<f64>() < p {
                graph.link(a, b)?;
            }
        }
    }
    Ok(graph)
}

/// Barabási and Albert's graph: nodes come one by one and join `m` earlier ones, a node the more
/// likely the more edges it has. The first `m` + 1 nodes form a star.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
///
/// # Complexity
/// O(n·m) expected.
pub fn barabasi_albert(n: usize, m: usize, seed: u64) -> Result<Graph, GraphError> {
    let mut graph = nodes(false, n)?;
    let mut rng = rng(seed);
    if m == 0 {
        return Ok(graph);
    }
    // Each end of each edge once: a draw from it is a draw by degree.
    let mut ends: Vec<usize> = Vec::new();
    for v in 1..n {
        let mut chosen: Vec<usize> = Vec::new();
        if v <= m {
            chosen.push(0);
        }
        while v > m && chosen.len() < m {
            let u = ends[rng.random_range(0..ends.len())];
            if !chosen.contains(&u) {
                chosen.push(u);
            }
        }
        for u in chosen {
            graph.link(v, u)?;
            ends.extend([v, u]);
        }
    }
    Ok(graph)
}

/// 0 - 1 - … - n-1.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn path(n: usize) -> Result<Graph, GraphError> {
    joined(n, (1..n.min(MAX_NODES + 1)).map(|i| (i - 1, i)))
}

/// A path closed to a ring; below three nodes it stays a path.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn cycle(n: usize) -> Result<Graph, GraphError> {
    let mut graph = path(n)?;
    if n > 2 {
        graph.link(n - 1, 0usize)?;
    }
    Ok(graph)
}

/// Every pair of n nodes joined.
///
/// # Errors
/// More than [`MAX_NODES`] nodes, or more edges than a graph may have.
pub fn complete(n: usize) -> Result<Graph, GraphError> {
    if n <= MAX_NODES && n * n.saturating_sub(1) / 2 > Graph::MAX_EDGES {
        return Err(GraphError::TooLarge { what: "edges", limit: Graph::MAX_EDGES });
    }
    joined(n, (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))))
}

/// `rows` by `columns` nodes, numbered row by row, each joined to the next in its row and column.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn grid(rows: usize, columns: usize) -> Result<Graph, GraphError> {
    let n = rows.saturating_mul(columns);
    let right = move |i: usize| (i % columns + 1 < columns).then_some((i, i + 1));
    let down = move |i: usize| (i + columns < n).then_some((i, i + columns));
    joined(n, (0..n).flat_map(move |i| right(i).into_iter().chain(down(i))))
}

/// Node 0 joined to each of n - 1 others.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn star(n: usize) -> Result<Graph, GraphError> {
    joined(n, (1..n).map(|i| (0, i)))
}

/// A star whose outer nodes form a ring; a wheel has at least 4 nodes, below that it is a star with
/// its outer nodes joined.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn wheel(n: usize) -> Result<Graph, GraphError> {
    let mut graph = star(n)?;
    for i in 2..n {
        graph.link(i - 1, i)?;
    }
    if n > 3 {
        graph.link(n - 1, 1usize)?;
    }
    Ok(graph)
}

/// Petersen's graph: ten nodes of degree 3, an outer ring 0 to 4 and an inner star 5 to 9.
///
/// # Errors
/// None in practice; the signature is that of its siblings.
pub fn petersen() -> Result<Graph, GraphError> {
    let ring = (0..5).map(|i| (i, (i + 1) % 5));
    let spokes = (0..5).map(|i| (i, i + 5));
    let inner = (0..5).map(|i| (5 + i, 5 + (i + 2) % 5));
    joined(10, ring.chain(spokes).chain(inner))
}

/// Two complete graphs of `bell` nodes each, joined by a path of `bar` nodes between them.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn barbell(bell: usize, bar: usize) -> Result<Graph, GraphError> {
    let n = bell.saturating_mul(2).saturating_add(bar);
    let within = move |base: usize| {
        (0..bell).flat_map(move |a| (a + 1..bell).map(move |b| (base + a, base + b)))
    };
    let first = bell.saturating_sub(1);
    let middle = (first..bell.saturating_add(bar)).map(|i| (i, i + 1)).filter(move |e| e.1 < n);
    joined(n, within(0).chain(middle).chain(within(bell.saturating_add(bar))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::{
        connected_components::connected_components, diameter::diameter, get_degrees::get_degrees,
        is_bipartite::is_bipartite, is_dag::is_dag, is_tree::is_tree,
        topological_sort::topological_sort,
    };

    fn degrees(graph: &Graph) -> Vec<usize> {
        let mut list: Vec<usize> = get_degrees(graph).iter().map(|d| d.degree).collect();
        list.sort_unstable();
        list
    }

    #[test]
    fn the_fixed_shapes() {
        assert_eq!((path(5).unwrap().n_edges(), path(0).unwrap().n_nodes()), (4, 0));
        assert_eq!(degrees(&cycle(6).unwrap()), [2; 6]);
        assert_eq!(degrees(&complete(5).unwrap()), [4; 5]);
        assert_eq!(degrees(&star(4).unwrap()), [1, 1, 1, 3]);
        assert_eq!(degrees(&wheel(6).unwrap()), [3, 3, 3, 3, 3, 5]);
        let grid = grid(3, 4).unwrap();
        assert_eq!((grid.n_edges(), diameter(&grid).unwrap()), (17, 5.0));
        let petersen = petersen().unwrap();
        assert_eq!((degrees(&petersen), diameter(&petersen).unwrap()), (vec![3; 10], 2.0));
        assert!(is_bipartite(&petersen).is_err());
        let barbell = barbell(4, 2).unwrap();
        assert_eq!((barbell.n_nodes(), barbell.n_edges()), (10, 15));
        assert_eq!(diameter(&barbell).unwrap(), 5.0);
    }

    #[test]
    fn the_random_shapes() {
        for seed in 0..40 {
            let n = seed as usize % 12;
            assert_eq!(is_tree(&random_tree(n, seed).unwrap()).is_ok(), n > 0, "{n}");
            assert!(is_dag(&random_dag(n, 0.5, seed).unwrap()));
            let two = random_bipartite(n, 5, 0.5, seed).unwrap();
            assert!(two.edges().all(|e| e.source.as_int() < Some(n as i64)));
            assert!(is_bipartite(&two).is_ok());
            let ba = barabasi_albert(n, 2, seed).unwrap();
            assert_eq!(ba.n_edges(), if n < 3 { n.saturating_sub(1) } else { 2 * n - 4 });
            assert!(n == 0 || connected_components(&ba).len() == 1);
        }
        assert_eq!(gnp(9, 1.0, true, 1).unwrap().n_edges(), 72);
        assert_eq!(gnp(9, 0.0, false, 1).unwrap().n_edges(), 0);
        let half = gnp(60, 0.5, false, 7).unwrap().n_edges();
        assert!((750..1020).contains(&half), "{half} of 1770 is not about half");
    }

    #[test]
    fn labels_do_not_give_the_order_away() {
        let sorted = |seed| {
            let order = topological_sort(&random_dag(8, 0.6, seed).unwrap()).unwrap();
            order.windows(2).all(|w| w[0] < w[1])
        };
        assert!((0..20).filter(|&seed| sorted(seed)).count() < 3);
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let bytes = |seed| {
            [
                gnp(12, 0.4, true, seed),
                random_tree(12, seed),
                random_dag(12, 0.4, seed),
                random_bipartite(6, 6, 0.4, seed),
                barabasi_albert(12, 2, seed),
            ]
            .map(|graph| serde_json::to_string(&graph.unwrap().to_deltas()).unwrap())
        };
        assert_eq!(bytes(5), bytes(5));
        assert!(bytes(5).iter().zip(bytes(6)).all(|(a, b)| *a != b));
        // Written down once, so that a new version of a dependency cannot change old seeds.
        let edges: Vec<String> = random_tree(6, 1)
            .unwrap()
            .edges()
            .map(|e| format!("{}-{}", e.source, e.target))
            .collect();
        insta::assert_snapshot!(edges.join(" "));
    }

    #[test]
    fn too_many_nodes_are_refused() {
        for graph in [path(usize::MAX), star(10_001), grid(usize::MAX, 2), barbell(9_000, 1)] {
            assert!(matches!(graph, Err(GraphError::TooLarge { .. })));
        }
    }
}
