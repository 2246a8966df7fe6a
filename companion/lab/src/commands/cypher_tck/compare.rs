//! Compares what the engine gives with what the kit expects: tables and side effects.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use cypher::CypherValue;
use kg::property::{
    EdgeId, NodeId, Properties, PropertyEdge, PropertyGraph, PropertyNode, PropertyValue,
};

use super::expected::{KitEdge, KitHop, KitMap, KitNode, KitValue};

/// Rows under columns, in the kit's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KitTable {
    /// The names of the columns, in their order.
    pub columns: Vec<String>,
    /// The rows, each as long as the columns are.
    pub rows: Vec<Vec<KitValue>>,
}

/// Which order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// That of the rows.
    pub of_rows: bool,
    /// That within lists.
    pub in_lists: bool,
}

impl KitTable {
    /// Whether both tables are the same but for the order that does not count.
    pub(crate) fn equals(&self, other: &Self, order: Order) -> bool {
        self.columns == other.columns && self.comparable(order) == other.comparable(order)
    }

    fn comparable(&self, order: Order) -> Vec<Vec<KitValue>> {
        let mut rows = self.rows.clone();
        if !order.in_lists {
            for value in rows.iter_mut().flatten() {
                *value = std::mem::replace(value, KitValue::Null).without_order();
            }
        }
        if !order.of_rows {
            rows.sort();
        }
        rows
    }
}

impl fmt::Display for KitTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} |", self.columns.join(" | "))?;
        for row in &self.rows {
            f.write_str("\n|")?;
            for value in row {
                write!(f, " {value} |")?;
            }
        }
        Ok(())
    }
}

/// What a value of the engine is in the kit's notation; the graph knows what the ids stand for.
pub(crate) fn to_kit(value: &CypherValue, graph: &PropertyGraph) -> KitValue {
    match value {
        CypherValue::Null => KitValue::Null,
        CypherValue::Bool(b) => KitValue::Bool(*b),
        CypherValue::Int(int) => KitValue::Int(*int),
        CypherValue::Float(float) => KitValue::float(*float),
        CypherValue::Text(text) => KitValue::Text(text.to_string()),
        CypherValue::List(list) => {
            KitValue::List(list.iter().map(|value| to_kit(value, graph)).collect())
        }
        CypherValue::Map(map) => {
            let names = map.iter().map(|(name, value)| (name.clone(), to_kit(value, graph)));
            KitValue::Map(names.collect())
        }
        CypherValue::Node(id) => graph.node(*id).map_or_else(
            || KitValue::Other(format!("node {id}, which is not in the graph")),
            |node| KitValue::Node(kit_node(node)),
        ),
        CypherValue::Edge(id) => graph.edge(*id).map_or_else(
            || KitValue::Other(format!("relationship {id}, which is not in the graph")),
            |edge| KitValue::Edge(kit_edge(edge)),
        ),
        CypherValue::Path(path) => kit_path(&path.nodes, &path.edges, graph)
            .unwrap_or_else(|| KitValue::Other(format!("{path:?}, which is not in the graph"))),
        other => KitValue::Other(format!("{other:?}")),
    }
}

fn kit_node(node: &PropertyNode) -> KitNode {
    KitNode { labels: node.labels.clone(), properties: kit_map(&node.properties) }
}

fn kit_edge(edge: &PropertyEdge) -> KitEdge {
    KitEdge { edge_type: edge.edge_type.clone(), properties: kit_map(&edge.properties) }
}

fn kit_map(properties: &Properties) -> KitMap {
    properties.iter().map(|(name, value)| (name.clone(), kit_property(value))).collect()
}

fn kit_property(value: &PropertyValue) -> KitValue {
    match value {
        PropertyValue::Bool(b) => KitValue::Bool(*b),
        PropertyValue::Int(int) => KitValue::Int(*int),
        PropertyValue::Float(float) => KitValue::float(*float),
        PropertyValue::Text(text) => KitValue::Text(text.clone()),
        PropertyValue::List(list) => KitValue::List(list.iter().map(kit_property).collect()),
        // The kit writes down no places.
        PropertyValue::Point(point) => KitValue::Other(point.to_wkt()),
    }
}

/// The path in the kit's notation, where its parts are in the graph and hang together. A hop along
/// a loop goes with the arrow.
fn kit_path(nodes: &[NodeId], edges: &[EdgeId], graph: &PropertyGraph) -> Option<KitValue> {
    let (first, rest) = nodes.split_first()?;
    if rest.len() != edges.len() {
        return None;
    }
    let mut from = *first;
    let mut hops = Vec::new();
    for (edge, to) in edges.iter().zip(rest) {
        let edge = graph.edge(*edge)?;
        let forward = (edge.source, edge.target) == (from, *to);
        if !forward && (edge.target, edge.source) != (from, *to) {
            return None;
        }
        hops.push(KitHop { forward, edge: kit_edge(edge), node: kit_node(graph.node(*to)?) });
        from = *to;
    }
    Some(KitValue::Path(kit_node(graph.node(*first)?), hops))
}

/// What a value of the kit is as a parameter; nothing where it stands for a part of a graph.
pub(crate) fn to_parameter(value: &KitValue) -> Option<CypherValue> {
    Some(match value {
        KitValue::Null => CypherValue::Null,
        KitValue::Bool(b) => CypherValue::Bool(*b),
        KitValue::Int(int) => CypherValue::Int(*int),
        KitValue::Float(float) => CypherValue::Float(float.get()),
        KitValue::Text(text) => CypherValue::text(text.as_str()),
        KitValue::List(list) => {
            CypherValue::list(list.iter().map(to_parameter).collect::<Option<_>>()?)
        }
        KitValue::Map(map) => {
            let names = map.iter().map(|(name, value)| Some((name.clone(), to_parameter(value)?)));
            CypherValue::map(names.collect::<Option<_>>()?)
        }
        KitValue::Node(_) | KitValue::Edge(_) | KitValue::Path(..) | KitValue::Other(_) => {
            return None;
        }
    })
}

/// The names of all side effects, as the kit's tables write them.
pub(crate) const SIDE_EFFECTS: [&str; 8] = [
    "+nodes",
    "-nodes",
    "+relationships",
    "-relationships",
    "+labels",
    "-labels",
    "+properties",
    "-properties",
];

/// How many of each; none are left out, so that tables without their rows are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideEffects(BTreeMap<&'static str, usize>);

impl SideEffects {
    /// Sets how many there are of a kind. Tells whether there is that kind.
    pub(crate) fn set(&mut self, name: &str, count: usize) -> bool {
        let Some(name) = SIDE_EFFECTS.into_iter().find(|known| *known == name) else {
            return false;
        };
        match count {
            0 => self.0.remove(name),
            _ => self.0.insert(name, count),
        };
        true
    }

    /// What is different between two states of a graph, as the kit counts it: labels by their names
    /// in the whole graph, and a value that changed once as new and once as gone.
    pub(crate) fn between(before: &PropertyGraph, after: &PropertyGraph) -> Self {
        let (old, new) = (Parts::of(before), Parts::of(after));
        let mut effects = Self::default();
        let mut count = |plus: &str, minus: &str, came: usize, went: usize| {
            effects.set(plus, came);
            effects.set(minus, went);
        };
        let (came, went) = differences(&old.nodes, &new.nodes);
        count("+nodes", "-nodes", came, went);
        let (came, went) = differences(&old.edges, &new.edges);
        count("+relationships", "-relationships", came, went);
        let (came, went) = differences(&old.labels, &new.labels);
        count("+labels", "-labels", came, went);
        let (came, went) = differences(&old.properties, &new.properties);
        count("+properties", "-properties", came, went);
        effects
    }
}

impl fmt::Display for SideEffects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("no side effects");
        }
        f.write_str("side effects:")?;
        self.0.iter().try_for_each(|(name, count)| write!(f, " {name} {count}"))
    }
}

/// How many came and how many went.
fn differences<T: Ord>(old: &BTreeSet<T>, new: &BTreeSet<T>) -> (usize, usize) {
    (new.difference(old).count(), old.difference(new).count())
}

/// What a graph consists of.
struct Parts<'g> {
    nodes: BTreeSet<NodeId>,
    edges: BTreeSet<EdgeId>,
    labels: BTreeSet<&'g str>,
    properties: BTreeSet<(Option<NodeId>, Option<EdgeId>, &'g str, KitValue)>,
}

impl<'g> Parts<'g> {
    fn of(graph: &'g PropertyGraph) -> Self {
        let mut parts = Self {
            nodes: graph.nodes().map(|(id, _)| id).collect(),
            edges: graph.edges().map(|(id, _)| id).collect(),
            labels: graph.labels().map(|(label, _)| label).collect(),
            properties: BTreeSet::new(),
        };
        for (id, node) in graph.nodes() {
            for (name, value) in &node.properties {
                parts.properties.insert((Some(id), None, name, kit_property(value)));
            }
        }
        for (id, edge) in graph.edges() {
            for (name, value) in &edge.properties {
                parts.properties.insert((None, Some(id), name, kit_property(value)));
            }
        }
        parts
    }
}
