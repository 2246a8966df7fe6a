//! How often a random walk comes by.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, bounds, sample,
};
use crate::{Adjacency, Graph, NodeName};

/// Gives the PageRank of each node: how often a random walk along the edges comes by. Uses the edge
/// weights if the graph is weighted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The chance that the walk goes on along an edge instead of jumping to any node, between 0 and
    /// 1; leave out for 0.85.
    #[serde(default)]
    pub damping: Option<f64>,
}

/// The ranks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// One entry for each node; all add up to 1.
    values: Vec<NodeValue>,
}

/// The value of one node.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeValue {
    /// The node.
    node: NodeName,
    /// The share of time.
    value: f64,
}

/// The PageRank of each node, in the order of the nodes, by power iteration until the sum of changes
/// is below 1e-12 (at most 1,000 rounds). A node without ways out jumps to any node.
///
/// petgraph's page_rank ignores weights and takes O(n²) a round.
///
/// # Errors
/// `bad_damping` outside (0, 1), `negative_weight`, `overflow`, `too_much_work`.
///
/// # Complexity
/// O(rounds·(n + m)).
pub fn pagerank(graph: &Graph, damping: f64) -> Result<Vec<f64>, FunctionError> {
    if !(damping > 0.0 && damping < 1.0) {
        return Err(FunctionError::new(
            "bad_damping",
            format!("damping is {damping}: give a number between 0 and 1, such as 0.85"),
        ));
    }
    let g = graph.adjacency();
    if let Some(e) = g.edges.iter().find(|e| e.2 < 0.0) {
        let name = |v: u32| graph.name(g.nodes[v as usize]);
        return Err(FunctionError::new(
            "negative_weight",
            format!(
                "edge ({}, {}) has weight {}: weights are chances here and must be at least 0",
                name(e.0),
                name(e.1),
                e.2
            ),
        ));
    }
    ranks(&g, damping)
}

/// The PageRank of each node of a bare structure whose weights are not negative, as [`pagerank`] has it.
///
/// # Errors
/// `overflow`, `too_much_work`.
///
/// # Complexity
/// O(rounds·(n + m)).
pub fn ranks(g: &Adjacency, damping: f64) -> Result<Vec<f64>, FunctionError> {
    let n = g.n_nodes();
    if n == 0 {
        return Ok(Vec::new());
    }
    let total: Vec<f64> =
        g.out.iter().map(|list| list.iter().map(|&(_, e)| g.edges[e as usize].2).sum()).collect();
    for &t in &total {
        bounds::finite(t)?;
    }
    let rounds = ((1e-12f64).ln() / damping.ln()).ceil().clamp(1.0, 1000.0) as u64;
    bounds::affordable((n + 2 * g.edges.len()) as u64 * rounds)?;
    // Which share of its rank a node hands to each neighbour, row by row.
    let shares: Vec<f64> = (g.out.iter().zip(&total))
        .flat_map(|(list, total)| list.iter().map(move |&(_, e)| (e, *total)))
        .map(|(e, total)| if total > 0.0 { g.edges[e as usize].2 / total } else { 0.0 })
        .collect();
    let mut rank = vec![1.0 / n as f64; n];
    let mut next = vec![0.0; n];
    for _ in 0..1000 {
        let lost: f64 = (0..n).filter(|&v| total[v] <= 0.0).map(|v| rank[v]).sum();
        let base = (1.0 - damping + damping * lost) / n as f64;
        next.fill(base);
        let mut rest = shares.as_slice();
        for (list, rank) in g.out.iter().zip(&rank) {
            let (row, after) = rest.split_at(list.len());
            rest = after;
            for (&(v, _), share) in list.iter().zip(row) {
                next[v as usize] += damping * rank * share;
            }
        }
        let change: f64 = rank.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        std::mem::swap(&mut rank, &mut next);
        if change < 1e-12 {
            break;
        }
    }
    Ok(rank)
}

pub(super) struct PagerankFunction;

impl Typed for PagerankFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, _: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let values = pagerank(graph, args.damping.unwrap_or(0.85))?;
        let nodes = graph.names().zip(values).map(|(n, v)| NodeValue { node: n.clone(), value: v });
        Ok(Returns { values: nodes.collect() })
    }
}

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<PagerankFunction>(Facts {
    name: "pagerank",
    title: "PageRank",
    group: Group::Metrics,
    paper: "",
    writes: false,
    raises: &[
        ("bad_damping", "The damping is not between 0 and 1."),
        ("negative_weight", "A weight is negative."),
        ("overflow", "The weights add up to more than a number can hold."),
        ("too_much_work", "The graph is too large for this."),
    ],
    complexity: "O(rounds·(n + m)), at most 1,000 rounds",
    example: || Example {
        graph: sample::directed(&[(0, 1), (1, 2), (2, 0), (3, 2)]),
        arguments: json!({}),
    },
});
