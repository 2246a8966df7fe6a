//! Whether a small directed graph is a part of a larger one, by sets of partners.

use graph::{Adjacency, Graph, NodeName};

/// What a search for a pattern came to.
pub(crate) enum Occurrence {
    /// For each node of the pattern its partner.
    There(Vec<(NodeName, NodeName)>),
    /// Why it is not there.
    Absent(String),
    /// The search gave up before it knew.
    Unknown,
}

/// The most nodes of a graph: a set of them is one number.
const MOST_NODES: usize = 128;

/// Partners that are tried; the benchmark's graphs need a few thousand at most.
const MOST_TRIES: u64 = 2_000_000;

/// Looks for partners with all edges of the pattern. Each node has the set of partners that are left to
/// it; the one with the fewest is next, and its choice is taken out of the sets of the others.
///
/// # Complexity
/// Exponential; at most two million choices, each O(size of the pattern).
pub(crate) fn occurrence(graph: &Graph, pattern: &Graph) -> Occurrence {
    let (g, p) = (graph.adjacency(), pattern.adjacency());
    if p.n_nodes() > g.n_nodes() {
        let (n, m) = (p.n_nodes(), g.n_nodes());
        return Occurrence::Absent(format!("the pattern has {n} nodes and the graph only {m}"));
    }
    if g.n_nodes() > MOST_NODES {
        return Occurrence::Unknown;
    }
    let sets = |list: &dyn Fn(usize) -> Vec<u32>| -> Vec<u128> {
        (0..g.n_nodes()).map(|v| list(v).iter().fold(0, |set, w| set | 1 << w)).collect()
    };
    let out = sets(&|v| g.out[v].iter().map(|(w, _)| *w).collect());
    let into = sets(&|v| g.into[v].iter().map(|(w, _)| *w).collect());
    let counts = |a: &Adjacency, v: usize| (a.out[v].len(), a.into[v].len());
    let mut left = Vec::with_capacity(p.n_nodes());
    for v in 0..p.n_nodes() {
        let (o, i) = counts(&p, v);
        let fits = |w: &usize| {
            let (more_o, more_i) = counts(&g, *w);
            o <= more_o && i <= more_i
        };
        let partners = (0..g.n_nodes()).filter(fits).fold(0_u128, |set, w| set | 1 << w);
        if partners == 0 {
            let name = pattern.name(p.nodes[v]);
            return Occurrence::Absent(format!(
                "node {name} of the pattern has {o} edges out and {i} in, and no node of the graph \
                 has as many of both"
            ));
        }
        left.push(partners);
    }
    let mut search =
        Search { p: &p, out: &out, into: &into, partner: vec![None; p.n_nodes()], tries: 0 };
    match search.run(&left) {
        Some(true) => {
            let name = |(v, w): (usize, &Option<usize>)| {
                Some((pattern.name(p.nodes[v]).clone(), graph.name(g.nodes[(*w)?]).clone()))
            };
            Occurrence::There(search.partner.iter().enumerate().filter_map(name).collect())
        }
        Some(false) => {
            let tries = search.tries;
            Occurrence::Absent(format!(
                "every choice of partners fails at an edge; {tries} were enough to see it"
            ))
        }
        None => Occurrence::Unknown,
    }
}

struct Search<'a> {
    p: &'a Adjacency,
    out: &'a [u128],
    into: &'a [u128],
    partner: Vec<Option<usize>>,
    tries: u64,
}

impl Search<'_> {
    /// As deep as the pattern has nodes, which are fewer than those of the graph. `None`: too many tries.
    fn run(&mut self, left: &[u128]) -> Option<bool> {
        let open = (0..left.len()).filter(|v| self.partner[*v].is_none());
        let Some(v) = open.min_by_key(|v| left[*v].count_ones()) else { return Some(true) };
        let mut set = left[v];
        while set != 0 {
            let w = set.trailing_zeros() as usize;
            set &= set - 1;
            self.tries += 1;
            if self.tries > MOST_TRIES {
                return None;
            }
            let mut next: Vec<u128> = left.iter().map(|partners| partners & !(1 << w)).collect();
            next[v] = 1 << w;
            for (u, _) in &self.p.out[v] {
                next[*u as usize] &= self.out[w];
            }
            for (u, _) in &self.p.into[v] {
                next[*u as usize] &= self.into[w];
            }
            if next.contains(&0) {
                continue;
            }
            self.partner[v] = Some(w);
            if self.run(&next)? {
                return Some(true);
            }
            self.partner[v] = None;
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::random;

    /// Every choice of different partners.
    fn by_hand(graph: &Graph, pattern: &Graph, partners: &mut Vec<usize>) -> bool {
        let [g, p] = [graph, pattern].map(|graph| graph.indices().collect::<Vec<_>>());
        if partners.len() == p.len() {
            let place = |at: graph::NodeIdx| p.iter().position(|other| *other == at).unwrap();
            return pattern.edges().all(|edge| {
                let (a, b) = (place(edge.source_idx), place(edge.target_idx));
                graph.edge_between(g[partners[a]], g[partners[b]]).is_some()
            });
        }
        (0..g.len()).any(|w| {
            if partners.contains(&w) {
                return false;
            }
            partners.push(w);
            let found = by_hand(graph, pattern, partners);
            partners.pop();
            found
        })
    }

    #[test]
    fn it_agrees_with_all_choices_and_with_the_library() {
        let mut n_there = 0;
        for seed in 0..400 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut draw = |low, high| {
                let n = random::between(&mut rng, low, high);
                let p = rng.random_range(0.1..0.9);
                let mut edges = random::pairs(&mut rng, n, p);
                random::turn(&mut rng, &mut edges);
                random::plain(true, n, edges)
            };
            let (graph, pattern) = (draw(2, 6), draw(1, 5));
            let truth = by_hand(&graph, &pattern, &mut Vec::new());
            let theirs = graph::exact::common_subgraph::find_pattern(&graph, &pattern, 1_000_000);
            let is_there = matches!(theirs, graph::exact::common_subgraph::PatternMatch::Found(_));
            assert_eq!(is_there, truth, "seed {seed}");
            match occurrence(&graph, &pattern) {
                Occurrence::There(pairs) => {
                    assert!(truth, "seed {seed}");
                    let of = |node: &NodeName| &pairs.iter().find(|(a, _)| a == node).unwrap().1;
                    let holds = |e: graph::EdgeRef<'_>| graph.edge(of(e.source), of(e.target));
                    assert!(pattern.edges().all(|edge| holds(edge).is_some()), "seed {seed}");
                    n_there += 1;
                }
                Occurrence::Absent(reason) => assert!(!truth, "seed {seed}: {reason}"),
                Occurrence::Unknown => panic!("seed {seed}"),
            }
        }
        assert!((80..320).contains(&n_there), "{n_there} of 400");
    }
}
