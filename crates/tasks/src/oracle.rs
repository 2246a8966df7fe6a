//! What is true about a graph, found by other means than the solver's.
//!
//! The verifier must not share a fault with the solver, so nothing here calls the function that
//! [`solve`](crate::solve) uses, except where the result carries a proof that is checked here (a
//! cut as large as the flow, a cover as small as the matching, a path that is walked).

mod colors;
mod components;
mod patterns;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use graph::functions::find_hamilton_path::{HamiltonOutcome, find_hamilton_path};
use graph::functions::max_bipartite_matching::max_bipartite_matching;
use graph::functions::max_clique::{Clique, max_clique};
use graph::functions::max_flow::max_flow;
use graph::{Adjacency, Graph, NodeIdx, NodeName};

pub(crate) use colors::{largest_first, least_colors};
pub(crate) use components::{are_connected, components, has_cycle, is_connected};
pub(crate) use patterns::{Occurrence, occurrence};

/// One more than the largest place of a node: a list of this length has room for each.
fn room(graph: &Graph) -> usize {
    graph.indices().last().map_or(0, |idx| idx.index() + 1)
}

/// Whether a directed graph has no cycle, by taking away nodes without predecessors.
pub(crate) fn is_acyclic(graph: &Graph) -> bool {
    forward_order(graph).is_some()
}

/// An order of the nodes of a directed graph in which every edge leads forward; `None` where a cycle does
/// not let it.
pub(crate) fn forward_order(graph: &Graph) -> Option<Vec<NodeName>> {
    let g = graph.adjacency();
    let mut waiting: Vec<usize> = g.into.iter().map(<[_]>::len).collect();
    let mut ready: Vec<u32> =
        (0..waiting.len() as u32).filter(|i| waiting[*i as usize] == 0).collect();
    let mut order = Vec::new();
    while let Some(at) = ready.pop() {
        order.push(graph.name(g.nodes[at as usize]).clone());
        for (next, _) in &g.out[at as usize] {
            waiting[*next as usize] -= 1;
            if waiting[*next as usize] == 0 {
                ready.push(*next);
            }
        }
    }
    (order.len() == waiting.len()).then_some(order)
}

/// A path between two nodes along the arcs, of the fewest edges.
pub(crate) fn path(graph: &Graph, source: &NodeName, target: &NodeName) -> Option<Vec<NodeName>> {
    let (source, target) = (graph.index(source).ok()?, graph.index(target).ok()?);
    let g = graph.adjacency();
    let (source, target) = (g.position(source), g.position(target));
    let mut before = vec![NOBODY; g.n_nodes()];
    before[source as usize] = source;
    let mut reached = vec![source];
    let mut at = 0;
    while let Some(&node) = reached.get(at) {
        for (next, _) in &g.out[node as usize] {
            if before[*next as usize] == NOBODY {
                before[*next as usize] = node;
                reached.push(*next);
            }
        }
        at += 1;
    }
    (before[target as usize] != NOBODY).then(|| way_back(graph, &g, &before, source, target))
}

/// The nodes of a cycle in order, the first not repeated.
pub(crate) fn cycle(graph: &Graph) -> Option<Vec<NodeName>> {
    let g = graph.adjacency();
    // For each node where one can come from, and by which edge.
    let mut from: Vec<Vec<(u32, u32)>> = vec![Vec::new(); g.n_nodes()];
    let mut ways = vec![0usize; g.n_nodes()];
    for (i, (a, b, _)) in (0u32..).zip(&g.edges) {
        from[*b as usize].push((*a, i));
        ways[*b as usize] += 1;
        if !g.directed && a != b {
            from[*a as usize].push((*b, i));
            ways[*a as usize] += 1;
        }
    }
    // What no cycle goes through is taken off: starts of a directed graph, leaves of another.
    let least = if g.directed { 1 } else { 2 };
    let is_loop = |node: u32| from[node as usize].iter().any(|(other, _)| *other == node);
    let mut stack: Vec<u32> = (0..g.n_nodes() as u32)
        .filter(|node| ways[*node as usize] < least && !is_loop(*node))
        .collect();
    let mut gone = vec![false; g.n_nodes()];
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut gone[node as usize], true) {
            continue;
        }
        for (next, _) in &g.out[node as usize] {
            let left = &mut ways[*next as usize];
            *left = left.saturating_sub(1);
            if *left < least && !gone[*next as usize] && !is_loop(*next) {
                stack.push(*next);
            }
        }
    }
    // From any node that is left, backwards, never over the edge just used, until one comes again.
    let start = (0..g.n_nodes() as u32).find(|node| !gone[*node as usize])?;
    let (mut walk, mut place) = (Vec::new(), vec![usize::MAX; g.n_nodes()]);
    let (mut at, mut by) = (start, u32::MAX);
    while place[at as usize] == usize::MAX {
        place[at as usize] = walk.len();
        walk.push(at);
        let step =
            from[at as usize].iter().find(|(other, edge)| !gone[*other as usize] && *edge != by);
        (at, by) = *step?;
    }
    let mut ring = walk.split_off(place[at as usize]);
    ring.reverse();
    Some(ring.into_iter().map(|node| graph.name(g.nodes[node as usize]).clone()).collect())
}

/// For each place of a node the side that it is on, or the nodes of an odd cycle; directions do not
/// matter.
///
/// Edges are taken one after the other, and each node knows on which side of its component's root
/// it is; the library searches layer by layer.
pub(crate) fn two_sides(graph: &Graph) -> Result<Vec<bool>, Vec<NodeName>> {
    /// The root of a node's component, and whether the node is on the other side of it.
    fn root(parent: &mut [(u32, bool)], at: u32) -> (u32, bool) {
        let (up, across) = parent[at as usize];
        if up == at {
            return (at, across);
        }
        let (top, beyond) = root(parent, up);
        parent[at as usize] = (top, across != beyond);
        (top, across != beyond)
    }
    let mut parent: Vec<(u32, bool)> = (0..room(graph) as u32).map(|i| (i, false)).collect();
    // By how many nodes a component has, so that roots are never far away.
    let mut size = vec![1u32; parent.len()];
    let mut taken: Vec<Vec<u32>> = vec![Vec::new(); parent.len()];
    for edge in graph.edges() {
        let (a, b) = (edge.source_idx.index() as u32, edge.target_idx.index() as u32);
        let ((top_a, side_a), (top_b, side_b)) = (root(&mut parent, a), root(&mut parent, b));
        if top_a == top_b && side_a == side_b {
            return Err(odd_cycle(graph, &taken, a, b));
        }
        if top_a != top_b {
            let (low, high) = if size[top_a as usize] < size[top_b as usize] {
                (top_a, top_b)
            } else {
                (top_b, top_a)
            };
            parent[low as usize] = (high, side_a == side_b);
            size[high as usize] += size[low as usize];
            taken[a as usize].push(b);
            taken[b as usize].push(a);
        }
    }
    Ok((0..parent.len() as u32).map(|i| root(&mut parent, i).1).collect())
}

/// The way from one node to the other in a forest: with the edge between them an odd cycle.
fn odd_cycle(graph: &Graph, forest: &[Vec<u32>], from: u32, to: u32) -> Vec<NodeName> {
    let mut before = vec![NOBODY; forest.len()];
    before[from as usize] = from;
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        for next in &forest[at as usize] {
            if before[*next as usize] == NOBODY {
                before[*next as usize] = at;
                stack.push(*next);
            }
        }
    }
    let mut nodes = vec![to];
    let mut at = to;
    while at != from && before[at as usize] != NOBODY {
        at = before[at as usize];
        nodes.push(at);
    }
    nodes.into_iter().map(|node| graph.name(node.into()).clone()).collect()
}

/// The triangles of a graph with weights on its nodes.
pub(crate) struct Triangles {
    /// The heaviest, with the sum of its weights; a node without a weight counts 0.
    pub(crate) heaviest: Option<(Vec<NodeName>, f64)>,
    /// The sum of the next one, which may be the same.
    pub(crate) second: Option<f64>,
    /// How many there are.
    pub(crate) count: u64,
}

/// Looks at every triangle: from each edge at every node that is joined to both of its ends. The
/// library looks only at later neighbours, in another order.
pub(crate) fn triangles(graph: &Graph) -> Triangles {
    let bound = room(graph);
    let mut near: Vec<Vec<NodeIdx>> = vec![Vec::new(); bound];
    for edge in graph.edges().filter(|edge| edge.source_idx != edge.target_idx) {
        near[edge.source_idx.index()].push(edge.target_idx);
        near[edge.target_idx.index()].push(edge.source_idx);
    }
    for list in &mut near {
        list.sort_unstable();
        // Arcs there and back join two nodes once.
        list.dedup();
    }
    let weight = |place: NodeIdx| match graph.embedding(place) {
        Some([weight]) => *weight,
        _ => 0.0,
    };
    let mut found = Triangles { heaviest: None, second: None, count: 0 };
    for a in graph.indices() {
        for b in near[a.index()].iter().filter(|b| **b > a) {
            // Both lists are sorted, so that what they share is met side by side.
            let (mut left, mut right) = (near[a.index()].iter(), near[b.index()].iter());
            let (mut x, mut y) = (left.next(), right.next());
            while let (Some(i), Some(j)) = (x, y) {
                if i == j && i > b {
                    found.count += 1;
                    let total = weight(a) + weight(*b) + weight(*i);
                    match &mut found.heaviest {
                        Some((_, most)) if total <= *most => {
                            found.second = Some(found.second.map_or(total, |s| s.max(total)));
                        }
                        heaviest => {
                            found.second = heaviest.as_ref().map(|(_, most)| *most);
                            *heaviest = Some((graph.names_of(&[a, *b, *i]), total));
                        }
                    }
                }
                if i <= j {
                    x = left.next();
                }
                if j <= i {
                    y = right.next();
                }
            }
        }
    }
    found
}

/// The path of least weight between two nodes, and its weight; `None` if there is none.
pub(crate) fn lightest_path(
    graph: &Graph,
    source: &NodeName,
    target: &NodeName,
) -> Option<(f64, Vec<NodeName>)> {
    let (source, target) = (graph.index(source).ok()?, graph.index(target).ok()?);
    let g = graph.adjacency();
    let (source, target) = (g.position(source), g.position(target));
    let mut best = vec![f64::INFINITY; g.n_nodes()];
    let mut before = vec![NOBODY; g.n_nodes()];
    // Weights are not negative here, and such floats order as their bits do.
    let mut queue = BinaryHeap::from([Reverse((0f64.to_bits(), source))]);
    best[source as usize] = 0.0;
    before[source as usize] = source;
    while let Some(Reverse((bits, at))) = queue.pop() {
        let so_far = f64::from_bits(bits);
        if at == target {
            return Some((so_far, way_back(graph, &g, &before, source, target)));
        }
        if so_far > best[at as usize] {
            continue;
        }
        for (next, edge) in &g.out[at as usize] {
            let through = so_far + g.edges[*edge as usize].2.max(0.0);
            if through < best[*next as usize] {
                best[*next as usize] = through;
                before[*next as usize] = at;
                queue.push(Reverse((through.to_bits(), *next)));
            }
        }
    }
    None
}

/// No node stands before this one.
const NOBODY: u32 = u32::MAX;

/// The names from source to target, where each node has the one before it.
fn way_back(
    graph: &Graph,
    g: &Adjacency,
    before: &[u32],
    source: u32,
    target: u32,
) -> Vec<NodeName> {
    let mut nodes = vec![target];
    let mut at = target;
    while at != source {
        at = before[at as usize];
        nodes.push(at);
    }
    nodes.reverse();
    nodes.into_iter().map(|node| graph.name(g.nodes[node as usize]).clone()).collect()
}

/// Whether a path visits every node once.
pub(crate) enum Hamilton {
    /// A path that visits every node once.
    Path(Vec<NodeName>),
    /// Why no path does.
    None(String),
    /// The search gave up before it knew.
    Unknown,
}

/// The most nodes for which every set of nodes is looked at: a table of 2^20 numbers.
const MOST_IN_SETS: usize = 20;

/// Looks for a path that visits every node once.
///
/// The library's search comes first. A path of it is walked here; its "no" is believed for large
/// graphs alone, where it comes with a reason, and checked over all sets of nodes for others.
pub(crate) fn hamilton(graph: &Graph) -> Hamilton {
    match find_hamilton_path(graph, HAMILTON_STEPS) {
        HamiltonOutcome::Found(path) => {
            let names = graph.names_of(&path);
            let is_whole = path.len() == graph.n_nodes()
                && names.windows(2).all(|step| graph.edge(&step[0], &step[1]).is_some());
            if is_whole { Hamilton::Path(names) } else { Hamilton::Unknown }
        }
        HamiltonOutcome::None { reason } => match by_sets(graph) {
            Some(true) => Hamilton::Unknown,
            _ => Hamilton::None(reason),
        },
        HamiltonOutcome::Undecided { .. } => Hamilton::Unknown,
    }
}

/// Steps of the search; the benchmark's graphs need a few thousand at most.
const HAMILTON_STEPS: u64 = 2_000_000;

/// Whether a path visits every node once, by the set of nodes that a path has visited and where it
/// can have ended; `None` for graphs with too many sets.
fn by_sets(graph: &Graph) -> Option<bool> {
    let g = graph.adjacency();
    let n = g.n_nodes();
    if n > MOST_IN_SETS {
        return None;
    }
    let mut near = vec![0u32; n];
    for (a, b, _) in &g.edges {
        near[*b as usize] |= 1 << a;
        if !g.directed {
            near[*a as usize] |= 1 << b;
        }
    }
    // For each set the nodes at which a path through exactly the set can end.
    let mut ends = vec![0u32; 1 << n];
    for set in 1..1usize << n {
        for (node, near) in near.iter().enumerate() {
            let without = set & !(1 << node);
            if without == set {
                continue;
            }
            if without == 0 || ends[without] & near != 0 {
                ends[set] |= 1 << node;
            }
        }
    }
    Some(n == 0 || ends[(1 << n) - 1] != 0)
}

/// A cut between source and sink, which no flow can exceed.
pub(crate) struct Cut {
    pub(crate) value: f64,
    /// Its edges: `(source, target, capacity)`.
    pub(crate) edges: Vec<(NodeName, NodeName, f64)>,
    pub(crate) source_side: Vec<NodeName>,
    /// A flow of the same value: `(source, target, amount)`, without edges over which nothing flows.
    pub(crate) flow: Vec<(NodeName, NodeName, f64)>,
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
    let named = |(a, b, amount): &(NodeIdx, NodeIdx, f64)| {
        (graph.name(*a).clone(), graph.name(*b).clone(), *amount)
    };
    let flow = found.flow.iter().filter(|(.., amount)| *amount > 0.0).map(named).collect();
    proven.then_some(Cut { value, edges, source_side, flow })
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

/// How many edges lead from a node to each node, breadth first; `None` where no way does.
pub(crate) fn hops(graph: &Graph, from: &NodeName) -> Vec<Option<usize>> {
    let adjacency = graph.adjacency();
    let mut found = vec![None; adjacency.n_nodes()];
    let Some(start) = graph.names().position(|name| name == from) else { return found };
    found[start] = Some(0);
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for edge in &adjacency.out[at] {
            let next = edge.0 as usize;
            if found[next].is_none() {
                found[next] = found[at].map(|hops| hops + 1);
                queue.push_back(next);
            }
        }
    }
    found
}

/// A largest clique, with what is proven of it: the library's search, whose bound stands in its result and
/// which is held against trying everything on small graphs.
pub(crate) fn largest_clique(graph: &Graph, budget: u64) -> Clique {
    max_clique(graph, budget)
}

#[cfg(test)]
mod tests {
    use graph::functions::find_cycle::find_cycle;
    use graph::functions::find_shortest_path::find_shortest_path;
    use graph::functions::has_path::has_path;
    use graph::generators::gnp;

    use super::*;

    fn each_pair(graph: &Graph) -> impl Iterator<Item = (NodeIdx, NodeIdx)> {
        graph.indices().flat_map(|a| graph.indices().map(move |b| (a, b)))
    }

    #[test]
    fn what_the_oracle_finds_holds_and_the_library_finds_it_too() {
        for seed in 0..200u64 {
            let n = 2 + (seed % 8) as usize;
            let graph = gnp(n, 0.1 + (seed % 5) as f64 / 8.0, seed % 2 == 0, seed).unwrap();
            let found = cycle(&graph);
            assert_eq!(found.is_some(), find_cycle(&graph).is_some(), "seed {seed}");
            if let Some(nodes) = found {
                let closed = [&nodes[..], &nodes[..1]].concat();
                assert!(closed.windows(2).all(|s| graph.edge(&s[0], &s[1]).is_some()), "{nodes:?}");
                assert!(nodes.len() >= if graph.is_directed() { 2 } else { 3 }, "{nodes:?}");
                let distinct: std::collections::BTreeSet<_> = nodes.iter().collect();
                assert_eq!(distinct.len(), nodes.len(), "{nodes:?}");
            }
            for (a, b) in each_pair(&graph) {
                let (s, t) = (graph.name(a), graph.name(b));
                let way = path(&graph, s, t);
                assert_eq!(way.is_some(), has_path(&graph, a, b), "seed {seed}, {s} to {t}");
                if let Some(way) = way {
                    assert!(way.windows(2).all(|s| graph.edge(&s[0], &s[1]).is_some()));
                    assert_eq!((way.first(), way.last()), (Some(s), Some(t)));
                }
                let theirs = find_shortest_path(&graph, a, b).unwrap().map(|path| path.weight);
                assert_eq!(lightest_path(&graph, s, t).map(|(weight, _)| weight), theirs);
            }
        }
    }

    #[test]
    fn a_path_through_all_nodes_is_found_where_all_sets_have_one() {
        for seed in 0..150u64 {
            let n = 1 + (seed % 9) as usize;
            let graph = gnp(n, 0.35, seed % 3 == 0, seed).unwrap();
            let found = matches!(hamilton(&graph), Hamilton::Path(_));
            assert_eq!(Some(found), by_sets(&graph), "seed {seed}");
        }
    }
}
