//! The graphs that the page draws (`benches/page/graphs.js`), from the same seeds, for native times.

use std::collections::HashSet;

/// A kind of graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Undirected, without weights.
    Plain,
    /// Undirected, with weights.
    Weighted,
    /// Undirected, between even and odd nodes.
    Bipartite,
    /// Directed, without weights.
    Directed,
    /// Directed upwards.
    Dag,
    /// Directed upwards, with weights.
    Flow,
}

/// What is timed beside petgraph, on which kind of graph, and the most nodes for ours.
pub const TIMED: &[(&str, Kind, u32)] = &[
    ("connected_components", Kind::Plain, 100_000),
    ("strongly_connected_components", Kind::Directed, 100_000),
    ("bfs_order", Kind::Plain, 100_000),
    ("dfs_order", Kind::Plain, 100_000),
    ("has_path", Kind::Plain, 100_000),
    ("find_shortest_path", Kind::Plain, 100_000),
    ("find_shortest_path, weighted", Kind::Weighted, 100_000),
    ("shortest_path_lengths", Kind::Plain, 100_000),
    ("shortest_path_lengths, weighted", Kind::Weighted, 100_000),
    ("find_bridges", Kind::Plain, 100_000),
    ("find_articulation_points", Kind::Plain, 100_000),
    ("minimum_spanning_tree", Kind::Weighted, 100_000),
    ("is_bipartite", Kind::Bipartite, 100_000),
    ("topological_sort", Kind::Dag, 100_000),
    ("has_cycle", Kind::Dag, 100_000),
    ("max_bipartite_matching", Kind::Bipartite, 10_000),
    ("max_flow", Kind::Flow, 1_000),
    ("all_pairs_shortest_distances", Kind::Plain, 1_000),
];

/// The edges of a graph.
pub struct Drawn {
    /// Whether they have a direction.
    pub directed: bool,
    /// Where each begins.
    pub from: Vec<u32>,
    /// Where each ends.
    pub to: Vec<u32>,
    /// What each weighs; empty where none does.
    pub weights: Vec<f64>,
}

/// Mulberry32, as in the page.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let s = self.0;
        let mut t = (s ^ (s >> 15)).wrapping_mul(1 | s);
        t = t.wrapping_add((t ^ (t >> 7)).wrapping_mul(61 | t)) ^ t;
        f64::from(t ^ (t >> 14)) / 4_294_967_296.0
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.next() * f64::from(n)).floor() as u32
    }
}

/// A graph of `n` nodes and five times as many edges, fewer where there is no room: a random tree,
/// and random pairs until there are enough.
pub fn draw(kind: Kind, n: u32) -> Drawn {
    let mut random = Numbers(n + 17);
    let m = (5 * u64::from(n)).min(u64::from(n) * u64::from(n - 1) / 4) as usize;
    let (mut from, mut to) = (Vec::with_capacity(m), Vec::with_capacity(m));
    let mut seen = HashSet::with_capacity(m);
    let mut v = 1;
    while from.len() < m {
        let (mut a, mut b) = if v < n {
            v += 1;
            (random.below(v - 1), v - 1)
        } else {
            (random.below(n), random.below(n))
        };
        if kind == Kind::Bipartite {
            (a, b) = (a & !1, b | 1);
        }
        let (low, high) = (a.min(b), a.max(b));
        if low == high || !seen.insert((low, high)) {
            continue;
        }
        let is_turned = kind == Kind::Directed && random.next() < 0.5;
        from.push(if is_turned { high } else { low });
        to.push(if is_turned { low } else { high });
    }
    let weights = match kind {
        Kind::Weighted | Kind::Flow => (0..m).map(|_| f64::from(1 + random.below(10))).collect(),
        Kind::Plain | Kind::Bipartite | Kind::Directed | Kind::Dag => Vec::new(),
    };
    Drawn { directed: matches!(kind, Kind::Directed | Kind::Dag | Kind::Flow), from, to, weights }
}
