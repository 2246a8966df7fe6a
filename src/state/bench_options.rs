//! The options of an experiment as fields of a form, made from the usual options of its systems.

use serde_json::{Map, Value};

/// An option that a form shows.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionField {
    /// Its dotted name, such as `find.theta`.
    pub path: String,
    /// The usual value.
    pub usual: Value,
    /// The titles of the systems that have it.
    pub systems: Vec<String>,
}

impl OptionField {
    /// The name in words: `find.theta` is "find: theta".
    pub fn label(&self) -> String {
        self.path.replace('.', ": ").replace('_', " ")
    }

    /// The usual value, as it would be typed.
    pub fn placeholder(&self) -> String {
        written(&self.usual)
    }

    /// Reads what was typed; nothing stands for the usual value.
    ///
    /// # Errors
    /// It is of another kind than the usual value.
    pub fn read(&self, typed: &str) -> Result<Option<Value>, String> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Ok(None);
        }
        let expected = match &self.usual {
            Value::String(_) => return Ok(Some(Value::String(typed.to_owned()))),
            Value::Bool(_) => "true or false",
            Value::Number(n) if n.is_u64() => "a whole number, 0 or more",
            Value::Number(_) => "a number",
            Value::Null => "a number, or a text",
            Value::Array(_) => "a list in JSON",
            Value::Object(_) => "an object in JSON",
        };
        let read: Option<Value> = serde_json::from_str(typed).ok();
        let fits = |read: &Value| match &self.usual {
            Value::Bool(_) => read.is_boolean(),
            Value::Number(n) if n.is_u64() => read.is_u64(),
            Value::Number(_) => read.is_number(),
            Value::Array(_) => read.is_array(),
            Value::Object(_) => read.is_object(),
            Value::Null | Value::String(_) => true,
        };
        match (read.filter(fits), &self.usual) {
            (Some(read), _) => Ok(Some(read)),
            (None, Value::Null) => Ok(Some(Value::String(typed.to_owned()))),
            (None, _) => Err(format!(
                "expected {expected}, such as {}; leave it empty for the usual value",
                self.placeholder()
            )),
        }
    }
}

/// A value as a person types it.
pub fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        // 0.6 in 32 bits is 0.60000002384… in 64.
        Value::Number(n) if n.is_f64() => {
            let n = n.as_f64().unwrap_or_default();
            ((n * 1e6).round() / 1e6).to_string()
        }
        other => other.to_string(),
    }
}

/// The options that systems have, each once, in the order in which they come.
///
/// `systems` holds the title of each with its usual options.
pub fn fields(systems: &[(String, Value)]) -> Vec<OptionField> {
    let mut fields: Vec<OptionField> = Vec::new();
    for (title, options) in systems {
        if let Value::Object(options) = options {
            walk(options, "", title, &mut fields);
        }
    }
    fields
}

fn walk(options: &Map<String, Value>, prefix: &str, title: &str, fields: &mut Vec<OptionField>) {
    for (name, usual) in options {
        let path = format!("{prefix}{name}");
        match usual {
            // A value that names its own kind is one choice with its parts.
            Value::Object(parts) if !parts.contains_key("how") => {
                walk(parts, &format!("{path}."), title, fields);
            }
            _ => match fields.iter_mut().find(|f| f.path == path) {
                Some(known) => known.systems.push(title.to_owned()),
                None => {
                    let (usual, systems) = (usual.clone(), vec![title.to_owned()]);
                    fields.push(OptionField { path, usual, systems });
                }
            },
        }
    }
}

/// Fields in groups of those that the same systems have, each with the names of these systems; the
/// group that all have comes first.
pub fn groups(fields: Vec<OptionField>, n_systems: usize) -> Vec<(String, Vec<OptionField>)> {
    let mut groups: Vec<(String, Vec<OptionField>)> = vec![(String::new(), Vec::new())];
    for field in fields {
        let whose = match field.systems.len() == n_systems {
            true => String::new(),
            false => field.systems.join(", "),
        };
        match groups.iter_mut().find(|(name, _)| *name == whose) {
            Some((_, list)) => list.push(field),
            None => groups.push((whose, vec![field])),
        }
    }
    groups.retain(|(_, list)| !list.is_empty());
    groups
}

/// The value that options have at a dotted name.
pub fn get<'a>(options: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(options, |at, name| at.get(name))
}

/// Sets the value at a dotted name, or takes it out; objects that are then empty go too.
pub fn put(options: &mut Value, path: &str, value: Option<Value>) {
    if !options.is_object() {
        if value.is_none() {
            return;
        }
        *options = Value::Object(Map::new());
    }
    let Value::Object(map) = options else { return };
    match (path.split_once('.'), value) {
        (Some((name, rest)), value) => {
            let inner = map.entry(name).or_insert(Value::Null);
            put(inner, rest, value);
            if inner.is_null() {
                map.remove(name);
            }
        }
        (None, Some(value)) => {
            map.insert(path.to_owned(), value);
        }
        (None, None) => {
            map.remove(path);
        }
    }
    if map.is_empty() {
        *options = Value::Null;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn both() -> Vec<(String, Value)> {
        vec![
            ("A".into(), json!({ "n": 3, "find": { "theta": 0.5, "mode": "ours" } })),
            ("B".into(), json!({ "find": { "theta": 0.5 }, "way": { "how": "bm25", "n": 2 } })),
        ]
    }

    #[test]
    fn options_of_systems_are_fields_once() {
        let fields = fields(&both());
        let paths: Vec<&str> = fields.iter().map(|f| f.path.as_str()).collect();
        assert_eq!(paths.len(), 4, "{paths:?}");
        let theta = fields.iter().find(|f| f.path == "find.theta").unwrap();
        assert_eq!(theta.systems, ["A", "B"]);
        assert_eq!(theta.label(), "find: theta");
        assert!(paths.contains(&"way"), "a choice that names its kind is one field");
    }

    #[test]
    fn options_are_grouped_by_who_has_them() {
        let groups = groups(fields(&both()), 2);
        let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["", "A", "B"]);
        assert_eq!(groups[0].1[0].path, "find.theta");
        assert_eq!(written(&json!(f64::from(0.6_f32))), "0.6");
    }

    #[test]
    fn what_is_typed_has_the_kind_of_the_usual_value() {
        let fields = fields(&both());
        let field = |path: &str| fields.iter().find(|f| f.path == path).unwrap();
        assert_eq!(field("n").read(" 7 "), Ok(Some(json!(7))));
        assert_eq!(field("n").read(""), Ok(None));
        assert!(field("n").read("-7").unwrap_err().contains("whole number"));
        assert!(field("n").read("many").unwrap_err().contains("such as 3"));
        assert_eq!(field("find.theta").read("1"), Ok(Some(json!(1))));
        assert_eq!(field("find.mode").read("code"), Ok(Some(json!("code"))));
        assert!(field("way").read("bm25").is_err());
    }

    #[test]
    fn a_value_is_put_and_taken_out_and_nothing_stays_behind() {
        let mut options = Value::Null;
        put(&mut options, "find.theta", Some(json!(0.7)));
        put(&mut options, "n", Some(json!(4)));
        assert_eq!(options, json!({ "find": { "theta": 0.7 }, "n": 4 }));
        assert_eq!(get(&options, "find.theta"), Some(&json!(0.7)));
        put(&mut options, "find.theta", None);
        assert_eq!(options, json!({ "n": 4 }));
        put(&mut options, "find.other", None);
        put(&mut options, "n", None);
        assert_eq!(options, Value::Null);
    }
}
