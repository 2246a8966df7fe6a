//! Node-link JSON, as networkx reads and writes it: `nodes` with `id`, `edges` (or the older
//! `links`) with `source` and `target`.

use serde_json::{Value, json};

use super::{Format, FormatError, add_edge, json_name, json_number, parse_json};
use crate::{Delta, Graph};

pub(super) const FORMAT: Format = Format {
    id: "node_link",
    title: "Node-link JSON (networkx)",
    extensions: &["json"],
    keeps: "nodes, edges, weights, capacities, embeddings",
    parse,
    write: Some(write),
};

fn parse(text: &str) -> Result<Graph, FormatError> {
    let value = parse_json(text)?;
    let list = |key: &str| value.get(key).and_then(Value::as_array);
    let directed = value.get("directed").and_then(Value::as_bool).unwrap_or(false);
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    let nodes = list("nodes");
    let edges = list("edges").or_else(|| list("links"));
    if nodes.is_none() && edges.is_none() {
        return Err(FormatError::new(
            "no `nodes` and no `edges`: give {\"nodes\": [{\"id\": 0}], \"edges\": [{\"source\": \
             0, \"target\": 1}]}",
        ));
    }
    for (i, node) in nodes.into_iter().flatten().enumerate() {
        let id = node.get("id").or_else(|| (!node.is_object()).then_some(node));
        let name = json_name(id, &format!("the id of nodes[{i}]"))?;
        graph.ensure_node(name.clone())?;
        if let Some(list) = node.get("embedding").and_then(Value::as_array) {
            let what = format!("the embedding of nodes[{i}]");
            let values = list
                .iter()
                .map(|x| json_number(Some(x), &what)?.ok_or_else(|| FormatError::new(what.clone())))
                .collect::<Result<Vec<f64>, _>>()?;
            graph.apply(&Delta::SetEmbedding { node: name, values })?;
        }
    }
    for (i, edge) in edges.into_iter().flatten().enumerate() {
        let end = |key: &str| json_name(edge.get(key), &format!("the {key} of edges[{i}]"));
        let value = |key: &str| json_number(edge.get(key), &format!("the {key} of edges[{i}]"));
        let ends = (end("source")?, end("target")?);
        add_edge(&mut graph, ends, value("weight")?, value("capacity")?)?;
    }
    Ok(graph)
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
