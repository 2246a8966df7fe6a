//! A form made from a JSON schema, and JSON made from what a person typed.

use serde_json::{Map, Value};

/// How a field is typed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A node: a number or a name.
    Node,
    /// A field for a number.
    Number,
    /// Yes or no.
    Switch,
    /// Plain text.
    Text,
    /// Anything else, as JSON.
    Json,
}

/// One field of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The argument's name.
    pub name: String,
    /// What it means.
    pub help: String,
    /// How it is typed in.
    pub kind: FieldKind,
    /// Whether it must be given.
    pub required: bool,
    /// What is in it at first.
    pub initial: String,
}

/// The fields of a schema, filled with example arguments.
pub fn fields(schema: &Value, example: &Value) -> Vec<Field> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
    properties
        .iter()
        .map(|(name, property)| {
            let kind = kind(property);
            let initial = match example.get(name) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
            };
            Field {
                name: name.clone(),
                help: property["description"].as_str().unwrap_or_default().to_owned(),
                kind,
                required: required.contains(&name.as_str()),
                initial,
            }
        })
        .collect()
}

fn kind(property: &Value) -> FieldKind {
    let types: Vec<&str> = match &property["type"] {
        Value::String(one) => vec![one],
        Value::Array(list) => {
            list.iter().filter_map(Value::as_str).filter(|t| *t != "null").collect()
        }
        _ => Vec::new(),
    };
    match types.as_slice() {
        ["integer", "string"] | ["string", "integer"] => FieldKind::Node,
        ["integer"] | ["number"] => FieldKind::Number,
        ["boolean"] => FieldKind::Switch,
        ["string"] => FieldKind::Text,
        _ => FieldKind::Json,
    }
}

/// The arguments that the typed texts give; fields left empty are left out.
///
/// # Errors
/// The first field that cannot be read: its name, and what would be right.
pub fn arguments(fields: &[Field], typed: &[String]) -> Result<Value, (String, String)> {
    let mut out = Map::new();
    for (field, text) in fields.iter().zip(typed) {
        let text = text.trim();
        let fault = |what: String| (field.name.clone(), what);
        if text.is_empty() {
            if field.required && field.kind != FieldKind::Switch {
                return Err(fault("this one is needed".into()));
            }
            if field.kind != FieldKind::Switch {
                continue;
            }
        }
        let value = match field.kind {
            FieldKind::Node => match text.parse::<i64>() {
                Ok(number) => number.into(),
                Err(_) => text.into(),
            },
            FieldKind::Number => serde_json::from_str::<serde_json::Number>(text)
                .map(Value::Number)
                .map_err(|_| fault(format!("{text:?} is no number")))?,
            FieldKind::Switch => (text == "true").into(),
            FieldKind::Text => text.into(),
            FieldKind::Json => serde_json::from_str(text)
                .map_err(|e| fault(format!("this is not JSON: {e}; such as [[0, 1], [1, 2]]")))?,
        };
        out.insert(field.name.clone(), value);
    }
    Ok(Value::Object(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::functions::FUNCTIONS;
    use serde_json::json;

    #[test]
    fn every_functions_example_survives_its_form() {
        for function in FUNCTIONS {
            let example = function.example().arguments;
            let form = fields(&function.arguments(), &example);
            let typed: Vec<String> = form.iter().map(|f| f.initial.clone()).collect();
            let read = arguments(&form, &typed).unwrap();
            for (name, value) in example.as_object().unwrap() {
                if !value.is_null() {
                    assert_eq!(&read[name], value, "{}.{name}", function.name);
                }
            }
        }
    }

    #[test]
    fn faults_name_the_field() {
        let schema =
            json!({ "properties": { "edges": { "type": "array" } }, "required": ["edges"] });
        let form = fields(&schema, &json!({}));
        assert_eq!(form[0].kind, FieldKind::Json);
        assert_eq!(arguments(&form, &[String::new()]).unwrap_err().0, "edges");
        let fault = arguments(&form, &["[[0,1]".into()]).unwrap_err();
        assert!(fault.1.contains("not JSON"), "{fault:?}");
    }
}
