//! The graph of a run: its queries, its drawing, and what each write made of it.

use std::collections::{BTreeMap, BTreeSet};

use graph::Delta;
use graph::functions::Touched;
use kg::property::{
    Changes, Element, GraphStore, NodeId, PropertyGraph, PropertyNode, PropertyValue, Snapshot,
};
use serde_json::{Value, json};
use trace::Effects;

use super::growth::GraphGrowth;
use super::languages::{GraphLanguage, GraphRows, MAX_ROWS};

/// What a query read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read {
    /// The rows as JSON, for a prompt; empty where there is none, or nothing but null.
    pub text: String,
    /// The nodes that it stands on.
    pub nodes: BTreeSet<NodeId>,
}

impl Read {
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// A graph that grows, with all that it was before, and how its nodes are called in drawings.
#[derive(Clone, Default)]
pub struct GrowingGraph {
    store: GraphStore,
    names: BTreeMap<NodeId, String>,
}

impl GrowingGraph {
    /// One that begins with what is there.
    pub fn open(graph: PropertyGraph) -> Self {
        let mut growing = Self { store: GraphStore::open(graph), names: BTreeMap::new() };
        let now = growing.store.now().clone();
        for (id, node) in now.nodes() {
            let name = growing.new_name(id, node);
            growing.names.insert(id, name);
        }
        growing
    }

    /// The graph as it is now.
    pub fn now(&self) -> &PropertyGraph {
        self.store.now()
    }

    /// All that it was, the first being what it began with.
    pub fn states(&self) -> &[Snapshot] {
        self.store.snapshots()
    }

    /// All of it, as if it had grown at once.
    pub fn whole(&self) -> GraphGrowth {
        GraphGrowth::whole(self.store.now(), &self.names)
    }

    /// What draws all of it.
    pub fn drawn(&self) -> Effects {
        let now = self.store.now();
        let (weight, capacity) = (None, None);
        let mut deltas = vec![Delta::Create { directed: true, weighted: false }];
        let name = |id: &NodeId| self.names.get(id).map(|name| name.as_str().into());
        deltas.extend(now.nodes().filter_map(|(id, _)| Some(Delta::AddNode { node: name(&id)? })));
        let mut pairs = BTreeSet::new();
        for (_, edge) in now.edges() {
            if let (Some(source), Some(target)) = (name(&edge.source), name(&edge.target))
                && pairs.insert((edge.source, edge.target))
            {
                deltas.push(Delta::AddEdge { source, target, weight, capacity });
            }
        }
        Effects { deltas, touched: Touched::default() }
    }

    /// Carries out a query that writes. What it changed comes with it, for the trace and for whoever
    /// draws.
    ///
    /// # Errors
    /// It fails, and nothing has changed.
    pub async fn write(
        &mut self,
        language: &dyn GraphLanguage,
        query: &str,
    ) -> Result<(Changes, Effects, GraphGrowth), String> {
        let before = self.store.now().clone();
        let changes = language.write(&mut self.store, query).await?;
        let effects = self.draw(&before, &changes);
        let growth = GraphGrowth::of(self.store.now(), &changes, &self.names);
        Ok((changes, effects, growth))
    }

    /// Answers a query that reads. A query that would write is refused.
    pub(super) async fn read(
        &self,
        language: &dyn GraphLanguage,
        query: &str,
    ) -> Result<Read, String> {
        let GraphRows { columns, rows, nodes } = language.read(self.store.now(), query).await?;
        let says_something = |row: &&Vec<Value>| row.iter().any(|value| !is_nothing(value));
        let rows: Vec<Value> = rows
            .iter()
            .filter(says_something)
            .take(MAX_ROWS)
            .map(|row| {
                let entries = columns.iter().cloned().zip(row.iter().cloned());
                Value::Object(entries.collect())
            })
            .collect();
        let mut nodes = nodes;
        if nodes.is_empty() {
            rows.iter().for_each(|row| self.holders(row, &mut nodes));
        }
        let text = if rows.is_empty() { String::new() } else { Value::Array(rows).to_string() };
        Ok(Read { text, nodes })
    }

    /// The nodes with a property that has this value; short ones are everywhere and say nothing.
    fn holders(&self, value: &Value, nodes: &mut BTreeSet<NodeId>) {
        match value {
            Value::Object(map) => map.values().for_each(|v| self.holders(v, nodes)),
            Value::Array(list) => list.iter().for_each(|v| self.holders(v, nodes)),
            Value::Null | Value::Bool(_) => {}
            one => {
                let has =
                    |node: &PropertyNode| node.properties.values().any(|p| p.to_json() == *one);
                let found = self.store.now().nodes().filter(|(_, node)| has(node));
                nodes.extend(found.map(|(id, _)| id).take(20));
            }
        }
    }

    /// What the graph says of some nodes, by their names in the drawing, and of the edges between
    /// them: a line each, and at most so many.
    pub(super) fn told_of(&self, names: &[String], max_lines: usize) -> Vec<String> {
        let now = self.store.now();
        let wanted: BTreeMap<NodeId, &String> =
            self.names.iter().map(|(id, n)| (*id, n)).filter(|(_, n)| names.contains(n)).collect();
        let mut lines = Vec::new();
        for (id, name) in &wanted {
            let Some(node) = now.node(*id) else { continue };
            let labels: Vec<&str> = node.labels.iter().map(String::as_str).collect();
            let json = node.properties.iter().map(|(name, v)| (name.clone(), v.to_json()));
            let properties = Value::Object(json.collect());
            lines.push(format!("{name} ({}) {properties}", labels.join(", ")));
        }
        for (id, name) in &wanted {
            for edge in now.outgoing(*id).filter_map(|edge| now.edge(edge)) {
                if let Some(target) = wanted.get(&edge.target) {
                    lines.push(format!("{name} -{}-> {target}", edge.edge_type));
                }
            }
        }
        lines.truncate(max_lines);
        lines
    }

    /// How a node is called in the drawing.
    pub fn name(&self, id: NodeId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// What changes in the drawing, and what was touched.
    fn draw(&mut self, before: &PropertyGraph, changes: &Changes) -> Effects {
        let now = self.store.now().clone();
        let mut deltas = Vec::new();
        let mut touched = Touched::default();
        if self.store.snapshots().len() <= 2 && self.names.is_empty() {
            deltas.push(Delta::Create { directed: true, weighted: false });
        }
        for element in &changes.deleted {
            match element {
                Element::Edge(id) => {
                    let Some(edge) = before.edge(*id) else { continue };
                    let pair = (edge.source, edge.target);
                    let ends = (self.names.get(&pair.0), self.names.get(&pair.1));
                    if let (Some(source), Some(target)) = ends
                        && !are_joined(&now, pair.0, pair.1)
                    {
                        let (source, target) = (source.as_str().into(), target.as_str().into());
                        deltas.push(Delta::RemoveEdge { source, target });
                    }
                }
                Element::Node(id) => {
                    if let Some(name) = self.names.remove(id) {
                        deltas.push(Delta::RemoveNode { node: name.as_str().into() });
                    }
                }
            }
        }
        for element in &changes.created {
            let Element::Node(id) = element else { continue };
            let Some(node) = now.node(*id) else { continue };
            let name = self.new_name(*id, node);
            deltas.push(Delta::AddNode { node: name.as_str().into() });
            touched.nodes.push(name.as_str().into());
            self.names.insert(*id, name);
        }
        let mut drawn: BTreeSet<(NodeId, NodeId)> = BTreeSet::new();
        for element in changes.created.iter().chain(&changes.changed) {
            match element {
                Element::Edge(id) => {
                    let Some(edge) = now.edge(*id) else { continue };
                    let pair = (edge.source, edge.target);
                    let ends = (self.names.get(&pair.0), self.names.get(&pair.1));
                    let (Some(source), Some(target)) = ends else { continue };
                    let (source, target) = (source.as_str().into(), target.as_str().into());
                    touched.edges.push((source, target));
                    let is_new = changes.created.contains(element)
                        && !are_joined(before, pair.0, pair.1)
                        && drawn.insert(pair);
                    if is_new {
                        let (source, target) = touched.edges[touched.edges.len() - 1].clone();
                        let (weight, capacity) = (None, None);
                        deltas.push(Delta::AddEdge { source, target, weight, capacity });
                    }
                }
                Element::Node(id) if changes.changed.contains(element) => {
                    touched.nodes.extend(self.names.get(id).map(|name| name.as_str().into()));
                }
                Element::Node(_) => {}
            }
        }
        Effects { deltas, touched }
    }

    fn new_name(&self, id: NodeId, node: &PropertyNode) -> String {
        let text = |key: &&str| match node.properties.get(*key) {
            Some(PropertyValue::Text(text)) if !text.trim().is_empty() => Some(text.as_str()),
            _ => None,
        };
        let said = ["name", "title", "label", "id", "iri"].iter().find_map(text);
        let label = node.labels.first().map_or("node", String::as_str);
        let number = |key: &&str| match node.properties.get(*key) {
            Some(PropertyValue::Int(number)) => Some(*number),
            _ => None,
        };
        let numbered = || ["number", "no", "id", "code"].iter().find_map(number);
        let base: String = match (said, numbered()) {
            (Some(said), _) => said.trim().chars().take(40).collect(),
            (None, Some(number)) => format!("{label} {number}"),
            (None, None) => format!("{label} {id}"),
        };
        if self.names.values().any(|name| *name == base) { format!("{base} ({id})") } else { base }
    }
}

fn are_joined(graph: &PropertyGraph, source: NodeId, target: NodeId) -> bool {
    graph.outgoing(source).any(|id| graph.edge(id).is_some_and(|edge| edge.target == target))
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.iter().all(is_nothing),
        _ => false,
    }
}

/// What a write changed, for the trace.
pub(super) fn told(changes: &Changes) -> Value {
    json!({
        "created": changes.created.len(),
        "changed": changes.changed.len(),
        "deleted": changes.deleted.len(),
    })
}
