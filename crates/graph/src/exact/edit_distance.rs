//! How many changes make one graph of another.

use std::collections::BTreeMap;

use super::assignment::Assignment;
use super::common_subgraph::Joined;
use crate::{Graph, NodeIdx};

/// The most nodes of each graph that a graph function compares.
pub const MAX_NODES: usize = 100;

/// A way from one graph to another, with what is proven of the shortest.
#[derive(Clone, Debug, PartialEq)]
pub struct EditPath {
    /// For each node of the first graph, in order, its partner in the second, or none where it is
    /// deleted. Nodes of the second without a partner are added.
    pub partners: Vec<(NodeIdx, Option<NodeIdx>)>,
    /// How many changes it takes.
    pub n_changes: usize,
    /// No way takes fewer.
    pub bound: usize,
    /// Whether none takes fewer than the one found.
    pub is_proven: bool,
}

/// The least number of changes that make the first graph the second: a node added, deleted or given
/// another label, an edge added or deleted, each one change. `labels` are those of the nodes of both
/// graphs in order; empty lists where nodes have none. Weights do not matter, directions do where both
/// graphs have them.
///
/// A pair of nodes costs no more than deleting the one and adding the other, so every node of the graph
/// with fewer nodes gets a partner. The search pairs node after node, that with the fewest partners left
/// first. A cheapest assignment of the nodes that are left bounds from below: two of them cost their
/// labels, the edges to pairs that differ, and half of the edges to others that cannot agree (the
/// anchored bound of branches of Chang and others, 2020). Its prices say which partners
/// need not be tried. Of nodes with the same label and the same neighbours one order is tried.
///
/// # Complexity
/// Exponential; at most `budget` steps, each about a pair of nodes.
pub fn graph_edit_distance(
    first: &Graph,
    second: &Graph,
    labels: [&[String]; 2],
    budget: u64,
) -> EditPath {
    let (a, b) = (first.adjacency(), second.adjacency());
    let of = |list: &[String], v: usize| list.get(v).cloned().unwrap_or_default();
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    let mut id = |label: String| {
        let next = ids.len();
        *ids.entry(label).or_insert(next)
    };
    let is_directed = a.directed || b.directed;
    let of_a: Vec<usize> = (0..a.n_nodes()).map(|v| id(of(labels[0], v))).collect();
    let of_b: Vec<usize> = (0..b.n_nodes()).map(|v| id(of(labels[1], v))).collect();
    let sides = [Side::new(Joined::of(&a), of_a), Side::new(Joined::of(&b), of_b)];
    let is_turned = a.n_nodes() > b.n_nodes();
    let [small, large] = if is_turned {
        let [x, y] = sides;
        [y, x]
    } else {
        sides
    };
    let found = Search::new(small, large, is_directed, budget).run();
    let mut partners = vec![None; a.n_nodes()];
    for (v, w) in found.partners.iter().enumerate() {
        let (v, w) = if is_turned { (*w, v) } else { (v, *w) };
        partners[v] = Some(b.nodes[w]);
    }
    EditPath {
        partners: a.nodes.iter().copied().zip(partners).collect(),
        n_changes: found.n_changes,
        bound: found.bound,
        is_proven: found.bound == found.n_changes,
    }
}

/// One of the graphs.
struct Side {
    joined: Joined,
    labels: Vec<usize>,
    /// For each node the first with the same label and the same neighbours: they may change places.
    class: Vec<usize>,
    n: usize,
}

impl Side {
    fn new(joined: Joined, labels: Vec<usize>) -> Self {
        let n = labels.len();
        let mut class: Vec<usize> = Vec::with_capacity(n);
        for v in 0..n {
            let is_twin = |u: &usize| {
                let u = *u;
                labels[u] == labels[v]
                    && joined.between(u, u) == joined.between(v, v)
                    && joined.between(u, v) == joined.between(v, u)
                    && (0..n)
                        .filter(|x| *x != u && *x != v)
                        .all(|x| joined.between(u, x) == joined.between(v, x))
            };
            let first = (0..v).find(|u| class[*u] == *u && is_twin(u));
            class.push(first.unwrap_or(v));
        }
        Self { joined, labels, class, n }
    }

    fn has_loop(&self, v: usize) -> bool {
        self.joined.between(v, v) != 0
    }
}

/// What is known of the nodes without a partner, once some have one. Kept for each depth.
#[derive(Clone, Default)]
struct Stage {
    /// Nodes of either graph without a partner.
    left: [Vec<usize>; 2],
    /// Edges to pairs that differ if two nodes become a pair: by node of the one graph, then of the other.
    across: Vec<i32>,
    /// Edges of each node of the large graph to nodes that have a partner.
    taken: Vec<i32>,
    /// Edges of each node to nodes without a partner: out and in, or all and none.
    among: [Vec<[i32; 2]>; 2],
    assignment: Assignment,
    /// What the assignment says of all ways with the pairs so far.
    bound: usize,
}

struct Search {
    sides: [Side; 2],
    is_directed: bool,
    stages: Vec<Stage>,
    partner: Vec<Option<usize>>,
    best: Option<(usize, Vec<usize>)>,
    /// The least bound of what was not searched when the budget ended.
    open: usize,
    steps: u64,
    budget: u64,
}

struct Outcome {
    partners: Vec<usize>,
    n_changes: usize,
    bound: usize,
}

/// Edges on one side only between two pairs of nodes.
fn off(a: u8, b: u8, is_directed: bool) -> usize {
    let n = (a ^ b).count_ones() as usize;
    if is_directed { n } else { n / 2 }
}

impl Search {
    fn new(small: Side, large: Side, is_directed: bool, budget: u64) -> Self {
        let n = small.n;
        Self {
            sides: [small, large],
            is_directed,
            stages: vec![Stage::default(); n + 1],
            partner: vec![None; n],
            best: None,
            open: usize::MAX,
            steps: 0,
            budget,
        }
    }

    fn run(mut self) -> Outcome {
        self.begin();
        let root = self.bound(0, 0);
        self.first();
        self.extend(0, 0, root);
        let (n_changes, partners) = self.best.unwrap_or((usize::MAX, Vec::new()));
        Outcome { partners, n_changes, bound: n_changes.min(self.open.max(root)) }
    }

    /// The stage of no pairs.
    fn begin(&mut self) {
        let degrees = |side: &Side, is_directed: bool| -> Vec<[i32; 2]> {
            let count = |v: usize, bit: u8| {
                let is = |w: &usize| *w != v && side.joined.between(v, *w) & bit != 0;
                (0..side.n).filter(is).count() as i32
            };
            (0..side.n).map(|v| [count(v, 1), if is_directed { count(v, 2) } else { 0 }]).collect()
        };
        let [small, large] = &self.sides;
        self.stages[0] = Stage {
            left: [(0..small.n).collect(), (0..large.n).collect()],
            across: vec![0; small.n * large.n],
            taken: vec![0; large.n],
            among: [degrees(small, self.is_directed), degrees(large, self.is_directed)],
            ..Stage::default()
        };
    }

    /// What two nodes cost by themselves as a pair.
    fn own(&self, v: usize, w: usize) -> usize {
        let [small, large] = &self.sides;
        usize::from(small.labels[v] != large.labels[w])
            + usize::from(small.has_loop(v) != large.has_loop(w))
    }

    /// What a pair costs beside the pairs of a stage.
    fn cost(&self, depth: usize, v: usize, w: usize) -> usize {
        self.own(v, w) + self.stages[depth].across[v * self.sides[1].n + w] as usize
    }

    /// The stage after one more pair.
    fn pair(&mut self, depth: usize, v: usize, w: usize) {
        let n = self.sides[1].n;
        let [small, large] = &self.sides;
        let (before, after) = self.stages.split_at_mut(depth + 1);
        let (now, next) = (&before[depth], &mut after[0]);
        for (side, gone) in [v, w].into_iter().enumerate() {
            let rest = now.left[side].iter().copied().filter(|x| *x != gone);
            next.left[side].clear();
            next.left[side].extend(rest);
            next.among[side].clone_from(&now.among[side]);
            for &x in &next.left[side] {
                let how = self.sides[side].joined.between(x, gone);
                next.among[side][x][0] -= i32::from(how & 1 != 0);
                next.among[side][x][1] -= i32::from(self.is_directed && how & 2 != 0);
            }
        }
        next.across.resize(now.across.len(), 0);
        next.taken.clone_from(&now.taken);
        for &y in &next.left[1] {
            next.taken[y] += off(large.joined.between(y, w), 0, self.is_directed) as i32;
        }
        for &x in &next.left[0] {
            let here = small.joined.between(x, v);
            for &y in &next.left[1] {
                let there = large.joined.between(y, w);
                next.across[x * n + y] =
                    now.across[x * n + y] + off(here, there, self.is_directed) as i32;
            }
        }
        self.steps += (next.left[0].len() * next.left[1].len()) as u64;
    }

    /// A lower bound of all ways that have the pairs of a stage: a cheapest assignment of what is left,
    /// in halves of a change.
    fn bound(&mut self, depth: usize, spent: usize) -> usize {
        let n = self.sides[1].n;
        let [small, large] = &self.sides;
        let stage = &mut self.stages[depth];
        stage.assignment.clear(stage.left[1].len());
        // Every node of the large graph as if it was added; a pair spares that.
        let added = |y: usize| {
            let among = stage.among[1][y];
            2 + 2 * i32::from(large.has_loop(y)) + 2 * stage.taken[y] + among[0] + among[1]
        };
        let all: i32 = stage.left[1].iter().map(|y| added(*y)).sum();
        for &x in &stage.left[0] {
            let of_x = stage.among[0][x];
            for &y in &stage.left[1] {
                let of_y = stage.among[1][y];
                let own = i32::from(small.labels[x] != large.labels[y])
                    + i32::from(small.has_loop(x) != large.has_loop(y));
                let halves = (of_x[0] - of_y[0]).abs() + (of_x[1] - of_y[1]).abs();
                let cost = 2 * own + 2 * stage.across[x * n + y] + halves - added(y);
                stage.assignment.costs.push(cost);
            }
        }
        self.steps += stage.assignment.costs.len() as u64;
        stage.assignment.solve(&mut self.steps);
        let total = if stage.left[0].is_empty() { 0 } else { stage.assignment.total };
        stage.bound = spent + usize::try_from(all + total).unwrap_or(0).div_ceil(2);
        stage.bound
    }

    /// What a whole way costs, by the partners of all nodes of the small graph.
    fn total(&self, partners: &[usize]) -> usize {
        let [small, large] = &self.sides;
        let mut inverse = vec![None; large.n];
        partners.iter().enumerate().for_each(|(v, w)| inverse[*w] = Some(v));
        let mut cost = 0;
        for (y, of_y) in inverse.iter().enumerate() {
            cost += of_y.map_or(1 + usize::from(large.has_loop(y)), |x| self.own(x, y));
            for (z, of_z) in inverse[..y].iter().enumerate() {
                let here = of_y.zip(*of_z).map_or(0, |(x, u)| small.joined.between(x, u));
                cost += off(here, large.joined.between(y, z), self.is_directed);
            }
        }
        cost
    }

    /// A first way: the assignment of the first bound, made better by exchanging two partners, or one for
    /// a node without a partner, while that helps.
    fn first(&mut self) {
        let n = self.sides[1].n;
        // Behind those of the small graph stand the nodes that are added.
        let mut order: Vec<usize> = vec![usize::MAX; self.sides[0].n];
        self.stages[0].assignment.pairs().for_each(|(v, w)| order[v] = w);
        order.extend((0..n).filter(|w| !order.contains(w)).collect::<Vec<_>>());
        let n_paired = self.sides[0].n;
        let mut best = self.total(&order[..n_paired]);
        let mut changed = true;
        while changed && self.steps <= self.budget / 4 {
            changed = false;
            for i in 0..n_paired {
                for k in i + 1..n {
                    order.swap(i, k);
                    self.steps += (n * n) as u64 / 2;
                    let total = self.total(&order[..n_paired]);
                    if total < best {
                        (best, changed) = (total, true);
                    } else {
                        order.swap(i, k);
                    }
                }
            }
        }
        order.truncate(n_paired);
        self.best = Some((best, order));
    }

    fn most(&self) -> usize {
        self.best.as_ref().map_or(usize::MAX, |b| b.0)
    }

    /// The node of the small graph with the fewest partners that may be part of a better way, and these
    /// with the bound that each has, the most likely first.
    fn choices(&mut self, depth: usize, bound: usize) -> (usize, Vec<(usize, usize)>) {
        let most = self.most();
        let stage = &self.stages[depth];
        let (rows, columns) = (&stage.left[0], &stage.left[1]);
        self.steps += (rows.len() * columns.len()) as u64;
        // What the bound has beyond a whole number of changes is lost in it: two halves are one change.
        let bound_with =
            |i: usize, k: usize| bound + stage.assignment.more(i, k).max(0) as usize / 2;
        let key = |i: &usize| {
            let n_open = (0..columns.len()).filter(|k| bound_with(*i, *k) < most).count();
            let among = stage.among[0][rows[*i]];
            (n_open, std::cmp::Reverse(among[0] + among[1]))
        };
        let Some(i) = (0..rows.len()).min_by_key(key) else { return (0, Vec::new()) };
        let v = rows[i];
        let mut list: Vec<(usize, usize, usize)> = (0..columns.len())
            .map(|k| (bound_with(i, k), self.cost(depth, v, columns[k]), columns[k]))
            .filter(|c| c.0 < most && self.is_in_order(depth, v, c.2))
            .collect();
        list.sort_unstable();
        (v, list.into_iter().map(|(bound, _, w)| (bound, w)).collect())
    }

    /// Whether a pair keeps to the one order in which nodes that may change places are tried: of the
    /// large graph the first that is left, of the small one partners in the order of their classes.
    fn is_in_order(&self, depth: usize, v: usize, w: usize) -> bool {
        let [small, large] = &self.sides;
        let left = &self.stages[depth].left[1];
        let is_first = left.iter().all(|y| *y >= w || large.class[*y] != large.class[w]);
        is_first
            && (0..small.n).filter(|x| *x != v && small.class[*x] == small.class[v]).all(|x| {
                self.partner[x].is_none_or(|y| {
                    let (of_x, of_v) = (large.class[y], large.class[w]);
                    if x < v { of_x <= of_v } else { of_v <= of_x }
                })
            })
    }

    /// Tries all partners of the next node. Goes as deep as the small graph has nodes.
    fn extend(&mut self, depth: usize, spent: usize, bound: usize) {
        if bound >= self.most() {
            return;
        }
        if self.steps > self.budget {
            self.open = self.open.min(bound);
            return;
        }
        if depth == self.sides[0].n {
            // With no node left the bound is what adding the rest costs.
            let partners: Vec<usize> = self.partner.iter().filter_map(|w| *w).collect();
            let total = self.total(&partners);
            if total < self.most() {
                self.best = Some((total, partners));
            }
            return;
        }
        let (v, choices) = self.choices(depth, bound);
        for (at_least, w) in choices {
            if at_least >= self.most() {
                break;
            }
            if self.steps > self.budget {
                self.open = self.open.min(at_least);
                break;
            }
            let spent = spent + self.cost(depth, v, w);
            self.pair(depth, v, w);
            let bound = self.bound(depth + 1, spent).max(at_least);
            self.partner[v] = Some(w);
            self.extend(depth + 1, spent, bound);
            self.partner[v] = None;
        }
    }
}
