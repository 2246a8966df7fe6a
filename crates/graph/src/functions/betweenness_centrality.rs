//! How many shortest paths pass a node.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub use super::shared::{Centralities as Returns, NodeValue};
use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::search::Hops;
use crate::{Adjacency, Graph, Rows, threads};

/// Gives the betweenness centrality of each node: the share of shortest paths between other nodes
/// that pass through it. Counts edges; weights are ignored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The share of shortest paths between other nodes that pass each node, in the order of the nodes,
/// normalised by the number of pairs.
///
/// Brandes' algorithm. rustworkx-core has it too, but through its `rand` it needs a source of
/// randomness that a bare wasm32 target lacks, and it brings threads that a browser may not have.
/// Of more than 64 nodes the sums are made block by block, so that threads can share them.
///
/// # Errors
/// `too_much_work`, `overflow`.
///
/// # Complexity
/// O(n·(n + m)).
pub fn betweenness_centrality(graph: &Graph) -> Result<Vec<f64>, FunctionError> {
    bounds::search_from_each(graph)?;
    let g = graph.adjacency();
    let n = g.n_nodes();
    let all: Vec<u32> = (0..n as u32).collect();
    let between = shares_from(&g, &all);
    // Layer upon layer may give more shortest paths than a number can count.
    if between.iter().any(|b: &f64| !b.is_finite()) {
        return Err(FunctionError::new(
            "overflow",
            "there are more shortest paths than a number can count: use a smaller graph",
        ));
    }
    let pairs = (n as f64 - 1.0) * (n as f64 - 2.0);
    Ok(between.into_iter().map(|b| if pairs > 0.0 { b / pairs } else { 0.0 }).collect())
}

/// For each node, what share of the shortest paths from these nodes to all others pass it, added up.
/// From all nodes that is the betweenness before it is normalised; from some that were drawn by chance,
/// divided by their number and multiplied by n, an estimate of it (Brandes and Pich, "Centrality
/// Estimation in Large Networks", 2007).
///
/// # Complexity
/// O(n + m) for each of them.
pub fn shares_from(g: &Adjacency, sources: &[u32]) -> Vec<f64> {
    let n = g.n_nodes();
    let work = (sources.len() * (n + 2 * g.edges.len())) as u64;
    let blocks = threads::blocks(sources.len());
    let of_block = |paths: &mut Paths, block: usize| {
        let mut between = vec![0.0f64; n];
        for &s in &sources[blocks[block].clone()] {
            paths.add_from(&g.out, s as usize, &mut between);
        }
        between
    };
    // One block after the other, whoever computed it: sums of such numbers depend on their order.
    let mut between = vec![0.0f64; n];
    for part in threads::map(blocks.len(), work, || Paths::new(n), of_block) {
        between.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
    }
    between
}

/// The shortest paths from one node, in memory that the next one uses again.
struct Paths {
    hops: Hops,
    /// How many shortest paths lead to each node.
    ways: Vec<f64>,
    /// The share of those paths that go on through each node.
    share: Vec<f64>,
}

impl Paths {
    fn new(n: usize) -> Self {
        Self { hops: Hops::new(n), ways: vec![0.0; n], share: vec![0.0; n] }
    }

    /// Adds the share of the paths from `s` that pass each node.
    fn add_from(&mut self, rows: &Rows, s: usize, between: &mut [f64]) {
        let Self { hops, ways, share } = self;
        hops.search(rows, s as u32);
        let depth = &hops.depth;
        for &u in &hops.order {
            (ways[u as usize], share[u as usize]) = (0.0, 0.0);
        }
        ways[s] = 1.0;
        for &u in &hops.order {
            let (through, below) = (ways[u as usize], depth[u as usize] + 1);
            for &(v, _) in &rows[u as usize] {
                if depth[v as usize] == below {
                    ways[v as usize] += through;
                }
            }
        }
        for &u in hops.order.iter().rev() {
            let u = u as usize;
            let (through, below) = (ways[u], depth[u] + 1);
            let mut sum = 0.0;
            for &(v, _) in &rows[u] {
                let v = v as usize;
                if depth[v] == below {
                    sum += through / ways[v] * (1.0 + share[v]);
                }
            }
            share[u] = sum;
            if u != s {
                between[u] += sum;
            }
        }
    }
}

pub(super) struct BetweennessCentralityFunction;

impl Typed for BetweennessCentralityFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, _: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        bounds::note_unweighted(graph, out);
        Ok(Returns { values: NodeValue::all(graph, betweenness_centrality(graph)?) })
    }
}

pub(super) const FUNCTION: GraphFunction =
    GraphFunction::new::<BetweennessCentralityFunction>(Facts {
        name: "betweenness_centrality",
        title: "Betweenness centrality",
        group: Group::Metrics,
        paper: "",
        writes: false,
        raises: &[
            ("too_much_work", "The graph is too large for this."),
            ("overflow", "There are more shortest paths than a number can count."),
        ],
        complexity: "O(n·(n + m))",
        example: || Example {
            graph: sample::undirected(&[(0, 1), (1, 2), (2, 3), (1, 4)]),
            arguments: json!({}),
        },
    });
