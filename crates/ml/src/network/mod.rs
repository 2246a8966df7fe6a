//! What graph models read of a network: intimacy, hops and Weisfeiler-Lehman colours.

mod refine;

use std::collections::{BTreeMap, VecDeque};

pub use refine::Codes;

/// The change of a round after which an intimacy is taken as found.
const SETTLED: f64 = 1e-10;
/// More rounds are never needed: what is left shrinks by 0.85 in each.
const MAX_ROUNDS: usize = 200;

/// What a node is like: the features that it has, with their values.
pub type Features = Vec<(u32, f32)>;

/// Who is linked with whom: both ways, each once, nobody with himself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    around: Vec<Vec<u32>>,
}

impl Links {
    /// Of so many nodes with these links; links to nodes beyond are left out.
    pub fn new(n_nodes: usize, links: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut around = vec![Vec::new(); n_nodes];
        for (a, b) in links {
            if a != b && a < n_nodes && b < n_nodes {
                around[a].push(b as u32);
                around[b].push(a as u32);
            }
        }
        for list in &mut around {
            list.sort_unstable();
            list.dedup();
        }
        Self { around }
    }

    /// The same network with its nodes in another order: the one that was `order[i]` becomes `i`.
    /// Nodes that are not in `order` are left out. O(nodes + links log links).
    pub fn reordered(&self, order: &[usize]) -> Self {
        let mut place = vec![usize::MAX; self.n_nodes()];
        for (to, from) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(*from) {
                *place = to;
            }
        }
        let links = self
            .around
            .iter()
            .zip(&place)
            .flat_map(|(list, from)| list.iter().map(|other| (*from, place[*other as usize])));
        Self::new(order.len(), links)
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.around.len()
    }

    /// The nodes next to one, in order.
    pub fn around(&self, node: usize) -> &[u32] {
        self.around.get(node).map_or(&[], Vec::as_slice)
    }

    /// How close every node is to one: its row of `c (I − (1 − c) D^-½ A D^-½)^-1`, by iterating.
    /// O(links) a round, at most 200 rounds.
    ///
    /// Paper: Graph-Bert §3.1, eq. 1; the public code normalises on both sides, as here.
    pub fn intimacy(&self, node: usize, c: f64) -> Vec<f64> {
        let n = self.n_nodes();
        let mut row = vec![0.0; n];
        if node >= n {
            return row;
        }
        let scale: Vec<f64> =
            self.around.iter().map(|a| 1.0 / (a.len().max(1) as f64).sqrt()).collect();
        row[node] = c;
        let mut scaled = vec![0.0; n];
        for _ in 0..MAX_ROUNDS {
            for ((to, x), s) in scaled.iter_mut().zip(&row).zip(&scale) {
                *to = x * s;
            }
            let mut change = 0.0_f64;
            for (i, list) in self.around.iter().enumerate() {
                let sum: f64 = list.iter().map(|j| scaled[*j as usize]).sum();
                let next = (1.0 - c) * scale[i] * sum + if i == node { c } else { 0.0 };
                change = change.max((next - row[i]).abs());
                row[i] = next;
            }
            if change < SETTLED {
                break;
            }
        }
        row
    }

    /// The nodes that are closest to one by [`Links::intimacy`], the closest first, at most `k` and
    /// none that cannot be reached; where two are as close, the earlier first.
    pub fn closest(&self, node: usize, k: usize, c: f64) -> Vec<(u32, f64)> {
        let row = self.intimacy(node, c);
        // Nodes in the same position differ by rounding alone.
        let key = |x: f64| (x * 1e9).round() as i64;
        let mut all: Vec<(u32, f64)> = row
            .into_iter()
            .enumerate()
            .filter(|(i, x)| *i != node && key(*x) > 0)
            .map(|(i, x)| (i as u32, x))
            .collect();
        all.sort_by(|a, b| key(b.1).cmp(&key(a.1)).then(a.0.cmp(&b.0)));
        all.truncate(k);
        all
    }

    /// How many steps it is from a node to each of these; nothing where there is no way. O(links).
    pub fn hops(&self, from: usize, to: &[u32]) -> Vec<Option<usize>> {
        let mut far: BTreeMap<u32, Option<usize>> = to.iter().map(|t| (*t, None)).collect();
        let mut left = far.len();
        let mut is_seen = vec![false; self.n_nodes()];
        let mut queue = VecDeque::new();
        if let Some(seen) = is_seen.get_mut(from) {
            *seen = true;
            queue.push_back((from as u32, 0));
        }
        while let Some((node, steps)) = queue.pop_front() {
            if let Some(found) = far.get_mut(&node) {
                *found = Some(steps);
                left -= 1;
                if left == 0 {
                    break;
                }
            }
            for next in self.around(node as usize) {
                if !std::mem::replace(&mut is_seen[*next as usize], true) {
                    queue.push_back((*next, steps + 1));
                }
            }
        }
        to.iter().map(|t| far.get(t).copied().flatten()).collect()
    }

    /// The features of a node and of those around it, mixed: its row of `Â X`, where `Â` is the
    /// adjacency with loops, normalised on both sides.
    pub fn mixed(&self, node: usize, features: &[Features]) -> Features {
        let degree = |i: usize| (self.around(i).len() + 1) as f32;
        let own = degree(node);
        let mut sum: BTreeMap<u32, f32> = BTreeMap::new();
        let all = self.around(node).iter().map(|i| *i as usize).chain([node]);
        for other in all {
            let share = 1.0 / (own * degree(other)).sqrt();
            for (f, x) in features.get(other).into_iter().flatten() {
                *sum.entry(*f).or_default() += share * x;
            }
        }
        sum.into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
