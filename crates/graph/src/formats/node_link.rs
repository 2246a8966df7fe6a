//! Node-link JSON: `nodes` with `id`, `edges` (or `links`) with `source` and `target`, as networkx, D3,
//! Sigma, graphology and vis.js write it.

use serde_json::{Map, Value, json};

use super::json::{self, list, name_of};
use super::{Direction, Draft, Format, FormatError, GraphRead, Peek};
use crate::{Graph, NodeName};

pub(super) const FORMAT: Format = Format {
    id: "node_link",
    title: "Node-link JSON",
    extensions: &["json"],
    reads: "`nodes` (by `id`, else `key` or `name`), `edges` or `links` with `source` and `target`, or \
            `from` and `to`, or as pairs; `weight` (or `value`), `capacity`, `embedding`, `directed`",
    loses: "other attributes",
    keeps: "nodes, edges, weights, capacities, embeddings",
    is_it: |peek: &Peek<'_>| peek.json().is_some_and(is_node_link),
    parse,
    nth: None,
    write: Some(write),
};

fn is_node_link(value: &Value) -> bool {
    let is_list = |key: &str| value.get(key).is_some_and(Value::is_array);
    is_list("nodes") || is_list("edges") || is_list("links")
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let value = json::parse(text)?;
    let Some(whole) = value.as_object().filter(|_| is_node_link(&value)) else {
        return Err(FormatError::new(
            "no `nodes` and no `edges`: give {\"nodes\": [{\"id\": 0}], \"edges\": [{\"source\": \
             0, \"target\": 1}]}",
        ));
    };
    let mut draft = Draft::of_items("nodes");
    let nodes = list(whole, "nodes");
    let mut by_place: Vec<Option<NodeName>> = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        by_place.push(add_node(&mut draft, node, i));
    }
    let called = if whole.get("edges").is_some_and(Value::is_array) { "edges" } else { "links" };
    let edges = list(whole, called);
    draft.set_list(called);
    let is_place = |v: Option<&Value>| {
        let place = v.and_then(Value::as_u64);
        place.is_some_and(|p| {
            (p as usize) < by_place.len() && !draft.is_known(&NodeName::from(p as usize))
        })
    };
    // Whole numbers that no node is called by are places in the list of nodes.
    let by_places = !edges.is_empty()
        && edges.iter().all(|e| is_place(e.get("source")) && is_place(e.get("target")));
    for (i, edge) in edges.iter().enumerate() {
        if by_places {
            let end = |key: &str| {
                let place = edge.get(key).and_then(Value::as_u64).unwrap_or_default() as usize;
                let name = by_place.get(place).cloned().flatten();
                name.ok_or_else(|| FormatError::new(format!("nodes[{place}] has no name")))
            };
            let ends = end("source").and_then(|a| Ok((a, end("target")?)));
            json::add_between(&mut draft, ends, edge, edge.as_object(), i);
        } else {
            json::add_edge(&mut draft, edge, i);
        }
    }
    let kind = whole.get("options").and_then(|o| o.get("type")).and_then(Value::as_str);
    let said = match (whole.get("directed"), kind) {
        (Some(Value::Bool(directed)), _) => Some(*directed),
        (_, Some("directed")) => Some(true),
        (_, Some("undirected" | "mixed")) => Some(false),
        _ => None,
    };
    draft.finish(said.map_or(Direction::Assumed(false), Direction::Is))
}

/// A node, and what it is called.
fn add_node(draft: &mut Draft, node: &Value, i: usize) -> Option<NodeName> {
    let Some(object) = node.as_object() else {
        return match name_of(node) {
            Ok(name) => {
                draft.named(name.clone());
                Some(name)
            }
            Err(error) => {
                draft.fault_of(i, error);
                None
            }
        };
    };
    let keys = ["id", "key", "name", "label"];
    let key = keys.iter().find(|k| object.contains_key(**k));
    let name = key
        .and_then(|key| object.get(*key))
        .map_or_else(|| Err(FormatError::new("the node has no `id`")), name_of);
    let place = match name {
        Ok(name) => draft.named(name),
        Err(error) => {
            draft.fault_of(i, error);
            return None;
        }
    };
    if let Some(values) = object.get("embedding") {
        match embedding(values) {
            Ok(values) => draft.embedding(place, values),
            Err(error) => draft.fault_of(i, error),
        }
    }
    drop_others(draft, object, i, key.copied());
    Some(draft.name_of(place).clone())
}

fn embedding(values: &Value) -> Result<Vec<f64>, FormatError> {
    let list = values.as_array().map(Vec::as_slice).unwrap_or_default();
    let number = |v: &Value| v.as_f64().filter(|v| v.is_finite());
    list.iter()
        .map(|v| number(v).ok_or_else(|| FormatError::new("its embedding is no list of numbers")))
        .collect()
}

fn drop_others(draft: &mut Draft, object: &Map<String, Value>, i: usize, key: Option<&str>) {
    for (other, value) in object {
        if Some(other.as_str()) == key || other == "embedding" {
            continue;
        }
        match value {
            // Attributes of graphology are in an object of their own, with the label.
            Value::Object(inner) if other == "attributes" => {
                for name in inner.keys() {
                    draft.drop_node_value(name, i);
                }
            }
            _ => draft.drop_node_value(other, i),
        }
    }
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let nodes: Vec<Value> = graph
        .indices()
        .map(|i| match graph.embedding(i) {
            Some(values) => json!({ "id": graph.name(i), "embedding": values }),
            None => json!({ "id": graph.name(i) }),
        })
        .collect();
    let edges: Vec<Value> = graph
        .edges()
        .map(|e| {
            let mut edge = json!({ "source": e.source, "target": e.target });
            for (key, value) in [("weight", e.weight), ("capacity", e.capacity)] {
                if let Some(value) = value {
                    edge[key] = value.into();
                }
            }
            edge
        })
        .collect();
    let whole = json!({
        "directed": graph.is_directed(),
        "multigraph": false,
        "graph": {},
        "nodes": nodes,
        "edges": edges,
    });
    serde_json::to_string_pretty(&whole).map_err(|e| FormatError::new(e.to_string()))
}
