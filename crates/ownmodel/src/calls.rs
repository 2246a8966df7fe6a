//! Calls as tokens, and tokens as calls with arguments in JSON.

use serde_json::{Map, Value, json};

use crate::edges::{EdgeOrder, EdgeReader};
use crate::forms::{
    JSON_CAPACITIES, JSON_FLOWS, JSON_LIST, JSON_NAMED, JSON_PAIRS, JSON_ROWS, JSON_WEIGHTS,
};
use crate::names::TalkNames;
use crate::places::Mentions;
use crate::text::encode_with;
use crate::vocabulary::{
    BREAK, DIRECTED, END_CALL, ERROR, FALSE, FIRST_FORM, FIRST_NUMBER, Kind, N_NODES, NOTES, NULL,
    RESULT, Shape, TRUE, UNDIRECTED, UNKNOWN, UNWEIGHTED, WEIGHTED, function, function_of, head,
    key, kind, number_of, tail,
};

/// Tokens of an error's message that are read.
const MAX_MESSAGE: usize = 96;
/// Values within values that are read.
const MAX_DEPTH: usize = 8;

fn number_token(value: &Value, names: &mut TalkNames) -> Option<u32> {
    names.weight(value).map(|n| FIRST_NUMBER + n)
}

/// A node where a list has numbers.
fn node_token(value: &Value, names: &TalkNames) -> Option<u32> {
    names.node(value).map(|n| FIRST_NUMBER + n)
}

/// `a3` is the third of those who want, `j3` of what is wanted.
fn named(value: &Value) -> Option<u32> {
    let text = value.as_str()?;
    let (is_first, n) = match text.strip_prefix('a') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('j')?),
    };
    let n: u32 = n.parse().ok().filter(|n| *n < N_NODES)?;
    Some(if is_first { head(n) } else { tail(n) })
}

fn pair(value: &Value, names: &TalkNames) -> Option<[u32; 2]> {
    let [a, b] = value.as_array()?.as_slice() else { return None };
    Some([head(names.node(a)?), tail(names.node(b)?)])
}

fn named_pair(value: &Value) -> Option<[u32; 2]> {
    let [a, b] = value.as_array()?.as_slice() else { return None };
    Some([named(a)?, named(b)?])
}

/// The tokens of a call, from its own to [`END_CALL`].
pub(crate) fn encode_call(
    name: &str,
    arguments: &str,
    names: &mut TalkNames,
    tokens: &mut Vec<u32>,
) {
    match function(name) {
        Some(token) => {
            tokens.push(token);
            let read: Option<Vec<u32>> = serde_json::from_str(arguments)
                .ok()
                .and_then(|value| encode_arguments(token, &value, names, tokens));
            match read {
                Some(read) => tokens.extend(read),
                None => tokens.push(UNKNOWN),
            }
        }
        None => tokens.push(UNKNOWN),
    }
    tokens.push(END_CALL);
}

fn encode_arguments(
    token: u32,
    arguments: &Value,
    names: &mut TalkNames,
    before: &[u32],
) -> Option<Vec<u32>> {
    let (_, shape) = function_of(token)?;
    let node = |name: &str| names.node(&arguments[name]);
    Some(match shape {
        Shape::Nothing => Vec::new(),
        Shape::Ends(a, b) => vec![head(node(a)?), tail(node(b)?)],
        Shape::Node(name) => vec![head(node(name)?)],
        Shape::Kind => {
            let is = |name: &str| arguments[name].as_bool();
            vec![
                if is("directed")? { DIRECTED } else { UNDIRECTED },
                if is("weighted")? { WEIGHTED } else { UNWEIGHTED },
            ]
        }
        Shape::Nodes => {
            let nodes = arguments["nodes"].as_array()?;
            nodes.iter().map(|node| node_token(node, names)).collect::<Option<_>>()?
        }
        Shape::Edges => encode_edges(arguments, names, before)?,
        Shape::Embeddings => {
            let (nodes, rows) =
                (arguments["nodes"].as_array()?, arguments["embeddings"].as_array()?);
            let mut tokens = vec![FIRST_FORM + JSON_ROWS as u32];
            if nodes.len() != rows.len() {
                return None;
            }
            for (node, row) in nodes.iter().zip(rows) {
                tokens.push(head(names.node(node)?));
                for value in row.as_array()? {
                    tokens.push(number_token(value, names)?);
                }
            }
            tokens
        }
        Shape::Layers => vec![number_token(&arguments["layers"], names)?],
    })
}

fn encode_edges(arguments: &Value, names: &mut TalkNames, before: &[u32]) -> Option<Vec<u32>> {
    let edges = arguments["edges"].as_array()?;
    let (form, values) = match (arguments.get("weights"), arguments.get("capacities")) {
        (Some(Value::Array(weights)), _) => (JSON_WEIGHTS, Some(weights)),
        (_, Some(Value::Array(capacities))) => (JSON_CAPACITIES, Some(capacities)),
        _ => (JSON_PAIRS, None),
    };
    let first = edges.first().map(|edge| &edge[0]);
    let is_named = values.is_none()
        && first.is_some_and(|node| named(node).is_some())
        && first.is_some_and(|node| names.node(node).is_none());
    let form = if is_named { JSON_NAMED } else { form };
    let mut tokens = vec![FIRST_FORM + form as u32];
    if values.is_some_and(|values| values.len() != edges.len()) {
        return None;
    }
    if is_named {
        for edge in edges {
            tokens.extend(named_pair(edge)?);
        }
        return Some(tokens);
    }
    let weights: Option<Vec<u32>> = match values {
        Some(values) => Some(values.iter().map(|x| number_token(x, names)).collect::<Option<_>>()?),
        None => None,
    };
    let ends = |edge: &Value| -> Option<(u32, u32)> {
        let [a, b] = edge.as_array()?.as_slice() else { return None };
        Some((names.node(a)?, names.node(b)?))
    };
    let edges: Vec<(u32, u32)> = edges.iter().map(ends).collect::<Option<_>>()?;
    // Weights that learned no names learned one pair for each edge.
    let mentions = if names.has_numbers() { Mentions::of(before) } else { Mentions::default() };
    let is_undirected = before.iter().rev().find(|t| [DIRECTED, UNDIRECTED].contains(t));
    let mut order = EdgeOrder::new(&mentions, is_undirected == Some(&UNDIRECTED), &edges);
    let (mut i, mut pieces) = (0, Vec::new());
    while i < edges.len() {
        let weight = weights.as_ref().and_then(|weights| weights.get(i).copied());
        i += order.step(&edges[i..], weight.and_then(number_of), &mut pieces);
        tokens.extend(pieces.drain(..).map(|piece| order.token(piece)));
        tokens.extend(weight);
    }
    Some(tokens)
}

/// The arguments that the tokens between a call's own and [`END_CALL`] stand for. Tokens that do not
/// belong there are passed over; what is missing is missing in the JSON, too, for the library to say.
pub(crate) fn decode_arguments(call: u32, tokens: &[u32], names: &TalkNames) -> String {
    let Some((_, shape)) = function_of(call) else { return "{}".to_owned() };
    let mut numbers = tokens.iter().filter_map(|token| number_of(*token));
    let node = |n: u32| names.node_value(n);
    let mut out = Map::new();
    match shape {
        Shape::Nothing => {}
        Shape::Ends(a, b) => {
            for name in [a, b] {
                out.extend(numbers.next().map(|n| ((*name).to_owned(), node(n))));
            }
        }
        Shape::Node(name) => {
            out.extend(numbers.next().map(|n| ((*name).to_owned(), node(n))));
        }
        Shape::Layers => out.extend(numbers.next().map(|n| ("layers".to_owned(), n.into()))),
        Shape::Nodes => {
            out.insert("nodes".to_owned(), numbers.map(node).collect::<Vec<_>>().into());
        }
        Shape::Kind => {
            for token in tokens {
                match *token {
                    DIRECTED | UNDIRECTED => {
                        out.insert("directed".to_owned(), (*token == DIRECTED).into());
                    }
                    WEIGHTED | UNWEIGHTED => {
                        out.insert("weighted".to_owned(), (*token == WEIGHTED).into());
                    }
                    _ => {}
                }
            }
        }
        Shape::Edges => decode_edges(tokens, names, &mut out),
        Shape::Embeddings => {
            let (mut nodes, mut rows): (Vec<Value>, Vec<Vec<Value>>) = Default::default();
            for token in tokens {
                match (kind(*token), rows.last_mut()) {
                    (Kind::Head(n), _) => {
                        nodes.push(node(n));
                        rows.push(Vec::new());
                    }
                    (Kind::Number(n), Some(row)) => row.push(names.weight_value(n)),
                    _ => {}
                }
            }
            out.insert("nodes".to_owned(), nodes.into());
            out.insert("embeddings".to_owned(), json!(rows));
        }
    }
    Value::Object(out).to_string()
}

fn decode_edges(tokens: &[u32], names: &TalkNames, out: &mut Map<String, Value>) {
    let form = tokens.iter().find_map(|token| match kind(*token) {
        Kind::Form(form) => Some(form),
        _ => None,
    });
    let (mut edges, mut values) = (Vec::new(), Vec::new());
    let mut reader = EdgeReader::default();
    let named = |letter: char, n: u32| Value::from(format!("{letter}{n}"));
    for token in tokens {
        if let Kind::Number(n) = kind(*token) {
            values.push(names.weight_value(n));
        }
        edges.extend(reader.push(*token).into_iter().map(|(a, b)| match form {
            Some(JSON_NAMED) => json!([named('a', a), named('j', b)]),
            _ => json!([names.node_value(a), names.node_value(b)]),
        }));
    }
    out.insert("edges".to_owned(), edges.into());
    match form {
        Some(JSON_WEIGHTS) => out.insert("weights".to_owned(), values.into()),
        Some(JSON_CAPACITIES) => out.insert("capacities".to_owned(), values.into()),
        _ => None,
    };
}

/// The tokens of what a call gave, as the loop writes it: `{"result": …}` or `{"error": …}`.
pub(crate) fn encode_result(text: &str, names: &mut TalkNames, tokens: &mut Vec<u32>) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        tokens.push(RESULT);
        encode_text(text, names, tokens);
        return;
    };
    if let Some(error) = value.get("error") {
        tokens.push(ERROR);
        let code = error["type"].as_str().unwrap_or_default();
        tokens.push(key(code).unwrap_or(UNKNOWN));
        if let Some(witness) = error.get("witness") {
            tokens.extend(key("witness"));
            encode_value(witness, 0, names, tokens);
        }
        let message = error["message"].as_str().unwrap_or_default();
        encode_text(message, names, tokens);
        return;
    }
    tokens.push(RESULT);
    encode_value(value.get("result").unwrap_or(&value), 0, names, tokens);
    if let Some(notes) = value.get("notes").and_then(Value::as_array) {
        for note in notes {
            tokens.push(NOTES);
            encode_text(note.as_str().unwrap_or_default(), names, tokens);
        }
    }
}

fn encode_text(text: &str, names: &mut TalkNames, tokens: &mut Vec<u32>) {
    let text = names.read_known(text);
    tokens.extend(encode_with(&text, names).tokens.into_iter().take(MAX_MESSAGE));
}

fn all(
    list: &[Value],
    names: &mut TalkNames,
    read: impl Fn(&Value, &mut TalkNames) -> Option<Vec<u32>>,
) -> Option<Vec<u32>> {
    Some(list.iter().map(|value| read(value, names)).collect::<Option<Vec<_>>>()?.concat())
}

fn encode_list(list: &[Value], names: &mut TalkNames) -> Option<(usize, Vec<u32>)> {
    let flow = |v: &Value, names: &mut TalkNames| {
        let [a, b] = [names.node(v.get("source")?)?, names.node(v.get("target")?)?];
        Some(vec![head(a), tail(b), number_token(v.get("flow")?, names)?])
    };
    let row = |v: &Value, names: &mut TalkNames| {
        let mut tokens = vec![head(names.node(v.get("node")?)?)];
        for value in v.get("embedding")?.as_array()? {
            tokens.push(number_token(value, names)?);
        }
        Some(tokens)
    };
    let number = |v: &Value, names: &mut TalkNames| match node_token(v, names) {
        Some(token) => Some(vec![token]),
        None => number_token(v, names).map(|token| vec![token]),
    };
    type Reader<'r> = (usize, &'r dyn Fn(&Value, &mut TalkNames) -> Option<Vec<u32>>);
    let readers: [Reader<'_>; 5] = [
        (JSON_LIST, &number),
        (JSON_PAIRS, &|v, names| pair(v, names).map(Vec::from)),
        (JSON_NAMED, &|v, _| named_pair(v).map(Vec::from)),
        (JSON_FLOWS, &flow),
        (JSON_ROWS, &row),
    ];
    readers.into_iter().find_map(|(form, read)| Some((form, all(list, names, read)?)))
}

fn encode_value(value: &Value, depth: usize, names: &mut TalkNames, tokens: &mut Vec<u32>) {
    match value {
        _ if depth > MAX_DEPTH => tokens.push(UNKNOWN),
        Value::Null => tokens.push(NULL),
        Value::Bool(is) => tokens.push(if *is { TRUE } else { FALSE }),
        Value::Number(n) => match number_token(value, names) {
            Some(token) => tokens.push(token),
            None => {
                // Written as people do: 350, not 350.0.
                let text = n.as_f64().map_or_else(|| n.to_string(), |x| x.to_string());
                tokens.extend(encode_with(&text, names).tokens);
            }
        },
        Value::String(text) => match names.number_of(text).map(head).or_else(|| named(value)) {
            Some(token) => tokens.push(token),
            None => encode_text(text, names, tokens),
        },
        Value::Array(list) => match encode_list(list, names) {
            Some((form, items)) => {
                tokens.push(FIRST_FORM + form as u32);
                tokens.extend(items);
                tokens.push(BREAK);
            }
            None => list.iter().for_each(|value| encode_value(value, depth + 1, names, tokens)),
        },
        Value::Object(map) => {
            for (name, value) in map {
                tokens.push(key(name).unwrap_or(UNKNOWN));
                encode_value(value, depth + 1, names, tokens);
            }
        }
    }
}
