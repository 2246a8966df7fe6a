//! The types of values: what a check knows of an expression before it is computed.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Of no value at all: an item of the empty list. It fits everywhere, as does what is faulty.
    Never,
    Boolean,
    Number,
    Text,
    /// A node of the graph. A whole number or a text may stand for one.
    Node,
    List(Box<Shape>),
    /// A list of two, such as the ends of an edge.
    Pair(Box<Shape>),
    Record(BTreeMap<String, Shape>),
    /// The type, or null.
    Optional(Box<Shape>),
}

impl Shape {
    pub(super) fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }

    pub(super) fn optional(of: Self) -> Self {
        match of {
            Self::Optional(_) => of,
            of => Self::Optional(Box::new(of)),
        }
    }

    /// The type without null.
    pub(super) fn present(&self) -> &Self {
        match self {
            Self::Optional(of) => of,
            of => of,
        }
    }

    /// The type of the items of a list.
    pub(super) fn item(&self) -> Option<Self> {
        match self {
            Self::List(of) | Self::Pair(of) => Some((**of).clone()),
            Self::Never => Some(Self::Never),
            _ => None,
        }
    }

    /// How many types it is made of.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::List(of) | Self::Pair(of) | Self::Optional(of) => 1 + of.size(),
            Self::Record(fields) => 1 + fields.values().map(Self::size).sum::<usize>(),
            _ => 1,
        }
    }

    /// The type that a JSON schema of the library describes. They use a small part of the language,
    /// which a test of the catalogue holds; what is beside that is taken for a text.
    pub(super) fn of_schema(schema: &Value) -> Self {
        let kinds: Vec<&str> = match schema.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let has = |kind: &str| kinds.contains(&kind);
        let shape = if has("string") && has("integer") {
            Self::Node
        } else if has("boolean") {
            Self::Boolean
        } else if has("integer") || has("number") {
            Self::Number
        } else if has("array") {
            let item = Self::of_schema(schema.get("items").unwrap_or(&Value::Null));
            let size = |key: &str| schema.get(key).and_then(Value::as_u64);
            if size("minItems") == Some(2) && size("maxItems") == Some(2) {
                Self::Pair(Box::new(item))
            } else {
                Self::list(item)
            }
        } else if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let fields = properties.iter().map(|(k, v)| (k.clone(), Self::of_schema(v)));
            Self::Record(fields.collect())
        } else if has("object") {
            Self::Record(BTreeMap::new())
        } else {
            Self::Text
        };
        if has("null") { Self::optional(shape) } else { shape }
    }

    /// The JSON schema of the type.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Never => json!({}),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::Number => json!({ "type": "number" }),
            Self::Text => json!({ "type": "string" }),
            Self::Node => json!({ "type": ["integer", "string"] }),
            Self::List(of) => json!({ "type": "array", "items": of.schema() }),
            Self::Pair(of) => {
                json!({ "type": "array", "items": of.schema(), "minItems": 2, "maxItems": 2 })
            }
            Self::Record(fields) => {
                let properties: serde_json::Map<String, Value> =
                    fields.iter().map(|(k, v)| (k.clone(), v.schema())).collect();
                let required: Vec<&String> = fields.keys().collect();
                json!({ "type": "object", "properties": properties, "required": required,
                        "additionalProperties": false })
            }
            Self::Optional(of) => {
                let mut schema = of.schema();
                match schema.get("type").cloned() {
                    Some(Value::String(kind)) => schema["type"] = json!([kind, "null"]),
                    Some(Value::Array(mut kinds)) => {
                        kinds.push("null".into());
                        schema["type"] = kinds.into();
                    }
                    _ => {}
                }
                schema
            }
        }
    }

    /// Whether a value of this type may stand where one of the other is needed.
    pub(super) fn fits(&self, needed: &Self) -> bool {
        match (self, needed) {
            (Self::Never, _) | (_, Self::Never) => true,
            (Self::Optional(a), Self::Optional(b)) => a.fits(b),
            (a, Self::Optional(b)) => a.fits(b),
            (Self::Number | Self::Text, Self::Node) => true,
            (Self::Pair(a) | Self::List(a), Self::List(b)) | (Self::Pair(a), Self::Pair(b)) => {
                a.fits(b)
            }
            (Self::Record(a), Self::Record(b)) => {
                b.iter().all(|(k, v)| a.get(k).is_some_and(|given| given.fits(v)))
            }
            (a, b) => a == b,
        }
    }

    /// The type of what has one type or the other.
    pub(super) fn join(&self, other: &Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Never, of) | (of, Self::Never) => of.clone(),
            (Self::Optional(a), b) | (b, Self::Optional(a)) => Self::optional(a.join(b.present())?),
            (Self::Node, Self::Number | Self::Text) | (Self::Number | Self::Text, Self::Node) => {
                Self::Node
            }
            (Self::Pair(a), Self::Pair(b)) => Self::Pair(Box::new(a.join(b)?)),
            (Self::Pair(a) | Self::List(a), Self::Pair(b) | Self::List(b)) => {
                Self::list(a.join(b)?)
            }
            (Self::Record(a), Self::Record(b)) => {
                if !a.keys().eq(b.keys()) {
                    return None;
                }
                let joined: Option<BTreeMap<String, Self>> =
                    a.iter().map(|(k, v)| Some((k.clone(), v.join(b.get(k)?)?))).collect();
                Self::Record(joined?)
            }
            (a, b) if a == b => a.clone(),
            _ => return None,
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("nothing"),
            Self::Boolean => f.write_str("boolean"),
            Self::Number => f.write_str("number"),
            Self::Text => f.write_str("text"),
            Self::Node => f.write_str("node"),
            Self::List(of) => write!(f, "list of {of}"),
            Self::Pair(of) => write!(f, "pair of {of}"),
            Self::Record(fields) => {
                f.write_str("{ ")?;
                for (i, (name, shape)) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{name}: {shape}")?;
                }
                f.write_str(" }")
            }
            Self::Optional(of) => write!(f, "{of} or null"),
        }
    }
}
