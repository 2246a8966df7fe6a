//! A largest part that two graphs share, and whether one graph is a part of another.

use crate::{Adjacency, Graph, NodeIdx};

/// The most nodes of each graph that a graph function compares.
pub const MAX_NODES: usize = 300;
/// The most nodes of a pattern in a graph function.
pub const MAX_PATTERN: usize = 200;
/// The most nodes of a graph in which a graph function looks for a pattern.
pub const MAX_GRAPH: usize = 2_000;

/// How two graphs share a part, with what is proven of the most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharedPart {
    /// Nodes of the first graph with their partners in the second, in the order of the first.
    pub pairs: Vec<(NodeIdx, NodeIdx)>,
    /// No shared part has more nodes than this.
    pub bound: usize,
    /// Whether none is larger than the one found.
    pub is_proven: bool,
}

/// How each two nodes of a graph are joined: bit 0 there, bit 1 back.
pub(super) struct Joined {
    n: usize,
    how: Vec<u8>,
}

impl Joined {
    pub(super) fn of(g: &Adjacency) -> Self {
        let n = g.n_nodes();
        let mut how = vec![0; n * n];
        for &(a, b, _) in &g.edges {
            let (a, b) = (a as usize, b as usize);
            let both = if g.directed { 1 } else { 3 };
            how[a * n + b] |= both;
            how[b * n + a] |= if g.directed { 2 } else { 3 };
        }
        Self { n, how }
    }

    /// How many nodes each node is joined to, itself among them where it is.
    fn degrees(&self) -> Vec<usize> {
        (0..self.n).map(|v| (0..self.n).filter(|w| self.between(v, *w) != 0).count()).collect()
    }

    pub(super) fn between(&self, a: usize, b: usize) -> u8 {
        self.how[a * self.n + b]
    }
}

/// Nodes of both graphs that may still be partners: the edges to all pairs so far are the same.
#[derive(Clone)]
struct Class {
    left: Vec<u32>,
    right: Vec<u32>,
}

/// A largest common induced subgraph: the most nodes of both graphs that can be paired so that two are
/// joined in the one exactly where their partners are in the other. It need not hang together; weights
/// do not matter, directions do where both graphs have them.
///
/// McSplit (McCreesh, Prosser and Trimble, 2017): nodes are kept in classes by how they are joined to the
/// pairs so far; the sum of the smaller sides bounds from above.
///
/// # Complexity
/// Exponential; at most `budget` steps, each about a node.
pub fn max_common_subgraph(first: &Graph, second: &Graph, budget: u64) -> SharedPart {
    let (a, b) = (first.adjacency(), second.adjacency());
    let (ja, jb) = (Joined::of(&a), Joined::of(&b));
    let mut search = Matching {
        degrees: [ja.degrees(), jb.degrees()],
        a: ja,
        b: jb,
        now: Vec::new(),
        best: Vec::new(),
        steps: 0,
        budget,
    };
    // A node with an edge to itself has a partner with one.
    let with_loop = |g: &Joined, v: usize| g.between(v, v) != 0;
    let side = |g: &Joined, is: bool| -> Vec<u32> {
        (0..g.n).filter(|v| with_loop(g, *v) == is).map(|v| v as u32).collect()
    };
    let classes: Vec<Class> = [false, true]
        .into_iter()
        .map(|is| Class { left: side(&search.a, is), right: side(&search.b, is) })
        .filter(|c| !c.left.is_empty() && !c.right.is_empty())
        .collect();
    let most = bound(&classes);
    search.extend(classes);
    let is_proven = search.steps <= budget || search.best.len() == most;
    let mut pairs = search.best;
    pairs.sort_unstable();
    let size = pairs.len();
    let place = |&(v, w): &(u32, u32)| (a.nodes[v as usize], b.nodes[w as usize]);
    SharedPart {
        pairs: pairs.iter().map(place).collect(),
        bound: if is_proven { size } else { most },
        is_proven,
    }
}

fn bound(classes: &[Class]) -> usize {
    classes.iter().map(|c| c.left.len().min(c.right.len())).sum()
}

struct Matching {
    a: Joined,
    b: Joined,
    degrees: [Vec<usize>; 2],
    now: Vec<(u32, u32)>,
    best: Vec<(u32, u32)>,
    steps: u64,
    budget: u64,
}

impl Matching {
    /// Adds pairs to those that are there. Goes as deep as the smaller graph has nodes.
    fn extend(&mut self, mut classes: Vec<Class>) {
        if self.now.len() > self.best.len() {
            self.best.clone_from(&self.now);
        }
        loop {
            if self.steps > self.budget || self.now.len() + bound(&classes) <= self.best.len() {
                return;
            }
            // The class with the fewest choices, and of it the node with the most edges.
            let fewest = (0..classes.len())
                .min_by_key(|i| classes[*i].left.len().max(classes[*i].right.len()));
            let Some(i) = fewest else { return };
            let at = (0..classes[i].left.len())
                .max_by_key(|k| self.degrees[0][classes[i].left[*k] as usize])
                .unwrap_or_default();
            let v = classes[i].left.swap_remove(at);
            let mut partners = classes[i].right.clone();
            partners.sort_by_key(|w| std::cmp::Reverse(self.degrees[1][*w as usize]));
            for w in partners {
                let next = self.split(&classes, v, w);
                self.now.push((v, w));
                self.extend(next);
                self.now.pop();
                if self.steps > self.budget {
                    return;
                }
            }
            // From here on v has no partner.
            if classes[i].left.is_empty() {
                classes.swap_remove(i);
            }
        }
    }

    /// The classes once v and w are a pair.
    fn split(&mut self, classes: &[Class], v: u32, w: u32) -> Vec<Class> {
        let mut next = Vec::new();
        for class in classes {
            self.steps += (class.left.len() + class.right.len()) as u64;
            for how in 0..4 {
                let of = |g: &Joined, list: &[u32], with: u32| -> Vec<u32> {
                    let fits =
                        |x: &&u32| **x != with && g.between(with as usize, **x as usize) == how;
                    list.iter().filter(fits).copied().collect()
                };
                let (left, right) = (of(&self.a, &class.left, v), of(&self.b, &class.right, w));
                if !left.is_empty() && !right.is_empty() {
                    next.push(Class { left, right });
                }
            }
        }
        next
    }
}

/// What a search for a pattern found.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternMatch {
    /// For each node of the pattern, in order, a node of the graph.
    Found(Vec<(NodeIdx, NodeIdx)>),
    /// It is not there.
    Absent,
    /// The budget ended first.
    Undecided,
}

/// Whether a pattern is a part of a graph: its nodes can be given different nodes of the graph so that
/// each edge of the pattern is an edge there, in its direction where the graph has directions. The graph
/// may have more edges between them (a subgraph, not an induced one). Weights do not matter.
///
/// Backtracking, the nodes of the pattern in an order in which each hangs on those before it, with
/// numbers of edges as a filter.
///
/// # Complexity
/// Exponential; at most `budget` steps, each about a pair of nodes.
pub fn find_pattern(graph: &Graph, pattern: &Graph, budget: u64) -> PatternMatch {
    let (g, p) = (graph.adjacency(), pattern.adjacency());
    let (gj, pj) = (Joined::of(&g), Joined::of(&p));
    if pj.n > gj.n {
        return PatternMatch::Absent;
    }
    // How many edges leave a node and how many enter it; where they have no direction, both.
    let counts = |j: &Joined| -> Vec<[usize; 2]> {
        let count =
            |v: usize, bit: u8| (0..j.n).filter(|w| *w != v && j.between(v, *w) & bit != 0).count();
        (0..j.n).map(|v| [count(v, 1), count(v, 2)]).collect()
    };
    let (of_g, of_p) = (counts(&gj), counts(&pj));
    let fits = |v: usize, w: usize| {
        of_p[v].iter().zip(&of_g[w]).all(|(p, g)| p <= g)
            && pj.between(v, v) & !gj.between(w, w) == 0
    };
    let candidates: Vec<Vec<usize>> =
        (0..pj.n).map(|v| (0..gj.n).filter(|w| fits(v, *w)).collect()).collect();
    if candidates.iter().any(Vec::is_empty) {
        return PatternMatch::Absent;
    }
    // Each next node has the most edges to those before it, and of these the fewest candidates.
    let mut order: Vec<usize> = Vec::with_capacity(pj.n);
    while order.len() < pj.n {
        let next = (0..pj.n).filter(|v| !order.contains(v)).max_by_key(|v| {
            let hangs = order.iter().filter(|u| pj.between(**u, *v) != 0).count();
            (hangs, std::cmp::Reverse(candidates[*v].len()))
        });
        order.extend(next);
    }
    let mut partner: Vec<usize> = Vec::with_capacity(pj.n);
    let mut next = vec![0; pj.n + 1];
    let mut steps = 0_u64;
    loop {
        let depth = partner.len();
        if depth == pj.n {
            let mut pairs: Vec<(usize, usize)> = order.iter().copied().zip(partner).collect();
            pairs.sort_unstable();
            let place = |(v, w): (usize, usize)| (p.nodes[v], g.nodes[w]);
            return PatternMatch::Found(pairs.into_iter().map(place).collect());
        }
        if steps > budget {
            return PatternMatch::Undecided;
        }
        let v = order[depth];
        let found = (next[depth]..candidates[v].len()).find(|&i| {
            let w = candidates[v][i];
            steps += 1;
            order.iter().zip(&partner).all(|(&u, &x)| {
                steps += 1;
                x != w && pj.between(u, v) & !gj.between(x, w) == 0
            })
        });
        match found {
            Some(i) => {
                next[depth] = i + 1;
                partner.push(candidates[v][i]);
                next[depth + 1] = 0;
            }
            None if depth == 0 => return PatternMatch::Absent,
            None => {
                partner.pop();
            }
        }
    }
}
