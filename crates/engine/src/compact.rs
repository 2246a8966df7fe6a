//! A graph in few letters: nodes once, edges as pairs of their places.

use std::collections::BTreeMap;

use graph::{Delta, Graph, NodeName};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LinkError;

/// A graph as a link has it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Compact {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    directed: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    weighted: bool,
    /// How many nodes there are.
    nodes: usize,
    /// Their names; without them they are 0, 1, ….
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<NodeName>,
    /// Of each edge two places among the nodes, then weight and capacity as far as there are any.
    /// Values and not an enum of the four forms: serde's code for those is large.
    edges: Vec<Vec<Value>>,
    /// Of the nodes in their order, where any has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    embeddings: Vec<Option<Vec<f64>>>,
}

/// The most nodes of a graph in a link: without names they need no letters at all.
const MAX_NODES: usize = 50_000;

impl Compact {
    pub(super) fn of(graph: &Graph) -> Self {
        let names: Vec<NodeName> = graph.names().cloned().collect();
        let counted = names.iter().enumerate().all(|(i, name)| *name == NodeName::from(i));
        let places: BTreeMap<&NodeName, usize> =
            names.iter().enumerate().map(|(i, name)| (name, i)).collect();
        let edges = graph
            .edges()
            .map(|e| {
                let mut edge = vec![places[e.source].into(), places[e.target].into()];
                if e.weight.is_some() || e.capacity.is_some() {
                    edge.push(number(e.weight));
                }
                if e.capacity.is_some() {
                    edge.push(number(e.capacity));
                }
                edge
            })
            .collect();
        let embeddings: Vec<Option<Vec<f64>>> =
            graph.indices().map(|i| graph.embedding(i).map(<[f64]>::to_vec)).collect();
        let none = embeddings.iter().all(Option::is_none);
        Self {
            directed: graph.is_directed(),
            weighted: graph.is_weighted(),
            nodes: names.len(),
            edges,
            embeddings: if none { Vec::new() } else { embeddings },
            names: if counted { Vec::new() } else { names },
        }
    }

    pub(super) fn graph(self) -> Result<Graph, LinkError> {
        let wrong = |reason: String| LinkError::Graph { reason };
        if self.nodes > MAX_NODES {
            return Err(wrong(format!("{} nodes; at most {MAX_NODES} are read", self.nodes)));
        }
        let names: Vec<NodeName> = if self.names.is_empty() {
            (0..self.nodes).map(NodeName::from).collect()
        } else {
            self.names
        };
        if names.len() != self.nodes {
            return Err(wrong(format!("{} names for {} nodes", names.len(), self.nodes)));
        }
        let mut deltas = vec![Delta::Create { directed: self.directed, weighted: self.weighted }];
        deltas.extend(names.iter().map(|n| Delta::AddNode { node: n.clone() }));
        for (node, values) in names.iter().zip(self.embeddings) {
            deltas.extend(values.map(|values| Delta::SetEmbedding { node: node.clone(), values }));
        }
        for edge in self.edges {
            let text = || serde_json::to_string(&edge).unwrap_or_default();
            let end = |at: usize| {
                let place = edge.get(at).and_then(Value::as_u64);
                let name = place.and_then(|p| names.get(usize::try_from(p).ok()?)).cloned();
                name.ok_or_else(|| {
                    wrong(format!("the edge {} names no two of {} nodes", text(), names.len()))
                })
            };
            let amount = |at: usize| match edge.get(at) {
                None | Some(Value::Null) => Ok(None),
                Some(value) => value.as_f64().map(Some).ok_or_else(|| {
                    wrong(format!("the edge {} has {value} where a number must be", text()))
                }),
            };
            deltas.push(Delta::AddEdge {
                source: end(0)?,
                target: end(1)?,
                weight: amount(2)?,
                capacity: amount(3)?,
            });
        }
        Graph::from_deltas(&deltas).map_err(|e| wrong(e.to_string()))
    }
}

/// A number in as few letters as it can have: 3 and not 3.0.
fn number(value: Option<f64>) -> Value {
    const EXACT: f64 = 9e15;
    match value {
        Some(x) if x.fract() == 0.0 && x.abs() < EXACT && !(x == 0.0 && x.is_sign_negative()) => {
            Value::from(x as i64)
        }
        other => other.into(),
    }
}
