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
}

fn read(text: &str, into: &mut KgBuilder) -> Faults {
    line_faults(text, "file of JSON lines", |line| one(line, into).map(|()| true))
}

fn one(line: &str, into: &mut KgBuilder) -> Result<(), (usize, String)> {
    let read: Line = serde_json::from_str(line).map_err(|e| {
        let what = "expected a node {\"id\", \"type\", \"name\"} or an edge {\"src\", \"dst\", \
                    \"type\"}";
        // serde_json counts bytes and tells the place in its message too.
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        (e.column().max(1), format!("{message}; {what}"))
    })?;
    let missing = |name: &str| (1, format!("{name:?} is missing"));
    match (&read.src, &read.dst, &read.id) {
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
    }
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
