//! The files in which Neo4j's APOC exports a graph: a JSON object a line, nodes before edges.
//!
//! ```text
//! {"type":"node","id":"0","labels":["Person"],"properties":{"name":"Ada"}}
//! {"type":"relationship","id":"0","label":"KNOWS","properties":{},"start":{"id":"0","labels":["Person"]},"end":{"id":"1","labels":["Person"]}}
//! ```
//!
//! The snapshots of Knowledge Graph of Thoughts' public code are such files. Those that it writes
//! from NetworkX have one label as a text, numbers as ids, and whole nodes at the ends of edges: they
//! are read too. So are rows of `apoc.export.json.query`, which have nodes and relationships under the
//! names of their columns, and the list that APOC writes where it is asked for `ARRAY_JSON`.

use std::collections::{BTreeSet, HashMap};

use graph::formats::{FilePlace, NoteKind, ReadNotes};
use serde_json::{Map, Value, json};

use super::graph::{PropertyEdge, PropertyGraph, PropertyNode};
use super::ids::{EdgeId, NodeId};
use super::value::{Properties, PropertyValue};

/// What a file gives.
#[derive(Clone, Debug, Default)]
pub struct SnapshotRead {
    /// The graph.
    pub graph: PropertyGraph,
    /// What of the file it does not show.
    pub notes: ReadNotes,
}

/// Why a file is no snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SnapshotError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there, and what would be right.
    pub message: String,
}

/// Writes a graph.
pub fn write(graph: &PropertyGraph) -> String {
    let mut text = String::new();
    let mut line = |value: &Value| {
        text.push_str(&value.to_string());
        text.push('\n');
    };
    for (id, node) in graph.nodes() {
        line(&json!({
            "type": "node",
            "id": id.to_string(),
            "labels": node.labels,
            "properties": values(&node.properties),
        }));
    }
    for (id, edge) in graph.edges() {
        let end = |id: NodeId| {
            let labels = graph.node(id).map(|node| &node.labels);
            json!({ "id": id.to_string(), "labels": labels })
        };
        line(&json!({
            "type": "relationship",
            "id": id.to_string(),
            "label": edge.edge_type,
            "properties": values(&edge.properties),
            "start": end(edge.source),
            "end": end(edge.target),
        }));
    }
    text
}

fn values(properties: &Properties) -> Map<String, Value> {
    properties.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
}

/// Reads a graph. Ids that are whole numbers stay what they are; others get numbers. Of a number with
/// a fraction 15 digits are sure: serde_json may read one with more as its neighbour. A property whose
/// value cannot be kept is left out, and the notes say so.
///
/// # Errors
/// A line is no object of that form, an id comes twice, or an edge ends at a node that is not there.
pub fn read(text: &str) -> Result<SnapshotRead, SnapshotError> {
    let records = records(text)?;
    let is_node = |record: &&Record| record.object.get("type") == Some(&json!("node"));
    let (nodes, edges): (Vec<&Record>, Vec<&Record>) = records.iter().partition(is_node);
    let mut graph = PropertyGraph::default();
    let mut notes = ReadNotes::default();
    let ids = Ids::new(nodes.iter().map(|node| node.object.get("id")));
    // Edges may stand before their nodes.
    for Record { line, object, is_of_row } in nodes {
        let fault = |message| SnapshotError { line: *line, message };
        let id = ids.of(object.get("id")).map(NodeId).map_err(fault)?;
        if graph.node(id).is_some() {
            // What a query returns comes in every row that has it.
            if *is_of_row {
                continue;
            }
            return Err(fault(format!("there are two nodes {}", object["id"])));
        }
        let labels = labels(object.get("labels")).map_err(fault)?;
        let properties = properties(object.get("properties"), *line, &mut notes).map_err(fault)?;
        graph
            .insert_node(id, PropertyNode { labels, properties })
            .map_err(|error| fault(error.to_string()))?;
    }
    let edge_ids = Ids::new(edges.iter().map(|edge| edge.object.get("id")));
    for Record { line, object, is_of_row } in edges {
        let fault = |message| SnapshotError { line: *line, message };
        let kind = object.get("type").and_then(Value::as_str).unwrap_or_default();
        if kind != "relationship" {
            let words = r#"expected "type": "node" or "relationship""#;
            return Err(fault(format!("{words}, not {kind:?}")));
        }
        let id = edge_ids.of(object.get("id")).map(EdgeId).map_err(fault)?;
        if graph.edge(id).is_some() {
            if *is_of_row {
                continue;
            }
            return Err(fault(format!("there are two relationships {}", object["id"])));
        }
        let end = |name: &str| {
            let id = object.get(name).and_then(|end| end.get("id"));
            ids.of(id).map(NodeId).map_err(|why| fault(format!("{name:?}: {why}")))
        };
        let edge_type = object.get("label").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (source, target) = (end("start")?, end("end")?);
        let properties = properties(object.get("properties"), *line, &mut notes).map_err(fault)?;
        graph
            .insert_edge(id, PropertyEdge { source, target, edge_type, properties })
            .map_err(|error| fault(error.to_string()))?;
    }
    Ok(SnapshotRead { graph, notes })
}

/// A node or an edge of a file.
struct Record {
    line: usize,
    object: Map<String, Value>,
    /// Whether it is one of a row, which may come again.
    is_of_row: bool,
}

fn records(text: &str) -> Result<Vec<Record>, SnapshotError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut records = Vec::new();
    let mut add = |line: usize, value: Value| {
        let Value::Object(object) = value else {
            return Err(SnapshotError { line, message: "expected an object in braces".into() });
        };
        let is_record = |value: &&Value| {
            matches!(value.get("type").and_then(Value::as_str), Some("node" | "relationship"))
        };
        let is_row = !object.contains_key("type") && object.values().any(|v| is_record(&v));
        if !is_row {
            records.push(Record { line, object, is_of_row: false });
            return Ok(());
        }
        for value in object.values().filter(is_record) {
            if let Value::Object(object) = value {
                records.push(Record { line, object: object.clone(), is_of_row: true });
            }
        }
        Ok(())
    };
    if text.trim_start().starts_with("[{")
        && let Ok(list) = serde_json::from_str::<Vec<Value>>(text)
    {
        list.into_iter().try_for_each(|value| add(1, value))?;
        return Ok(records);
    }
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value = serde_json::from_str(line).map_err(|error| SnapshotError {
            line: i + 1,
            message: format!("not JSON: {error}"),
        })?;
        add(i + 1, value)?;
    }
    Ok(records)
}

/// Numbers for the ids of a file.
struct Ids {
    named: HashMap<String, u64>,
}

impl Ids {
    fn new<'v>(ids: impl Iterator<Item = Option<&'v Value>> + Clone) -> Self {
        let numbers: BTreeSet<u64> = ids.clone().flatten().filter_map(number).collect();
        // Behind the largest, so that none is taken by a number that comes later.
        let mut next = numbers.last().map_or(0, |last| last.saturating_add(1));
        let mut named = HashMap::new();
        for text in ids.flatten().filter(|id| number(id).is_none()).filter_map(Value::as_str) {
            named.entry(text.to_owned()).or_insert_with(|| {
                next = next.saturating_add(1);
                next - 1
            });
        }
        Self { named }
    }

    fn of(&self, id: Option<&Value>) -> Result<u64, String> {
        let id = id.ok_or(r#"expected an "id""#)?;
        let known = number(id).or_else(|| self.named.get(id.as_str()?).copied());
        known.ok_or_else(|| format!("there is no node {id}"))
    }
}

/// An id that is a whole number, in quotes or not; the largest are left free for names.
fn number(id: &Value) -> Option<u64> {
    let number = id.as_u64().or_else(|| {
        let text = id.as_str()?;
        let number: u64 = text.parse().ok()?;
        (number.to_string() == text).then_some(number)
    })?;
    (number < u64::MAX / 2).then_some(number)
}

fn labels(value: Option<&Value>) -> Result<BTreeSet<String>, String> {
    let wrong = || r#"expected "labels": a list of texts"#.to_owned();
    match value {
        None => Ok(BTreeSet::new()),
        Some(Value::String(one)) => Ok(BTreeSet::from([one.clone()])),
        Some(Value::Array(list)) => {
            list.iter().map(|l| l.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

fn properties(
    value: Option<&Value>,
    line: usize,
    notes: &mut ReadNotes,
) -> Result<Properties, String> {
    let Some(value) = value else { return Ok(Properties::new()) };
    let object = value.as_object().ok_or(r#"expected "properties": an object"#)?;
    let mut properties = Properties::new();
    for (name, value) in object {
        match PropertyValue::from_json(value) {
            Ok(value) => drop(properties.insert(name.clone(), value)),
            // A property without a value is one that is not there.
            Err(_) if value.is_null() => {}
            Err(why) => {
                let what = format!("value| that no property can have ({why}), such as that of");
                let place = Some(FilePlace::Line(line));
                notes.count(NoteKind::Dropped, what.into(), name, 1, place);
            }
        }
    }
    Ok(properties)
}
