//! Maximum flow and minimum cut.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CallOutcome, Example, Facts, FunctionError, GraphFunction, Group, Typed, sample};
use crate::{Graph, NodeIdx, NodeName};

/// Finds the maximum flow from a source node to a sink node, with the flow on each edge and a
/// minimum cut. The capacity of an edge is its capacity, else its weight, else 1.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The node where the flow starts.
    pub source: NodeName,
    /// The node where the flow ends.
    pub sink: NodeName,
}

/// The flow on one edge.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EdgeFlow {
    /// Where the flow enters the edge.
    source: NodeName,
    /// Where it leaves it.
    target: NodeName,
    /// How much flows.
    flow: f64,
}

/// A maximum flow and a minimum cut that proves it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Returns {
    /// The value of the maximum flow.
    max_flow: f64,
    /// The edges that carry flow.
    flow: Vec<EdgeFlow>,
    /// The edges of a minimum cut: their capacities add up to the value.
    min_cut: Vec<[NodeName; 2]>,
}

/// A maximum flow with a minimum cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaxFlow {
    /// How much flows from source to sink.
    pub value: f64,
    /// The edges with a positive flow, in the direction in which it runs.
    pub flow: Vec<(NodeIdx, NodeIdx, f64)>,
    /// The edges that lead out of `source_side`; their capacities add up to `value`.
    pub cut: Vec<(NodeIdx, NodeIdx)>,
    /// The nodes on the source's side of the cut.
    pub source_side: Vec<NodeIdx>,
}

struct Arc {
    to: u32,
    residual: f64,
}

/// Residual network: arc `2e` is edge `e` forward, `2e + 1` backward.
struct Network {
    arcs: Vec<Arc>,
    out: Vec<Vec<u32>>,
}

impl Network {
    fn levels(&self, s: u32) -> Vec<u32> {
        let mut level = vec![u32::MAX; self.out.len()];
        level[s as usize] = 0;
        let mut queue = VecDeque::from([s]);
        while let Some(u) = queue.pop_front() {
            for &a in &self.out[u as usize] {
                let arc = &self.arcs[a as usize];
                if arc.residual > 0.0 && level[arc.to as usize] == u32::MAX {
                    level[arc.to as usize] = level[u as usize] + 1;
                    queue.push_back(arc.to);
                }
            }
        }
        level
    }

    /// Pushes along level paths until none is left; each path empties an arc exactly, so this ends
    /// for any capacities, not only whole ones.
    fn block(&mut self, s: u32, t: u32, level: &[u32]) -> f64 {
        let mut next = vec![0usize; self.out.len()];
        let mut path: Vec<u32> = Vec::new();
        let mut total = 0.0;
        let mut at = s;
        loop {
            if at == t {
                let push = path
                    .iter()
                    .map(|&a| self.arcs[a as usize].residual)
                    .fold(f64::INFINITY, f64::min);
                total += push;
                let mut keep = path.len();
                for (i, &a) in path.iter().enumerate() {
                    self.arcs[a as usize].residual -= push;
                    self.arcs[(a ^ 1) as usize].residual += push;
                    if self.arcs[a as usize].residual <= 0.0 {
                        keep = keep.min(i);
                    }
                }
                path.truncate(keep);
                at = path.last().map_or(s, |&a| self.arcs[a as usize].to);
                continue;
            }
            let arcs = &self.out[at as usize];
            let found = arcs[next[at as usize]..].iter().position(|&a| {
                let arc = &self.arcs[a as usize];
                arc.residual > 0.0 && level[arc.to as usize] == level[at as usize].wrapping_add(1)
            });
            if let Some(skip) = found {
                next[at as usize] += skip;
                let a = arcs[next[at as usize]];
                path.push(a);
                at = self.arcs[a as usize].to;
            } else {
                next[at as usize] = arcs.len();
                if path.pop().is_none() {
                    return total;
                }
                at = path.last().map_or(s, |&a| self.arcs[a as usize].to);
                next[at as usize] += 1;
            }
        }
    }
}

/// A maximum flow from `source` to `sink`, and a minimum cut.
///
/// An edge takes its capacity, else its weight, else 1; an undirected edge can be used either way.
/// Opposite edges of a directed graph are two edges; flow that would run both ways is cancelled.
///
/// Dinic's algorithm. petgraph has Dinic too, but hands back no cut and takes no undirected edge.
///
/// # Errors
/// `same_node` if source and sink are one, `negative_capacity` if a weight that stands in for a
/// capacity is negative, `overflow` if the capacities add up to more than a number can hold.
///
/// # Complexity
/// O(n²·m). Paper: Graph-Grounded LLMs §III (v).
pub fn max_flow(graph: &Graph, source: NodeIdx, sink: NodeIdx) -> Result<MaxFlow, FunctionError> {
    if source == sink {
        return Err(FunctionError::new(
            "same_node",
            format!("source and sink are both {}: give two different nodes", graph.name(source)),
        ));
    }
    let adjacency = graph.adjacency();
    let (s, t) = (adjacency.position(source), adjacency.position(sink));
    let mut network = Network {
        arcs: Vec::with_capacity(2 * graph.n_edges()),
        out: (0..adjacency.n_nodes())
            .map(|v| {
                let into = adjacency.into.get(v).unwrap_or_default();
                Vec::with_capacity(adjacency.out[v].len() + into.len())
            })
            .collect(),
    };
    let mut capacities = Vec::with_capacity(graph.n_edges());
    let mut total = 0.0;
    for (edge, &(u, v, _)) in graph.edges().zip(&adjacency.edges) {
        let capacity = edge.capacity_or_weight();
        if capacity < 0.0 {
            return Err(FunctionError::new(
                "negative_capacity",
                format!(
                    "the capacity of edge ({}, {}) must be at least 0, got {capacity}",
                    edge.source, edge.target
                ),
            ));
        }
        total += capacity;
        capacities.push(capacity);
        let id = network.arcs.len() as u32;
        let back = if adjacency.directed { 0.0 } else { capacity };
        network.arcs.push(Arc { to: v, residual: capacity });
        network.arcs.push(Arc { to: u, residual: back });
        // A loop carries nothing anywhere.
        if u != v {
            network.out[u as usize].push(id);
            network.out[v as usize].push(id + 1);
        }
    }
    if !f64::is_finite(total * 2.0) {
        return Err(FunctionError::new(
            "overflow",
            "the capacities add up to more than a number can hold: use smaller ones",
        ));
    }
    let mut value = 0.0;
    let level = loop {
        let level = network.levels(s);
        if level[t as usize] == u32::MAX {
            break level;
        }
        value += network.block(s, t, &level);
    };

    let mut carried: Vec<f64> =
        capacities.iter().enumerate().map(|(e, c)| c - network.arcs[2 * e].residual).collect();
    if adjacency.directed {
        let mut carrying: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for e in 0..carried.len() {
            let (u, v, _) = adjacency.edges[e];
            if carried[e] <= 0.0 {
                continue;
            }
            if let Some(&o) = carrying.get(&(v, u)) {
                let both = carried[e].min(carried[o]);
                carried[e] -= both;
                carried[o] -= both;
            }
            carrying.insert((u, v), e);
        }
    }
    let mut flow = Vec::new();
    let mut cut = Vec::new();
    for (&(u, v, _), &f) in adjacency.edges.iter().zip(&carried) {
        let (a, b) = (adjacency.nodes[u as usize], adjacency.nodes[v as usize]);
        if f > 0.0 {
            flow.push((a, b, f));
        } else if f < 0.0 {
            flow.push((b, a, -f));
        }
        match (level[u as usize] != u32::MAX, level[v as usize] != u32::MAX) {
            (true, false) => cut.push((a, b)),
            (false, true) if !adjacency.directed => cut.push((b, a)),
            _ => {}
        }
    }
    let source_side = (0..adjacency.n_nodes())
        .filter(|&i| level[i] != u32::MAX)
        .map(|i| adjacency.nodes[i])
        .collect();
    Ok(MaxFlow { value, flow, cut, source_side })
}

pub(super) struct MaxFlowFunction;

impl Typed for MaxFlowFunction {
    type Args = Args;
    type Returns = Returns;
    fn call(graph: &Graph, args: Args, out: &mut CallOutcome) -> Result<Returns, FunctionError> {
        let found = max_flow(graph, graph.index(&args.source)?, graph.index(&args.sink)?)?;
        let name = |i: NodeIdx| graph.name(i).clone();
        out.touched.nodes = vec![args.source, args.sink];
        out.touched.edges = found.flow.iter().map(|f| (name(f.0), name(f.1))).collect();
        Ok(Returns {
            max_flow: found.value,
            flow: found
                .flow
                .iter()
                .map(|f| EdgeFlow { source: name(f.0), target: name(f.1), flow: f.2 })
                .collect(),
            min_cut: found.cut.iter().map(|c| [name(c.0), name(c.1)]).collect(),
        })
    }
}

pub(super) const RAISES: &[(&str, &str)] = &[
    ("unknown_node", "A node is not in the graph."),
    ("same_node", "Source and sink are the same node."),
    ("negative_capacity", "A weight that stands in for a capacity is negative."),
    ("overflow", "The capacities add up to more than a number can hold."),
];

pub(super) const FUNCTION: GraphFunction = GraphFunction::new::<MaxFlowFunction>(Facts {
    name: "max_flow",
    title: "Maximum flow",
    group: Group::Flow,
    paper: "Graph-Grounded LLMs §III (v)",
    writes: false,
    raises: RAISES,
    complexity: "O(n²·m)",
    example: || Example {
        graph: sample::network(&[(0, 1, 3.0), (0, 2, 2.0), (1, 2, 5.0), (1, 3, 2.0), (2, 3, 3.0)]),
        arguments: json!({ "source": 0, "sink": 3 }),
    },
});
