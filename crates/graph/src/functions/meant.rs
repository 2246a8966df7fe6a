//! Reads arguments as they were meant before they are read as types: models fill in optional lists
//! with `[]`, write numbers as texts and edges as `"0-1"`.
//!
//! Only what has one meaning is read. All else stays as it is, and the error names it: a guess that
//! could change the answer is worse than a refusal.

use serde_json::{Map, Number, Value};

/// Names under which models write the two ends of an edge, in the order of the edge.
const ENDS: [(&str, &str); 6] = [
    ("source", "target"),
    ("from", "to"),
    ("u", "v"),
    ("start", "end"),
    ("src", "dst"),
    ("node1", "node2"),
];

/// Names under which models write a node that they wrap in an object.
const NODE: [&str; 4] = ["id", "node", "name", "label"];

/// Arguments as they were meant, with a note for each adjustment. What fits the schema stays as it is.
/// O(size of the arguments).
pub(super) fn as_meant(schema: &Value, arguments: Value) -> (Value, Vec<String>) {
    let mut notes = Notes::default();
    let arguments = match arguments {
        Value::String(text) => match serde_json::from_str::<Value>(&text) {
            Ok(inner @ Value::Object(_)) => {
                notes.push("arguments", "a text with JSON in it was read as JSON".into());
                inner
            }
            _ => Value::String(text),
        },
        other => other,
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let (mut given, properties) = match (arguments, properties) {
        (Value::Object(given), Some(properties)) => (given, properties),
        (arguments, _) => return (arguments, notes.in_words()),
    };
    rename(&mut given, properties, &mut notes);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|r| r.iter().any(|x| x == name));
    given.retain(|name, value| {
        let property = properties.get(name);
        let is_out = !is_required(name) && is_empty(value, property);
        if is_out && property.is_some() && !value.is_null() {
            notes.push(name, format!("{value} was read as left out"));
        }
        !is_out
    });
    // What edges say beside their ends counts where nothing else says it.
    let takes = BESIDE.map(|name| properties.contains_key(name) && !given.contains_key(name));
    let mut beside = [Vec::new(), Vec::new()];
    for (name, value) in &mut given {
        let Some(property) = properties.get(name) else { continue };
        if is_list_of_pairs(property) {
            read_edges(name, property, value, takes, &mut beside, &mut notes);
        } else {
            fit(name, property, value, &mut notes);
        }
    }
    for (name, values) in BESIDE.into_iter().zip(beside).filter(|(_, values)| !values.is_empty()) {
        notes.push(name, "these were taken from the edges".into());
        given.insert(name.to_owned(), Value::Array(values));
    }
    (Value::Object(given), notes.in_words())
}

/// What an edge may say beside its ends: as arguments are called, and as models call it there.
const BESIDE: [&str; 2] = ["weights", "capacities"];
const BESIDE_ONE: [&str; 2] = ["weight", "capacity"];

/// What was adjusted, each argument's first with how many more there are.
#[derive(Default)]
struct Notes(Vec<(String, String, usize)>);

impl Notes {
    fn push(&mut self, name: &str, what: String) {
        match self.0.iter_mut().find(|(known, ..)| known == name) {
            Some((.., more)) => *more += 1,
            None => self.0.push((name.to_owned(), what, 0)),
        }
    }

    /// Puts what was meant into the place of a value.
    fn read(&mut self, name: &str, value: &mut Value, meant: Value) {
        let brief = |value: &Value| {
            let text = value.to_string();
            match text.char_indices().nth(60) {
                Some((cut, _)) => format!("{}…", &text[..cut]),
                None => text,
            }
        };
        self.push(name, format!("{} was read as {}", brief(value), brief(&meant)));
        *value = meant;
    }

    fn in_words(self) -> Vec<String> {
        let words = |(name, what, more): (String, String, usize)| {
            let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
            format!("`{name}`: {what}{more}")
        };
        self.0.into_iter().map(words).collect()
    }
}

/// A name without what tells `snake_case` from `camelCase`.
fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Gives arguments their names where these differ in case and underscores alone.
fn rename(given: &mut Map<String, Value>, properties: &Map<String, Value>, notes: &mut Notes) {
    let unknown: Vec<String> =
        given.keys().filter(|name| !properties.contains_key(*name)).cloned().collect();
    for name in unknown {
        let like = |known: &&String| folded(known) == folded(&name) && !given.contains_key(*known);
        if let Some(known) = properties.keys().find(like).cloned()
            && let Some(value) = given.remove(&name)
        {
            notes.push(&known, format!("it was called `{name}`"));
            given.insert(known, value);
        }
    }
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(all)) => all.iter().any(|one| one == name),
        _ => false,
    }
}

/// Whether a value says nothing, where nothing need be said.
fn is_empty(value: &Value, property: Option<&Value>) -> bool {
    match value {
        Value::Null => true,
        // A list that may not be null says with no entries what it says.
        Value::Array(list) => list.is_empty() && property.is_none_or(|p| has_type(p, "null")),
        Value::Object(map) => map.is_empty(),
        Value::String(text) => {
            let is_text = property.is_none_or(|p| has_type(p, "string"));
            let word = text.trim().to_ascii_lowercase();
            word.is_empty() || (!is_text && ["null", "none"].contains(&word.as_str()))
        }
        _ => false,
    }
}

fn is_node(schema: &Value) -> bool {
    has_type(schema, "string") && has_type(schema, "integer")
}

fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_))
}

fn is_list_of_pairs(schema: &Value) -> bool {
    let pair = schema.get("items").filter(|items| {
        ["minItems", "maxItems"].iter().all(|k| items.get(k).and_then(Value::as_u64) == Some(2))
    });
    pair.and_then(|pair| pair.get("items")).is_some_and(is_node)
}

/// Puts a value into the type that is wanted, where it has one meaning there.
fn fit(name: &str, schema: &Value, value: &mut Value, notes: &mut Notes) {
    if has_type(schema, "array") {
        let Some(items) = schema.get("items") else { return };
        if let Some(list) = as_list(name, items, value) {
            notes.read(name, value, list);
        }
        if let Value::Array(list) = value {
            list.iter_mut().for_each(|item| fit(name, items, item, notes));
        }
        return;
    }
    let read = match value {
        Value::String(text) if is_node(schema) => unquoted(text),
        Value::Object(map) if is_node(schema) && map.len() == 1 => {
            let inner = NODE.iter().find_map(|key| map.get(*key));
            inner.filter(|inner| is_scalar(inner)).cloned()
        }
        Value::Array(list) if is_node(schema) => match list.as_slice() {
            [one] if is_scalar(one) => Some(one.clone()),
            _ => None,
        },
        Value::String(text) if has_type(schema, "string") || text.len() > 40 => None,
        Value::String(text) if has_type(schema, "boolean") => {
            let word = text.trim().to_ascii_lowercase();
            word.parse::<bool>().ok().map(Value::Bool)
        }
        Value::String(text) => number(text.trim(), schema),
        Value::Number(n) if has_type(schema, "integer") && !is_node(schema) && n.is_f64() => {
            number(&n.to_string(), schema)
        }
        _ => None,
    };
    if let Some(read) = read {
        notes.read(name, value, read);
    }
}

/// The name in a text with quotes of its own, such as `"'Tom'"`.
fn unquoted(text: &str) -> Option<Value> {
    let text = text.trim();
    let inner = ['\'', '"'].iter().find_map(|q| text.strip_prefix(*q)?.strip_suffix(*q))?;
    (!inner.trim().is_empty()).then(|| inner.trim().into())
}

/// The number that a text says, where one is wanted.
fn number(text: &str, schema: &Value) -> Option<Value> {
    let (whole, any) = (has_type(schema, "integer"), has_type(schema, "number"));
    if !whole && !any {
        return None;
    }
    if let Ok(n) = text.parse::<i64>() {
        return Some(n.into());
    }
    let n: f64 = text.parse().ok()?;
    if whole && !any {
        // No more digits than a number of this kind holds.
        return (n.fract() == 0.0 && n.abs() < 9e15).then(|| (n as i64).into());
    }
    Number::from_f64(n).map(Value::Number)
}

/// The list that a single value means.
fn as_list(name: &str, items: &Value, value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => {
            if let Ok(list @ Value::Array(_)) = serde_json::from_str(text) {
                return Some(list);
            }
            let parts = || text.split([',', ';', '\n']).map(str::trim);
            if parts().count() == 1 && !has_type(items, "array") {
                return Some(Value::Array(vec![value.clone()]));
            }
            // A name may have a comma in it; a number has none.
            let numbers: Option<Vec<Value>> = parts().map(|part| number(part, items)).collect();
            numbers.filter(|_| !is_node(items)).map(Value::Array)
        }
        // `nodes: 5` may be the node 5, or five nodes.
        Value::Number(_) if is_node(items) && name == "nodes" => None,
        Value::Number(_) if !has_type(items, "array") => Some(Value::Array(vec![value.clone()])),
        // One row where a list of rows is wanted.
        Value::Array(list)
            if has_type(items, "array")
                && !list.is_empty()
                && list.iter().all(Value::is_number) =>
        {
            Some(Value::Array(vec![value.clone()]))
        }
        _ => None,
    }
}

/// The two ends that a text such as `0-1`, `A -> B` or `(0, 1)` names.
fn ends_in(text: &str) -> Option<Value> {
    let text = text.trim();
    let inner = [('(', ')'), ('[', ']')]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    let parts: Vec<&str> = match inner {
        Some(inner) => inner.split(',').collect(),
        None => ["->", "→", "--", "-"]
            .iter()
            .find(|mark| text.contains(**mark))
            .map(|mark| text.split(*mark).collect())?,
    };
    let [a, b] = parts.as_slice() else { return None };
    let end = |part: &str| {
        let part = part.trim().trim_matches(['"', '\'']);
        let is_plain = !part.is_empty() && !part.contains(['-', '>', '(', ')', '[', ']', ',']);
        is_plain.then(|| Value::from(part))
    };
    Some(Value::Array(vec![end(a)?, end(b)?]))
}

/// The edges that a text lists: `[[0, 1], [1, 2]]`, `[(0, 1), (1, 2)]` or `0-1, 1-2`.
fn edges_in(text: &str) -> Option<Value> {
    let bracketed = text.trim().replace('(', "[").replace(')', "]");
    for whole in [bracketed.clone(), format!("[{bracketed}]")] {
        if let Ok(Value::Array(list)) = serde_json::from_str(&whole)
            && list.iter().all(Value::is_array)
        {
            return Some(Value::Array(list));
        }
    }
    let all: Option<Vec<Value>> = text.split([',', ';', '\n']).map(ends_in).collect();
    all.map(Value::Array)
}

/// An edge in the form of an object: its ends, and what it says of them beside.
fn edge_of(map: &Map<String, Value>) -> Option<(Value, [Option<Value>; 2])> {
    let ends: Vec<(&Value, &Value)> =
        ENDS.iter().filter_map(|(a, b)| Some((map.get(*a)?, map.get(*b)?))).collect();
    let [(a, b)] = ends.as_slice() else { return None };
    let n_known = 2 + BESIDE_ONE.iter().filter(|key| map.contains_key(**key)).count();
    let is_edge = map.len() == n_known && is_scalar(a) && is_scalar(b);
    let beside = BESIDE_ONE.map(|key| map.get(key).filter(|v| !v.is_null()).cloned());
    is_edge.then(|| (Value::Array(vec![(*a).clone(), (*b).clone()]), beside))
}

/// One edge in a form that models write, with its weight and its capacity.
fn one_edge(item: &Value) -> Option<(Value, [Option<Value>; 2])> {
    match item {
        Value::String(text) => Some((ends_in(text)?, [None, None])),
        Value::Object(map) => edge_of(map),
        Value::Array(parts) => match parts.as_slice() {
            // A number behind the ends is the weight; flows take it where there is no capacity.
            [a, b, w] if is_scalar(a) && is_scalar(b) && w.is_number() => {
                Some((Value::Array(vec![a.clone(), b.clone()]), [Some(w.clone()), None]))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Reads edges in the forms that models write. Weights and capacities beside their ends go to
/// `beside`, for those that `takes` has a place for.
fn read_edges(
    name: &str,
    schema: &Value,
    value: &mut Value,
    takes: [bool; 2],
    beside: &mut [Vec<Value>; 2],
    notes: &mut Notes,
) {
    let whole = match &*value {
        Value::String(text) => edges_in(text),
        // One edge alone.
        Value::Array(list) => match list.as_slice() {
            [a, b] if is_scalar(a) && is_scalar(b) => {
                let is_edge = |v: &Value| v.as_str().is_some_and(|t| ends_in(t).is_some());
                let one = || Value::Array(vec![Value::Array(vec![a.clone(), b.clone()])]);
                (!is_edge(a) && !is_edge(b)).then(one)
            }
            _ => None,
        },
        Value::Object(map) => edge_of(map).map(|_| Value::Array(vec![value.clone()])),
        _ => None,
    };
    if let Some(whole) = whole {
        notes.read(name, value, whole);
    }
    let Value::Array(list) = value else { return };
    for item in list.iter_mut() {
        if let Some((edge, says)) = one_edge(item)
            && says.iter().zip(takes).all(|(said, takes)| said.is_none() || takes)
        {
            notes.read(name, item, edge);
            beside.iter_mut().zip(says).for_each(|(all, said)| all.extend(said));
        }
        if let (Value::Array(ends), Some(node)) = (item, schema["items"].get("items")) {
            ends.iter_mut().for_each(|end| fit(name, node, end, notes));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::functions::{FUNCTIONS, find};

    fn read(function: &str, arguments: Value) -> (Value, Vec<String>) {
        as_meant(&find(function).unwrap().arguments(), arguments)
    }

    #[test]
    fn what_fits_the_schema_stays_as_it_is() {
        for f in FUNCTIONS {
            let arguments = f.example().arguments;
            assert_eq!(read(f.name, arguments.clone()), (arguments, Vec::new()), "{}", f.name);
        }
    }

    #[test]
    fn what_has_one_meaning_is_read_so_and_noted() {
        let edges = json!([["0", "1"], ["1", "2"]]);
        let calls = [
            (
                "add_edges",
                json!({ "edges": [[0, 1]], "weights": [], "capacities": null }),
                json!({ "edges": [[0, 1]] }),
            ),
            ("add_edges", json!({ "edges": ["0-1", "1 -> 2"] }), json!({ "edges": edges })),
            ("add_edges", json!({ "edges": "0-1, 1-2" }), json!({ "edges": edges })),
            (
                "add_edges",
                json!({ "edges": "[(0, 1), (1, 2)]" }),
                json!({ "edges": [[0, 1], [1, 2]] }),
            ),
            ("add_edges", json!({ "edges": ["(0,1)", "(1, 2)"] }), json!({ "edges": edges })),
            (
                "add_edges",
                json!({ "edges": [{ "source": 0, "target": 1, "weight": 4 }] }),
                json!({ "edges": [[0, 1]], "weights": [4] }),
            ),
            (
                "add_edges",
                json!({ "edges": [{ "u": 0, "v": 1, "capacity": 4 }] }),
                json!({ "edges": [[0, 1]], "capacities": [4] }),
            ),
            (
                "add_edges",
                json!({ "edges": [[0, 1, 2.5], [1, 2, 3]] }),
                json!({ "edges": [[0, 1], [1, 2]], "weights": [2.5, 3] }),
            ),
            ("add_edges", json!({ "edges": ["Tom", "Ann"] }), json!({ "edges": [["Tom", "Ann"]] })),
            (
                "add_edges",
                json!({ "edges": [[0, 1], [1, 2]], "weights": "4, 2" }),
                json!({ "edges": [[0, 1], [1, 2]], "weights": [4, 2] }),
            ),
            (
                "add_edges",
                json!({ "edges": [[0, 1]], "weights": ["4"] }),
                json!({ "edges": [[0, 1]], "weights": [4] }),
            ),
            ("add_nodes", json!({ "nodes": "Tom" }), json!({ "nodes": ["Tom"] })),
            ("add_nodes", json!({ "nodes": "[0, 1]" }), json!({ "nodes": [0, 1] })),
            (
                "add_nodes",
                json!({ "nodes": [{ "id": 3 }, "'Tom'"] }),
                json!({ "nodes": [3, "Tom"] }),
            ),
            (
                "create_graph",
                json!({ "directed": "False", "weighted": "true" }),
                json!({ "directed": false, "weighted": true }),
            ),
            ("graph_convolution", json!({ "layers": "2" }), json!({ "layers": 2 })),
            ("graph_convolution", json!({ "layers": 2.0 }), json!({ "layers": 2 })),
            ("graph_convolution", json!("{\"layers\": 2}"), json!({ "layers": 2 })),
            ("find_cliques", json!({ "minSize": 3 }), json!({ "min_size": 3 })),
            ("find_cliques", json!({ "min_size": "none" }), json!({})),
            ("get_neighbors", json!({ "node": [4] }), json!({ "node": 4 })),
            ("get_degrees", json!({ "nodes": [] }), json!({})),
            (
                "set_node_embeddings",
                json!({ "nodes": ["0"], "embeddings": [1, 2] }),
                json!({ "nodes": ["0"], "embeddings": [[1, 2]] }),
            ),
        ];
        for (function, given, meant) in calls {
            let (read, notes) = read(function, given.clone());
            assert_eq!(read, meant, "{function} {given}");
            assert!(!notes.is_empty(), "{function} {given}");
        }
    }

    #[test]
    fn what_has_two_meanings_stays_wrong() {
        for (function, given) in [
            // Node 5, or five nodes.
            ("create_graph", json!({ "directed": false, "nodes": 5 })),
            // Two nodes, or one with a comma in its name.
            ("add_nodes", json!({ "nodes": "Bern, Basel" })),
            // Which of the marks parts the ends?
            ("add_edges", json!({ "edges": ["Jean-Luc-Ann"] })),
            // Some edges have a weight, or two lists say them.
            ("add_edges", json!({ "edges": [[0, 1, 4]], "weights": [5] })),
            ("delete_edges", json!({ "edges": [[0, 1, 4]] })),
            ("create_graph", json!({ "directed": "yes" })),
            ("add_edges", json!({ "edges": [0, 1, 1, 2] })),
            ("add_edges", json!({ "edges": [[0, 1]], "weights": ["heavy"] })),
            ("find_shortest_path", json!({ "from": 0, "to": 3 })),
        ] {
            assert_eq!(read(function, given.clone()), (given.clone(), Vec::new()), "{given}");
        }
        let (read, _) = read("add_edges", json!({ "edges": [[0, 1, 4], [1, 2]] }));
        let edges = find("add_edges").unwrap().call(&crate::Graph::undirected(), read);
        assert_eq!(edges.unwrap_err().code, "length_mismatch");
    }
}
