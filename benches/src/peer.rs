//! petgraph's own algorithms, under the names of [`CASES`](crate::CASES): each gives the same number.
//!
//! What is not here petgraph has not, or has as something else: its `page_rank` takes every pair of
//! nodes in each round and knows no weights, its colouring has no proof, its cliques are all maximal
//! ones. `docs/measurements.md` has the times and what follows from them.

use petgraph::algo::{
    articulation_points::articulation_points, astar, bridges::bridges, connected_components,
    dijkstra, has_path_connecting, is_bipartite_undirected, is_cyclic_directed, johnson,
    kosaraju_scc, maximum_flow::dinics, maximum_matching, min_spanning_tree, toposort,
};
use petgraph::data::Element;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::visit::{Bfs, Dfs};
use petgraph::{EdgeType, Graph as Dense};

/// The graph of a case as petgraph has it: places instead of names, every edge with a weight.
pub enum PeerGraph {
    /// Edges have a direction.
    Directed(DiGraph<(), f64>),
    /// They have none.
    Undirected(UnGraph<(), f64>),
}

/// An algorithm of petgraph.
pub struct PeerCase {
    /// The name that ours has in [`CASES`](crate::CASES).
    pub name: &'static str,
    /// The most nodes that it is timed on: beyond, it recurses too deep or takes minutes.
    pub most: u32,
    /// Calls it and makes one number of what it gives.
    pub run: fn(&PeerGraph) -> f64,
}

const ANY: u32 = u32::MAX;

/// Calls a function on either kind of graph.
macro_rules! either {
    ($f:expr) => {
        |g| match g {
            PeerGraph::Directed(g) => $f(g),
            PeerGraph::Undirected(g) => $f(g),
        }
    };
}

fn ends<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> (NodeIndex, NodeIndex) {
    (NodeIndex::new(0), NodeIndex::new(g.node_count().saturating_sub(1)))
}

fn length<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    let (s, t) = ends(g);
    astar(g, s, |n| n == t, |e| *e.weight(), |_| 0.0).map_or(f64::NAN, |(cost, _)| cost)
}

fn distances<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    let found = dijkstra(g, ends(g).0, None, |e| *e.weight());
    let at = |i| found.get(&NodeIndex::new(i)).copied().unwrap_or(0.0);
    (0..g.node_count()).map(|i| at(i) * (1 + i % 7) as f64).sum()
}

fn all_pairs<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    let Ok(found) = johnson(g, |e| *e.weight()) else { return f64::NAN };
    let mut rows = vec![0.0; g.node_count()];
    for ((from, _), distance) in &found {
        if distance.is_finite() {
            rows[from.index()] += distance;
        }
    }
    rows.iter().enumerate().map(|(i, sum)| sum * (1 + i % 7) as f64).sum()
}

fn tree<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    let weight = |element| match element {
        Element::Edge { weight, .. } => weight,
        Element::Node { .. } => 0.0,
    };
    min_spanning_tree(g).map(weight).sum()
}

fn breadth<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    let (mut walk, mut n) = (Bfs::new(g, ends(g).0), 0);
    while walk.next(g).is_some() {
        n += 1;
    }
    f64::from(n)
}

fn depth<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    let (mut walk, mut n) = (Dfs::new(g, ends(g).0), 0);
    while walk.next(g).is_some() {
        n += 1;
    }
    f64::from(n)
}

fn reaches<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    f64::from(u8::from(has_path_connecting(g, ends(g).0, ends(g).1, None)))
}

fn is_two_sided<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    f64::from(u8::from(is_bipartite_undirected(g, ends(g).0)))
}

fn cut_edges<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    bridges(g).count() as f64
}

fn cut_nodes<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    articulation_points(g).len() as f64
}

fn parts<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    connected_components(g) as f64
}

fn matched<Ty: EdgeType>(g: &Dense<(), f64, Ty>) -> f64 {
    maximum_matching(g).len() as f64
}

/// On directed graphs alone.
fn directed(g: &PeerGraph, f: impl Fn(&DiGraph<(), f64>) -> f64) -> f64 {
    match g {
        PeerGraph::Directed(g) => f(g),
        PeerGraph::Undirected(_) => f64::NAN,
    }
}

/// Every algorithm that both have.
pub const PETGRAPH: &[PeerCase] = &[
    PeerCase { name: "connected_components", most: ANY, run: either!(parts) },
    PeerCase {
        name: "strongly_connected_components",
        most: ANY,
        run: |g| directed(g, |g| kosaraju_scc(g).len() as f64),
    },
    PeerCase { name: "bfs_order", most: ANY, run: either!(breadth) },
    PeerCase { name: "dfs_order", most: ANY, run: either!(depth) },
    PeerCase { name: "has_path", most: ANY, run: either!(reaches) },
    PeerCase { name: "find_shortest_path", most: ANY, run: either!(length) },
    PeerCase { name: "find_shortest_path, weighted", most: ANY, run: either!(length) },
    PeerCase { name: "shortest_path_lengths", most: ANY, run: either!(distances) },
    PeerCase { name: "shortest_path_lengths, weighted", most: ANY, run: either!(distances) },
    PeerCase { name: "all_pairs_shortest_distances", most: 1_000, run: either!(all_pairs) },
    PeerCase { name: "find_bridges", most: ANY, run: either!(cut_edges) },
    // It calls itself once a node on the way.
    PeerCase { name: "find_articulation_points", most: 1_000, run: either!(cut_nodes) },
    PeerCase { name: "minimum_spanning_tree", most: ANY, run: either!(tree) },
    PeerCase { name: "is_bipartite", most: ANY, run: either!(is_two_sided) },
    PeerCase { name: "max_bipartite_matching", most: 1_000, run: either!(matched) },
    PeerCase {
        name: "topological_sort",
        most: ANY,
        run: |g| directed(g, |g| toposort(g, None).map_or(0.0, |order| order.len() as f64)),
    },
    PeerCase {
        name: "has_cycle",
        most: ANY,
        run: |g| directed(g, |g| f64::from(u8::from(is_cyclic_directed(g)))),
    },
    PeerCase {
        name: "max_flow",
        most: ANY,
        run: |g| directed(g, |g| dinics(g, ends(g).0, ends(g).1).0),
    },
];

/// A graph of nodes `0..n` from its edges; each counts 1 where there are no weights.
pub fn build_peer(
    n: u32,
    is_directed: bool,
    from: &[u32],
    to: &[u32],
    weights: &[f64],
) -> PeerGraph {
    let edges = from.iter().zip(to).enumerate();
    let edges = edges.map(|(i, (&a, &b))| (a, b, weights.get(i).copied().unwrap_or(1.0)));
    if is_directed {
        PeerGraph::Directed(dense(n, edges))
    } else {
        PeerGraph::Undirected(dense(n, edges))
    }
}

fn dense<Ty: EdgeType>(
    n: u32,
    edges: impl ExactSizeIterator<Item = (u32, u32, f64)>,
) -> Dense<(), f64, Ty> {
    let mut graph = Dense::with_capacity(n as usize, edges.len());
    for _ in 0..n {
        graph.add_node(());
    }
    for (a, b, weight) in edges {
        graph.add_edge(a.into(), b.into(), weight);
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{TIMED, draw};
    use crate::{CASES, build};

    #[test]
    fn petgraph_gives_the_same_numbers() {
        for case in PETGRAPH {
            let ours = CASES.iter().find(|ours| ours.name == case.name).unwrap();
            let (_, kind, _) = TIMED.iter().find(|(name, ..)| *name == case.name).unwrap();
            for n in (10..=40).step_by(2).chain([60, 100]) {
                let d = draw(*kind, n);
                let graph = build(n, d.directed, &d.from, &d.to, &d.weights).unwrap();
                let peer = build_peer(n, d.directed, &d.from, &d.to, &d.weights);
                let (ours, theirs) = ((ours.run)(&graph), (case.run)(&peer));
                // Neither finds what is not there.
                let is_same = (ours - theirs).abs() < 1e-9 || ours.is_nan() && theirs.is_nan();
                assert!(is_same, "{} on {n}: {ours}, {theirs}", case.name);
            }
        }
    }
}
