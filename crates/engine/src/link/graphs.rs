//! A graph in few letters: nodes once, edges as pairs of their places.

use graph::{Delta, Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::LinkError;

/// The nodes of a graph.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Nodes {
    /// 0, 1, … up to this number, which is not among them.
    Counted(u32),
    /// Any names, in order.
    Named(Vec<NodeName>),
}

/// An edge: two places among the nodes, then weight and capacity as far as there are any.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Edge {
    Plain(u32, u32),
    Weighted(u32, u32, f64),
    Full(u32, u32, Option<f64>, Option<f64>),
}

/// A graph as a link has it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Compact {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    directed: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    weighted: bool,
    nodes: Nodes,
    edges: Vec<Edge>,
    /// Of the nodes in their order, where any has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    embeddings: Vec<Option<Vec<f64>>>,
}

/// The most nodes of a graph in a link: a counted list of them needs no letters at all.
const MAX_NODES: u32 = 50_000;

impl Compact {
    pub(super) fn of(graph: &Graph) -> Self {
        let names: Vec<NodeName> = graph.names().cloned().collect();
        let counted = names.iter().enumerate().all(|(i, name)| *name == NodeName::from(i));
        let place = |name: &NodeName| {
            let at = if counted {
                name.as_int().and_then(|i| u32::try_from(i).ok())
            } else {
                names.iter().position(|n| n == name).and_then(|i| u32::try_from(i).ok())
            };
            at.unwrap_or(u32::MAX)
        };
        let edges = graph
            .edges()
            .map(|e| {
                let (a, b) = (place(e.source), place(e.target));
                match (e.weight, e.capacity) {
                    (None, None) => Edge::Plain(a, b),
                    (Some(w), None) => Edge::Weighted(a, b, w),
                    (w, c) => Edge::Full(a, b, w, c),
                }
            })
            .collect();
        let embeddings: Vec<Option<Vec<f64>>> =
            graph.indices().map(|i| graph.embedding(i).map(<[f64]>::to_vec)).collect();
        let none = embeddings.iter().all(Option::is_none);
        Self {
            directed: graph.is_directed(),
            weighted: graph.is_weighted(),
            nodes: match u32::try_from(names.len()) {
                Ok(n) if counted => Nodes::Counted(n),
                _ => Nodes::Named(names),
            },
            edges,
            embeddings: if none { Vec::new() } else { embeddings },
        }
    }

    pub(super) fn graph(self) -> Result<Graph, LinkError> {
        let names: Vec<NodeName> = match self.nodes {
            Nodes::Counted(n) if n > MAX_NODES => {
                return Err(LinkError::Graph {
                    reason: format!("{n} nodes; at most {MAX_NODES} are read"),
                });
            }
            Nodes::Counted(n) => (0..i64::from(n)).map(NodeName::from).collect(),
            Nodes::Named(names) => names,
        };
        let name = |place: u32| {
            let found = usize::try_from(place).ok().and_then(|i| names.get(i)).cloned();
            found.ok_or_else(|| LinkError::Graph {
                reason: format!("an edge names node {place} of {}", names.len()),
            })
        };
        let mut deltas = vec![Delta::Create { directed: self.directed, weighted: self.weighted }];
        deltas.extend(names.iter().map(|n| Delta::AddNode { node: n.clone() }));
        for (node, values) in names.iter().zip(self.embeddings) {
            deltas.extend(values.map(|values| Delta::SetEmbedding { node: node.clone(), values }));
        }
        for edge in self.edges {
            let (a, b, weight, capacity) = match edge {
                Edge::Plain(a, b) => (a, b, None, None),
                Edge::Weighted(a, b, w) => (a, b, Some(w), None),
                Edge::Full(a, b, w, c) => (a, b, w, c),
            };
            deltas.push(Delta::AddEdge { source: name(a)?, target: name(b)?, weight, capacity });
        }
        Graph::from_deltas(&deltas).map_err(|e| LinkError::Graph { reason: e.to_string() })
    }
}
