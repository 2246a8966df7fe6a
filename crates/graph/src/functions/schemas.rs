//! The JSON schemas of arguments and results. They are a snapshot, which a test makes of the types and
//! holds to them: what makes them is more code than the functions in the page.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

/// The schemas of a function.
#[derive(Default, Deserialize)]
pub(super) struct Schemas {
    pub(super) args: Value,
    pub(super) returns: Value,
}

/// With a head of its own.
const SNAPSHOT: &str = include_str!("snapshots/schemas.snap");

/// Those of the function of that name.
pub(super) fn of(name: &str) -> &'static Schemas {
    static ALL: OnceLock<HashMap<String, Schemas>> = OnceLock::new();
    static NONE: OnceLock<Schemas> = OnceLock::new();
    // The test finds out where this is not so.
    let text = SNAPSHOT.split_once("\n---\n").map_or("", |(_, text)| text);
    let all = ALL.get_or_init(|| serde_json::from_str(text).unwrap_or_default());
    all.get(name).unwrap_or_else(|| NONE.get_or_init(Schemas::default))
}

/// Leaves each part of a schema one type: the text, where there is one among several, which any number
/// can be written as. What may be null may be left out.
pub(crate) fn keep_one_type_each(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get("type") {
        let one = types.iter().find(|one| *one == "string");
        let one = one.or_else(|| types.iter().find(|one| *one != "null")).cloned();
        object.insert("type".into(), one.unwrap_or_else(|| "string".into()));
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(keep_one_type_each);
    }
    if let Some(items) = object.get_mut("items") {
        keep_one_type_each(items);
    }
}

#[cfg(test)]
pub(super) use tests::made;

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
    use serde_json::{Map, json};

    use super::*;
    use crate::functions::FUNCTIONS;

    pub(in crate::functions) fn made<T: JsonSchema>() -> Value {
        let settings = SchemaSettings::draft2020_12().with(|s| {
            s.meta_schema = None;
            s.inline_subschemas = true;
        });
        let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
        portable(schema.ensure_object());
        schema.to_value()
    }

    /// Drops what some providers refuse: number formats of Rust's types, and defaults that
    /// say nothing.
    fn portable(schema: &mut Map<String, Value>) {
        schema.remove("format");
        if schema.get("default").is_some_and(|d| *d == Value::Null || *d == json!([])) {
            schema.remove("default");
        }
        for (key, value) in schema.iter_mut() {
            match value {
                // Keys in here are names of arguments, not words of the schema.
                Value::Object(map) if key == "properties" => {
                    map.values_mut().filter_map(Value::as_object_mut).for_each(portable);
                }
                Value::Object(map) => portable(map),
                _ => {}
            }
        }
    }

    #[test]
    fn the_schemas_are_those_of_the_types() {
        let line = |f: &crate::functions::GraphFunction| {
            let [args, returns] = f.types.map(|made| made());
            format!("{}: {}", json!(f.name), json!({ "args": args, "returns": returns }))
        };
        let lines: Vec<String> = FUNCTIONS.iter().map(line).collect();
        let text = format!("{{\n{}\n}}", lines.join(",\n"));
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("schemas", text);
        });
        for function in FUNCTIONS {
            assert!(of(function.name).args.is_object(), "{}", function.name);
        }
    }
}
