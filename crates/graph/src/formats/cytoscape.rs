//! Cytoscape JSON: `elements` with `nodes` and `edges`, each with its `data`; the flat list of
//! elements is read too.

use serde_json::{Value, json};

use super::json::{self, list, name_of};
use super::{Direction, Draft, Format, FormatError, GraphRead, Peek};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "cytoscape",
    title: "Cytoscape JSON",
    extensions: &["cyjs", "json"],
    reads: "`elements` in lists of nodes and edges or in one list, nodes by their names or ids, \
            `weight`, `capacity`, `directed`",
    loses: "other data, places, styles",
    keeps: "nodes, edges, weights, capacities",
    is_it: |peek: &Peek<'_>| peek.json().is_some_and(is_cytoscape),
    parse,
    nth: None,
    write: Some(write),
};

fn is_cytoscape(value: &Value) -> bool {
    let is_list = |v: &Value| {
        v.as_array().is_some_and(|l| l.first().is_some_and(|e| e.get("data").is_some()))
    };
    // A node may be called `elements`: it is the key of the whole that counts.
    match value.get("elements") {
        Some(Value::Array(list)) => list.is_empty() || is_list(&value["elements"]),
        Some(Value::Object(parts)) => parts.contains_key("nodes") || parts.contains_key("edges"),
        _ => is_list(value),
    }
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let value = json::parse(text)?;
    if !is_cytoscape(&value) && value.get("elements").is_none_or(|e| !e.is_array()) {
        return Err(FormatError::new(
            "no elements: give {\"elements\": {\"nodes\": [{\"data\": {\"id\": \"0\"}}], \
             \"edges\": []}}",
        ));
    }
    let elements = value.get("elements").unwrap_or(&value);
    let all: Vec<&Value> = match elements {
        Value::Array(list) => list.iter().collect(),
        Value::Object(parts) => list(parts, "nodes").iter().chain(list(parts, "edges")).collect(),
        _ => Vec::new(),
    };
    let mut draft = Draft::of_items("elements");
    let mut edges = Vec::new();
    for (i, element) in all.into_iter().enumerate() {
        let Some(data) = element.get("data").and_then(Value::as_object) else {
            draft.fault(i, "it has no `data`");
            continue;
        };
        if data.contains_key("source") {
            edges.push((i, element, data));
            continue;
        }
        let id = data.get("id").map_or_else(|| Err(FormatError::new("it has no `id`")), name_of);
        let place = match id {
            Ok(id) => draft.named(id),
            Err(error) => {
                draft.fault_of(i, error);
                continue;
            }
        };
        let label = ["name", "label"].iter().find_map(|k| data.get(*k).and_then(Value::as_str));
        if let Some(label) = label {
            draft.label(place, label);
        }
        for key in data.keys() {
            // networkx writes the id again as `value`, Cytoscape as `SUID` and shared names.
            if !matches!(key.as_str(), "id" | "name" | "label" | "value" | "SUID" | "shared_name") {
                draft.drop_node_value(key, i);
            }
        }
        if element.get("position").is_some() {
            draft.drop_node_value("position", i);
        }
    }
    for (i, element, data) in edges {
        let ends = json::ends(data);
        json::add_between(&mut draft, ends, element, Some(data), i);
    }
    let said = value.get("directed").or_else(|| value.get("data").and_then(|d| d.get("directed")));
    let said = said.and_then(Value::as_bool);
    draft.finish(said.map_or(Direction::Assumed(false), Direction::Is))
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let nodes: Vec<Value> = graph
        .names()
        .map(|n| json!({ "data": { "id": n.to_string(), "value": n, "name": n.to_string() } }))
        .collect();
    let edges: Vec<Value> = graph
        .edges()
        .map(|e| {
            // networkx finds ends by the value of a node, not by its id.
            let mut data = json!({ "source": e.source, "target": e.target });
            for (key, value) in [("weight", e.weight), ("capacity", e.capacity)] {
                if let Some(value) = value {
                    data[key] = value.into();
                }
            }
            json!({ "data": data })
        })
        .collect();
    let whole = json!({
        "data": [],
        "directed": graph.is_directed(),
        "multigraph": false,
        "elements": { "nodes": nodes, "edges": edges },
    });
    serde_json::to_string_pretty(&whole).map_err(|e| FormatError::new(e.to_string()))
}
