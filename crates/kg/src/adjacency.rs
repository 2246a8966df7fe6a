//! Edges by (node, edge type), one direction.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Which way edges are followed.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From source to target.
    Out,
    /// From target to source.
    In,
    /// Both ways; a neighbour on both sides is told once.
    #[default]
    Both,
}

impl Direction {
    /// Its name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
            Self::Both => "both",
        }
    }

    pub(crate) fn ways(self) -> &'static [Direction] {
        match self {
            Self::Out => &[Self::Out],
            Self::In => &[Self::In],
            Self::Both => &[Self::Out, Self::In],
        }
    }
}

/// Edges of one type at one node: where they begin among the targets.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    edge_type: u16,
}

/// For every node its edges in one direction, grouped by type, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjacency {
    /// For every node its first run; one more at the end.
    first: Vec<u32>,
    runs: Vec<Run>,
    targets: Vec<u32>,
}

impl Adjacency {
    /// `edges` gives (node, edge type, other end). The same edge twice counts once.
    /// O(n + m log d) for n nodes, m edges and d edges at a node.
    pub(crate) fn new(
        n_nodes: usize,
        edges: impl Iterator<Item = (u32, u16, u32)> + Clone,
    ) -> Self {
        let mut starts = vec![0u32; n_nodes + 1];
        for (node, _, _) in edges.clone() {
            starts[node as usize + 1] += 1;
        }
        for i in 0..n_nodes {
            starts[i + 1] += starts[i];
        }
        let n_edges = starts[n_nodes] as usize;
        let mut at = starts.clone();
        let mut sorted = vec![(0u16, 0u32); n_edges];
        for (node, edge_type, other) in edges {
            let place = &mut at[node as usize];
            sorted[*place as usize] = (edge_type, other);
            *place += 1;
        }
        drop(at);
        let mut made = Self {
            first: Vec::with_capacity(n_nodes + 1),
            runs: Vec::new(),
            targets: Vec::with_capacity(n_edges),
        };
        let mut seen = FxHashSet::default();
        for node in 0..n_nodes {
            made.first.push(made.runs.len() as u32);
            let own = &mut sorted[starts[node] as usize..starts[node + 1] as usize];
            own.sort_by_key(|(edge_type, _)| *edge_type);
            for run in own.chunk_by(|a, b| a.0 == b.0) {
                let start = made.targets.len();
                made.runs.push(Run { start: start as u32, edge_type: run[0].0 });
                if run.len() <= 8 {
                    for (_, other) in run {
                        if !made.targets[start..].contains(other) {
                            made.targets.push(*other);
                        }
                    }
                } else {
                    seen.clear();
                    made.targets.extend(run.iter().map(|(_, o)| *o).filter(|o| seen.insert(*o)));
                }
            }
        }
        made.first.push(made.runs.len() as u32);
        made.runs.shrink_to_fit();
        made.targets.shrink_to_fit();
        made
    }

    fn run(&self, i: usize) -> (u16, &[u32]) {
        let end = self.runs.get(i + 1).map_or(self.targets.len(), |r| r.start as usize);
        let run = self.runs[i];
        (run.edge_type, &self.targets[run.start as usize..end])
    }

    /// The other ends of a node's edges, by type, types ascending.
    pub(crate) fn runs(&self, node: u32) -> impl Iterator<Item = (u16, &[u32])> {
        let (from, to) = (self.first[node as usize], self.first[node as usize + 1]);
        (from as usize..to as usize).map(|i| self.run(i))
    }

    /// The other ends of a node's edges of one type. O(log t) for t types at the node.
    pub(crate) fn of_type(&self, node: u32, edge_type: u16) -> &[u32] {
        let (from, to) =
            (self.first[node as usize] as usize, self.first[node as usize + 1] as usize);
        match self.runs[from..to].binary_search_by_key(&edge_type, |r| r.edge_type) {
            Ok(i) => self.run(from + i).1,
            Err(_) => &[],
        }
    }

    pub(crate) fn n_edges(&self) -> usize {
        self.targets.len()
    }

    pub(crate) fn memory(&self) -> usize {
        self.first.capacity() * size_of::<u32>()
            + self.runs.capacity() * size_of::<Run>()
            + self.targets.capacity() * size_of::<u32>()
    }
}
