//! Graphs as objects of JSON, with what they say of nodes and links: node-link data of networkx, D3,
//! vis.js and graphology, JSON Graph Format, and Cytoscape's.

use std::collections::HashSet;

use graph::formats::NoteKind;
use serde_json::{Map, Value};

use super::Faults;
use crate::{KgBuilder, KgError};

/// The type of nodes, and that of edges, of which a file says none.
pub(super) const NODE: &str = "Node";
pub(super) const EDGE: &str = "related_to";
/// The formats of `graph::formats` that are such objects.
pub(super) const READ: [&str; 3] = ["node_link", "json_graph", "cytoscape"];

const IDS: [&str; 4] = ["id", "key", "name", "label"];
const NAMES: [&str; 3] = ["name", "label", "title"];
const TYPES: [&str; 7] =
    ["type", "node_type", "nodeType", "category", "kind", "labels", "entity_type"];
const ENDS: [(&str, &str); 5] =
    [("source", "target"), ("from", "to"), ("start", "end"), ("src", "dst"), ("subject", "object")];
/// Where a link says what it is, the surer first.
const RELATIONS: [&str; 11] = [
    "relation",
    "relationship",
    "predicate",
    "rel",
    "relation_type",
    "edge_type",
    "type",
    "interaction",
    "label",
    "name",
    "key",
];
/// Objects in which programs keep what is said of a node or a link.
const INNER: [&str; 4] = ["data", "attributes", "metadata", "properties"];
/// What says nothing of a link but where it is and how it is drawn.
const OF_FORM: [&str; 4] = ["id", "directed", "undirected", "key"];

/// All that is said of a node or a link, in one list.
fn fields(object: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let is_inner =
        |(name, value): &(&String, &Value)| INNER.contains(&name.as_str()) && value.is_object();
    let inner = object.iter().filter(is_inner).filter_map(|(_, value)| value.as_object()).flatten();
    let outer = object.iter().filter(|field| !is_inner(field));
    outer.chain(inner).map(|(name, value)| (name.as_str(), value)).collect()
}

fn field<'v>(
    fields: &[(&str, &'v Value)],
    names: &[&'static str],
) -> Option<(&'static str, &'v Value)> {
    names.iter().find_map(|name| {
        let found = fields.iter().find(|(is, value)| is == name && !value.is_null());
        found.map(|(_, value)| (*name, *value))
    })
}

/// A name as a text. A tuple of networkx is a list; an end of D3 may be its node.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(_) => Some(value.to_string()),
        Value::Object(node) => text(field(&fields(node), &IDS)?.1),
        Value::Null => None,
    }
}

/// A word that says what something is: no number, and no direction.
fn word(value: &Value) -> Option<&str> {
    let word = match value {
        Value::Array(list) => list.first()?.as_str()?,
        value => value.as_str()?,
    };
    let is_direction = ["directed", "undirected", "mutual"].contains(&word.to_lowercase().as_str());
    let is_word = !word.trim().is_empty() && word.parse::<f64>().is_err() && !is_direction;
    is_word.then_some(word)
}

fn list<'v>(of: &'v Value, name: &str) -> Vec<(Option<&'v str>, &'v Value)> {
    match of.get(name) {
        Some(Value::Array(list)) => list.iter().map(|value| (None, value)).collect(),
        // JSON Graph Format has nodes under their ids.
        Some(Value::Object(map)) => {
            map.iter().map(|(id, node)| (Some(id.as_str()), node)).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn read(whole: &Value, into: &mut KgBuilder) -> Faults {
    let graphs = whole.get("graphs").and_then(Value::as_array).and_then(|graphs| graphs.first());
    let has_parts =
        |value: &&Value| ["nodes", "edges", "links"].iter().any(|name| value.get(*name).is_some());
    let graph = [Some(whole), whole.get("elements"), whole.get("graph"), graphs]
        .into_iter()
        .flatten()
        .find(has_parts)
        .unwrap_or(whole);
    let mut faults = Faults::default();
    let nodes = list(graph, "nodes");
    let mut known = HashSet::new();
    let mut by_place = Vec::new();
    for (i, (id, node)) in nodes.iter().enumerate() {
        let read = add_node(*id, node, into);
        match &read {
            Ok(id) => {
                faults.n_read += 1;
                known.insert(id.clone());
            }
            Err(why) => faults.add(0, 0, format!("nodes[{i}]: {why}")),
        }
        by_place.push(read.ok());
    }
    let called = if graph.get("edges").is_some_and(Value::is_array) { "edges" } else { "links" };
    let edges = list(graph, called);
    // Whole numbers that no node is called by are places in the list of nodes.
    let place = |value: &Value| {
        let place = usize::try_from(value.as_u64()?).ok()?;
        by_place.get(place)?.clone().filter(|_| !known.contains(&value.to_string()))
    };
    let is_by_places = |edge: &Value| {
        let ends = ["source", "target"].map(|end| edge.get(end).and_then(place));
        ends.iter().all(Option::is_some)
    };
    let by_places = edges.iter().all(|(_, edge)| is_by_places(edge));
    let end = |value: &Value| if by_places { place(value) } else { text(value) };
    let is_multigraph = whole.get("multigraph") == Some(&Value::Bool(true));
    let mut n_properties = 0;
    for (i, (_, edge)) in edges.iter().enumerate() {
        match add_edge(edge, is_multigraph, &end, into) {
            Ok(n) => {
                n_properties += n;
                faults.n_read += 1;
            }
            Err(why) => faults.add(0, 0, format!("{called}[{i}]: {why}")),
        }
        if faults.are_too_many("graph in JSON", 0) {
            break;
        }
    }
    if n_properties > 0 {
        let properties = if n_properties == 1 { "property" } else { "properties" };
        faults.note(format!("{}: {n_properties} edge {properties}", NoteKind::Dropped.lead()));
    }
    faults
}

/// Adds a node, and gives its id.
fn add_node(id: Option<&str>, node: &Value, into: &mut KgBuilder) -> Result<String, String> {
    let said = |error: KgError| error.to_string();
    let empty = Map::new();
    let fields = fields(node.as_object().unwrap_or(&empty));
    let named = match id {
        Some(id) => Some(("id", id.to_owned())),
        None if node.is_object() => field(&fields, &IDS).and_then(|(n, v)| Some((n, text(v)?))),
        None => text(node).map(|id| ("id", id)),
    };
    let (id_field, id) = named.ok_or("the node has no `id`")?;
    let of = TYPES.iter().find_map(|name| Some((*name, word(field(&fields, &[*name])?.1)?)));
    let name = field(&fields, &NAMES).filter(|(_, value)| value.is_string());
    let taken = [Some(id_field), of.map(|of| of.0), name.map(|name| name.0)];
    let others = fields.iter().filter(|(name, _)| !taken.contains(&Some(name)));
    let attributes = others
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| ((*name).to_owned(), (*value).clone()))
        .collect();
    let name = name.and_then(|(_, value)| text(value)).unwrap_or_default();
    into.node(&id, of.map_or(NODE, |of| of.1), &name, attributes).map_err(said)?;
    Ok(id)
}

/// Adds an edge, and gives how many of its properties are left out.
fn add_edge(
    edge: &Value,
    is_multigraph: bool,
    end: &dyn Fn(&Value) -> Option<String>,
    into: &mut KgBuilder,
) -> Result<usize, String> {
    let (fields, ends) = match edge {
        Value::Object(object) => {
            let fields = fields(object);
            let keys = ENDS
                .iter()
                .find(|(a, b)| field(&fields, &[*a]).is_some() || field(&fields, &[*b]).is_some());
            let (a, b) = keys.unwrap_or(&ENDS[0]);
            let one = |key: &'static str| {
                let value = field(&fields, &[key]).and_then(|(_, value)| end(value));
                value.ok_or_else(|| format!("it has no `{key}`"))
            };
            let ends = [one(a)?, one(b)?];
            (fields.into_iter().filter(|(name, _)| name != a && name != b).collect(), ends)
        }
        // Ends, and what is between them.
        Value::Array(parts) => {
            let of = parts.get(2).map_or_else(Vec::new, |rest| {
                rest.as_object().map_or_else(|| vec![("label", rest)], fields)
            });
            match (parts.first().and_then(end), parts.get(1).and_then(end)) {
                (Some(a), Some(b)) => (of, [a, b]),
                _ => return Err("an edge as a list has two ends: give [0, 1]".into()),
            }
        }
        _ => return Err("it is no edge: give {\"source\": 0, \"target\": 1}".into()),
    };
    let relation = RELATIONS.iter().find_map(|name| {
        // The key of networkx tells parallel edges apart, that of graphology is an id.
        let found = field(&fields, &[*name]).filter(|_| *name != "key" || is_multigraph);
        Some((*name, word(found?.1)?))
    });
    into.edge(&ends[0], relation.map_or(EDGE, |r| r.1), &ends[1]).map_err(|e| e.to_string())?;
    let is_left = |(name, value): &&(&str, &Value)| {
        Some(*name) != relation.map(|r| r.0) && !OF_FORM.contains(name) && !value.is_null()
    };
    Ok(fields.iter().filter(is_left).count())
}
