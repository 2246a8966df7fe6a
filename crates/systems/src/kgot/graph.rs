//! The graph of a run: its text for prompts, its queries, its drawing.

use std::collections::{BTreeMap, BTreeSet};

use cypher::{CypherValue, Parameters, Query, QueryLimits};
use graph::Delta;
use graph::functions::Touched;
use kg::property::{
    Changes, Element, GraphStore, NodeId, PropertyGraph, PropertyNode, PropertyValue,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trace::Effects;

/// In which language a graph is written and read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgotLanguage {
    /// Cypher for both.
    #[default]
    Cypher,
    /// SPARQL for both.
    Sparql,
    /// Cypher for writing; the answer is read from the text of the graph.
    Direct,
}

impl KgotLanguage {
    /// Its name for people and prompts.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sparql => "SPARQL 1.1",
            _ => "Cypher",
        }
    }
}

/// The most rows of a result.
const MAX_ROWS: usize = 500;

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

/// A graph that grows, and how it is drawn.
#[derive(Default)]
pub(super) struct Knowledge {
    pub store: GraphStore,
    names: BTreeMap<NodeId, String>,
}

impl Knowledge {
    /// Carries out a query that writes. What the drawing changes comes with it.
    pub fn write(
        &mut self,
        language: KgotLanguage,
        query: &str,
    ) -> Result<(Changes, Effects), String> {
        let before = self.store.now().clone();
        let changes = match language {
            KgotLanguage::Sparql => write_sparql(&mut self.store, query)?,
            _ => {
                let query = Query::parse(query).map_err(|e| e.to_string())?;
                let none = Parameters::new();
                let written = query.write(&mut self.store, &none, &QueryLimits::default());
                written.map_err(|e| e.to_string())?.changes
            }
        };
        let effects = self.draw(&before, &changes);
        Ok((changes, effects))
    }

    /// Answers a query that reads. A query that would write is refused.
    pub fn read(&self, language: KgotLanguage, query: &str) -> Result<Read, String> {
        let now = self.store.now();
        let (columns, rows, nodes) = match language {
            KgotLanguage::Sparql => read_sparql(now, query)?,
            _ => {
                let query = Query::parse(query).map_err(|e| e.to_string())?;
                let table = query
                    .read(now, &Parameters::new(), &QueryLimits::default())
                    .map_err(|e| e.to_string())?;
                let mut nodes = BTreeSet::new();
                table.rows.iter().flatten().for_each(|value| collect(value, now, &mut nodes));
                let row = |row: &Vec<CypherValue>| -> Vec<Value> {
                    row.iter().map(|value| value.to_json(now)).collect()
                };
                (table.columns, table.rows.iter().map(row).collect::<Vec<_>>(), nodes)
            }
        };
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
        let base: String = match said {
            Some(said) => said.trim().chars().take(40).collect(),
            None => format!("{label} {id}"),
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

fn collect(value: &CypherValue, graph: &PropertyGraph, nodes: &mut BTreeSet<NodeId>) {
    match value {
        CypherValue::Node(id) => _ = nodes.insert(*id),
        CypherValue::Edge(id) => {
            nodes.extend(graph.edge(*id).into_iter().flat_map(|e| [e.source, e.target]));
        }
        CypherValue::Path(path) => nodes.extend(path.nodes.iter().copied()),
        CypherValue::List(list) => list.iter().for_each(|value| collect(value, graph, nodes)),
        CypherValue::Map(map) => map.values().for_each(|value| collect(value, graph, nodes)),
        _ => {}
    }
}

#[cfg(feature = "sparql")]
fn write_sparql(store: &mut GraphStore, query: &str) -> Result<Changes, String> {
    kg::property::sparql::update(store, query).map_err(|e| e.to_string())
}

type Rows = (Vec<String>, Vec<Vec<Value>>, BTreeSet<NodeId>);

#[cfg(feature = "sparql")]
fn read_sparql(graph: &PropertyGraph, query: &str) -> Result<Rows, String> {
    let table = kg::property::sparql::query(graph, query, MAX_ROWS).map_err(|e| e.to_string())?;
    Ok((table.columns, table.rows, BTreeSet::new()))
}

#[cfg(not(feature = "sparql"))]
const NO_SPARQL: &str = "this program was built without SPARQL";

#[cfg(not(feature = "sparql"))]
fn write_sparql(_: &mut GraphStore, _: &str) -> Result<Changes, String> {
    Err(NO_SPARQL.into())
}

#[cfg(not(feature = "sparql"))]
fn read_sparql(_: &PropertyGraph, _: &str) -> Result<Rows, String> {
    Err(NO_SPARQL.into())
}

/// A graph as a prompt tells it: nodes by label, edges by type; triples for SPARQL. At most so many
/// letters, and what is left out is said.
///
/// Paper: Knowledge Graph of Thoughts, Appendix C.1.
pub fn state_text(graph: &PropertyGraph, language: KgotLanguage, max_letters: usize) -> String {
    if graph.n_nodes() == 0 {
        return "The graph is empty.".into();
    }
    let text = match language {
        KgotLanguage::Sparql => triples_text(graph),
        _ => elements_text(graph),
    };
    let n = text.chars().count();
    if n <= max_letters {
        return text;
    }
    let mut cut: String = text.chars().take(max_letters).collect();
    if let Some(end) = cut.rfind('\n') {
        cut.truncate(end);
    }
    let (nodes, edges) = (graph.n_nodes(), graph.n_edges());
    format!(
        "{cut}\n… (cut: the graph has {nodes} nodes and {edges} relationships; query for the rest)"
    )
}

fn elements_text(graph: &PropertyGraph) -> String {
    let mut by_label: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, node) in graph.nodes() {
        let labels: Vec<&str> = node.labels.iter().map(String::as_str).collect();
        let properties = CypherValue::of_properties(&node.properties).to_text(graph);
        by_label.entry(labels.join(":")).or_default().push(format!("  node {id}: {properties}"));
    }
    let mut by_type: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (_, edge) in graph.edges() {
        let properties = if edge.properties.is_empty() {
            String::new()
        } else {
            format!(" {}", CypherValue::of_properties(&edge.properties).to_text(graph))
        };
        let line = format!("  node {} -> node {}{properties}", edge.source, edge.target);
        by_type.entry(&edge.edge_type).or_default().push(line);
    }
    let mut lines = vec!["Nodes:".to_owned()];
    for (label, nodes) in by_label {
        lines.push(format!(" label {}", if label.is_empty() { "(none)" } else { &label }));
        lines.extend(nodes);
    }
    lines.push("Relationships:".into());
    for (edge_type, edges) in by_type {
        lines.push(format!(" type {edge_type}"));
        lines.extend(edges);
    }
    lines.join("\n")
}

#[cfg(feature = "sparql")]
fn triples_text(graph: &PropertyGraph) -> String {
    let short = |text: String| text.replace(&format!("<{}", kg::property::sparql::BASE), "<:");
    let lines =
        kg::property::sparql::triples(graph).into_iter().map(|t| short(t.to_string()) + " .");
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(not(feature = "sparql"))]
fn triples_text(graph: &PropertyGraph) -> String {
    elements_text(graph)
}

/// What a write changed, for the trace.
pub(super) fn told(changes: &Changes) -> Value {
    json!({
        "created": changes.created.len(),
        "changed": changes.changed.len(),
        "deleted": changes.deleted.len(),
    })
}
