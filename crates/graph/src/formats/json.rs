//! What the forms of JSON share, and the smaller ones: JSON Graph Format, networkx's adjacency data and
//! trees, lists and matrices, and lines as Neo4j's APOC exports them.

use serde_json::{Map, Value};

use super::{
    Direction, Draft, Format, FormatError, GraphRead, NoteKind, Peek, Values, lines, name, number,
    short, too_few, unmarked,
};
use crate::NodeName;

pub(super) const JSON_GRAPH: Format = Format {
    id: "json_graph",
    title: "JSON Graph Format",
    extensions: &["jgf", "json"],
    reads: "`graph` (or the first of `graphs`) with `nodes` as an object or a list, by their labels or \
            ids, and `edges` with a direction each and `weight` in their metadata",
    loses: "other metadata, hyperedges, graphs after the first",
    keeps: "it is only read",
    is_it: |peek: &Peek<'_>| peek.json().is_some_and(|v| graph_of(v, 1).is_some()),
    parse: parse_json_graph,
    nth: Some(parse_nth),
    write: None,
};

pub(super) const ADJACENCY: Format = Format {
    id: "adjacency_json",
    title: "Adjacency JSON (networkx)",
    extensions: &["json"],
    reads: "`adjacency_data` (`nodes` and `adjacency`) and `tree_data` (`id` and `children`) of \
            networkx, with `weight` and `capacity`",
    loses: "other attributes",
    keeps: "it is only read",
    is_it: |peek: &Peek<'_>| {
        peek.json().is_some_and(|v| v.get("adjacency").is_some_and(Value::is_array) || is_tree(v))
    },
    parse: parse_adjacency,
    nth: None,
    write: None,
};

pub(super) const LISTS: Format = Format {
    id: "json_lists",
    title: "Lists in JSON",
    extensions: &["json"],
    reads: "a list of pairs (with a weight), a square matrix of numbers, a list of edges as objects, \
            or an object with the neighbours of each node, with their weights",
    loses: "other attributes",
    keeps: "it is only read",
    is_it: |peek: &Peek<'_>| peek.json().is_some_and(is_lists),
    parse: parse_lists,
    nth: None,
    write: None,
};

pub(super) const APOC: Format = Format {
    id: "apoc",
    title: "JSON lines of APOC (Neo4j)",
    extensions: &["jsonl", "ndjson"],
    reads: "nodes by their property `name` or their id, relationships with the properties `weight` and \
            `capacity`",
    loses: "labels, types of relationships, other properties",
    keeps: "it is only read",
    is_it: is_apoc,
    parse: parse_apoc,
    nth: None,
    write: None,
};

pub(super) fn parse(text: &str) -> Result<Value, FormatError> {
    serde_json::from_str(unmarked(text))
        .map_err(|e| FormatError::at(e.line(), format!("this is not JSON: {e}")))
}

pub(super) fn list<'v>(of: &'v Map<String, Value>, key: &str) -> &'v [Value] {
    of.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A node's name; an object in its place has it as `id`, as D3 leaves links behind.
pub(super) fn name_of(value: &Value) -> Result<NodeName, FormatError> {
    match value {
        Value::Object(node) => {
            let id = ["id", "key", "name"].iter().find_map(|k| node.get(*k));
            id.filter(|id| !id.is_object())
                .map_or_else(|| Err(FormatError::new("an end has no `id`")), name_of)
        }
        Value::String(text) => name(text, None),
        // networkx writes a tuple as a list.
        Value::Array(_) | Value::Bool(_) => name(&value.to_string(), None),
        Value::Null => Err(FormatError::new("a node is null: give a text or a whole number")),
        Value::Number(_) => {
            serde_json::from_value(value.clone()).or_else(|_| name(&value.to_string(), None))
        }
    }
}

/// A weight or a capacity.
fn value_of(value: &Value, what: &str) -> Result<Option<f64>, FormatError> {
    match value {
        Value::Null => Ok(None),
        Value::Number(n) => Ok(n.as_f64()),
        Value::String(text) => number(text, what, None).map(Some),
        other => {
            let found = short(&other.to_string());
            Err(FormatError::new(format!("its {what} is {found}: give a number")))
        }
    }
}

/// Where an edge may say its ends.
const ENDS: [(&str, &str); 4] =
    [("source", "target"), ("from", "to"), ("start", "end"), ("src", "dst")];

/// The ends that an edge names.
pub(super) fn ends(edge: &Map<String, Value>) -> Result<(NodeName, NodeName), FormatError> {
    let keys = ENDS.iter().find(|(a, b)| edge.contains_key(*a) || edge.contains_key(*b));
    let (a, b) = keys.unwrap_or(&ENDS[0]);
    let end = |key: &str| {
        edge.get(key).map_or_else(|| Err(FormatError::new(format!("it has no `{key}`"))), name_of)
    };
    Ok((end(a)?, end(b)?))
}

/// An edge as an object or as a list of its ends and its weight.
pub(super) fn add_edge(draft: &mut Draft, edge: &Value, i: usize) {
    match edge {
        Value::Object(object) => add_between(draft, ends(object), edge, Some(object), i),
        Value::Array(parts) => {
            let ends = match &parts[..] {
                [a, b, ..] => name_of(a).and_then(|a| Ok((a, name_of(b)?))),
                _ => Err(FormatError::new("an edge as a list has two ends: give [0, 1]")),
            };
            match parts.get(2) {
                Some(Value::Object(data)) => add_between(draft, ends, edge, Some(data), i),
                Some(weight) => match value_of(weight, "weight") {
                    Ok(weight) => draft.link_named(ends, [weight, None], None, i),
                    Err(error) => draft.fault_of(i, error),
                },
                None => draft.link_named(ends, [None; 2], None, i),
            }
        }
        other => draft.fault(i, format!("`{}` is no edge", short(&other.to_string()))),
    }
}

/// An edge whose ends are known, with what its data say.
pub(super) fn add_between(
    draft: &mut Draft,
    ends: Result<(NodeName, NodeName), FormatError>,
    edge: &Value,
    data: Option<&Map<String, Value>>,
    i: usize,
) {
    let mut values: Values = [None; 2];
    let mut is_directed = edge.get("directed").and_then(Value::as_bool);
    if let Some(undirected) = edge.get("undirected").and_then(Value::as_bool) {
        is_directed = Some(!undirected);
    }
    let inner = ["attributes", "metadata", "properties"]
        .iter()
        .find_map(|key| data?.get(*key)?.as_object());
    let has_weight = [data, inner].iter().flatten().any(|d| d.contains_key("weight"));
    let mut dropped = Vec::new();
    for (key, value) in [data, inner].iter().flatten().flat_map(|d| d.iter()) {
        let slot = match key.as_str() {
            "weight" => 0,
            // D3 calls it so.
            "value" if !has_weight && (value.is_number() || value.is_string()) => 0,
            "capacity" => 1,
            "source" | "target" | "from" | "to" | "src" | "dst" | "start" | "end" | "id"
            | "key" | "directed" | "undirected" | "attributes" | "metadata" | "properties" => {
                continue;
            }
            _ => {
                dropped.push(key);
                continue;
            }
        };
        match value_of(value, key) {
            Ok(number) => {
                values[slot] = number;
                if key == "value" {
                    draft.note(NoteKind::Turned, "weight| read from the key `value`", "", i);
                }
            }
            // A value of D3 that is no number is an attribute like others.
            Err(_) if key == "value" => dropped.push(key),
            Err(error) => return draft.fault_of(i, error),
        }
    }
    let before = draft.n_edges();
    draft.link_named(ends, values, is_directed, i);
    if draft.n_edges() > before {
        for key in dropped {
            draft.drop_edge_value(key, i);
        }
    }
}

/// The graph of a file in JSON Graph Format, and how many more there are.
fn graph_of(value: &Value, number: usize) -> Option<(&Map<String, Value>, usize)> {
    let graphs = value.get("graphs").and_then(Value::as_array);
    let only = value.get("graph").filter(|_| number == 1);
    let graph = only.or_else(|| graphs?.get(number.checked_sub(1)?))?.as_object()?;
    let has_nodes = ["nodes", "edges", "hyperedges"].iter().any(|k| graph.contains_key(*k));
    has_nodes.then_some((graph, graphs.map_or(0, |g| g.len().saturating_sub(1))))
}

fn parse_json_graph(text: &str) -> Result<GraphRead, FormatError> {
    parse_nth(text, 1)
}

fn parse_nth(text: &str, wanted: usize) -> Result<GraphRead, FormatError> {
    let value = parse(text)?;
    let Some((graph, n_more)) = graph_of(&value, wanted) else {
        if wanted > 1 && graph_of(&value, 1).is_some() {
            let n = value.get("graphs").and_then(Value::as_array).map_or(1, Vec::len);
            return Err(too_few(wanted, n));
        }
        return Err(FormatError::new(
            "there is no graph: give {\"graph\": {\"nodes\": {\"a\": {}}, \"edges\": []}}",
        ));
    };
    let mut draft = Draft::of_items("nodes");
    if n_more > 0 {
        draft.notes.drop_graphs(wanted, "graph", n_more, None);
    }
    let by_key = graph.get("nodes").and_then(Value::as_object);
    let nodes = by_key
        .into_iter()
        .flatten()
        .map(|(id, node)| (Some(Value::from(id.as_str())), node))
        .chain(list(graph, "nodes").iter().map(|node| (None, node)));
    for (i, (id, node)) in nodes.enumerate() {
        let id = id.as_ref().or_else(|| node.get("id")).unwrap_or(node);
        match name_of(id) {
            Ok(name) => {
                let place = draft.named(name);
                if let Some(label) = node.get("label").and_then(Value::as_str) {
                    draft.label(place, label);
                }
                let metadata = node.get("metadata").and_then(Value::as_object);
                for key in metadata.into_iter().flat_map(Map::keys) {
                    draft.drop_node_value(key, i);
                }
            }
            Err(error) => draft.fault_of(i, error),
        }
    }
    draft.set_list("edges");
    for (i, edge) in list(graph, "edges").iter().enumerate() {
        add_edge(&mut draft, edge, i);
    }
    for i in 0..list(graph, "hyperedges").len() {
        draft.note(NoteKind::Dropped, "hyperedge|", "", i);
    }
    // Its description says that edges have a direction unless the graph says otherwise.
    let said = graph.get("directed").and_then(Value::as_bool).unwrap_or(true);
    draft.finish(Direction::Is(said))
}

fn is_tree(value: &Value) -> bool {
    let is_named = value.get("id").is_some() || value.get("name").is_some();
    is_named && value.get("children").is_some_and(Value::is_array)
}

fn parse_adjacency(text: &str) -> Result<GraphRead, FormatError> {
    let value = parse(text)?;
    if is_tree(&value) {
        return parse_tree(&value);
    }
    let Some(rows) = value.get("adjacency").and_then(Value::as_array) else {
        return Err(FormatError::new(
            "there is no `adjacency`: give {\"nodes\": [{\"id\": 0}], \"adjacency\": [[]]}",
        ));
    };
    let mut draft = Draft::of_items("nodes");
    draft.mirrors = true;
    let nodes = value.get("nodes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut names = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        match name_of(node) {
            Ok(name) => {
                draft.named(name.clone());
                names.push(Some(name));
            }
            Err(error) => {
                draft.fault_of(i, error);
                names.push(None);
            }
        }
        for key in node.as_object().into_iter().flat_map(Map::keys).filter(|k| *k != "id") {
            draft.drop_node_value(key, i);
        }
    }
    draft.set_list("adjacency");
    for (i, row) in rows.iter().enumerate() {
        let Some(source) = names.get(i).cloned().flatten() else {
            draft.fault(i, "there is no node for it in `nodes`");
            continue;
        };
        for neighbour in row.as_array().into_iter().flatten() {
            let ends = name_of(neighbour).map(|target| (source.clone(), target));
            add_between(&mut draft, ends, neighbour, neighbour.as_object(), i);
        }
    }
    let said = value.get("directed").and_then(Value::as_bool);
    draft.finish(said.map_or(Direction::Assumed(false), Direction::Is))
}

/// A tree of nodes with their children; an edge leads from each to its children.
fn parse_tree(root: &Value) -> Result<GraphRead, FormatError> {
    let mut draft = Draft::of_items("nodes");
    let mut open = vec![(root, None::<NodeName>)];
    let mut i = 0;
    while let Some((node, parent)) = open.pop() {
        match name_of(node) {
            Ok(name) => {
                draft.named(name.clone());
                if let Some(parent) = parent {
                    draft.link_named(Ok((parent, name.clone())), [None; 2], None, i);
                }
                let children = node.get("children").and_then(Value::as_array);
                for child in children.into_iter().flatten().rev() {
                    open.push((child, Some(name.clone())));
                }
            }
            Err(error) => draft.fault_of(i, error),
        }
        i += 1;
    }
    draft.finish(Direction::Is(true))
}

fn is_lists(value: &Value) -> bool {
    let is_end = |v: &Value| v.is_string() || v.is_number();
    match value {
        Value::Array(rows) => rows.first().is_some_and(|first| match first {
            Value::Array(parts) => parts.len() >= 2 && parts.iter().take(2).all(is_end),
            Value::Object(edge) => {
                ENDS.iter().any(|(a, b)| edge.contains_key(*a) && edge.contains_key(*b))
            }
            _ => false,
        }),
        Value::Object(nodes) => {
            // A neighbour is a node that has a key too.
            let is_known = |name: &str| nodes.contains_key(name);
            let mut has_known = false;
            let are_lists = nodes.values().all(|v| match v {
                Value::Array(list) => list.iter().all(|end| {
                    has_known |= match end {
                        Value::String(name) => is_known(name),
                        other => is_known(&other.to_string()),
                    };
                    is_end(end)
                }),
                Value::Object(near) => near.iter().all(|(name, v)| {
                    has_known |= is_known(name);
                    let is_flat = |d: &Map<String, Value>| {
                        d.values().all(|v| !v.is_object() && !v.is_array())
                    };
                    v.is_number() || v.as_object().is_some_and(is_flat)
                }),
                _ => false,
            });
            are_lists && has_known
        }
        _ => false,
    }
}

fn parse_lists(text: &str) -> Result<GraphRead, FormatError> {
    let value = parse(text)?;
    match &value {
        Value::Array(rows) => {
            if let Some(matrix) = matrix(rows) {
                let names: Vec<String> = (0..rows.len()).map(|i| i.to_string()).collect();
                return super::adjacency_csv::of_matrix(&names, &matrix, None);
            }
            let mut draft = Draft::of_items("edges");
            for (i, edge) in rows.iter().enumerate() {
                add_edge(&mut draft, edge, i);
            }
            draft.finish(Direction::Assumed(false))
        }
        Value::Object(nodes) => {
            let mut draft = Draft::of_items("nodes");
            draft.mirrors = true;
            for node in nodes.keys() {
                if let Ok(name) = name(node, None) {
                    draft.named(name);
                }
            }
            for (i, (node, near)) in nodes.iter().enumerate() {
                let source = name(node, None);
                let ends = |target: Result<NodeName, FormatError>| Ok((source.clone()?, target?));
                match near {
                    Value::Array(list) => {
                        for target in list {
                            draft.link_named(ends(name_of(target)), [None; 2], None, i);
                        }
                    }
                    Value::Object(near) => {
                        for (target, data) in near {
                            let ends = ends(name(target, None));
                            match data {
                                Value::Object(data) => {
                                    add_between(&mut draft, ends, &Value::Null, Some(data), i);
                                }
                                weight => {
                                    draft.link_named(ends, [weight.as_f64(), None], None, i);
                                }
                            }
                        }
                    }
                    _ => draft.fault(i, "it has no list of neighbours"),
                }
            }
            // Where every edge stands at both of its ends, none has a direction.
            let directed = !draft.is_symmetric();
            draft.finish(Direction::Assumed(directed))
        }
        _ => Err(FormatError::new("give a list of pairs, such as [[0, 1], [1, 2]]")),
    }
}

/// A square of numbers; pairs of two ends are no matrix.
fn matrix(rows: &[Value]) -> Option<Vec<(usize, usize, f64)>> {
    let n = rows.len();
    let mut cells = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let row = row.as_array().filter(|row| row.len() == n)?;
        for (j, cell) in row.iter().enumerate() {
            cells.push((i, j, cell.as_f64()?));
        }
    }
    // Three edges with weights look the same, but then ends are on the diagonal.
    let is_hollow = cells.iter().all(|&(i, j, w)| i != j || w == 0.0);
    (n > 3 || is_hollow && n == 3).then_some(cells)
}

fn is_apoc(peek: &Peek<'_>) -> bool {
    let is_line = |line: &&str| {
        serde_json::from_str::<Value>(line).is_ok_and(|v| {
            let kind = v.get("type").and_then(Value::as_str);
            let is_node = kind == Some("node") && v.get("id").is_some();
            is_node || kind == Some("relationship") && v.get("start").is_some()
        })
    };
    peek.lines.iter().take(5).any(is_line)
}

fn parse_apoc(text: &str) -> Result<GraphRead, FormatError> {
    let mut draft = Draft::new();
    for (line, text) in lines(text) {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(e) => {
                draft.fault(line, format!("this is not JSON: {e}"));
                continue;
            }
        };
        let properties = value.get("properties").and_then(Value::as_object);
        match value.get("type").and_then(Value::as_str) {
            Some("node") => {
                let id = value
                    .get("id")
                    .map_or_else(|| Err(FormatError::new("a node has no `id`")), name_of);
                match id {
                    Ok(id) => {
                        let place = draft.named(id);
                        let label = properties.and_then(|p| p.get("name")).and_then(Value::as_str);
                        if let Some(label) = label {
                            draft.label(place, label);
                        }
                        let others = properties.into_iter().flat_map(Map::keys);
                        for key in others.filter(|k| *k != "name") {
                            draft.drop_node_value(key, line);
                        }
                        if value.get("labels").is_some() {
                            draft.note(NoteKind::Dropped, "list| of a node's labels", "", line);
                        }
                    }
                    Err(error) => draft.fault_of(line, error),
                }
            }
            Some("relationship") => {
                let end = |key: &str| {
                    value.get(key).map_or_else(
                        || Err(FormatError::new(format!("it has no `{key}`"))),
                        name_of,
                    )
                };
                let ends = end("start").and_then(|a| Ok((a, end("end")?)));
                add_between(&mut draft, ends, &Value::Null, properties, line);
                if let Some(label) = value.get("label").and_then(Value::as_str) {
                    draft.note(NoteKind::Dropped, "type| of relationships, such as", label, line);
                }
            }
            _ => draft.fault(line, "its `type` is neither `node` nor `relationship`"),
        }
    }
    draft.finish(Direction::Is(true))
}
