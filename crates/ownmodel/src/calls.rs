//! Calls as tokens, and tokens as calls with arguments in JSON.

use serde_json::{Map, Value, json};

use crate::forms::{
    JSON_CAPACITIES, JSON_FLOWS, JSON_LIST, JSON_NAMED, JSON_PAIRS, JSON_ROWS, JSON_WEIGHTS,
};
use crate::text::encode;
use crate::vocabulary::{
    BREAK, DIRECTED, END_CALL, ERROR, FALSE, FIRST_FORM, FIRST_HEAD, FIRST_NUMBER, FIRST_TAIL,
    Kind, N_NODES, N_NUMBERS, NOTES, NULL, RESULT, Shape, TRUE, UNDIRECTED, UNKNOWN, UNWEIGHTED,
    WEIGHTED, function, function_of, key, kind, number_of,
};

/// Tokens of an error's message that are read.
const MAX_MESSAGE: usize = 96;
/// Values within values that are read.
const MAX_DEPTH: usize = 8;

fn whole(value: &Value, below: u32) -> Option<u32> {
    let n = value.as_f64()?;
    (n >= 0.0 && n.fract() == 0.0 && n < f64::from(below)).then_some(n as u32)
}

fn number_token(value: &Value) -> Option<u32> {
    whole(value, N_NUMBERS).map(|n| FIRST_NUMBER + n)
}

/// `a3` is the third of those who want, `j3` of what is wanted.
fn named(value: &Value) -> Option<u32> {
    let text = value.as_str()?;
    let (first, n) = if let Some(digits) = text.strip_prefix('a') {
        (FIRST_HEAD, digits)
    } else {
        (FIRST_TAIL, text.strip_prefix('j')?)
    };
    let n: u32 = n.parse().ok().filter(|n| *n < N_NODES)?;
    Some(first + n)
}

fn pair(value: &Value) -> Option<[u32; 2]> {
    let [a, b] = value.as_array()?.as_slice() else { return None };
    Some([FIRST_HEAD + whole(a, N_NODES)?, FIRST_TAIL + whole(b, N_NODES)?])
}

fn named_pair(value: &Value) -> Option<[u32; 2]> {
    let [a, b] = value.as_array()?.as_slice() else { return None };
    Some([named(a)?, named(b)?])
}

/// The tokens of a call, from its own to [`END_CALL`].
pub(crate) fn encode_call(name: &str, arguments: &str, tokens: &mut Vec<u32>) {
    match function(name) {
        Some(token) => {
            tokens.push(token);
            let read: Option<Vec<u32>> = serde_json::from_str(arguments)
                .ok()
                .and_then(|value| encode_arguments(token, &value));
            match read {
                Some(read) => tokens.extend(read),
                None => tokens.push(UNKNOWN),
            }
        }
        None => tokens.push(UNKNOWN),
    }
    tokens.push(END_CALL);
}

fn encode_arguments(token: u32, arguments: &Value) -> Option<Vec<u32>> {
    let (_, shape) = function_of(token)?;
    let node = |name: &str| whole(&arguments[name], N_NODES);
    Some(match shape {
        Shape::Nothing => Vec::new(),
        Shape::Ends(a, b) => vec![FIRST_HEAD + node(a)?, FIRST_TAIL + node(b)?],
        Shape::Node(name) => vec![FIRST_HEAD + node(name)?],
        Shape::Kind => {
            let is = |name: &str| arguments[name].as_bool();
            vec![
                if is("directed")? { DIRECTED } else { UNDIRECTED },
                if is("weighted")? { WEIGHTED } else { UNWEIGHTED },
            ]
        }
        Shape::Nodes => {
            arguments["nodes"].as_array()?.iter().map(number_token).collect::<Option<_>>()?
        }
        Shape::Edges => encode_edges(arguments)?,
        Shape::Embeddings => {
            let (nodes, rows) =
                (arguments["nodes"].as_array()?, arguments["embeddings"].as_array()?);
            let mut tokens = vec![FIRST_FORM + JSON_ROWS as u32];
            if nodes.len() != rows.len() {
                return None;
            }
            for (node, row) in nodes.iter().zip(rows) {
                tokens.push(FIRST_HEAD + whole(node, N_NODES)?);
                for value in row.as_array()? {
                    tokens.push(number_token(value)?);
                }
            }
            tokens
        }
        Shape::Layers => vec![number_token(&arguments["layers"])?],
    })
}

fn encode_edges(arguments: &Value) -> Option<Vec<u32>> {
    let edges = arguments["edges"].as_array()?;
    let (form, values) = match (arguments.get("weights"), arguments.get("capacities")) {
        (Some(Value::Array(weights)), _) => (JSON_WEIGHTS, Some(weights)),
        (_, Some(Value::Array(capacities))) => (JSON_CAPACITIES, Some(capacities)),
        _ => (JSON_PAIRS, None),
    };
    let is_named = values.is_none() && edges.first().is_some_and(|edge| edge[0].is_string());
    let form = if is_named { JSON_NAMED } else { form };
    let mut tokens = vec![FIRST_FORM + form as u32];
    if values.is_some_and(|values| values.len() != edges.len()) {
        return None;
    }
    for (i, edge) in edges.iter().enumerate() {
        tokens.extend(if is_named { named_pair(edge)? } else { pair(edge)? });
        if let Some(values) = values {
            tokens.push(number_token(values.get(i)?)?);
        }
    }
    Some(tokens)
}

/// The arguments that the tokens between a call's own and [`END_CALL`] stand for. Tokens that do not
/// belong there are passed over; what is missing is missing in the JSON, too, for the library to say.
pub(crate) fn decode_arguments(call: u32, tokens: &[u32]) -> String {
    let Some((_, shape)) = function_of(call) else { return "{}".to_owned() };
    let mut numbers = tokens.iter().filter_map(|token| number_of(*token));
    let mut out = Map::new();
    match shape {
        Shape::Nothing => {}
        Shape::Ends(a, b) => {
            for name in [a, b] {
                out.extend(numbers.next().map(|n| ((*name).to_owned(), n.into())));
            }
        }
        Shape::Node(name) => {
            out.extend(numbers.next().map(|n| ((*name).to_owned(), n.into())));
        }
        Shape::Layers => out.extend(numbers.next().map(|n| ("layers".to_owned(), n.into()))),
        Shape::Nodes => {
            out.insert("nodes".to_owned(), numbers.collect::<Vec<_>>().into());
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
        Shape::Edges => decode_edges(tokens, &mut out),
        Shape::Embeddings => {
            let (mut nodes, mut rows): (Vec<u32>, Vec<Vec<u32>>) = Default::default();
            for token in tokens {
                match (kind(*token), rows.last_mut()) {
                    (Kind::Head(n), _) => {
                        nodes.push(n);
                        rows.push(Vec::new());
                    }
                    (Kind::Number(n), Some(row)) => row.push(n),
                    _ => {}
                }
            }
            out.insert("nodes".to_owned(), nodes.into());
            out.insert("embeddings".to_owned(), json!(rows));
        }
    }
    Value::Object(out).to_string()
}

fn decode_edges(tokens: &[u32], out: &mut Map<String, Value>) {
    let form = tokens.iter().find_map(|token| match kind(*token) {
        Kind::Form(form) => Some(form),
        _ => None,
    });
    let is_named = form == Some(JSON_NAMED);
    let (mut edges, mut values) = (Vec::new(), Vec::new());
    let mut head: Option<Value> = None;
    for token in tokens {
        let name = |letter: char, n: u32| match is_named {
            true => Value::from(format!("{letter}{n}")),
            false => Value::from(n),
        };
        let end = match kind(*token) {
            Kind::Head(n) => name('a', n),
            Kind::Tail(n) => name('j', n),
            Kind::Number(n) => {
                values.push(n);
                continue;
            }
            _ => continue,
        };
        head = match head {
            None => Some(end),
            Some(head) => {
                edges.push(json!([head, end]));
                None
            }
        };
    }
    out.insert("edges".to_owned(), edges.into());
    match form {
        Some(JSON_WEIGHTS) => out.insert("weights".to_owned(), values.into()),
        Some(JSON_CAPACITIES) => out.insert("capacities".to_owned(), values.into()),
        _ => None,
    };
}

/// The tokens of what a call gave, as the loop writes it: `{"result": …}` or `{"error": …}`.
pub(crate) fn encode_result(text: &str, tokens: &mut Vec<u32>) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        tokens.push(RESULT);
        tokens.extend(encode(text).tokens.into_iter().take(MAX_MESSAGE));
        return;
    };
    if let Some(error) = value.get("error") {
        tokens.push(ERROR);
        let code = error["type"].as_str().unwrap_or_default();
        tokens.push(key(code).unwrap_or(UNKNOWN));
        if let Some(witness) = error.get("witness") {
            tokens.extend(key("witness"));
            encode_value(witness, 0, tokens);
        }
        let message = error["message"].as_str().unwrap_or_default();
        tokens.extend(encode(message).tokens.into_iter().take(MAX_MESSAGE));
        return;
    }
    tokens.push(RESULT);
    encode_value(value.get("result").unwrap_or(&value), 0, tokens);
    if let Some(notes) = value.get("notes").and_then(Value::as_array) {
        for note in notes {
            tokens.push(NOTES);
            let note = encode(note.as_str().unwrap_or_default());
            tokens.extend(note.tokens.into_iter().take(MAX_MESSAGE));
        }
    }
}

fn all(list: &[Value], read: impl Fn(&Value) -> Option<Vec<u32>>) -> Option<Vec<u32>> {
    Some(list.iter().map(read).collect::<Option<Vec<_>>>()?.concat())
}

fn encode_list(list: &[Value]) -> Option<(usize, Vec<u32>)> {
    let flow = |v: &Value| {
        let [a, b] = [whole(v.get("source")?, N_NODES)?, whole(v.get("target")?, N_NODES)?];
        Some(vec![FIRST_HEAD + a, FIRST_TAIL + b, number_token(v.get("flow")?)?])
    };
    let row = |v: &Value| {
        let mut tokens = vec![FIRST_HEAD + whole(v.get("node")?, N_NODES)?];
        for value in v.get("embedding")?.as_array()? {
            tokens.push(number_token(value)?);
        }
        Some(tokens)
    };
    let number = |v: &Value| number_token(v).map(|token| vec![token]);
    type Reader<'r> = (usize, &'r dyn Fn(&Value) -> Option<Vec<u32>>);
    let readers: [Reader<'_>; 5] = [
        (JSON_LIST, &number),
        (JSON_PAIRS, &|v| pair(v).map(Vec::from)),
        (JSON_NAMED, &|v| named_pair(v).map(Vec::from)),
        (JSON_FLOWS, &flow),
        (JSON_ROWS, &row),
    ];
    readers.into_iter().find_map(|(form, read)| Some((form, all(list, read)?)))
}

fn encode_value(value: &Value, depth: usize, tokens: &mut Vec<u32>) {
    match value {
        _ if depth > MAX_DEPTH => tokens.push(UNKNOWN),
        Value::Null => tokens.push(NULL),
        Value::Bool(is) => tokens.push(if *is { TRUE } else { FALSE }),
        Value::Number(n) => match number_token(value) {
            Some(token) => tokens.push(token),
            None => {
                // Written as people do: 350, not 350.0.
                let text = n.as_f64().map_or_else(|| n.to_string(), |x| x.to_string());
                tokens.extend(encode(&text).tokens);
            }
        },
        Value::String(text) => match named(value) {
            Some(token) => tokens.push(token),
            None => tokens.extend(encode(text).tokens.into_iter().take(MAX_MESSAGE)),
        },
        Value::Array(list) => match encode_list(list) {
            Some((form, items)) => {
                tokens.push(FIRST_FORM + form as u32);
                tokens.extend(items);
                tokens.push(BREAK);
            }
            None => list.iter().for_each(|value| encode_value(value, depth + 1, tokens)),
        },
        Value::Object(map) => {
            for (name, value) in map {
                tokens.push(key(name).unwrap_or(UNKNOWN));
                encode_value(value, depth + 1, tokens);
            }
        }
    }
}
