//! Families of graphs that textbooks know by their parameters.

use super::{MAX_NODES, joined};
use crate::{Graph, GraphError};

/// A tree of n nodes in which each has `r` children as long as there are nodes; node i has the
/// children r·i + 1 to r·i + r.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn full_rary_tree(r: usize, n: usize) -> Result<Graph, GraphError> {
    joined(n, (1..n.min(MAX_NODES + 1)).map(|i| ((i - 1) / r.max(1), i)))
}

/// A tree in which each node has `r` children, and the leaves are `h` steps from node 0.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn balanced_tree(r: usize, h: usize) -> Result<Graph, GraphError> {
    let (mut n, mut level) = (1usize, 1usize);
    // A chain has one node a level, so levels are bounded as nodes are.
    for _ in 0..h.min(MAX_NODES + 1) {
        level = level.saturating_mul(r);
        n = n.saturating_add(level);
        if n > MAX_NODES || level == 0 {
            break;
        }
    }
    full_rary_tree(r, n)
}

/// n nodes on a ring, each joined to those so many steps away in both directions.
///
/// # Errors
/// More than [`MAX_NODES`] nodes, or more edges than a graph may have.
pub fn circulant(n: usize, steps: &[usize]) -> Result<Graph, GraphError> {
    let bounded = n.min(MAX_NODES + 1);
    let edge = move |i: usize, step: usize| (i, (i + step % bounded.max(1)) % bounded.max(1));
    let steps = steps.to_vec();
    let edges = (0..bounded).flat_map(move |i| steps.clone().into_iter().map(move |s| edge(i, s)));
    joined(n, edges.filter(|(a, b)| a != b))
}

/// Two rings of n nodes, node i of the one joined to node n + i of the other.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn circular_ladder(n: usize) -> Result<Graph, GraphError> {
    let half = n.min(MAX_NODES + 1);
    let ring = move |base: usize| (0..half).map(move |i| (base + i, base + (i + 1) % half));
    let rungs = (0..half).map(move |i| (i, half + i));
    let edges = ring(0).chain(ring(half)).chain(rungs);
    joined(n.saturating_mul(2), edges.filter(|(a, b)| a != b))
}

/// A complete graph of `head` nodes with a path of `tail` nodes at its last one.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn lollipop(head: usize, tail: usize) -> Result<Graph, GraphError> {
    let n = head.saturating_add(tail);
    let within = (0..head).flat_map(move |a| (a + 1..head).map(move |b| (a, b)));
    let path = (head.max(1)..n.min(MAX_NODES + 1)).map(|i| (i - 1, i));
    joined(n, within.chain(path))
}

/// n nodes in `parts` groups as equal as can be, the smaller ones first, joined to all nodes of the
/// other groups.
///
/// # Errors
/// More than [`MAX_NODES`] nodes, or more edges than a graph may have.
pub fn turan(n: usize, parts: usize) -> Result<Graph, GraphError> {
    let parts = parts.clamp(1, n.max(1));
    let (size, larger) = (n / parts, n % parts);
    let n_smaller = (parts - larger) * size;
    let group = move |i: usize| {
        if i < n_smaller { i / size.max(1) } else { parts - larger + (i - n_smaller) / (size + 1) }
    };
    let bounded = n.min(MAX_NODES + 1);
    let pairs = (0..bounded).flat_map(move |a| (a + 1..bounded).map(move |b| (a, b)));
    joined(n, pairs.filter(move |(a, b)| group(*a) != group(*b)))
}

/// A ring of n nodes with a chord from each: node i is joined to the one `shifts[i]` further on, the
/// shifts being repeated around the ring. This is the LCF notation of cubic graphs.
///
/// # Errors
/// More than [`MAX_NODES`] nodes.
pub fn lcf(n: usize, shifts: &[i64]) -> Result<Graph, GraphError> {
    let bounded = n.min(MAX_NODES + 1);
    let ring = (0..bounded).map(move |i| (i, (i + 1) % bounded));
    let chord = |(i, shift): (usize, &i64)| {
        let to = (i as i64 + shift % bounded as i64).rem_euclid(bounded as i64);
        (i, to as usize)
    };
    let chords: Vec<(usize, usize)> = (0..bounded).zip(shifts.iter().cycle()).map(chord).collect();
    joined(n, ring.chain(chords).filter(|(a, b)| a != b))
}

/// A graph that remembers in which order nodes and neighbours came, for growth along the edges.
#[derive(Default)]
struct Grown {
    order: Vec<usize>,
    neighbours: Vec<Vec<usize>>,
}

impl Grown {
    fn node(&mut self, node: usize) {
        if self.neighbours.len() <= node {
            self.neighbours.resize(node + 1, Vec::new());
        }
        if !self.order.contains(&node) {
            self.order.push(node);
        }
    }

    fn link(&mut self, a: usize, b: usize) {
        self.node(a);
        self.node(b);
        self.neighbours[a].push(b);
        self.neighbours[b].push(a);
    }

    /// Each edge once: from the nodes in their order to the neighbours in theirs.
    fn edges(&self) -> Vec<(usize, usize)> {
        let mut is_done = vec![false; self.neighbours.len()];
        let mut all = Vec::new();
        for &a in &self.order {
            all.extend(self.neighbours[a].iter().filter(|b| !is_done[**b]).map(|b| (a, *b)));
            is_done[a] = true;
        }
        all
    }

    fn graph(&self) -> Result<Graph, GraphError> {
        let mut graph = Graph::undirected();
        for &node in &self.order {
            graph.ensure_node(node)?;
        }
        for (a, b) in self.edges() {
            graph.link(a, b)?;
        }
        Ok(graph)
    }
}

/// The most generations of graphs that double or treble with each.
const MAX_GENERATIONS: usize = 10;

fn generations(n: usize) -> Result<usize, GraphError> {
    let limit = MAX_GENERATIONS;
    if n > limit { Err(GraphError::TooLarge { what: "generations here", limit }) } else { Ok(n) }
}

/// The binomial tree of an order: two of the order below, the root of the one under that of the
/// other. It has 2 to the power of the order nodes, which stand in the order in which they were
/// joined, not in that of their numbers.
///
/// # Errors
/// An order above 10.
pub fn binomial_tree(order: usize) -> Result<Graph, GraphError> {
    let mut grown = Grown::default();
    grown.node(0);
    for i in 0..generations(order)? {
        let n = 1 << i;
        for (a, b) in grown.edges() {
            grown.link(a + n, b + n);
        }
        grown.link(0, n);
    }
    grown.graph()
}

/// The graph of Dorogovtsev, Goltsev and Mendes: from one edge, in each generation a new node for
/// each edge, joined to both of its ends.
///
/// # Errors
/// More than 8 generations.
pub fn dorogovtsev_goltsev_mendes(n_generations: usize) -> Result<Graph, GraphError> {
    if n_generations > 8 {
        return Err(GraphError::TooLarge { what: "generations here", limit: 8 });
    }
    let mut grown = Grown::default();
    grown.link(0, 1);
    for _ in 0..n_generations {
        for (a, b) in grown.edges() {
            let new = grown.order.len();
            grown.link(a, new);
            grown.link(b, new);
        }
    }
    grown.graph()
}

/// The graph of Hoffman and Singleton: five pentagons and five pentagrams; node j of pentagon i is
/// joined to node i·k + j of pentagram k. 50 nodes of degree 7, no two more than two steps apart.
/// Nodes are numbered as they are met, node by node of pentagons and pentagrams at once.
///
/// # Errors
/// None in practice; the signature is that of its siblings.
pub fn hoffman_singleton() -> Result<Graph, GraphError> {
    let pentagon = |i: usize, j: usize| 5 * i + j % 5;
    let pentagram = |i: usize, j: usize| 25 + 5 * i + j % 5;
    let mut edges = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            edges.push((pentagon(i, j), pentagon(i, j + 4)));
            edges.push((pentagon(i, j), pentagon(i, j + 1)));
            edges.push((pentagram(i, j), pentagram(i, j + 3)));
            edges.push((pentagram(i, j), pentagram(i, j + 2)));
            edges.extend((0..5).map(|k| (pentagon(i, j), pentagram(k, i * k + j))));
        }
    }
    let mut numbers = [None; 50];
    let mut n = 0;
    let mut number = |place: usize| {
        *numbers[place].get_or_insert_with(|| {
            n += 1;
            n - 1
        })
    };
    let numbered: Vec<(usize, usize)> =
        edges.into_iter().map(|(a, b)| (number(a), number(b))).collect();
    joined(50, numbered)
}
