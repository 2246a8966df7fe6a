//! A largest set of nodes without an edge between them, and with it a smallest set that covers every
//! edge.

use rustc_hash::FxHashSet;

use super::Bits;
use crate::{Graph, NodeIdx};

/// The most nodes that a graph function takes: more are too many for a first set within a second.
pub const MAX_NODES: usize = 2_000;
/// How deep the search branches. What is below is found greedily, and not proven: a stack ends.
const MAX_DEPTH: usize = 400;

/// A set of nodes, with what is proven of the optimum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundedSet {
    /// Its nodes, in the order of the graph.
    pub nodes: Vec<NodeIdx>,
    /// What no set of the kind can pass: no larger independent set has more nodes, no smaller cover
    /// has fewer.
    pub bound: usize,
    /// Whether the set is as good as the bound says that one can be.
    pub is_proven: bool,
}

/// A largest independent set: the most nodes of which no two are joined. Directions do not matter; a
/// node with an edge to itself is in none.
///
/// Nodes that some largest set must have are taken first (those with no or one neighbour, those whose
/// neighbours are all joined), nodes that a neighbour makes needless are left out, parts that hang
/// together no more are solved each for itself, and what is left is searched by branch and bound: a
/// cover of the nodes by cliques bounds from above.
///
/// # Complexity
/// Exponential; at most `budget` steps, each about a node and 512 others. Memory O(n²/8) bytes.
pub fn max_independent_set(graph: &Graph, budget: u64) -> BoundedSet {
    let g = graph.adjacency().into_undirected();
    let n = g.n_nodes();
    let mut joined = vec![Bits::new(n); n];
    let mut free = Bits::new(n);
    (0..n).for_each(|v| free.insert(v));
    for &(a, b, _) in &g.edges {
        let (a, b) = (a as usize, b as usize);
        if a == b {
            free.remove(a);
        } else {
            joined[a].insert(b);
            joined[b].insert(a);
        }
    }
    let step = 1 + n as u64 / 512;
    let mut search = Search { joined, budget, steps: 0, step, depth: 0 };
    let bound = search.clique_cover(&free);
    let found = search.solve(free, -1);
    let (set, is_proven) = found.map_or((Bits::new(n), false), |f| (f.set, f.is_proven));
    let size = set.len();
    let positions: Vec<u32> = set.iter().map(|v| v as u32).collect();
    let bound = if is_proven { size } else { bound };
    BoundedSet { nodes: g.places(&positions), bound, is_proven: size == bound }
}

/// A smallest vertex cover: the fewest nodes such that every edge has one of them. It is what a largest
/// independent set leaves over.
///
/// # Complexity
/// That of [`max_independent_set`].
pub fn min_vertex_cover(graph: &Graph, budget: u64) -> BoundedSet {
    let left = max_independent_set(graph, budget);
    let apart: FxHashSet<NodeIdx> = left.nodes.into_iter().collect();
    let nodes: Vec<NodeIdx> = graph.indices().filter(|v| !apart.contains(v)).collect();
    let bound = graph.n_nodes() - left.bound;
    BoundedSet { nodes, bound, is_proven: left.is_proven }
}

struct Found {
    set: Bits,
    is_proven: bool,
}

struct Search {
    joined: Vec<Bits>,
    budget: u64,
    steps: u64,
    /// What looking at a node costs: its neighbours are a row of bits.
    step: u64,
    /// Branches taken on the way here.
    depth: usize,
}

impl Search {
    /// A largest independent set among some nodes; `None` if it is certain that none has more than
    /// `floor` nodes, which is −1 where any set will do. What is found is proven to be a largest one, or
    /// is no more than a set, of any size.
    fn solve(&mut self, mut among: Bits, floor: isize) -> Option<Found> {
        let mut taken = Bits::new(self.joined.len());
        self.reduce(&mut among, &mut taken);
        let n_taken = taken.len() as isize;
        if among.is_empty() {
            return (n_taken > floor).then_some(Found { set: taken, is_proven: true });
        }
        let parts = self.parts(&among);
        if parts.len() > 1 {
            return self.solve_parts(parts, taken, floor);
        }
        if n_taken + self.clique_cover(&among) as isize <= floor {
            return None;
        }
        let mut best = self.greedy(&among);
        let mut is_proven = self.steps <= self.budget && self.depth < MAX_DEPTH;
        if is_proven {
            self.depth += 1;
            self.steps += self.step * among.len() as u64;
            // A node with many neighbours decides most: with it they all go.
            let v =
                among.iter().max_by_key(|v| self.joined[*v].n_shared(&among)).unwrap_or_default();
            let mut with = among.without(&self.joined[v]);
            with.remove(v);
            let mut without = among;
            without.remove(v);
            for (rest, own) in [(with, 1), (without, 0)] {
                let least = (best.len() as isize).max(floor - n_taken);
                let Some(found) = self.solve(rest, least - own) else { continue };
                is_proven &= found.is_proven;
                let mut set = found.set;
                if own == 1 {
                    set.insert(v);
                }
                if set.len() > best.len() {
                    best = set;
                }
            }
            self.depth -= 1;
        }
        taken.add_all(&best);
        (!is_proven || taken.len() as isize > floor).then_some(Found { set: taken, is_proven })
    }

    /// The parts of a graph that hang together no more, each for itself.
    fn solve_parts(&mut self, parts: Vec<Bits>, mut taken: Bits, floor: isize) -> Option<Found> {
        let bounds: Vec<usize> = parts.iter().map(|part| self.clique_cover(part)).collect();
        let mut most = taken.len() + bounds.iter().sum::<usize>();
        let mut is_proven = true;
        for (part, bound) in parts.into_iter().zip(bounds) {
            if most as isize <= floor {
                return None;
            }
            // Any set will do: one is found.
            let found = self.solve(part, -1)?;
            is_proven &= found.is_proven;
            if found.is_proven {
                most = most - bound + found.set.len();
            }
            taken.add_all(&found.set);
        }
        (!is_proven || taken.len() as isize > floor).then_some(Found { set: taken, is_proven })
    }

    /// Takes nodes that some largest set has, and leaves out nodes that one can do without, until
    /// neither is left.
    fn reduce(&mut self, among: &mut Bits, taken: &mut Bits) {
        loop {
            let mut changed = false;
            for v in among.clone().iter() {
                if !among.has(v) {
                    continue;
                }
                self.steps += self.step;
                let near = self.joined[v].shared(among);
                let degree = near.len();
                // All neighbours are joined to each other: of them and v one at most, and v costs least.
                let is_simplicial = degree <= 1
                    || (degree <= 4
                        && near.iter().all(|w| self.joined[w].n_shared(&near) + 1 == degree));
                if is_simplicial {
                    taken.insert(v);
                    among.remove(v);
                    *among = among.without(&near);
                    changed = true;
                    continue;
                }
                // v joins all that a neighbour joins: whoever takes v may take that neighbour instead.
                let is_needless = near.iter().any(|w| {
                    let mut of_w = self.joined[w].shared(among);
                    of_w.remove(v);
                    of_w.is_within(&near)
                });
                if is_needless {
                    among.remove(v);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The parts that hang together.
    fn parts(&mut self, among: &Bits) -> Vec<Bits> {
        let mut rest = among.clone();
        let mut parts = Vec::new();
        while let Some(start) = rest.first() {
            let mut part = Bits::new(self.joined.len());
            let mut border = Bits::new(self.joined.len());
            border.insert(start);
            while let Some(v) = border.first() {
                self.steps += self.step;
                border.remove(v);
                part.insert(v);
                rest.remove(v);
                border.add_all(&self.joined[v].shared(&rest));
            }
            parts.push(part);
        }
        parts
    }

    /// How many cliques cover the nodes, chosen greedily: no independent set has more nodes.
    fn clique_cover(&mut self, among: &Bits) -> usize {
        let mut rest = among.clone();
        let mut n_cliques = 0;
        while let Some(v) = rest.first() {
            n_cliques += 1;
            rest.remove(v);
            let mut fits = self.joined[v].shared(&rest);
            while let Some(w) = fits.first() {
                self.steps += self.step;
                rest.remove(w);
                fits = fits.shared(&self.joined[w]);
            }
        }
        n_cliques
    }

    /// An independent set by always taking a node with the fewest neighbours.
    fn greedy(&mut self, among: &Bits) -> Bits {
        let mut rest = among.clone();
        let mut set = Bits::new(self.joined.len());
        while let Some(v) = rest.iter().min_by_key(|v| self.joined[*v].n_shared(&rest)) {
            self.steps += self.step * rest.len() as u64;
            set.insert(v);
            rest = rest.without(&self.joined[v]);
            rest.remove(v);
        }
        set
    }
}
