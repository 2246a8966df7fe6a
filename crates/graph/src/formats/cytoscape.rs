//! Cytoscape JSON: `elements` with `nodes` and `edges`, each with its `data`; the flat list of
//! elements is read too.

use serde_json::{Value, json};

use super::{Format, FormatError, add_edge, json_name, json_number, parse_json};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "cytoscape",
    title: "Cytoscape JSON",
    extensions: &["cyjs", "json"],
    keeps: "nodes, edges, weights, capacities",
    parse,
    write: Some(write),
};

fn parse(text: &str) -> Result<Graph, FormatError> {
    let value = parse_json(text)?;
    let directed = value.get("directed").and_then(Value::as_bool).unwrap_or(false);
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    let elements = value.get("elements").unwrap_or(&value);
    let all: Vec<&Value> = if let Some(list) = elements.as_array() {
        list.iter().collect()
    } else {
        let part = |key: &str| elements.get(key).and_then(Value::as_array).into_iter().flatten();
        part("nodes").chain(part("edges")).collect()
    };
    if all.is_empty() && elements.get("nodes").is_none() && !elements.is_array() {
        return Err(FormatError::new(
            "no elements: give {\"elements\": {\"nodes\": [{\"data\": {\"id\": \"0\"}}], \
             \"edges\": []}}",
        ));
    }
    for (i, element) in all.into_iter().enumerate() {
        let data = element
            .get("data")
            .ok_or_else(|| FormatError::new(format!("element {i} has no `data`")))?;
        if data.get("source").is_none() {
            let id = json_name(data.get("id"), &format!("the id of element {i}"))?;
            graph.ensure_node(id)?;
            continue;
        }
        let end = |key: &str| json_name(data.get(key), &format!("the {key} of element {i}"));
        let value = |key: &str| json_number(data.get(key), &format!("the {key} of element {i}"));
        let ends = (end("source")?, end("target")?);
        add_edge(&mut graph, ends, value("weight")?, value("capacity")?)?;
    }
    Ok(graph)
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let nodes: Vec<Value> = graph
        .names()
        .map(|n| json!({ "data": { "id": n.to_string(), "value": n, "name": n.to_string() } }))
        .collect();
    let edges: Vec<Value> = graph
        .edges()
        .map(|e| {
            let mut data =
                json!({ "source": e.source.to_string(), "target": e.target.to_string() });
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
