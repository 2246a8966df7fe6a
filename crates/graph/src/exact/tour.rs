//! A shortest tour: every node once and back to the start (the travelling salesman's problem).

mod improve;

use std::collections::BTreeMap;

use crate::{Graph, NodeIdx};

/// The most nodes that are solved by a table over all subsets.
const MAX_TABLE: usize = 13;
/// The most nodes of a graph with directions: there a table is all there is.
pub const MAX_DIRECTED: usize = 16;
/// The most nodes at all.
pub const MAX_NODES: usize = 200;

/// What is known of a shortest tour.
#[derive(Clone, Debug, PartialEq)]
pub enum Tour {
    /// A tour; none is shorter than the bound.
    Found {
        /// Its nodes, the first again at the end.
        nodes: Vec<NodeIdx>,
        /// The sum of the weights of its edges.
        length: f64,
        /// What no tour can be shorter than.
        bound: f64,
        /// Whether no tour is shorter.
        is_proven: bool,
    },
    /// There is none: the edges do not allow it.
    None,
    /// None was found within the budget, and it is not known that there is none.
    Undecided,
}

/// A shortest closed walk that visits every node exactly once along edges of the graph. An edge without
/// a weight counts 1. Of one node it is that node, of two the way there and back.
///
/// Up to 13 nodes (16 with directions) by a table over subsets (Held and Karp). Above that, without
/// directions, by branch and bound: a 1-tree under prices of nodes that make it look like a tour bounds
/// from below (Held and Karp's ascent), 2-opt and or-opt from above; each branch requires or forbids an
/// edge at a node where the 1-tree has too many.
///
/// # Complexity
/// O(2ⁿ · n²) for the table, memory 8 · n · 2ⁿ bytes; else exponential, at most `budget` steps, each
/// about a pair of nodes.
pub fn find_shortest_tour(graph: &Graph, budget: u64) -> Tour {
    let g = graph.adjacency();
    let n = g.n_nodes();
    let mut length = vec![vec![f64::INFINITY; n]; n];
    for &(a, b, weight) in &g.edges {
        let (a, b) = (a as usize, b as usize);
        if a != b {
            length[a][b] = length[a][b].min(weight);
            if !g.directed {
                length[b][a] = length[b][a].min(weight);
            }
        }
    }
    let named = |order: &[usize]| -> Vec<NodeIdx> {
        let positions: Vec<u32> = order.iter().chain(order.first()).map(|v| *v as u32).collect();
        g.places(&positions)
    };
    if n == 0 {
        return Tour::None;
    }
    if n == 1 {
        let nodes = g.places(&[0]);
        return Tour::Found { nodes, length: 0.0, bound: 0.0, is_proven: true };
    }
    let limit = if g.directed { MAX_DIRECTED } else { MAX_TABLE };
    if n <= limit {
        let Some(order) = by_table(&length) else { return Tour::None };
        let total = closed(&length, &order);
        return Tour::Found { nodes: named(&order), length: total, bound: total, is_proven: true };
    }
    if g.directed || n > MAX_NODES {
        return Tour::Undecided;
    }
    let mut search = Branching { length: &length, best: None, budget, steps: 0 };
    let bound = search.run();
    match search.best {
        Some((total, order)) => {
            let is_proven = bound >= total - near(total);
            let bound = if is_proven { total } else { bound };
            Tour::Found { nodes: named(&order), length: total, bound, is_proven }
        }
        None if bound.is_infinite() => Tour::None,
        None => Tour::Undecided,
    }
}

/// What two lengths may differ by and be called the same.
fn near(length: f64) -> f64 {
    1e-9 * length.abs().max(1.0)
}

fn closed(length: &[Vec<f64>], order: &[usize]) -> f64 {
    let next = order.iter().cycle().skip(1);
    order.iter().zip(next).map(|(a, b)| length[*a][*b]).sum()
}

/// Held and Karp's table: the shortest way from node 0 over a set to its last node.
fn by_table(length: &[Vec<f64>]) -> Option<Vec<usize>> {
    let n = length.len();
    let m = n - 1;
    let mut best = vec![f64::INFINITY; m << m];
    for (v, row) in (0..m).map(|v| (v, 1_usize << v)) {
        best[row * m + v] = length[0][v + 1];
    }
    for set in 1..1_usize << m {
        for last in (0..m).filter(|v| set >> v & 1 == 1) {
            let before = best[set * m + last];
            if before.is_finite() {
                for next in (0..m).filter(|v| set >> v & 1 == 0) {
                    let place = (set | 1 << next) * m + next;
                    let through = before + length[last + 1][next + 1];
                    if through < best[place] {
                        best[place] = through;
                    }
                }
            }
        }
    }
    let all = (1_usize << m) - 1;
    let end = |v: usize| best[all * m + v] + length[v + 1][0];
    let mut last = (0..m).min_by(|a, b| end(*a).total_cmp(&end(*b)))?;
    if end(last).is_infinite() {
        return None;
    }
    let (mut order, mut set) = (vec![last + 1], all);
    while set.count_ones() > 1 {
        let rest = set & !(1 << last);
        let to = |v: usize| best[rest * m + v] + length[v + 1][last + 1];
        let before =
            (0..m).filter(|v| rest >> v & 1 == 1).min_by(|a, b| to(*a).total_cmp(&to(*b)))?;
        order.push(before + 1);
        (set, last) = (rest, before);
    }
    order.push(0);
    order.reverse();
    Some(order)
}

/// What a branch says of edges, by the two ends, the smaller first.
type Decided = BTreeMap<(usize, usize), bool>;

struct Branching<'a> {
    length: &'a [Vec<f64>],
    best: Option<(f64, Vec<usize>)>,
    budget: u64,
    steps: u64,
}

impl Branching<'_> {
    /// Searches, and gives what no tour can be shorter than.
    fn run(&mut self) -> f64 {
        let n = self.length.len();
        // At least one start, and the bound at the root after them, whatever the budget.
        for start in 0..n.min(12) {
            if start == 0 || self.steps <= self.budget / 4 {
                self.improve(start);
            }
        }
        let mut decided = Decided::new();
        let all: Vec<usize> = (0..n).collect();
        if self.has_cut() || !self.settle(&mut decided, &all) {
            return f64::INFINITY;
        }
        let Some(root) = self.ascend(&decided, vec![0.0; n], true) else { return f64::INFINITY };
        // Branches wait with their bounds; the least bound of those that are left is proven.
        let mut open: Vec<(f64, Decided, Vec<f64>)> = vec![(root.0, decided, Vec::new())];
        let mut root = Some(root);
        let mut least_left = f64::INFINITY;
        while let Some((bound, decided, prices)) = open.pop() {
            let most = self.best.as_ref().map_or(f64::INFINITY, |b| b.0);
            if bound >= most - near(most) {
                continue;
            }
            if self.steps > self.budget {
                least_left = open.iter().map(|o| o.0).fold(bound, f64::min);
                break;
            }
            let ascended = root.take().or_else(|| self.ascend(&decided, prices, false));
            let Some((bound, prices, tree)) = ascended else { continue };
            if bound >= most - near(most) {
                continue;
            }
            let mut at: Vec<Vec<usize>> = vec![Vec::new(); n];
            for &(a, b) in &tree {
                at[a].push(b);
                at[b].push(a);
            }
            let crowded = (0..n).filter(|v| at[*v].len() > 2).max_by_key(|v| at[*v].len());
            let Some(v) = crowded else {
                // A 1-tree with two edges at each node is a tour.
                let order = walk(&at);
                let total = closed(self.length, &order);
                if total < most {
                    self.best = Some((total, order));
                }
                continue;
            };
            // An edge of the node that is not decided yet: forbidden in one branch, required in the other.
            let edge = |w: usize| (v.min(w), v.max(w));
            let open_edge = at[v]
                .iter()
                .copied()
                .filter(|w| !decided.contains_key(&edge(*w)))
                .max_by(|a, b| self.length[v][*a].total_cmp(&self.length[v][*b]));
            let Some(w) = open_edge else { continue };
            for required in [false, true] {
                let mut next = decided.clone();
                next.insert(edge(w), required);
                if self.settle(&mut next, &[v, w]) {
                    open.push((bound, next, prices.clone()));
                }
            }
        }
        match &self.best {
            Some(best) => least_left.min(best.0),
            None => least_left,
        }
    }

    /// Whether the graph falls apart without one of its nodes, or hangs together not at all: then no
    /// tour comes back.
    fn has_cut(&self) -> bool {
        let n = self.length.len();
        (0..n).any(|without| {
            let start = usize::from(without == 0);
            let mut seen = vec![false; n];
            (seen[without], seen[start]) = (true, true);
            let (mut border, mut n_seen) = (vec![start], 1);
            while let Some(v) = border.pop() {
                for (w, is_seen) in seen.iter_mut().enumerate() {
                    if !*is_seen && self.length[v][w].is_finite() {
                        *is_seen = true;
                        n_seen += 1;
                        border.push(w);
                    }
                }
            }
            n_seen < n - 1
        })
    }

    /// What follows from what is decided at some nodes: with two edges required, all others are
    /// forbidden; with two left, both are required. Whether a tour is still possible.
    fn settle(&mut self, decided: &mut Decided, nodes: &[usize]) -> bool {
        let n = self.length.len();
        let mut queue: Vec<usize> = nodes.to_vec();
        while let Some(v) = queue.pop() {
            self.steps += n as u64;
            let state = |d: &Decided, w: usize| d.get(&(v.min(w), v.max(w))).copied();
            let is_there = |w: &usize| *w != v && self.length[v][*w].is_finite();
            let left: Vec<usize> =
                (0..n).filter(is_there).filter(|w| state(decided, *w) != Some(false)).collect();
            let required = left.iter().filter(|w| state(decided, **w) == Some(true)).count();
            if left.len() < 2 || required > 2 {
                return false;
            }
            let becomes = match (required, left.len()) {
                (2, 3..) => false,
                (0 | 1, 2) => true,
                _ => continue,
            };
            for w in left {
                if state(decided, w).is_none() {
                    decided.insert((v.min(w), v.max(w)), becomes);
                    queue.push(w);
                }
            }
        }
        true
    }

    /// The best bound that prices of nodes give: a 1-tree under them is never longer than a tour. `None`
    /// where no tour is possible.
    #[allow(clippy::type_complexity)]
    fn ascend(
        &mut self,
        decided: &Decided,
        mut prices: Vec<f64>,
        is_root: bool,
    ) -> Option<(f64, Vec<f64>, Vec<(usize, usize)>)> {
        let n = self.length.len();
        let most = self.best.as_ref().map_or(f64::INFINITY, |b| b.0);
        let mut best: Option<(f64, Vec<f64>, Vec<(usize, usize)>)> = None;
        let rounds = if is_root { 12 * n } else { 30 };
        let mut pace = 2.0;
        let mut since = 0;
        for _ in 0..rounds {
            let (cost, tree) = self.one_tree(decided, &prices)?;
            let bound = cost - 2.0 * prices.iter().sum::<f64>();
            let mut degree = vec![0_i32; n];
            for &(a, b) in &tree {
                degree[a] += 1;
                degree[b] += 1;
            }
            let is_tour = degree.iter().all(|d| *d == 2);
            if best.as_ref().is_none_or(|b| bound > b.0) {
                since = 0;
                best = Some((bound, prices.clone(), tree));
            } else {
                since += 1;
                if since > 5 {
                    (pace, since) = (pace * 0.7, 0);
                }
            }
            if is_tour || bound >= most || self.steps > self.budget {
                break;
            }
            let off: f64 = degree.iter().map(|d| f64::from((d - 2) * (d - 2))).sum();
            let goal = if most.is_finite() { most } else { bound.abs() * 1.1 + 1.0 };
            let step = pace * (goal - bound).max(1e-6) / off;
            for (price, d) in prices.iter_mut().zip(&degree) {
                *price += step * f64::from(d - 2);
            }
        }
        best
    }

    /// A cheapest 1-tree under prices that has what is required and nothing that is forbidden: a
    /// spanning tree of all nodes but the first, and two edges at the first.
    fn one_tree(
        &mut self,
        decided: &Decided,
        prices: &[f64],
    ) -> Option<(f64, Vec<(usize, usize)>)> {
        let n = self.length.len();
        self.steps += (n * n) as u64;
        // Required edges first: cheaper than any other.
        let cost = |a: usize, b: usize| match decided.get(&(a.min(b), a.max(b))) {
            Some(false) => (2, f64::INFINITY),
            Some(true) => (0, self.length[a][b] + prices[a] + prices[b]),
            None => (1, self.length[a][b] + prices[a] + prices[b]),
        };
        let is_less = |a: (i32, f64), b: (i32, f64)| a.0 < b.0 || (a.0 == b.0 && a.1 < b.1);
        let mut tree = Vec::with_capacity(n);
        let mut total = 0.0;
        let mut key = vec![((2, f64::INFINITY), usize::MAX); n];
        let mut done = vec![false; n];
        done[0] = true;
        let mut at = 1;
        done[1] = true;
        for _ in 2..n {
            for v in (1..n).filter(|v| !done[*v]) {
                let by = cost(at, v);
                if is_less(by, key[v].0) {
                    key[v] = (by, at);
                }
            }
            let mut next: Option<usize> = None;
            for v in (1..n).filter(|v| !done[*v]) {
                if next.is_none_or(|u| is_less(key[v].0, key[u].0)) {
                    next = Some(v);
                }
            }
            let v = next?;
            if key[v].0.1.is_infinite() {
                return None;
            }
            total += key[v].0.1;
            tree.push((key[v].1, v));
            done[v] = true;
            at = v;
        }
        let mut first: Vec<(i32, f64, usize)> =
            (1..n).map(|v| (cost(0, v).0, cost(0, v).1, v)).collect();
        first.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for (_, by, v) in first.into_iter().take(2) {
            if by.is_infinite() {
                return None;
            }
            total += by;
            tree.push((0, v));
        }
        Some((total, tree))
    }
}

/// The nodes of a tour in order, from two neighbours each.
fn walk(at: &[Vec<usize>]) -> Vec<usize> {
    let mut order = vec![0];
    let (mut before, mut now) = (0, at[0][0]);
    while now != 0 {
        order.push(now);
        let next = at[now].iter().copied().find(|w| *w != before).unwrap_or(0);
        (before, now) = (now, next);
    }
    order
}
