//! GraphML: types, names and attributes as data of nodes and edges.

use std::collections::{BTreeMap, BTreeSet};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;
use serde_json::{Map, Number, Value};

use super::{Faults, Format};
use crate::{Kg, KgBuilder};

/// GraphML.
pub(super) const FORMAT: Format = Format {
    id: "graphml",
    title: "GraphML",
    endings: &["graphml", "xml"],
    example: "<graphml><graph><edge source='Bob' target='Alice'/></graph></graphml>",
    keeps: "nodes, types, names, attributes of nodes, edges",
    read,
    write,
};

/// What other programs call the type of a node, the best first.
const NODE_TYPE: &[&str] = &["type", "node_type", "labels", "kind", "category"];
/// What they call its name.
const NODE_NAME: &[&str] = &["name", "label", "title"];
/// What they call the type of an edge.
const EDGE_TYPE: &[&str] =
    &["type", "edge_type", "relation", "label", "labels", "predicate", "name"];
/// The type of an edge that has none.
const UNTYPED_EDGE: &str = "related_to";
/// Stands in the description of a key whose values are JSON.
const JSON: &str = "json";

#[derive(Default)]
struct Key {
    name: String,
    of: String,
    is_json: bool,
}

/// A node or an edge that is being read.
struct Item {
    /// An id, or source and target.
    ids: Vec<String>,
    at: (usize, usize),
    data: Map<String, Value>,
}

/// Counts lines on the way, so that the place of a fault costs nothing extra.
struct Places<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    start: usize,
}

impl Places<'_> {
    fn of(&mut self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        for (i, byte) in self.text.as_bytes()[self.at.min(at)..at].iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.start = self.at + i + 1;
            }
        }
        self.at = self.at.max(at);
        let before = self.text.get(self.start..at).unwrap_or_default();
        // A file on one line would make this slow, so a long line's columns are bytes.
        let column = if before.len() > 2000 { before.len() } else { before.chars().count() };
        (self.line, column + 1)
    }
}

fn read(text: &str, into: &mut KgBuilder) -> Faults {
    let mut faults = Faults::default();
    let text = text.trim_start_matches('\u{feff}');
    let mut places = Places { text, at: 0, line: 1, start: 0 };
    let mut reader = Reader::from_str(text);
    let mut keys: FxHashMap<String, Key> = FxHashMap::default();
    let (mut key_id, mut slot): (Option<String>, Option<String>) = (None, None);
    let mut item: Option<Item> = None;
    let (mut value, mut has_graph) = (String::new(), false);
    loop {
        if faults.are_too_many("GraphML", places.line) {
            return faults;
        }
        let at = places.of(reader.buffer_position() as usize);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                faults.add(at.0, at.1, format!("this is not XML: {error}"));
                return faults;
            }
        };
        let is_closed = matches!(event, Event::Empty(_));
        match event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                b"graph" => has_graph = true,
                b"key" => {
                    let attr = |name| attribute(&tag, name);
                    let id = attr("id").unwrap_or_default();
                    let name = attr("attr.name").unwrap_or_else(|| id.clone());
                    let of = attr("attr.type").unwrap_or_default();
                    keys.insert(id.clone(), Key { name, of, is_json: false });
                    key_id = (!is_closed).then_some(id);
                }
                b"desc" => value.clear(),
                b"data" if item.is_some() && !is_closed => {
                    slot = attribute(&tag, "key");
                    value.clear();
                }
                b"node" | b"edge" => {
                    let is_node = tag.local_name().as_ref() == b"node";
                    let wanted: &[&str] = if is_node { &["id"] } else { &["source", "target"] };
                    let ids: Vec<String> =
                        wanted.iter().filter_map(|w| attribute(&tag, w)).collect();
                    if ids.len() < wanted.len() {
                        let tag = if is_node { "node" } else { "edge" };
                        let expected = wanted.join(" and ");
                        faults.add(at.0, at.1, format!("a <{tag}> lacks one of: {expected}"));
                        item = None;
                        continue;
                    }
                    let mut data = Map::new();
                    // Neo4j has these as attributes of the element.
                    for name in ["labels", "label"] {
                        if let Some(text) = attribute(&tag, name) {
                            data.insert(name.into(), text.trim_start_matches(':').into());
                        }
                    }
                    let open = Item { ids, at, data };
                    if is_closed {
                        finish(open, into, &mut faults);
                    } else {
                        item = Some(open);
                    }
                }
                _ => {}
            },
            Event::Text(part) => match part.unescape() {
                Ok(part) => value.push_str(&part),
                Err(error) => faults.add(at.0, at.1, error.to_string()),
            },
            Event::CData(part) => value.push_str(&String::from_utf8_lossy(&part)),
            Event::End(tag) => match tag.local_name().as_ref() {
                b"desc" => {
                    if let Some(key) = key_id.as_ref().and_then(|k| keys.get_mut(k)) {
                        key.is_json = value.trim() == JSON;
                    }
                }
                b"key" => key_id = None,
                b"data" => {
                    if let (Some(slot), Some(item)) = (slot.take(), item.as_mut()) {
                        let default = Key { name: slot.clone(), ..Key::default() };
                        let key = keys.get(&slot).unwrap_or(&default);
                        match typed(&value, key) {
                            // Neo4j writes labels as `:Person`.
                            Ok(Value::String(text)) if key.name == "labels" => {
                                let text = text.trim_start_matches(':');
                                item.data.insert(key.name.clone(), text.into());
                            }
                            Ok(value) => {
                                item.data.insert(key.name.clone(), value);
                            }
                            Err(message) => faults.add(at.0, at.1, message),
                        }
                    }
                }
                b"node" | b"edge" => {
                    if let Some(item) = item.take() {
                        finish(item, into, &mut faults);
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    if !has_graph {
        faults.add(places.line, 1, "there is no <graph>: GraphML is <graphml><graph …>");
    }
    faults
}

fn finish(mut item: Item, into: &mut KgBuilder, faults: &mut Faults) {
    let mut take = |names: &[&str]| {
        let found = names.iter().find(|n| matches!(item.data.get(**n), Some(Value::String(_))))?;
        item.data.shift_remove(*found).and_then(|v| v.as_str().map(str::to_owned))
    };
    let done = match item.ids.as_slice() {
        [id] => {
            let of = take(NODE_TYPE);
            let name = take(NODE_NAME).unwrap_or_default();
            match of.as_deref().filter(|of| !of.is_empty()) {
                Some(of) => into.node(id, of, &name, item.data),
                None => into.name(id, &name).and_then(|()| {
                    item.data.into_iter().try_for_each(|(k, v)| into.attribute(id, &k, v))
                }),
            }
        }
        [source, target] => {
            let of = take(EDGE_TYPE).filter(|of| !of.is_empty());
            into.edge(source, of.as_deref().unwrap_or(UNTYPED_EDGE), target)
        }
        _ => Ok(()),
    };
    match done {
        Ok(()) => faults.n_read += 1,
        Err(error) => faults.add(item.at.0, item.at.1, error.to_string()),
    }
}

fn typed(text: &str, key: &Key) -> Result<Value, String> {
    let wrong = || format!("{:?} is {text:?}; expected a value of type {}", key.name, key.of);
    if key.is_json {
        return serde_json::from_str(text)
            .map_err(|_| format!("{:?} is no JSON: {text:?}", key.name));
    }
    match key.of.as_str() {
        // networkx writes `True`, others 1.
        "boolean" => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true.into()),
            "false" | "0" => Ok(false.into()),
            _ => Err(wrong()),
        },
        // And 3.0 for a whole number.
        "int" | "long" => {
            let text = text.trim();
            let whole = text.split_once('.').filter(|(_, rest)| rest.bytes().all(|b| b == b'0'));
            let number = whole.map_or(text, |(whole, _)| whole).parse::<i64>();
            number.map(Value::from).map_err(|_| wrong())
        }
        "float" | "double" => {
            let number = text.trim().parse().ok().and_then(Number::from_f64);
            number.map(Value::Number).ok_or_else(wrong)
        }
        _ => Ok(text.into()),
    }
}

fn attribute(tag: &BytesStart<'_>, key: &str) -> Option<String> {
    let found =
        tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == key.as_bytes())?;
    Some(found.unescape_value().ok()?.into_owned())
}

/// A text as XML may have it: what may not stand there at all becomes U+FFFD.
fn escaped(text: &str) -> String {
    let allowed: String = text
        .chars()
        .map(|c| match c {
            '\n' | '\t' | '\r' => c,
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
            c => c,
        })
        .collect();
    // A line break in an attribute would be read as a space.
    let escaped = quick_xml::escape::escape(&allowed).into_owned();
    escaped.replace('\n', "&#10;").replace('\t', "&#9;").replace('\r', "&#13;")
}

/// The type of GraphML that all values of an attribute have, and whether they are JSON.
fn common<'a>(values: impl Iterator<Item = &'a Value>) -> (&'static str, bool) {
    let of = |value: &Value| match value {
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_i64() => "long",
        Value::Number(n) if n.is_f64() => "double",
        _ => "",
    };
    let all: BTreeSet<&str> = values.map(of).collect();
    match all.first().copied() {
        Some("string") if all.len() == 1 => ("string", false),
        Some("boolean") if all.len() == 1 => ("boolean", false),
        Some("long") if all.len() == 1 => ("long", false),
        Some("double") if all.len() == 1 => ("double", false),
        _ => ("string", true),
    }
}

fn write(kg: &Kg) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
         <key id=\"type\" for=\"node\" attr.name=\"type\" attr.type=\"string\"/>\n  \
         <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n  \
         <key id=\"edge\" for=\"edge\" attr.name=\"type\" attr.type=\"string\"/>\n",
    );
    let mut values: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for node in kg.nodes() {
        for (key, value) in kg.attributes(node).into_iter().flatten() {
            values.entry(key).or_default().push(value);
        }
    }
    let mut keys: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for (i, (key, values)) in values.iter().enumerate() {
        let (of, is_json) = common(values.iter().copied());
        keys.insert(key, (i, is_json));
        let desc = if is_json { format!("<desc>{JSON}</desc>") } else { String::new() };
        let key = escaped(key);
        text += &format!(
            "  <key id=\"d{i}\" for=\"node\" attr.name=\"{key}\" attr.type=\"{of}\">{desc}</key>\n"
        );
    }
    text += "  <graph edgedefault=\"directed\">\n";
    for node in kg.nodes() {
        let of = escaped(&kg.schema().node_type(kg.node_type(node)).name);
        let (id, name) = (escaped(kg.id(node)), escaped(kg.name(node)));
        text += &format!(
            "    <node id=\"{id}\"><data key=\"type\">{of}</data><data key=\"name\">{name}</data>"
        );
        for (key, value) in kg.attributes(node).into_iter().flatten() {
            let Some((i, is_json)) = keys.get(key.as_str()) else { continue };
            let value = match value {
                Value::String(text) if !is_json => text.clone(),
                other => other.to_string(),
            };
            text += &format!("<data key=\"d{i}\">{}</data>", escaped(&value));
        }
        text += "</node>\n";
    }
    for (source, edge_type, target) in kg.edges() {
        let (source, target) = (escaped(kg.id(source)), escaped(kg.id(target)));
        let of = escaped(&kg.schema().edge_type(edge_type).name);
        text += &format!(
            "    <edge source=\"{source}\" target=\"{target}\"><data key=\"edge\">{of}</data></edge>\n"
        );
    }
    text + "  </graph>\n</graphml>\n"
}
