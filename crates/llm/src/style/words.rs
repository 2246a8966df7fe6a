//! Tools in words.

use serde_json::Value;

use crate::ToolSpec;

/// A tool with its arguments, in a few lines.
pub(super) fn tool(spec: &ToolSpec) -> String {
    let properties = spec.parameters.get("properties").and_then(Value::as_object);
    let needed = spec.parameters.get("required").and_then(Value::as_array);
    let is_needed = |name: &str| needed.is_some_and(|all| all.iter().any(|n| n == name));
    let mut signature = Vec::new();
    let mut lines = Vec::new();
    for (name, schema) in properties.into_iter().flatten() {
        let mark = if is_needed(name) { "" } else { "?" };
        signature.push(format!("{name}{mark}: {}", kind(schema, 0)));
        if let Some(words) = schema.get("description").and_then(Value::as_str) {
            lines.push(format!("\n    {name}: {}", one_line(words)));
        }
    }
    let head = format!("- {}({}): ", spec.name, signature.join(", "));
    format!("{head}{}{}", one_line(&spec.description), lines.concat())
}

fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How deep a type is written out.
const MAX_DEPTH: usize = 4;

/// A type in the manner of programs: `integer`, `[integer]`, `"a" | "b"`.
fn kind(schema: &Value, depth: usize) -> String {
    if depth > MAX_DEPTH {
        return "any".into();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    for name in ["anyOf", "oneOf"] {
        if let Some(all) = schema.get(name).and_then(Value::as_array) {
            let kinds: Vec<String> = all.iter().map(|one| kind(one, depth + 1)).collect();
            return kinds.join(" | ");
        }
    }
    match schema.get("type") {
        Some(Value::String(word)) => simple(word, schema, depth),
        Some(Value::Array(words)) => {
            // That an argument may be null is what its question mark says.
            let kinds: Vec<String> = words
                .iter()
                .filter_map(Value::as_str)
                .filter(|word| *word != "null")
                .map(|word| simple(word, schema, depth))
                .collect();
            kinds.join(" | ")
        }
        _ => "any".into(),
    }
}

fn simple(word: &str, schema: &Value, depth: usize) -> String {
    match word {
        "array" => {
            let inner = schema.get("items").map_or("any".into(), |items| kind(items, depth + 1));
            match schema.get("maxItems").and_then(Value::as_u64) {
                Some(n @ 1..=4) if schema.get("minItems").and_then(Value::as_u64) == Some(n) => {
                    format!("[{}]", vec![inner; n as usize].join(", "))
                }
                _ => format!("[{inner}, …]"),
            }
        }
        "object" => {
            let properties = schema.get("properties").and_then(Value::as_object);
            let inner: Vec<String> = properties
                .into_iter()
                .flatten()
                .map(|(name, schema)| format!("{name}: {}", kind(schema, depth + 1)))
                .collect();
            if inner.is_empty() { "object".into() } else { format!("{{{}}}", inner.join(", ")) }
        }
        other => other.to_owned(),
    }
}
