//! The bare structure of a graph, for algorithms.

use rustc_hash::FxHashMap;

use crate::NodeIdx;
use crate::rows::{Rows, Side};

/// The bare structure of a graph: nodes are `0..n`, edges `0..m`.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    /// The place in the graph of each node here.
    pub nodes: Vec<NodeIdx>,
    pub(crate) position: Vec<u32>,
    /// Whether edges have a direction.
    pub directed: bool,
    /// Per node: `(neighbour, edge)`; for an undirected graph both ways, a self loop once.
    pub out: Rows,
    /// Per node, for a directed graph: `(predecessor, edge)`; else empty.
    pub into: Rows,
    /// Per edge: source, target, weight (1 where none was given).
    pub edges: Vec<(u32, u32, f64)>,
}

impl Adjacency {
    /// The rows of a list of edges.
    pub(crate) fn new(
        nodes: Vec<NodeIdx>,
        position: Vec<u32>,
        directed: bool,
        edges: Vec<(u32, u32, f64)>,
    ) -> Self {
        let n = nodes.len();
        let (out, into) = if directed {
            (Rows::new(n, &edges, Side::Out), Rows::new(n, &edges, Side::Into))
        } else {
            (Rows::new(n, &edges, Side::Both), Rows::default())
        };
        Self { nodes, position, directed, out, into, edges }
    }

    /// The structure of nodes `0..n` with these edges, each of weight 1; an edge to a node that is not
    /// there is left out. O(n + m).
    pub fn of_pairs(n: usize, directed: bool, pairs: &[(u32, u32)]) -> Self {
        let there = |&&(a, b): &&(u32, u32)| (a.max(b) as usize) < n;
        let edges = pairs.iter().filter(there).map(|&(a, b)| (a, b, 1.0)).collect();
        let nodes = (0..n).map(NodeIdx::new).collect();
        Self::new(nodes, (0..n as u32).collect(), directed, edges)
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Whether every edge counts 1, so that the nearest node is the one of fewest edges. O(m).
    pub(crate) fn has_unit_weights(&self) -> bool {
        self.edges.iter().all(|e| e.2 == 1.0)
    }

    /// The places in the graph of a list of nodes here.
    pub fn places(&self, positions: &[u32]) -> Vec<NodeIdx> {
        positions.iter().map(|&p| self.nodes[p as usize]).collect()
    }

    /// As [`Adjacency::undirected`], without a copy where there are no directions.
    pub(crate) fn into_undirected(self) -> Self {
        if self.directed { self.undirected() } else { self }
    }

    /// The same structure without directions; two opposite edges become one, with the smaller
    /// weight. O(n + m) expected.
    pub fn undirected(&self) -> Self {
        if !self.directed {
            return self.clone();
        }
        let mut seen: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut edges: Vec<(u32, u32, f64)> = Vec::with_capacity(self.edges.len());
        for &(a, b, weight) in &self.edges {
            let e = *seen.entry((a.min(b), a.max(b))).or_insert(edges.len() as u32);
            if let Some(edge) = edges.get_mut(e as usize) {
                edge.2 = edge.2.min(weight);
                continue;
            }
            edges.push((a, b, weight));
        }
        Self::new(self.nodes.clone(), self.position.clone(), false, edges)
    }

    /// The number here of a node of the graph.
    pub fn position(&self, idx: NodeIdx) -> u32 {
        self.position[idx.index()]
    }
}
