//! Small random graphs and slow, obvious answers about them, written without the library.

use graph::{Delta, Graph, NodeIdx, NodeName};
use proptest::prelude::*;

/// A graph as a table: `weight[u][v]` is the weight of the edge, if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    pub(crate) n: usize,
    pub(crate) directed: bool,
    /// In the order they are added; an undirected edge once.
    pub(crate) edges: Vec<(usize, usize, f64)>,
    pub(crate) weighted: bool,
}

/// Which weights a random graph may have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Weights {
    /// None, or whole numbers from 0 to 9.
    Natural,
    /// None, or whole numbers from -3 to 9.
    Any,
}

/// Graphs of at most `max` nodes: empty, single, disconnected, directed or not, weighted or not,
/// sparse to full, some with self loops.
pub(crate) fn small(max: usize, weights: Weights) -> impl Strategy<Value = Small> {
    let lowest = match weights {
        Weights::Natural => 0i8,
        Weights::Any => -3,
    };
    (0..=max, any::<bool>(), any::<bool>(), any::<bool>(), 0..=100u8).prop_flat_map(
        move |(n, directed, weighted, loops, density)| {
            let rolls = proptest::collection::vec((0..100u8, lowest..=9i8), n * n);
            rolls.prop_map(move |rolls| {
                let mut edges = Vec::new();
                for (i, (roll, w)) in rolls.into_iter().enumerate() {
                    let (u, v) = (i / n, i % n);
                    let wanted = if u == v { loops && roll < density / 4 } else { roll < density };
                    if wanted && (directed || u <= v) {
                        edges.push((u, v, if weighted { f64::from(w) } else { 1.0 }));
                    }
                }
                Small { n, directed, edges, weighted }
            })
        },
    )
}

impl Small {
    /// The same graph in the library. One node comes and goes first, so that places in the graph
    /// and positions in an adjacency differ.
    pub(crate) fn graph(&self) -> Graph {
        let mut graph = if self.directed { Graph::directed() } else { Graph::undirected() };
        graph.ensure_node("passing").unwrap();
        for i in 0..self.n {
            graph.ensure_node(i).unwrap();
        }
        graph.apply(&Delta::RemoveNode { node: "passing".into() }).unwrap();
        for &(u, v, w) in &self.edges {
            if self.weighted {
                graph.link_weighted(u, v, w).unwrap();
            } else {
                graph.link(u, v).unwrap();
            }
        }
        graph
    }

    pub(crate) fn table(&self) -> Vec<Vec<Option<f64>>> {
        let mut table = vec![vec![None; self.n]; self.n];
        for &(u, v, w) in &self.edges {
            table[u][v] = Some(w);
            if !self.directed {
                table[v][u] = Some(w);
            }
        }
        table
    }

    /// Without directions; of two opposite edges the lighter.
    pub(crate) fn undirected(&self) -> Self {
        let mut edges: Vec<(usize, usize, f64)> = Vec::new();
        for &(u, v, w) in &self.edges {
            let (a, b) = (u.min(v), u.max(v));
            match edges.iter_mut().find(|e| (e.0, e.1) == (a, b)) {
                Some(e) => e.2 = e.2.min(w),
                None => edges.push((a, b, w)),
            }
        }
        Self { edges, directed: false, ..*self }
    }

    /// Distances by Floyd and Warshall, every edge counting `of(weight)`.
    pub(crate) fn distances(&self, of: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        let mut d: Vec<Vec<f64>> = self
            .table()
            .iter()
            .map(|row| row.iter().map(|w| w.map_or(f64::INFINITY, &of)).collect())
            .collect();
        for (i, row) in d.iter_mut().enumerate() {
            row[i] = row[i].min(0.0);
        }
        for k in 0..self.n {
            for i in 0..self.n {
                for j in 0..self.n {
                    d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
                }
            }
        }
        d
    }

    pub(crate) fn reaches(&self) -> Vec<Vec<bool>> {
        let d = self.distances(|_| 1.0);
        d.iter().map(|row| row.iter().map(|x| x.is_finite()).collect()).collect()
    }

    /// How many parts there are among the nodes that are kept.
    pub(crate) fn parts(&self, keep: impl Fn(usize) -> bool) -> usize {
        let edges =
            self.edges.iter().copied().filter(|e| keep(e.0) && keep(e.1)).collect::<Vec<_>>();
        let r = Self { edges, directed: false, ..*self }.reaches();
        (0..self.n).filter(|&v| keep(v) && (0..v).all(|u| !keep(u) || !r[u][v])).count()
    }

    /// Every path without a repeated node, single nodes included.
    pub(crate) fn simple_paths(&self) -> Vec<Vec<usize>> {
        fn extend(table: &[Vec<Option<f64>>], path: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
            all.push(path.clone());
            for v in 0..table.len() {
                if table[path[path.len() - 1]][v].is_some() && !path.contains(&v) {
                    path.push(v);
                    extend(table, path, all);
                    path.pop();
                }
            }
        }
        let table = self.table();
        let mut all = Vec::new();
        for v in 0..self.n {
            extend(&table, &mut vec![v], &mut all);
        }
        all
    }

    /// Every simple cycle (a self loop is one; an undirected edge to and fro is none).
    pub(crate) fn cycles(&self) -> Vec<Vec<usize>> {
        let table = self.table();
        let shortest = if self.directed { 2 } else { 3 };
        self.simple_paths()
            .into_iter()
            .filter(|p| p.len() == 1 || p.len() >= shortest)
            .filter(|p| table[p[p.len() - 1]][p[0]].is_some())
            .collect()
    }

    pub(crate) fn weight_of(&self, walk: &[usize]) -> f64 {
        let table = self.table();
        walk.windows(2).map(|w| table[w[0]][w[1]].expect("an edge")).sum()
    }

    pub(crate) fn is_simple_path(&self, path: &[usize]) -> bool {
        let table = self.table();
        path.windows(2).all(|w| table[w[0]][w[1]].is_some()) && distinct(path)
    }

    pub(crate) fn is_cycle(&self, cycle: &[usize]) -> bool {
        let shortest = if self.directed { 2 } else { 3 };
        self.is_simple_path(cycle)
            && (cycle.len() == 1 || cycle.len() >= shortest)
            && self.table()[cycle[cycle.len() - 1]][cycle[0]].is_some()
    }
}

pub(crate) fn distinct(list: &[usize]) -> bool {
    (1..list.len()).all(|i| !list[..i].contains(&list[i]))
}

pub(crate) fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for i in 0..n {
        all = all
            .into_iter()
            .flat_map(|p: Vec<usize>| {
                (0..=p.len()).map(move |at| {
                    let mut p = p.clone();
                    p.insert(at, i);
                    p
                })
            })
            .collect();
    }
    all
}

/// The number that a node of a test graph is called by.
pub(crate) fn number(graph: &Graph, idx: NodeIdx) -> usize {
    graph.name(idx).as_int().expect("test nodes are numbers") as usize
}

pub(crate) fn numbers(graph: &Graph, places: &[NodeIdx]) -> Vec<usize> {
    places.iter().map(|&i| number(graph, i)).collect()
}

pub(crate) fn place(graph: &Graph, number: usize) -> NodeIdx {
    graph.index(&NodeName::from(number)).unwrap()
}

pub(crate) fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}
