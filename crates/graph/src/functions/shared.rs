//! What several functions have in common: types of their results, and how those come about.

use schemars::JsonSchema;
use serde::Serialize;

use super::eccentricity::eccentricity;
use super::{CallOutcome, FunctionError, bounds, parts};
use crate::exact::independent_set::{BoundedSet, MAX_NODES};
use crate::{Graph, NodeIdx, NodeName};

/// How large the graph is now.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Returns")]
pub struct GraphSize {
    /// How many nodes the graph has after the call.
    pub(super) n_nodes: usize,
    /// How many edges the graph has after the call.
    pub(super) n_edges: usize,
}

/// The components.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Returns")]
pub struct Components {
    /// How many components there are.
    n_components: usize,
    /// The nodes of each component.
    components: Vec<Vec<NodeName>>,
}

impl Components {
    pub(super) fn named(graph: &Graph, parts: &[Vec<NodeIdx>]) -> Self {
        let components: Vec<_> = parts.iter().map(|part| graph.names_of(part)).collect();
        Self { n_components: components.len(), components }
    }
}

/// The visit.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Returns")]
pub struct Visit {
    /// The nodes in the order of the visit.
    order: Vec<NodeName>,
}

impl Visit {
    pub(super) fn named(graph: &Graph, order: &[NodeIdx], out: &mut CallOutcome) -> Self {
        out.touched.nodes = graph.names_of(order);
        Self { order: out.touched.nodes.clone() }
    }
}

/// The value of one node.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeValue {
    /// The node.
    node: NodeName,
    /// From 0 to 1.
    value: f64,
}

impl NodeValue {
    /// The values of all nodes, in their order.
    pub(super) fn all(graph: &Graph, values: Vec<f64>) -> Vec<Self> {
        graph.names().zip(values).map(|(n, value)| Self { node: n.clone(), value }).collect()
    }
}

/// The centralities.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Returns")]
pub struct Centralities {
    /// One entry for each node.
    pub(super) values: Vec<NodeValue>,
}

/// The errors of functions that need the eccentricity of every node.
pub(super) const ECCENTRICITY_RAISES: &[(&str, &str)] = &[
    ("empty_graph", "The graph has no nodes."),
    ("not_connected", "Some node cannot reach another; the witness names the two."),
    ("negative_cycle", "A cycle of negative weight can be reached."),
    ("too_much_work", "The graph is too large for this."),
];

/// The nodes of the smallest eccentricity, or with `f64::max` of the largest, and that.
///
/// Sums of weights are compared with a relative tolerance of 1e-9.
pub(super) fn extreme(
    graph: &Graph,
    pick: fn(f64, f64) -> f64,
) -> Result<(Vec<NodeIdx>, f64), FunctionError> {
    let all = eccentricity(graph)?;
    // Nothing is picked before a number: `min` and `max` pass NaN over.
    let best = all.iter().map(|e| e.1).fold(f64::NAN, pick);
    let equal = |x: f64| (x - best).abs() <= 1e-9 * best.abs().max(1.0);
    Ok((all.iter().filter(|e| equal(e.1)).map(|e| e.0).collect(), best))
}

/// Searches for a set of nodes within the limits of a call: its names, and what is proven of it.
/// `doubt` says what may be missed where the search reaches its limit.
pub(super) fn bounded_set(
    graph: &Graph,
    out: &mut CallOutcome,
    search: fn(&Graph, u64) -> BoundedSet,
    doubt: &str,
) -> Result<(Vec<NodeName>, BoundedSet), FunctionError> {
    bounds::note_undirected(graph, out);
    parts::at_most("the graph", graph.n_nodes(), MAX_NODES)?;
    let found = search(graph, bounds::SEARCH_STEPS);
    if !found.is_proven {
        out.notes.push(bounds::unproven(bounds::SEARCH_STEPS, doubt));
    }
    out.touched.nodes = graph.names_of(&found.nodes);
    Ok((out.touched.nodes.clone(), found))
}
