//! The exact search for a Hamilton path.

use super::{HamiltonOutcome, rotations};
use crate::functions::is_bipartite::sides_of;
use crate::functions::topological_sort::order_of;
use crate::{Adjacency, Graph, Rows, search};

/// Nodes up to which sets of nodes are enumerated: 2^20 sets take 4 MB.
const DYNAMIC_UP_TO: usize = 20;

pub(super) fn run(graph: &Graph, budget: u64) -> HamiltonOutcome {
    let g = graph.adjacency();
    let n = g.n_nodes();
    if n == 0 {
        return HamiltonOutcome::None { reason: "the graph has no nodes".into() };
    }
    if n == 1 {
        return HamiltonOutcome::Found(g.nodes);
    }
    let why_not = if g.directed { why_not_directed(graph, &g) } else { why_not(graph, &g) };
    if let Some(reason) = why_not {
        return HamiltonOutcome::None { reason };
    }
    let mut search = Search::new(&g, budget);
    let answer = search.decide();
    match answer {
        Answer::Path(path) => HamiltonOutcome::Found(g.places(&path)),
        Answer::No => HamiltonOutcome::None {
            reason: format!("all ways through the {n} nodes were tried and none visits each once"),
        },
        Answer::Unknown => HamiltonOutcome::Undecided { steps: search.steps },
    }
}

fn listed(graph: &Graph, g: &Adjacency, nodes: &[u32]) -> String {
    let names: Vec<String> =
        nodes.iter().take(5).map(|&v| graph.name(g.nodes[v as usize]).to_string()).collect();
    let more = if nodes.len() > 5 { ", …" } else { "" };
    format!("{}{more}", names.join(", "))
}

fn in_one_piece(g: &Adjacency) -> Option<String> {
    let (_, parts) = search::components(g);
    (parts > 1).then(|| format!("the graph falls into {parts} parts that no edge joins"))
}

/// A plain proof that an undirected graph has no Hamilton path, if one of the known ones fits.
fn why_not(graph: &Graph, g: &Adjacency) -> Option<String> {
    if let Some(reason) = in_one_piece(g) {
        return Some(reason);
    }
    let degree = |v: usize| g.out[v].iter().filter(|&&(w, _)| w as usize != v).count();
    let ends: Vec<u32> = (0..g.n_nodes()).filter(|&v| degree(v) == 1).map(|v| v as u32).collect();
    if ends.len() > 2 {
        return Some(format!(
            "{} nodes ({}) have one neighbour only, and a path has just two ends",
            ends.len(),
            listed(graph, g, &ends)
        ));
    }
    if let Ok(side) = sides_of(g) {
        let right = side.iter().filter(|&&s| s).count();
        let left = side.len() - right;
        if left.abs_diff(right) > 1 {
            return Some(format!(
                "the graph is bipartite with sides of {left} and {right} nodes, and a path changes \
                 sides with every step"
            ));
        }
    }
    let parts_without = search::low_points(g).parts_without;
    let node = (0..g.n_nodes()).find(|&v| parts_without[v] > 2)?;
    Some(format!(
        "without node {} the graph falls into {} parts, and a path can join only two of them \
         through it",
        graph.name(g.nodes[node]),
        parts_without[node]
    ))
}

/// The same for a directed graph.
fn why_not_directed(graph: &Graph, g: &Adjacency) -> Option<String> {
    if let Some(reason) = in_one_piece(g) {
        return Some(reason);
    }
    let bare = |lists: &Rows| -> Vec<u32> {
        (0..g.n_nodes() as u32)
            .filter(|&v| lists[v as usize].iter().all(|&(w, _)| w == v))
            .collect()
    };
    for (nodes, what, end) in [
        (bare(&g.into), "no edge into them", "first"),
        (bare(&g.out), "no edge out of them", "last"),
    ] {
        if nodes.len() > 1 {
            return Some(format!(
                "{} nodes ({}) have {what}, and only one node can be {end}",
                nodes.len(),
                listed(graph, g, &nodes)
            ));
        }
    }
    // Without a cycle the only candidate is the topological order itself.
    let order = order_of(g).ok()?;
    let gap = order.windows(2).find(|w| !g.out[w[0] as usize].iter().any(|&(v, _)| v == w[1]))?;
    Some(format!(
        "the graph has no cycle and its order {} leaves no other choice, but there is no edge from \
         {} to {}",
        listed(graph, g, &order),
        graph.name(g.nodes[gap[0] as usize]),
        graph.name(g.nodes[gap[1] as usize])
    ))
}

enum Answer {
    Path(Vec<u32>),
    No,
    Unknown,
}

struct Search<'g> {
    g: &'g Adjacency,
    /// Neighbours without self loops.
    out: Vec<Vec<u32>>,
    into: Vec<Vec<u32>>,
    budget: u64,
    steps: u64,
    used: Vec<bool>,
    /// Unused successors and unused predecessors of each node.
    ahead: Vec<u32>,
    behind: Vec<u32>,
    seen: Vec<u32>,
    stamp: u32,
    stack: Vec<u32>,
}

impl<'g> Search<'g> {
    fn new(g: &'g Adjacency, budget: u64) -> Self {
        let n = g.n_nodes();
        let plain = |lists: &Rows| -> Vec<Vec<u32>> {
            (0..n)
                .map(|v| lists[v].iter().map(|e| e.0).filter(|&w| w as usize != v).collect())
                .collect()
        };
        let out = plain(&g.out);
        let into = if g.directed { plain(&g.into) } else { out.clone() };
        Self {
            g,
            ahead: out.iter().map(|l| l.len() as u32).collect(),
            behind: into.iter().map(|l| l.len() as u32).collect(),
            out,
            into,
            budget,
            steps: 0,
            used: vec![false; n],
            seen: vec![0; n],
            stamp: 0,
            stack: Vec::new(),
        }
    }

    fn decide(&mut self) -> Answer {
        let n = self.g.n_nodes();
        // A node that nothing leads into must be first; in an undirected graph a dead end is an end
        // and a path may be walked from either.
        let mut starts: Vec<u32> = (0..n as u32).collect();
        let forced = (0..n).find(|&v| {
            if self.g.directed { self.into[v].is_empty() } else { self.out[v].len() == 1 }
        });
        if let Some(v) = forced {
            starts = vec![v as u32];
        } else {
            starts.sort_by_key(|&v| (self.into[v as usize].len(), v));
        }
        // Short tries from every start first: most graphs yield at once from one of them, and a
        // search that went astray early would otherwise eat the whole budget.
        let mut allowance = 200 * n as u64;
        let mut has_rotated = self.g.directed;
        loop {
            let mut open = Vec::new();
            for &start in &starts {
                let limit = self.steps.saturating_add(allowance).min(self.budget);
                match self.from(start, limit) {
                    Answer::No => {}
                    Answer::Unknown => open.push(start),
                    found @ Answer::Path(_) => return found,
                }
                if self.steps >= self.budget {
                    return Answer::Unknown;
                }
                if !has_rotated && self.steps > self.budget / 8 {
                    has_rotated = true;
                    let limit = self.steps + (self.budget - self.steps) / 2;
                    if let Some(path) = rotations::find(&self.out, &mut self.steps, limit) {
                        return Answer::Path(path);
                    }
                }
            }
            // An undirected path has two ends, so one start left over cannot be an end alone.
            if open.is_empty() || (!self.g.directed && forced.is_none() && open.len() == 1) {
                return Answer::No;
            }
            starts = open;
            if n <= DYNAMIC_UP_TO && self.budget - self.steps >= (n as u64) << n {
                return self.over_sets();
            }
            allowance = allowance.saturating_mul(8);
        }
    }

    /// Depth first from one node, up to a number of steps.
    fn from(&mut self, start: u32, limit: u64) -> Answer {
        let n = self.g.n_nodes();
        let mut path = Vec::with_capacity(n);
        let mut choices: Vec<Vec<u32>> = Vec::with_capacity(n);
        self.enter(start);
        path.push(start);
        choices.push(self.choices(start));
        let answer = loop {
            if path.len() == n {
                break Answer::Path(path.clone());
            }
            if self.steps >= limit {
                break Answer::Unknown;
            }
            if let Some(v) = choices.last_mut().and_then(Vec::pop) {
                self.enter(v);
                path.push(v);
                let next =
                    if self.hopeless(v, n - path.len()) { Vec::new() } else { self.choices(v) };
                choices.push(next);
            } else {
                choices.pop();
                match path.pop() {
                    Some(v) => self.leave(v),
                    None => break Answer::No,
                }
                if path.is_empty() {
                    break Answer::No;
                }
            }
        };
        for v in path {
            self.leave(v);
        }
        answer
    }

    fn enter(&mut self, v: u32) {
        self.used[v as usize] = true;
        self.shift(v, false);
    }

    fn leave(&mut self, v: u32) {
        self.used[v as usize] = false;
        self.shift(v, true);
    }

    fn shift(&mut self, v: u32, back: bool) {
        let change = |x: &mut u32| if back { *x += 1 } else { *x -= 1 };
        for &w in &self.into[v as usize] {
            change(&mut self.ahead[w as usize]);
        }
        for &w in &self.out[v as usize] {
            change(&mut self.behind[w as usize]);
        }
        self.steps += 1 + (self.into[v as usize].len() + self.out[v as usize].len()) as u64;
    }

    /// The unused neighbours, the one with the fewest ways on last (it is popped first).
    fn choices(&self, v: u32) -> Vec<u32> {
        let mut list: Vec<u32> =
            self.out[v as usize].iter().copied().filter(|&w| !self.used[w as usize]).collect();
        list.sort_by_key(|&w| std::cmp::Reverse((self.ahead[w as usize], w)));
        list
    }

    /// Whether the unused nodes cannot all be visited from `at`: some cannot be reached, or two of
    /// them could only be last.
    fn hopeless(&mut self, at: u32, left: usize) -> bool {
        if left == 0 {
            return false;
        }
        self.stamp += 1;
        self.stack.clear();
        self.stack.push(at);
        let (mut reached, mut dead_ends) = (0, 0);
        while let Some(u) = self.stack.pop() {
            self.steps += 1 + self.out[u as usize].len() as u64;
            for &v in &self.out[u as usize] {
                if self.used[v as usize] || self.seen[v as usize] == self.stamp {
                    continue;
                }
                self.seen[v as usize] = self.stamp;
                reached += 1;
                // A node needs a way on, but for the last; in an undirected graph a single unused
                // neighbour must serve for both, unless `at` is the other.
                let ways = self.ahead[v as usize];
                let dead = if self.g.directed {
                    ways == 0
                } else {
                    ways == 0 || (ways == 1 && !self.out[at as usize].contains(&v))
                };
                if dead {
                    dead_ends += 1;
                    if dead_ends > 1 {
                        return true;
                    }
                }
                self.stack.push(v);
            }
        }
        reached < left
    }

    /// Held and Karp: for each set of nodes the nodes in which a path through just them can end.
    fn over_sets(&mut self) -> Answer {
        let n = self.g.n_nodes();
        let masks = |lists: &[Vec<u32>]| -> Vec<u32> {
            lists.iter().map(|l| l.iter().fold(0u32, |m, &w| m | 1 << w)).collect()
        };
        let into = masks(&self.into);
        let mut ends = vec![0u32; 1 << n];
        for set in 1usize..1 << n {
            if set & (set - 1) == 0 {
                ends[set] = set as u32;
                continue;
            }
            let mut rest = set as u32;
            while rest != 0 {
                let v = rest.trailing_zeros();
                rest &= rest - 1;
                if ends[set & !(1 << v)] & into[v as usize] != 0 {
                    ends[set] |= 1 << v;
                }
            }
        }
        self.steps += (n as u64) << n;
        let mut set = (1usize << n) - 1;
        if ends[set] == 0 {
            return Answer::No;
        }
        let mut path = Vec::with_capacity(n);
        let mut at = ends[set].trailing_zeros();
        loop {
            path.push(at);
            set &= !(1 << at);
            if set == 0 {
                break;
            }
            at = (ends[set] & into[at as usize]).trailing_zeros();
        }
        path.reverse();
        Answer::Path(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::find_hamilton_path::find_hamilton_path;

    #[test]
    fn the_reason_names_the_obstacle() {
        let mut star = Graph::undirected();
        for leaf in 1..5usize {
            star.link(0usize, leaf).unwrap();
        }
        let HamiltonOutcome::None { reason } = find_hamilton_path(&star, 1000) else { panic!() };
        assert!(reason.starts_with("4 nodes (1, 2, 3, 4) have one neighbour"), "{reason}");
    }

    #[test]
    fn a_small_budget_is_undecided_and_never_a_wrong_no() {
        // Two cliques joined by one edge have a path, but three steps do not find it.
        let mut g = Graph::undirected();
        for base in [0usize, 6] {
            for a in base..base + 6 {
                for b in a + 1..base + 6 {
                    g.link(a, b).unwrap();
                }
            }
        }
        g.link(5usize, 6usize).unwrap();
        assert!(matches!(find_hamilton_path(&g, 3), HamiltonOutcome::Undecided { .. }));
        assert!(matches!(find_hamilton_path(&g, 100_000), HamiltonOutcome::Found(_)));
    }
}
