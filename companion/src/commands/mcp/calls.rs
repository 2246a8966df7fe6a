//! Calls as clients write them, in the form that the library reads.
//!
//! The library takes a call that it cannot read for a method that there is not. Here the field is
//! named, and arguments sent as JSON text are parsed into the object they hold.

use serde_json::{Map, Value};

/// The protocol's code for a request whose parameters cannot be read.
pub(super) const INVALID_PARAMS: i32 = -32602;

/// A message in a form that the library reads: `None` where it is in one already.
///
/// # Errors
/// It is a call that cannot be read: its id, and which field is wrong.
pub(super) fn readable(message: &[u8]) -> Result<Option<Vec<u8>>, (Value, String)> {
    // Most messages are long only where they are calls: nothing else is read twice.
    let start =
        message.iter().position(|b| !b.is_ascii_whitespace() && !matches!(b, 0xef | 0xbb | 0xbf));
    let Some(Ok(mut whole)) = start.map(|at| serde_json::from_slice::<Value>(&message[at..]))
    else {
        return Ok(None);
    };
    if whole["method"] != "tools/call" {
        return Ok(None);
    }
    let id = whole["id"].take();
    let text = match arguments_text(&whole["params"]) {
        Ok(None) => return Ok(None),
        Ok(Some(text)) => text,
        Err(fault) => return Err((id, fault)),
    };
    let arguments = match text.trim() {
        "" => Map::new(),
        text => match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(arguments)) => arguments,
            Ok(_) => return Err((id, fault("a text without a JSON object"))),
            Err(e) => return Err((id, fault(&format!("a text that is no JSON ({e})")))),
        },
    };
    whole["params"]["arguments"] = arguments.into();
    whole["id"] = id;
    Ok(Some(format!("{whole}\n").into_bytes()))
}

fn fault(found: &str) -> String {
    format!("`params.arguments` is {found}: give an object with the arguments of the tool")
}

/// The arguments of a call where they are a text; nothing where they are as they should be.
fn arguments_text(params: &Value) -> Result<Option<String>, String> {
    let Value::Object(params) = params else {
        return Err(format!("`params` is {}: give an object with `name`", kind(params)));
    };
    match params.get("name") {
        Some(Value::String(_)) => {}
        None => return Err("`params.name` is missing: give the name of a tool".into()),
        Some(other) => {
            return Err(format!("`params.name` is {}: give the name of a tool", kind(other)));
        }
    }
    match params.get("arguments") {
        None | Some(Value::Null | Value::Object(_)) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(fault(kind(other))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "missing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
