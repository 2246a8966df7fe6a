//! Parts of a graph that a call names by their nodes.

use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::Serialize;

use super::FunctionError;
use crate::{Graph, NodeIdx, NodeName};

/// The errors of a call that names two parts.
pub(super) const RAISES: &[(&str, &str)] = &[
    ("unknown_node", "A node is not in the graph."),
    ("repeated_node", "A part has a node twice."),
    ("node_in_both", "A node is in both parts."),
    ("too_many_nodes", "A part has too many nodes for this search."),
];

/// A node of one part and its partner in the other.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PartnerPair {
    /// The node of the one part.
    node: NodeName,
    /// Its partner in the other.
    partner: NodeName,
}

impl PartnerPair {
    /// Pairs of places as pairs of names.
    pub(super) fn all(one: &Graph, other: &Graph, pairs: &[(NodeIdx, NodeIdx)]) -> Vec<Self> {
        let pair = |&(v, w): &(NodeIdx, NodeIdx)| Self {
            node: one.name(v).clone(),
            partner: other.name(w).clone(),
        };
        pairs.iter().map(pair).collect()
    }

    /// The nodes of all pairs.
    pub(super) fn nodes(pairs: &[Self]) -> Vec<NodeName> {
        pairs.iter().flat_map(|p| [p.node.clone(), p.partner.clone()]).collect()
    }
}

/// A part that a call names: the argument, its nodes, and the most that it may have.
pub(super) struct Named<'a> {
    pub(super) argument: &'a str,
    pub(super) nodes: Option<&'a [NodeName]>,
    pub(super) at_most: usize,
}

/// Two parts of a graph without a node in common, each with the edges among its nodes. The second has
/// all nodes that the first has not where it is not given.
///
/// # Errors
/// Those of [`RAISES`].
///
/// # Complexity
/// O(n + m).
pub(super) fn two(
    graph: &Graph,
    first: &Named<'_>,
    second: &Named<'_>,
) -> Result<(Graph, Graph), FunctionError> {
    let of_first = places(graph, first)?;
    let taken: FxHashSet<NodeIdx> = of_first.iter().copied().collect();
    let of_second = match second.nodes {
        Some(_) => {
            let of_second = places(graph, second)?;
            if let Some(&both) = of_second.iter().find(|v| taken.contains(v)) {
                return Err(FunctionError::new(
                    "node_in_both",
                    format!(
                        "node {} is in `{}` and in `{}`: give each node to one of them",
                        graph.name(both),
                        first.argument,
                        second.argument
                    ),
                ));
            }
            of_second
        }
        None => graph.indices().filter(|v| !taken.contains(v)).collect(),
    };
    at_most(&format!("`{}`", first.argument), of_first.len(), first.at_most)?;
    let what = match second.nodes {
        Some(_) => format!("`{}`", second.argument),
        None => format!("`{}`, which is all that is not in `{}`,", second.argument, first.argument),
    };
    at_most(&what, of_second.len(), second.at_most)?;
    Ok((part(graph, &of_first)?, part(graph, &of_second)?))
}

/// Refuses what a search cannot take.
pub(super) fn at_most(what: &str, n: usize, limit: usize) -> Result<(), FunctionError> {
    if n <= limit {
        return Ok(());
    }
    Err(FunctionError::new(
        "too_many_nodes",
        format!("{what} has {n} nodes, and this search takes at most {limit}"),
    ))
}

/// The places of nodes that are named once each.
fn places(graph: &Graph, named: &Named<'_>) -> Result<Vec<NodeIdx>, FunctionError> {
    let nodes = named.nodes.unwrap_or_default();
    let mut seen = FxHashSet::default();
    let mut places = Vec::with_capacity(nodes.len());
    for node in nodes {
        let place = graph.index(node)?;
        if !seen.insert(place) {
            return Err(FunctionError::new(
                "repeated_node",
                format!("`{}` has node {node} twice: give each node once", named.argument),
            ));
        }
        places.push(place);
    }
    Ok(places)
}

/// Some nodes of a graph, in their order here, with the edges among them.
fn part(graph: &Graph, nodes: &[NodeIdx]) -> Result<Graph, FunctionError> {
    let mut part = if graph.is_directed() { Graph::directed() } else { Graph::undirected() };
    let mut place = FxHashMap::default();
    for &v in nodes {
        place.insert(v, part.ensure_node(graph.name(v).clone())?);
    }
    for edge in graph.edges() {
        if let (Some(&a), Some(&b)) = (place.get(&edge.source_idx), place.get(&edge.target_idx)) {
            part.link_places(a, b, edge.weight, edge.capacity)?;
        }
    }
    Ok(part)
}
