//! The searches that several functions share, on the bare structure of a graph.
//!
//! Written on [`Adjacency`] rather than on a petgraph view: positions are dense and in the order of
//! the nodes, so equal distances are always broken the same way, and a graph of twenty nodes is
//! searched without a hash map.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use crate::{Adjacency, Rows};

/// The place of a node that is not there.
pub(crate) const NONE: u32 = u32::MAX;

/// Distances from one node and the node before each on a best path.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// Infinite where there is no path.
    pub(crate) distance: Vec<f64>,
    /// [`NONE`] at the source and where there is no path.
    pub(crate) parent: Vec<u32>,
}

impl Reach {
    /// The best path to `t`, if there is one.
    pub(crate) fn path_to(&self, t: u32) -> Option<Vec<u32>> {
        if self.distance[t as usize].is_infinite() {
            return None;
        }
        let mut path = vec![t];
        let mut at = t;
        while self.parent[at as usize] != NONE {
            at = self.parent[at as usize];
            path.push(at);
        }
        path.reverse();
        Some(path)
    }
}

/// Breadth first: hops from `s`. O(n + m).
pub(crate) fn bfs(g: &Adjacency, s: u32) -> Reach {
    let n = g.n_nodes();
    let mut reach = Reach { distance: vec![f64::INFINITY; n], parent: vec![NONE; n] };
    reach.distance[s as usize] = 0.0;
    let mut queue = VecDeque::from([s]);
    while let Some(u) = queue.pop_front() {
        for &(v, _) in &g.out[u as usize] {
            if reach.distance[v as usize].is_infinite() {
                reach.distance[v as usize] = reach.distance[u as usize] + 1.0;
                reach.parent[v as usize] = u;
                queue.push_back(v);
            }
        }
    }
    reach
}

/// Breadth-first distances, in memory that the next search uses again.
#[derive(Clone, Debug)]
pub(crate) struct Hops {
    /// Hops to each node; [`NONE`] where there is no path.
    pub(crate) depth: Vec<u32>,
    /// The nodes that were reached, nearest first.
    pub(crate) order: Vec<u32>,
}

impl Hops {
    /// Memory for searches of a graph of so many nodes.
    pub(crate) fn new(n: usize) -> Self {
        Self { depth: vec![NONE; n], order: Vec::with_capacity(n) }
    }

    /// Hops from `s` along the rows. O(n + m).
    pub(crate) fn search(&mut self, rows: &Rows, s: u32) {
        for &v in &self.order {
            self.depth[v as usize] = NONE;
        }
        self.order.clear();
        self.depth[s as usize] = 0;
        self.order.push(s);
        let mut next = 0;
        while let Some(&u) = self.order.get(next) {
            next += 1;
            let depth = self.depth[u as usize] + 1;
            for &(v, _) in &rows[u as usize] {
                if self.depth[v as usize] == NONE {
                    self.depth[v as usize] = depth;
                    self.order.push(v);
                }
            }
        }
    }
}

/// Orders a heap by smallest distance, then by smallest node.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Nearest(pub(crate) f64, pub(crate) u32);

impl Eq for Nearest {}

impl Ord for Nearest {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then_with(|| other.1.cmp(&self.1))
    }
}

impl PartialOrd for Nearest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Least weight from `s`, for weights of at least 0; with `until` right for that node and those
/// nearer, and no more. O((n + m) log n).
pub(crate) fn dijkstra(g: &Adjacency, s: u32, until: Option<u32>) -> Reach {
    let n = g.n_nodes();
    let mut reach = Reach { distance: vec![f64::INFINITY; n], parent: vec![NONE; n] };
    reach.distance[s as usize] = 0.0;
    let mut heap = BinaryHeap::from([Nearest(0.0, s)]);
    while let Some(Nearest(distance, u)) = heap.pop() {
        if distance > reach.distance[u as usize] {
            continue;
        }
        // Nothing that is still to come is nearer, and an equal way changes nothing.
        if until == Some(u) {
            break;
        }
        for &(v, e) in &g.out[u as usize] {
            let through = distance + g.edges[e as usize].2;
            if through < reach.distance[v as usize] {
                reach.distance[v as usize] = through;
                reach.parent[v as usize] = u;
                heap.push(Nearest(through, v));
            }
        }
    }
    reach
}

/// Least weight from `s` for any weights, looking only at nodes where `within` holds; or a negative
/// cycle that `s` reaches. O(n·m).
pub(crate) fn bellman_ford(g: &Adjacency, s: u32, within: &[bool]) -> Result<Reach, Vec<u32>> {
    let n = g.n_nodes();
    let mut reach = Reach { distance: vec![f64::INFINITY; n], parent: vec![NONE; n] };
    reach.distance[s as usize] = 0.0;
    for _ in 0..n {
        let mut last = NONE;
        for u in 0..n {
            let from = reach.distance[u];
            if from.is_infinite() || !within[u] {
                continue;
            }
            for &(v, e) in &g.out[u] {
                let through = from + g.edges[e as usize].2;
                if within[v as usize] && improves(through, reach.distance[v as usize]) {
                    reach.distance[v as usize] = through;
                    reach.parent[v as usize] = u as u32;
                    last = v;
                }
            }
        }
        // A loop of parents is a negative cycle, whatever round it shows in.
        if last == NONE {
            return Ok(reach);
        }
        if let Some(cycle) = parent_cycle(&reach.parent, last) {
            return Err(cycle);
        }
    }
    // n rounds settle every simple path, so what still moved is a cycle, or rounding.
    (0..n as u32).find_map(|v| parent_cycle(&reach.parent, v)).map_or(Ok(reach), Err)
}

/// Whether a distance is better by more than the rounding of sums; else a cycle of weight 0 whose
/// weights do not add up exactly (0.1 + 0.2 - 0.3) would look negative.
fn improves(new: f64, old: f64) -> bool {
    old.is_infinite() || new < old - 1e-12 * (1.0 + old.abs().max(new.abs()))
}

fn parent_cycle(parent: &[u32], from: u32) -> Option<Vec<u32>> {
    let mut at = from;
    for _ in 0..parent.len() {
        at = parent[at as usize];
        if at == NONE {
            return None;
        }
    }
    let mut cycle = vec![at];
    let mut next = parent[at as usize];
    while next != at {
        cycle.push(next);
        next = parent[next as usize];
    }
    cycle.reverse();
    Some(cycle)
}

/// The nodes from which `t` can be reached. O(n + m).
pub(crate) fn reaching(g: &Adjacency, t: u32) -> Vec<bool> {
    let back = if g.directed { &g.into } else { &g.out };
    let mut seen = vec![false; g.n_nodes()];
    seen[t as usize] = true;
    let mut stack = vec![t];
    while let Some(u) = stack.pop() {
        for &(v, _) in &back[u as usize] {
            if !std::mem::replace(&mut seen[v as usize], true) {
                stack.push(v);
            }
        }
    }
    seen
}

/// The component of each node (ignoring direction), numbered by first node, and how many there
/// are. O(n + m).
pub(crate) fn components(g: &Adjacency) -> (Vec<u32>, usize) {
    let n = g.n_nodes();
    let mut label = vec![NONE; n];
    let mut count = 0;
    let mut stack = Vec::new();
    for start in 0..n {
        if label[start] != NONE {
            continue;
        }
        label[start] = count;
        stack.push(start);
        while let Some(u) = stack.pop() {
            let back = g.into.get(u).unwrap_or_default();
            for &(v, _) in g.out[u].iter().chain(back) {
                if label[v as usize] == NONE {
                    label[v as usize] = count;
                    stack.push(v as usize);
                }
            }
        }
        count += 1;
    }
    (label, count as usize)
}

/// What one depth-first search tells about the edges and nodes that hold a graph together.
pub(crate) struct LowPoints {
    /// Edges without which there are more components, in the order of the edges.
    pub(crate) bridges: Vec<u32>,
    /// Per node: into how many parts its component falls without it (0 for a lone node).
    pub(crate) parts_without: Vec<u32>,
}

/// Tarjan's low points of an undirected structure, with an own stack. O(n + m).
// petgraph has bridges and articulation points, but not the parts, which the Hamilton search needs to
// say why there is no path.
pub(crate) fn low_points(g: &Adjacency) -> LowPoints {
    let n = g.n_nodes();
    let (mut order, mut low) = (vec![0u32; n], vec![0u32; n]);
    let mut parts_without = vec![0u32; n];
    let mut bridges = Vec::new();
    let mut clock = 0;
    // (node, edge it was entered by, node before, next neighbour)
    let mut stack: Vec<(u32, u32, u32, usize)> = Vec::new();
    for root in 0..n as u32 {
        if order[root as usize] != 0 {
            continue;
        }
        clock += 1;
        order[root as usize] = clock;
        low[root as usize] = clock;
        stack.push((root, NONE, NONE, 0));
        while let Some(top) = stack.last_mut() {
            let (u, entered, before) = (top.0 as usize, top.1, top.2);
            if let Some(&(v, e)) = g.out[u].get(top.3) {
                top.3 += 1;
                if order[v as usize] == 0 {
                    clock += 1;
                    order[v as usize] = clock;
                    low[v as usize] = clock;
                    stack.push((v, e, u as u32, 0));
                } else if e != entered {
                    low[u] = low[u].min(order[v as usize]);
                }
                continue;
            }
            stack.pop();
            if before == NONE {
                continue;
            }
            // The side of the node before that this node hangs on, seen from itself.
            parts_without[u] += 1;
            let p = before as usize;
            low[p] = low[p].min(low[u]);
            if low[u] >= order[p] {
                parts_without[p] += 1;
            }
            if low[u] > order[p] {
                bridges.push(entered);
            }
        }
    }
    bridges.sort_unstable();
    LowPoints { bridges, parts_without }
}
