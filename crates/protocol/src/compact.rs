//! A graph in few letters, for links and for messages: nodes once, edges as pairs of their places.

use graph::{Delta, Graph, GraphError, NodeName};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A graph in few letters.
#[derive(Debug, Serialize, Deserialize)]
pub struct Compact {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    directed: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    weighted: bool,
    /// How many nodes there are.
    pub nodes: usize,
    /// Their names; without them they are 0, 1, ….
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<NodeName>,
    /// Of each edge two places among the nodes, then weight and capacity as far as there are any.
    /// Values and not an enum of the four forms: serde's code for those is large.
    pub edges: Vec<Vec<Value>>,
    /// Of the nodes in their order, where any has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    embeddings: Vec<Option<Vec<f64>>>,
}

impl Compact {
    /// The graph in few letters. O(n + m).
    pub fn of(graph: &Graph) -> Self {
        let names: Vec<NodeName> = graph.names().cloned().collect();
        let counted = names.iter().enumerate().all(|(i, name)| *name == NodeName::from(i));
        let places: FxHashMap<&NodeName, usize> =
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

    /// The graph.
    ///
    /// # Errors
    /// In words what is wrong with it: names that do not fit the nodes, an edge to none of them.
    pub fn graph(self) -> Result<Graph, String> {
        if self.nodes > Graph::MAX_NODES {
            return Err(format!("{} nodes; at most {} are read", self.nodes, Graph::MAX_NODES));
        }
        let names: Vec<NodeName> = if self.names.is_empty() {
            (0..self.nodes).map(NodeName::from).collect()
        } else {
            self.names
        };
        if names.len() != self.nodes {
            return Err(format!("{} names for {} nodes", names.len(), self.nodes));
        }
        let words = |e: GraphError| e.to_string();
        let mut graph = Graph::default();
        let (directed, weighted) = (self.directed, self.weighted);
        graph.apply(&Delta::Create { directed, weighted }).map_err(words)?;
        for node in &names {
            graph.apply(&Delta::AddNode { node: node.clone() }).map_err(words)?;
        }
        for (node, values) in names.iter().zip(self.embeddings) {
            if let Some(values) = values {
                graph.apply(&Delta::SetEmbedding { node: node.clone(), values }).map_err(words)?;
            }
        }
        for edge in self.edges {
            let text = || serde_json::to_string(&edge).unwrap_or_default();
            let end = |at: usize| {
                let place = edge.get(at).and_then(Value::as_u64);
                let name = place.and_then(|p| names.get(usize::try_from(p).ok()?)).cloned();
                name.ok_or_else(|| {
                    format!("the edge {} names no two of {} nodes", text(), names.len())
                })
            };
            let amount = |at: usize| match edge.get(at) {
                None | Some(Value::Null) => Ok(None),
                Some(value) => value.as_f64().map(Some).ok_or_else(|| {
                    format!("the edge {} has {value} where a number must be", text())
                }),
            };
            let (source, target) = (end(0)?, end(1)?);
            let (weight, capacity) = (amount(2)?, amount(3)?);
            graph.apply(&Delta::AddEdge { source, target, weight, capacity }).map_err(words)?;
        }
        Ok(graph)
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

/// How a graph stands in a message: in few letters, where its own JSON is one change after the other.
/// Of a hundred thousand edges that is a tenth of the letters, and the page reads them in one go.
pub mod message {
    use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
    use serde::de::{Error, MapAccess, SeqAccess, Visitor};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::{Compact, Graph};

    /// Writes a graph in few letters.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(graph: &Graph, to: S) -> Result<S::Ok, S::Error> {
        Compact::of(graph).serialize(to)
    }

    /// Reads a graph in few letters, or change by change.
    ///
    /// # Errors
    /// It is neither, or its edges do not fit its nodes.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Graph, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Graph;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a graph")
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Graph, M::Error> {
                let compact = Compact::deserialize(MapAccessDeserializer::new(map))?;
                compact.graph().map_err(M::Error::custom)
            }

            /// As a graph is written elsewhere: browsers keep runs that were made before.
            fn visit_seq<S: SeqAccess<'de>>(self, list: S) -> Result<Graph, S::Error> {
                Graph::deserialize(SeqAccessDeserializer::new(list))
            }
        }
        from.deserialize_any(Either)
    }
}

/// How a graph stands in a message as one text: in few letters.
pub mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Compact, Graph};
    use crate::exact;

    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Sent(#[serde(with = "super::message")] Graph);

    /// Writes a graph as JSON text in few letters.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(graph: &Graph, to: S) -> Result<S::Ok, S::Error> {
        exact::serialize(&Compact::of(graph), to)
    }

    /// Reads a graph from JSON text, in few letters or change by change.
    ///
    /// # Errors
    /// It is neither, or its edges do not fit its nodes.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Graph, D::Error> {
        exact::deserialize::<Sent, D>(from).map(|sent| sent.0)
    }
}

#[cfg(test)]
mod tests {
    use graph::generators::gnp;
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Held {
        #[serde(with = "message")]
        graph: Graph,
    }

    proptest! {
        #[test]
        fn a_graph_survives_a_message(n in 1usize..20, p in 0.0f64..1.0, directed: bool, seed: u64,
                                      weight in prop::option::of(-5.0f64..5.0),
                                      vector in prop::option::of(0.0f64..2.0), rename: bool) {
            let mut graph = gnp(n, p, directed, seed).unwrap();
            let mut deltas = graph.to_deltas();
            for delta in &mut deltas {
                if let Delta::AddEdge { weight: w, .. } = delta {
                    *w = weight;
                }
            }
            if rename {
                deltas.push(Delta::RenameNode { from: 0usize.into(), to: "Tom".into() });
            }
            if let Some(x) = vector {
                let node = if rename { "Tom".into() } else { 0usize.into() };
                deltas.push(Delta::SetEmbedding { node, values: vec![x, 1.0] });
            }
            graph = Graph::from_deltas(&deltas).unwrap();
            let text = serde_json::to_string(&Held { graph: graph.clone() }).unwrap();
            let held: Held = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(held.graph.to_deltas(), graph.to_deltas());
            // What was kept before, one change after the other, is read too.
            let old = serde_json::json!({ "graph": deltas }).to_string();
            let held: Held = serde_json::from_str(&old).unwrap();
            prop_assert_eq!(held.graph.to_deltas(), graph.to_deltas());
        }
    }
}
