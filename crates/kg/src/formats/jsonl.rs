//! Nodes and edges as JSON lines, in one file or two.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Faults, Format, line_faults};
use crate::{Kg, KgBuilder};

/// Nodes `{"id", "type", "name", "props"}`, edges `{"src", "dst", "type"}`, in any order.
pub(super) const FORMAT: Format = Format {
    id: "jsonl",
    title: "Nodes and edges as JSON lines",
    endings: &["jsonl", "ndjson"],
    example: "{\"src\": \"Bob\", \"type\": \"knows\", \"dst\": \"Alice\"}",
    keeps: "everything",
    read,
    write,
};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default)]
    id: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default, rename = "type")]
    of: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    name: Option<std::borrow::Cow<'a, str>>,
    #[serde(default, alias = "attributes")]
    props: Option<Map<String, Value>>,
    #[serde(borrow, default, alias = "source")]
    src: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default, alias = "target")]
    dst: Option<std::borrow::Cow<'a, str>>,
    // As APOC and `graph-query --out` write a property graph.
    #[serde(borrow, default)]
    labels: Vec<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    label: Option<std::borrow::Cow<'a, str>>,
    #[serde(default)]
    properties: Option<Map<String, Value>>,
    #[serde(borrow, default)]
    start: Option<EndOfEdge<'a>>,
    #[serde(borrow, default)]
    end: Option<EndOfEdge<'a>>,
}

#[derive(Deserialize)]
struct EndOfEdge<'a> {
    #[serde(borrow)]
    id: std::borrow::Cow<'a, str>,
}

/// What a label is where APOC has none.
const NO_LABEL: &str = "Node";

fn read(text: &str, into: &mut KgBuilder) -> Faults {
    let mut n_properties = 0;
    let mut faults = line_faults(text, "file of JSON lines", |line| {
        n_properties += one(line, into)?;
        Ok(true)
    });
    if n_properties > 0 {
        let properties = if n_properties == 1 { "property" } else { "properties" };
        faults.note(format!("left out: {n_properties} edge {properties}"));
    }
    faults
}

/// Reads a line; gives how many properties of an edge are left out.
fn one(line: &str, into: &mut KgBuilder) -> Result<usize, (usize, String)> {
    let read: Line = serde_json::from_str(line).map_err(|e| {
        let what = "expected a node {\"id\", \"type\", \"name\"} or an edge {\"src\", \"dst\", \
                    \"type\"}";
        // serde_json counts bytes and tells the place in its message too.
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        (e.column().max(1), format!("{message}; {what}"))
    })?;
    let missing = |name: &str| (1, format!("{name:?} is missing"));
    let properties = read.properties.unwrap_or_default();
    if let (Some(start), Some(end), Some(label)) = (&read.start, &read.end, &read.label) {
        into.edge(&start.id, label, &end.id).map_err(|e| (1, e.to_string()))?;
        return Ok(properties.len());
    }
    if read.of.as_deref() == Some("node")
        && let Some(id) = &read.id
        && (!read.labels.is_empty() || !properties.is_empty())
    {
        let of = read.labels.first().map_or(NO_LABEL, |label| label);
        let name = ["name", "title", "label"].iter().find_map(|key| properties.get(*key)?.as_str());
        let name = name.unwrap_or_default().to_owned();
        return into.node(id, of, &name, properties).map(|()| 0).map_err(|e| (1, e.to_string()));
    }
    let done = match (&read.src, &read.dst, &read.id) {
        (Some(source), Some(target), _) => {
            let edge_type = read.of.as_deref().ok_or_else(|| missing("type"))?;
            into.edge(source, edge_type, target).map_err(|e| (1, e.to_string()))
        }
        (Some(_), None, _) => Err(missing("dst")),
        (None, Some(_), _) => Err(missing("src")),
        (None, None, Some(id)) => {
            let of = read.of.as_deref().ok_or_else(|| missing("type"))?;
            let name = read.name.as_deref().unwrap_or_default();
            into.node(id, of, name, read.props.unwrap_or_default()).map_err(|e| (1, e.to_string()))
        }
        (None, None, None) => {
            Err((1, "it has neither \"id\", as a node has, nor \"src\" and \"dst\"".into()))
        }
    };
    done.map(|()| 0)
}

fn write(kg: &Kg) -> String {
    let mut text = String::new();
    for node in kg.nodes() {
        let of = &kg.schema().node_type(kg.node_type(node)).name;
        let mut line = json!({ "id": kg.id(node), "type": of, "name": kg.name(node) });
        if let (Some(attributes), Value::Object(line)) = (kg.attributes(node), &mut line) {
            line.insert("props".into(), Value::Object(attributes.clone()));
        }
        text.push_str(&line.to_string());
        text.push('\n');
    }
    for (source, edge_type, target) in kg.edges() {
        let name = &kg.schema().edge_type(edge_type).name;
        let line = json!({ "src": kg.id(source), "dst": kg.id(target), "type": name });
        text.push_str(&line.to_string());
        text.push('\n');
    }
    text
}
