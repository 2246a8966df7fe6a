//! What nobody here reads and the endpoint may want back, put together of its pieces.

use serde_json::{Map, Value};

use crate::providers::read::says_something;

/// Fields that do not grow: a later piece says the same or something better.
const STEADY: [&str; 7] = ["id", "index", "type", "format", "role", "name", "status"];
/// A text of this length that comes twice is the same text.
const LONG: usize = 16;

/// Adds a piece to fields.
pub(super) fn join(into: &mut Map<String, Value>, piece: &Map<String, Value>) {
    for (name, value) in piece {
        match into.get_mut(name) {
            _ if value.is_null() => {}
            Some(here) if STEADY.contains(&name.as_str()) => *here = value.clone(),
            Some(here) => join_value(here, value),
            None => drop(into.insert(name.clone(), value.clone())),
        }
    }
}

fn join_value(here: &mut Value, piece: &Value) {
    match (here, piece) {
        (Value::String(all), Value::String(more)) if all != more || more.len() < LONG => {
            all.push_str(more);
        }
        (Value::Object(all), Value::Object(more)) => join(all, more),
        (Value::Array(all), Value::Array(more)) => join_list(all, more),
        (here, piece) => *here = piece.clone(),
    }
}

/// Adds pieces to a list, in which those that have an index grow.
pub(super) fn join_list(all: &mut Vec<Value>, more: &[Value]) {
    for piece in more {
        let is_same = |here: &Value| {
            piece.get("index").is_some()
                && here.get("index") == piece.get("index")
                && (piece.get("type").is_none() || here.get("type") == piece.get("type"))
        };
        match (all.iter_mut().rfind(|here| is_same(here)), piece) {
            (Some(Value::Object(here)), Value::Object(piece)) => join(here, piece),
            _ => all.push(piece.clone()),
        }
    }
}

/// The fields of an object that say something, without those of these names.
pub(crate) fn others(value: &Value, known: &[&str]) -> Map<String, Value> {
    let fields = value.as_object().into_iter().flatten();
    fields
        .filter(|(name, value)| !known.contains(&name.as_str()) && says_something(value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pieces_of_one_index_are_one() {
        let mut all = Vec::new();
        for piece in [
            json!({ "type": "reasoning.text", "text": "A tree", "format": "x", "index": 0 }),
            json!({ "type": "reasoning.text", "text": " has", "format": "x", "index": 0 }),
            json!({ "type": "reasoning.text", "signature": "S-1", "index": 0 }),
            json!({ "type": "reasoning.encrypted", "data": "D", "index": 0 }),
            json!({ "type": "reasoning.text", "text": "no index" }),
            json!({ "type": "reasoning.text", "text": "no index" }),
        ] {
            join_list(&mut all, &[piece]);
        }
        assert_eq!(
            all[0],
            json!({ "type": "reasoning.text", "text": "A tree has", "format": "x", "index": 0,
                    "signature": "S-1" })
        );
        assert_eq!(all.len(), 4);
    }
}
