//! What stands under a name at a node or an edge.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

use super::point::PropertyPoint;

/// Names and their values, in the order of the names.
pub type Properties = BTreeMap<String, PropertyValue>;

/// A value at a node or an edge. There is no null: what has no value has no name either.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number; always finite.
    Float(f64),
    /// A text.
    Text(String),
    /// Several values.
    List(Vec<PropertyValue>),
    /// A place.
    Point(PropertyPoint),
}

impl PropertyValue {
    /// What a JSON value is. An object is a place, or a value that Neo4j's Query API gave its type.
    ///
    /// # Errors
    /// It is null, another object, a number that does not fit, or a list with one of these in it; the
    /// words say which.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        Ok(match value {
            Value::Null => return Err("null is no value; leave the name out".into()),
            Value::Object(object) => {
                if let Some(point) = PropertyPoint::of_json(object) {
                    return Ok(Self::Point(point));
                }
                if let Some(plain) = object.get("_value").filter(|_| object.contains_key("$type")) {
                    return Self::from_json(&plainly(&object["$type"], plain));
                }
                return Err(
                    "an object is no value of a property; give its parts names of their own".into(),
                );
            }
            Value::Bool(b) => Self::Bool(*b),
            Value::String(text) => Self::Text(text.clone()),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(int), _) => Self::Int(int),
                (None, Some(float)) if float.is_finite() => Self::Float(float),
                _ => return Err(format!("{number} is too large")),
            },
            Value::Array(list) => {
                Self::List(list.iter().map(Self::from_json).collect::<Result<_, _>>()?)
            }
        })
    }

    /// The value as JSON; a number with a fraction keeps its point.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Bool(b) => Value::Bool(*b),
            Self::Int(int) => Value::from(*int),
            Self::Float(float) => Number::from_f64(*float).map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::String(text.clone()),
            Self::List(list) => Value::Array(list.iter().map(Self::to_json).collect()),
            Self::Point(point) => point.to_json(),
        }
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let more = match self {
            Self::Text(text) => text.len(),
            Self::List(list) => list.iter().map(Self::size).sum(),
            _ => 0,
        };
        more + size_of::<Self>()
    }

    /// Whether every number in it has a form in files.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Float(float) => float.is_finite(),
            Self::List(list) => list.iter().all(Self::is_finite),
            Self::Point(point) => point.is_finite(),
            _ => true,
        }
    }
}

/// A value of the Query API, which writes numbers as texts.
fn plainly(of: &Value, value: &Value) -> Value {
    let text = value.as_str().unwrap_or_default();
    let number = match of.as_str() {
        Some("Integer") => text.parse().ok().map(i64::into),
        Some("Float") => text.parse().ok().and_then(Number::from_f64).map(Value::Number),
        _ => None,
    };
    number.unwrap_or_else(|| value.clone())
}

impl Serialize for PropertyValue {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(b) => b.serialize(into),
            Self::Int(int) => int.serialize(into),
            Self::Float(float) => float.serialize(into),
            Self::Text(text) => text.serialize(into),
            Self::List(list) => list.serialize(into),
            Self::Point(point) => point.to_json().serialize(into),
        }
    }
}

/// The value as JSON.
impl fmt::Display for PropertyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_json().fmt(f)
    }
}

impl<'de> Deserialize<'de> for PropertyValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::from_json(&Value::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl From<bool> for PropertyValue {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl From<i64> for PropertyValue {
    fn from(int: i64) -> Self {
        Self::Int(int)
    }
}

impl From<&str> for PropertyValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
