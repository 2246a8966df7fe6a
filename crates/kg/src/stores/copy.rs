//! A copy of a property graph in a store: the statements that make it, and those that bring it up to
//! date when the graph has changed.
//!
//! A store may hold much else, so a copy keeps apart from it: in Neo4j its nodes have one label more,
//! [`LABEL`], with the name of the copy and an id of their own as properties; in SPARQL it is a named
//! graph, [`copy_iri`]. Nothing else is read or changed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::StoreError;
use super::queries::MAX_QUERY;
use super::statement::StoreStatement;
use crate::property::names::{NAMES, label_iri, node_iri};
use crate::property::{NodeId, Properties, PropertyGraph, PropertyValue};

/// The label that every node of a copy has in Neo4j.
pub const LABEL: &str = "Graphground";
/// The property with the name of the copy, at its nodes in Neo4j.
const COPY: &str = "graphground";
/// The property by which a node or a relationship of a copy is known in Neo4j.
const ID: &str = "graphground_id";
/// What the named graph of a copy begins with.
const GRAPHS: &str = "urn:graphground:";
/// The most rows of a statement.
const MAX_ROWS: usize = 500;
/// The most bytes that the rows of a statement take, unless one alone takes more.
const MAX_BYTES: usize = MAX_QUERY / 2;
/// The longest name of a copy, in letters.
const MAX_NAME: usize = 60;

/// The name of a copy, if it can be one.
///
/// # Errors
/// It is empty, too long, or has other than letters, digits, `-`, `_` and `.` in it.
pub fn check_copy_name(name: &str) -> Result<(), StoreError> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_part) {
        return Err(StoreError::CopyName { name: name.chars().take(80).collect() });
    }
    Ok(())
}

/// The named graph of a copy in a SPARQL store.
pub fn copy_iri(name: &str) -> String {
    format!("{GRAPHS}{name}")
}

/// Rows in parts, each of a size that one statement takes.
fn parts(rows: Vec<Value>) -> Vec<Value> {
    let mut parts = Vec::new();
    let (mut part, mut n_bytes) = (Vec::new(), 0);
    for row in rows {
        let more = row.to_string().len();
        if !part.is_empty() && (part.len() == MAX_ROWS || n_bytes + more > MAX_BYTES) {
            parts.push(Value::Array(std::mem::take(&mut part)));
            n_bytes = 0;
        }
        n_bytes += more;
        part.push(row);
    }
    if !part.is_empty() {
        parts.push(Value::Array(part));
    }
    parts
}

/// Statements of Cypher that make the copy of that name what `now` is. `before` is what it is at
/// present; without one, whatever stands under the name is replaced.
pub(super) fn in_cypher(
    name: &str,
    before: Option<&PropertyGraph>,
    now: &PropertyGraph,
) -> Vec<StoreStatement> {
    let mut all = Vec::new();
    let mut add = |text: String, rows: Vec<Value>| {
        for part in parts(rows) {
            let values = Map::from_iter([("copy".into(), name.into()), ("rows".into(), part)]);
            all.push(StoreStatement { text: text.clone(), values });
        }
    };
    let at =
        |variable: &str, id: &str| format!("({variable}:{LABEL} {{{COPY}: $copy, {ID}: {id}}})");
    let node = at("n", "row.id");

    let nothing = PropertyGraph::default();
    let old = before.unwrap_or(&nothing);
    let gone = old.edges().filter(|(id, edge)| {
        // Edges that lose an end go with it.
        now.edge(*id).is_none()
            && now.node(edge.source).is_some()
            && now.node(edge.target).is_some()
    });
    add(
        format!(
            "UNWIND $rows AS row MATCH {}-[r {{{ID}: row.id}}]->() DELETE r",
            at("n", "row.source")
        ),
        gone.map(|(id, edge)| json!({ "id": id.0, "source": edge.source.0 })).collect(),
    );
    let gone = old.nodes().filter(|(id, _)| now.node(*id).is_none());
    add(
        format!("UNWIND $rows AS row MATCH {node} DETACH DELETE n"),
        gone.map(|(id, _)| json!({ "id": id.0 })).collect(),
    );

    let mut lost: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut made: BTreeMap<&BTreeSet<String>, Vec<Value>> = BTreeMap::new();
    for (id, is) in now.nodes() {
        let was = old.node(id);
        if was == Some(is) {
            continue;
        }
        for label in was.into_iter().flat_map(|was| was.labels.difference(&is.labels)) {
            lost.entry(label).or_default().push(json!({ "id": id.0 }));
        }
        let properties = stored(&is.properties);
        made.entry(&is.labels).or_default().push(json!({ "id": id.0, "is": properties }));
    }
    for (label, rows) in lost {
        add(format!("UNWIND $rows AS row MATCH {node} REMOVE n:{}", quoted(label)), rows);
    }
    for (labels, rows) in made {
        let labels: String = labels.iter().map(|label| format!(":{}", quoted(label))).collect();
        add(
            format!(
                "UNWIND $rows AS row MERGE {node} SET n = row.is \
                 SET n:{LABEL}{labels}, n.{COPY} = $copy, n.{ID} = row.id"
            ),
            rows,
        );
    }

    let mut joined: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (id, is) in now.edges() {
        if old.edge(id) != Some(is) {
            let (source, target) = (is.source.0, is.target.0);
            let properties = stored(&is.properties);
            let row = json!({ "id": id.0, "source": source, "target": target, "is": properties });
            joined.entry(&is.edge_type).or_default().push(row);
        }
    }
    for (edge_type, rows) in joined {
        add(
            format!(
                "UNWIND $rows AS row MATCH {}, {} MERGE (a)-[r:{} {{{ID}: row.id}}]->(b) \
                 SET r = row.is SET r.{ID} = row.id",
                at("a", "row.source"),
                at("b", "row.target"),
                quoted(edge_type)
            ),
            rows,
        );
    }
    if before.is_none() {
        let text = format!("MATCH (n:{LABEL} {{{COPY}: $copy}}) DETACH DELETE n");
        let values = Map::from_iter([("copy".into(), name.into())]);
        all.insert(0, StoreStatement { text, values });
    }
    all
}

/// A label or a type in a statement. Servers differ in how they read a backslash in one, so none is
/// written.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('\\', "/").replace('`', "``"))
}

/// Properties as Neo4j stores them: a list has values of one kind, and no list in it. Where it does
/// not, its items become numbers with a fraction, or texts.
fn stored(properties: &Properties) -> Value {
    let plain = |value: &PropertyValue| match value {
        PropertyValue::List(items) => match kind(items) {
            Kind::One => value.to_json(),
            Kind::Numbers => items
                .iter()
                .map(|item| match item {
                    PropertyValue::Int(int) => json!(*int as f64),
                    other => other.to_json(),
                })
                .collect(),
            Kind::Mixed => items
                .iter()
                .map(|item| match item {
                    PropertyValue::Text(text) => json!(text),
                    PropertyValue::Point(point) => json!(point.to_wkt()),
                    other => json!(other.to_string()),
                })
                .collect(),
        },
        // No statement can have a place as a parameter.
        PropertyValue::Point(point) => json!(point.to_wkt()),
        one => one.to_json(),
    };
    Value::Object(properties.iter().map(|(name, value)| (name.clone(), plain(value))).collect())
}

enum Kind {
    One,
    Numbers,
    Mixed,
}

fn kind(items: &[PropertyValue]) -> Kind {
    let is_number =
        |v: &PropertyValue| matches!(v, PropertyValue::Int(_) | PropertyValue::Float(_));
    let same = |a: &PropertyValue, b: &PropertyValue| {
        std::mem::discriminant(a) == std::mem::discriminant(b)
    };
    let is_list = |v: &PropertyValue| matches!(v, PropertyValue::List(_) | PropertyValue::Point(_));
    if items.windows(2).all(|two| same(&two[0], &two[1])) && !items.iter().any(is_list) {
        Kind::One
    } else if items.iter().all(is_number) {
        Kind::Numbers
    } else {
        Kind::Mixed
    }
}

/// The same in SPARQL updates.
pub(super) fn in_sparql(
    name: &str,
    before: Option<&PropertyGraph>,
    now: &PropertyGraph,
) -> Vec<StoreStatement> {
    let graph = copy_iri(name);
    let mut all = Vec::new();
    let mut push = |text: String| all.push(StoreStatement { text, values: Map::new() });
    if before.is_none() {
        push(format!("CLEAR SILENT GRAPH <{graph}>"));
    }
    let old = before.map(triples).unwrap_or_default();
    let new = triples(now);
    for (verb, lines) in [("DELETE", old.difference(&new)), ("INSERT", new.difference(&old))] {
        for part in parts(lines.map(|line| json!(line)).collect()) {
            let lines: Vec<&str> =
                part.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            push(format!("{verb} DATA {{ GRAPH <{graph}> {{\n{}\n}} }}", lines.join("\n")));
        }
    }
    all
}

/// The triples of a graph, each as a line of N-Triples.
fn triples(graph: &PropertyGraph) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let subject = |id: NodeId| format!("<{}>", node_iri(graph, id));
    for (id, node) in graph.nodes() {
        for label in &node.labels {
            lines.insert(format!(
                "{} <{}> <{}> .",
                subject(id),
                crate::iris::TYPE,
                label_iri(label)
            ));
        }
        for (name, value) in node.properties.iter().filter(|(name, _)| *name != NAMES) {
            let items = match value {
                PropertyValue::List(items) => items.as_slice(),
                one => std::slice::from_ref(one),
            };
            for item in items {
                let (object, predicate) = (literal(item), label_iri(name));
                lines.insert(format!("{} <{predicate}> {object} .", subject(id)));
            }
        }
    }
    for (_, edge) in graph.edges() {
        let (source, target) = (subject(edge.source), subject(edge.target));
        lines.insert(format!("{source} <{}> {target} .", label_iri(&edge.edge_type)));
    }
    lines
}

/// A value as N-Triples write it.
fn literal(value: &PropertyValue) -> String {
    let typed =
        |text: String, name: &str| format!("\"{text}\"^^<http://www.w3.org/2001/XMLSchema#{name}>");
    match value {
        PropertyValue::Bool(b) => typed(b.to_string(), "boolean"),
        PropertyValue::Int(int) => typed(int.to_string(), "integer"),
        PropertyValue::Float(float) => typed(format!("{float:E}"), "double"),
        PropertyValue::Text(text) => format!("\"{}\"", escaped(text)),
        list @ PropertyValue::List(_) => format!("\"{}\"", escaped(&list.to_string())),
        PropertyValue::Point(point) => {
            format!("\"{}\"^^<http://www.opengis.net/ont/geosparql#wktLiteral>", point.to_wkt())
        }
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
