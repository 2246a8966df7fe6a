//! Hamilton paths of large undirected graphs by rotations: where a path can go no further, a part of it
//! is walked the other way round, so that it ends elsewhere.
//!
//! After L. Pósa, "Hamiltonian circuits in random graphs", Discrete Mathematics 14 (1976). It finds paths
//! of large graphs in which a search in depth goes astray, and proves nothing where it finds none.

use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A path, and where each node stands in it.
struct Path {
    nodes: Vec<u32>,
    place: Vec<Option<usize>>,
}

impl Path {
    fn push(&mut self, node: u32) {
        self.place[node as usize] = Some(self.nodes.len());
        self.nodes.push(node);
    }

    /// Walks what stands from a place on the other way round.
    fn turn(&mut self, from: usize) {
        self.nodes[from..].reverse();
        for (i, &node) in self.nodes.iter().enumerate().skip(from) {
            self.place[node as usize] = Some(i);
        }
    }
}

/// A path through every node, or none within a number of steps. The same graph gives the same path.
///
/// `out` has the neighbours of each node, without itself; `steps` counts neighbours that are looked at and
/// nodes that are moved, up to `limit`.
pub(super) fn find(out: &[Vec<u32>], steps: &mut u64, limit: u64) -> Option<Vec<u32>> {
    let n = out.len();
    let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
    let first = (0..n).min_by_key(|&v| out[v].len())?;
    let mut path = Path { nodes: Vec::with_capacity(n), place: vec![None; n] };
    path.push(first as u32);
    while path.nodes.len() < n {
        if *steps >= limit {
            return None;
        }
        let end = *path.nodes.last()?;
        let near = &out[end as usize];
        let free = |v: u32| out[v as usize].iter().filter(|&&w| path.place[w as usize].is_none());
        *steps += 1 + near.len() as u64;
        // On to the neighbour with the fewest ways on: the others can be reached later.
        let next = near.iter().copied().filter(|&v| path.place[v as usize].is_none());
        if let Some(next) = next.min_by_key(|&v| free(v).count()) {
            *steps += out[next as usize].len() as u64;
            path.push(next);
            continue;
        }
        // Behind a neighbour at place i the path is turned, so that it ends with the node behind it.
        let last = path.nodes.len() - 1;
        let turns: Vec<usize> = near
            .iter()
            .filter_map(|&v| Some(path.place[v as usize]? + 1))
            .filter(|&from| from < last)
            .collect();
        let goes_on = |&&from: &&usize| free(path.nodes[from]).next().is_some();
        let from = match turns.iter().find(goes_on) {
            Some(&from) => from,
            // Both ends may go on; and a path that has no turns at one may have some at the other.
            None if turns.is_empty() || rng.random_bool(0.1) => 0,
            None => *turns.choose(&mut rng)?,
        };
        *steps += (path.nodes.len() - from) as u64 + turns.len() as u64;
        path.turn(from);
    }
    Some(path.nodes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::seq::SliceRandom as _;

    use super::*;

    /// A path in an order by chance, with so many more edges.
    fn planted(n: usize, more: usize, seed: u64) -> Vec<Vec<u32>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.shuffle(&mut rng);
        let mut edges: BTreeSet<(u32, u32)> =
            order.windows(2).map(|e| (e[0].min(e[1]), e[0].max(e[1]))).collect();
        while edges.len() < n - 1 + more {
            let (a, b) = (rng.random_range(0..n as u32), rng.random_range(0..n as u32));
            if a != b {
                edges.insert((a.min(b), a.max(b)));
            }
        }
        let mut out = vec![Vec::new(); n];
        for (a, b) in edges {
            out[a as usize].push(b);
            out[b as usize].push(a);
        }
        out
    }

    #[test]
    fn paths_of_large_graphs_are_found_and_hold() {
        for (n, more) in [(30, 60), (100, 300), (400, 1600), (1000, 5000)] {
            for seed in 0..10 {
                let out = planted(n, more, seed);
                let path = find(&out, &mut 0, 25_000_000).unwrap_or_else(|| panic!("{n} {seed}"));
                let mut sorted = path.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..n as u32), "{n} {seed}: not each node once");
                assert!(path.windows(2).all(|e| out[e[0] as usize].contains(&e[1])), "{n} {seed}");
            }
        }
    }

    #[test]
    fn a_graph_without_one_ends_with_its_steps() {
        // A star, an edge beside a node, nothing.
        let star = [vec![1, 2, 3], vec![0], vec![0], vec![0]];
        for out in [&star[..], &[vec![1], vec![0], vec![]], &[]] {
            let mut steps = 0;
            assert_eq!(find(out, &mut steps, 10_000), None);
            assert!(out.is_empty() || (10_000..11_000).contains(&steps), "{steps}");
        }
    }
}
