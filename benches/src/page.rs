//! The same for JavaScript.

use graph::Graph;
use wasm_bindgen::prelude::wasm_bindgen;

// Exports `initThreadPool`.
#[cfg(target_feature = "atomics")]
use wasm_bindgen_rayon as _;

use crate::KgCase;
use crate::cases::{CASES, build, dataset};
use crate::peer::{PETGRAPH, PeerGraph, build_peer};
use crate::solved::TaskCase;

/// A graph in WebAssembly memory.
#[wasm_bindgen]
pub struct BenchGraph(Graph);

#[wasm_bindgen]
impl BenchGraph {
    /// Makes a graph of nodes `0..n`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        n: u32,
        directed: bool,
        from: &[u32],
        to: &[u32],
        weights: &[f64],
    ) -> Result<BenchGraph, String> {
        build(n, directed, from, to, weights).map(Self).map_err(|e| e.to_string())
    }

    /// Calls a case, by its place in the list, so often, and gives the number that it made.
    pub fn run(&self, case: usize, times: u32) -> f64 {
        let Some(case) = CASES.get(case) else { return f64::NAN };
        let mut found = f64::NAN;
        for _ in 0..times {
            found = (case.run)(std::hint::black_box(&self.0));
        }
        found
    }
}

/// A graph as petgraph has it.
#[wasm_bindgen]
pub struct BenchPeer(PeerGraph);

#[wasm_bindgen]
impl BenchPeer {
    /// Makes a graph of nodes `0..n`.
    #[wasm_bindgen(constructor)]
    pub fn new(n: u32, directed: bool, from: &[u32], to: &[u32], weights: &[f64]) -> BenchPeer {
        Self(build_peer(n, directed, from, to, weights))
    }

    /// Calls an algorithm, by its place in the list, so often, and gives the number that it made.
    pub fn run(&self, case: usize, times: u32) -> f64 {
        let Some(case) = PETGRAPH.get(case) else { return f64::NAN };
        let mut found = f64::NAN;
        for _ in 0..times {
            found = (case.run)(std::hint::black_box(&self.0));
        }
        found
    }
}

/// The names of petgraph's algorithms, each with the most nodes that it is timed on.
#[wasm_bindgen]
pub fn peer_cases() -> Vec<String> {
    PETGRAPH.iter().map(|case| format!("{}|{}", case.name, case.most)).collect()
}

/// The names of the cases.
#[wasm_bindgen]
pub fn cases() -> Vec<String> {
    CASES.iter().map(|case| case.name.to_owned()).collect()
}

/// Says how many threads stand ready.
#[wasm_bindgen]
pub fn open(n_threads: usize) {
    graph::threads::open(n_threads);
}

/// Problems of every task as a file: `n` of each level.
#[wasm_bindgen]
pub fn make_dataset(n: u64) -> String {
    crate::cases::made(n)
}

/// Parses, solves and verifies such a file.
#[wasm_bindgen]
pub fn check_dataset(text: &str) -> Result<usize, String> {
    dataset(text).map_err(|e| e.to_string())
}

/// A large knowledge graph, as a file of triples and as what is read of it.
#[wasm_bindgen]
pub struct BenchKg(KgCase);

#[wasm_bindgen]
impl BenchKg {
    /// Makes the file.
    #[wasm_bindgen(constructor)]
    pub fn new(n_nodes: usize, n_edges: usize) -> Result<BenchKg, String> {
        KgCase::new(n_nodes, n_edges, 1).map(Self).map_err(|e| e.to_string())
    }

    /// The file's length.
    pub fn n_bytes(&self) -> usize {
        self.0.n_bytes()
    }

    /// Reads its lines.
    pub fn parse(&self) -> usize {
        self.0.parse()
    }

    /// Reads it and builds the graph.
    pub fn load(&mut self) -> Result<usize, String> {
        self.0.load().map_err(|e| e.to_string())
    }

    /// One hop over all types from so many nodes.
    pub fn one_hop(&self, n: usize) -> usize {
        self.0.one_hop(n)
    }

    /// Two hops from so many nodes.
    pub fn two_hops(&self, n: usize) -> usize {
        self.0.two_hops(n)
    }

    /// Bytes of an edge.
    pub fn bytes_per_edge(&self) -> f64 {
        self.0.weight().0
    }
}

/// Problems of one task at one level.
#[wasm_bindgen]
pub struct BenchTask(TaskCase);

#[wasm_bindgen]
impl BenchTask {
    /// How many there are: every task at every level that it has.
    pub fn count() -> usize {
        TaskCase::n()
    }

    /// Makes so many problems of the case at a place.
    #[wasm_bindgen(constructor)]
    pub fn new(place: usize, n: u32) -> Result<BenchTask, String> {
        TaskCase::new(place, n.into()).map(Self).ok_or_else(|| format!("no case {place}"))
    }

    /// The task's name, its level, and the most nodes of a problem.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.0.task, self.0.level, self.0.most_nodes())
    }

    /// Solves the problem at a place.
    pub fn solve(&self, at: usize) {
        self.0.solve(at);
    }

    /// Solves it and judges the solution; whether it is right.
    pub fn solve_and_judge(&self, at: usize) -> bool {
        self.0.solve_and_judge(at)
    }
}
