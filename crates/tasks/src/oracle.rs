//! What is true about a graph, found by other means than the solver's.
//!
//! The verifier must not share a fault with the solver, so nothing here calls the function that
//! [`solve`](crate::solve) uses, except where the result carries a proof that is checked here (a
//! cut as large as the flow, a cover as small as the matching).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use graph::functions::max_bipartite_matching::max_bipartite_matching;
use graph::functions::max_flow::max_flow;
use graph::{Graph, NodeIdx, NodeName};

/// One more than the largest place of a node: a list of this length has room for each.
fn room(graph: &Graph) -> usize {
    graph.indices().last().map_or(0, |idx| idx.index() + 1)
}

/// For each place of a node the least place in its component, directions ignored.
pub(crate) fn components(graph: &Graph) -> Vec<u32> {
    fn root(parent: &mut [u32], mut at: u32) -> u32 {
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        at
    }
    let mut parent: Vec<u32> = (0..room(graph) as u32).collect();
    for edge in graph.edges() {
        let a = root(&mut parent, edge.source_idx.index() as u32);
        let b = root(&mut parent, edge.target_idx.index() as u32);
        parent[a.max(b) as usize] = a.min(b);
    }
    (0..parent.len() as u32).map(|i| root(&mut parent, i)).collect()
}

/// Whether two nodes hang together.
pub(crate) fn connected(graph: &Graph, a: &NodeName, b: &NodeName) -> bool {
    let (Ok(a), Ok(b)) = (graph.index(a), graph.index(b)) else { return false };
    let component = components(graph);
    component[a.index()] == component[b.index()]
}

/// Whether an undirected graph has a cycle: a forest has exactly one edge less than nodes in each
/// component.
pub(crate) fn has_cycle(graph: &Graph) -> bool {
    let component = components(graph);
    let trees = graph.indices().filter(|i| component[i.index()] as usize == i.index()).count();
    graph.n_edges() + trees > graph.n_nodes()
}

/// Whether a directed graph has no cycle, by taking away nodes without predecessors.
pub(crate) fn is_acyclic(graph: &Graph) -> bool {
    let g = graph.adjacency();
    let mut waiting: Vec<usize> = g.into.iter().map(<[_]>::len).collect();
    let mut ready: Vec<u32> =
        (0..waiting.len() as u32).filter(|i| waiting[*i as usize] == 0).collect();
    let mut taken = 0;
    while let Some(at) = ready.pop() {
        taken += 1;
        for (next, _) in &g.out[at as usize] {
            waiting[*next as usize] -= 1;
            if waiting[*next as usize] == 0 {
                ready.push(*next);
            }
        }
    }
    taken == waiting.len()
}

/// The least weight of a path between two nodes; `None` if there is none.
pub(crate) fn distance(graph: &Graph, source: &NodeName, target: &NodeName) -> Option<f64> {
    let (source, target) = (graph.index(source).ok()?, graph.index(target).ok()?);
    let g = graph.adjacency();
    let target = g.position(target);
    let mut best = vec![f64::INFINITY; g.n_nodes()];
    // Weights are not negative here, and such floats order as their bits do.
    let mut queue = BinaryHeap::from([Reverse((0f64.to_bits(), g.position(source)))]);
    best[g.position(source) as usize] = 0.0;
    while let Some(Reverse((bits, at))) = queue.pop() {
        let so_far = f64::from_bits(bits);
        if at == target {
            return Some(so_far);
        }
        if so_far > best[at as usize] {
            continue;
        }
        for (next, edge) in &g.out[at as usize] {
            let through = so_far + g.edges[*edge as usize].2.max(0.0);
            if through < best[*next as usize] {
                best[*next as usize] = through;
                queue.push(Reverse((through.to_bits(), *next)));
            }
        }
    }
    None
}

/// A cut between source and sink, which no flow can exceed.
pub(crate) struct Cut {
    pub(crate) value: f64,
    /// Its edges: `(source, target, capacity)`.
    pub(crate) edges: Vec<(NodeName, NodeName, f64)>,
    pub(crate) source_side: Vec<NodeName>,
}

/// The minimum cut, proven by a flow of the same value. `None` if the two nodes are not two nodes
/// of the graph, or if the proof fails, which a test holds never to happen.
pub(crate) fn min_cut(graph: &Graph, source: &NodeName, sink: &NodeName) -> Option<Cut> {
    let (s, t) = (graph.index(source).ok()?, graph.index(sink).ok()?);
    let found = max_flow(graph, s, t).ok()?;
    let bound = room(graph);
    let mut balance = vec![0.0; bound];
    for (a, b, amount) in &found.flow {
        let capacity = graph.edge_between(*a, *b)?.capacity_or_weight();
        if *amount > capacity + 1e-9 {
            return None;
        }
        balance[a.index()] -= amount;
        balance[b.index()] += amount;
    }
    let mut inside = vec![false; bound];
    for idx in &found.source_side {
        inside[idx.index()] = true;
    }
    let mut value = 0.0;
    let mut edges = Vec::new();
    for edge in graph.edges() {
        let (a, b) = (inside[edge.source_idx.index()], inside[edge.target_idx.index()]);
        // An undirected edge lets flow through both ways.
        if (a && !b) || (!graph.is_directed() && b && !a) {
            value += edge.capacity_or_weight();
            edges.push((edge.source.clone(), edge.target.clone(), edge.capacity_or_weight()));
        }
    }
    let kept = graph.indices().all(|i| i == s || i == t || balance[i.index()].abs() < 1e-6);
    let proven = kept
        && inside[s.index()]
        && !inside[t.index()]
        && (balance[t.index()] - value).abs() < 1e-6;
    let source_side = found.source_side.iter().map(|i| graph.name(*i).clone()).collect();
    proven.then_some(Cut { value, edges, source_side })
}

/// The most pairs that a bipartite graph lets one match, proven by a cover: so many nodes that every
/// edge has one of them (König). `None` if the graph has no two sides.
pub(crate) fn matching_number(graph: &Graph) -> Option<usize> {
    let pairs = max_bipartite_matching(graph).ok()?;
    let g = graph.adjacency();
    let n = g.n_nodes();
    let mut partner = vec![u32::MAX; n];
    for (a, b) in &pairs {
        let (a, b) = (g.position(*a), g.position(*b));
        if partner[a as usize] != u32::MAX || partner[b as usize] != u32::MAX {
            return None;
        }
        (partner[a as usize], partner[b as usize]) = (b, a);
    }
    // The left side: where edges start, as the names of a matching problem have it.
    let mut left = vec![false; n];
    for (a, _, _) in &g.edges {
        left[*a as usize] = true;
    }
    // Everything that alternating walks from free nodes of the left side reach.
    let mut seen = vec![false; n];
    let mut stack: Vec<u32> =
        (0..n as u32).filter(|i| left[*i as usize] && partner[*i as usize] == u32::MAX).collect();
    for at in &stack {
        seen[*at as usize] = true;
    }
    while let Some(at) = stack.pop() {
        for (job, _) in &g.out[at as usize] {
            if !std::mem::replace(&mut seen[*job as usize], true) {
                let next = partner[*job as usize];
                if next != u32::MAX && !std::mem::replace(&mut seen[next as usize], true) {
                    stack.push(next);
                }
            }
        }
    }
    let in_cover = |i: u32| left[i as usize] != seen[i as usize];
    let cover = (0..n as u32)
        .filter(|i| if left[*i as usize] { !seen[*i as usize] } else { seen[*i as usize] })
        .count();
    let covered = g.edges.iter().all(|(a, b, _)| in_cover(*a) || in_cover(*b));
    (covered && cover == pairs.len()).then_some(cover)
}

/// The embeddings after some layers of summing over neighbours, in the order of the nodes; a node
/// without an embedding counts as zeros.
pub(crate) fn convolve(graph: &Graph, layers: u32) -> Vec<(NodeName, Vec<f64>)> {
    let g = graph.adjacency();
    let rows = |i: &NodeIdx| graph.embedding(*i).unwrap_or_default().to_vec();
    let mut now: Vec<Vec<f64>> = g.nodes.iter().map(rows).collect();
    let width = now.iter().map(Vec::len).max().unwrap_or_default();
    for row in &mut now {
        row.resize(width, 0.0);
    }
    for _ in 0..layers {
        let mut next = vec![vec![0.0; width]; now.len()];
        for (a, b, _) in &g.edges {
            for k in 0..width {
                next[*b as usize][k] += now[*a as usize][k];
                if !g.directed && a != b {
                    next[*a as usize][k] += now[*b as usize][k];
                }
            }
        }
        now = next;
    }
    g.nodes.iter().map(|i| graph.name(*i).clone()).zip(now).collect()
}
