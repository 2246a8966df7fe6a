//! How a graph grows, as whoever draws it hears of it.

use std::collections::BTreeMap;

use kg::property::{Changes, EdgeId, Element, NodeId, Properties, PropertyGraph};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An event of a run: the graph has changed.
#[derive(Clone, Debug)]
pub struct Grown {
    /// The graph as it is now.
    pub graph: PropertyGraph,
    /// What is new in it.
    pub growth: GraphGrowth,
}

/// A node as it is now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownNode {
    /// Its id, as queries know it.
    pub id: u64,
    /// How drawings and traces call it; no other node has the same.
    pub name: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its values.
    pub properties: Map<String, Value>,
}

/// An edge as it is now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrownEdge {
    /// Its id, as queries know it.
    pub id: u64,
    /// The id of the node that it starts at.
    pub source: u64,
    /// The id of the node that it ends at.
    pub target: u64,
    /// Its type.
    pub edge_type: String,
    /// Its values.
    pub properties: Map<String, Value>,
}

/// What a write made of a graph: what is new or other than before, and what is gone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphGrowth {
    /// Whether another graph takes the place of the one before: what follows is all of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_anew: bool,
    /// Nodes that are new or changed.
    pub nodes: Vec<GrownNode>,
    /// Edges that are new or changed.
    pub edges: Vec<GrownEdge>,
    /// The ids of nodes that are gone.
    pub gone_nodes: Vec<u64>,
    /// The ids of edges that are gone.
    pub gone_edges: Vec<u64>,
}

impl GraphGrowth {
    pub(super) fn of(
        now: &PropertyGraph,
        changes: &Changes,
        names: &BTreeMap<NodeId, String>,
    ) -> Self {
        let mut growth = Self::default();
        for element in changes.created.iter().chain(&changes.changed) {
            match element {
                Element::Node(id) => growth.nodes.extend(node(now, *id, names)),
                Element::Edge(id) => growth.edges.extend(edge(now, *id)),
            }
        }
        for element in &changes.deleted {
            match element {
                Element::Node(id) => growth.gone_nodes.push(id.0),
                Element::Edge(id) => growth.gone_edges.push(id.0),
            }
        }
        growth
    }

    pub(super) fn whole(now: &PropertyGraph, names: &BTreeMap<NodeId, String>) -> Self {
        Self {
            is_anew: true,
            nodes: now.nodes().filter_map(|(id, _)| node(now, id, names)).collect(),
            edges: now.edges().filter_map(|(id, _)| edge(now, id)).collect(),
            ..Self::default()
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

fn node(now: &PropertyGraph, id: NodeId, names: &BTreeMap<NodeId, String>) -> Option<GrownNode> {
    let node = now.node(id)?;
    Some(GrownNode {
        id: id.0,
        name: names.get(&id).cloned().unwrap_or_else(|| id.to_string()),
        labels: node.labels.iter().cloned().collect(),
        properties: json(&node.properties),
    })
}

fn edge(now: &PropertyGraph, id: EdgeId) -> Option<GrownEdge> {
    let edge = now.edge(id)?;
    Some(GrownEdge {
        id: id.0,
        source: edge.source.0,
        target: edge.target.0,
        edge_type: edge.edge_type.clone(),
        properties: json(&edge.properties),
    })
}

fn json(properties: &Properties) -> Map<String, Value> {
    properties.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
}
