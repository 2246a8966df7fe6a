//! The values that a composed function computes with.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Number, Value};

use super::shape::Shape;
use crate::NodeName;

/// A value. Lists and records are shared, so that a copy costs nothing.
#[derive(Clone, Debug)]
pub(super) enum Data {
    Null,
    Boolean(bool),
    Number(f64),
    Text(Rc<str>),
    Node(NodeName),
    List(Rc<Items>),
    Record(Rc<Fields>),
}

/// The items of a list, with the number of values in all of them: what is shared is counted each
/// time, as it is when it is written.
#[derive(Debug)]
pub(super) struct Items {
    size: u64,
    items: Vec<Data>,
}

/// The fields of a record, with the number of values in all of them.
#[derive(Debug)]
pub(super) struct Fields {
    size: u64,
    fields: BTreeMap<String, Data>,
}

impl Data {
    pub(super) fn list(items: Vec<Self>) -> Self {
        let size = items.iter().fold(1, |sum: u64, i| sum.saturating_add(i.size()));
        Self::List(Rc::new(Items { size, items }))
    }

    pub(super) fn record(fields: BTreeMap<String, Self>) -> Self {
        let size = fields.values().fold(1, |sum: u64, f| sum.saturating_add(f.size()));
        Self::Record(Rc::new(Fields { size, fields }))
    }

    /// A field of a record; of anything else, null.
    pub(super) fn field(&self, name: &str) -> Self {
        match self {
            Self::Record(of) => of.fields.get(name).cloned().unwrap_or(Self::Null),
            _ => Self::Null,
        }
    }

    /// The items of a list; of anything else, none.
    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(list) => &list.items,
            _ => &[],
        }
    }

    /// The values of a record's fields; of anything else, none.
    pub(super) fn fields(&self) -> impl DoubleEndedIterator<Item = &Self> {
        let of = match self {
            Self::Record(of) => Some(of.fields.values()),
            _ => None,
        };
        of.into_iter().flatten()
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(n) => Some(*n),
            _ => None,
        }
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Boolean(true))
    }

    /// A JSON value of a type; nothing if it is of another.
    pub(super) fn of_json(value: &Value, shape: &Shape) -> Option<Self> {
        Some(match (shape, value) {
            (Shape::Optional(_), Value::Null) => Self::Null,
            (Shape::Optional(of), value) => Self::of_json(value, of)?,
            (Shape::Boolean, Value::Bool(is)) => Self::Boolean(*is),
            (Shape::Number, Value::Number(n)) => Self::Number(n.as_f64()?),
            (Shape::Text, Value::String(text)) => Self::Text(text.as_str().into()),
            (Shape::Node, Value::Number(_) | Value::String(_)) => {
                Self::Node(serde_json::from_value(value.clone()).ok()?)
            }
            (Shape::List(of), Value::Array(items)) => {
                Self::list(items.iter().map(|i| Self::of_json(i, of)).collect::<Option<_>>()?)
            }
            (Shape::Pair(of), Value::Array(items)) if items.len() == 2 => {
                Self::list(items.iter().map(|i| Self::of_json(i, of)).collect::<Option<_>>()?)
            }
            (Shape::Record(fields), Value::Object(map)) => {
                let read = |(name, shape): (&String, &Shape)| {
                    let value = map.get(name).unwrap_or(&Value::Null);
                    Some((name.clone(), Self::of_json(value, shape)?))
                };
                Self::record(fields.iter().map(read).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// As JSON; a whole number is written as one.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Boolean(is) => Value::Bool(*is),
            Self::Number(n) if n.fract() == 0.0 && n.abs() < 9e15 => Value::from(*n as i64),
            Self::Number(n) => Number::from_f64(*n).map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::String(text.to_string()),
            Self::Node(name) => serde_json::to_value(name).unwrap_or_default(),
            Self::List(list) => list.items.iter().map(Self::to_json).collect(),
            Self::Record(of) => {
                let map: Map<String, Value> =
                    of.fields.iter().map(|(k, v)| (k.clone(), v.to_json())).collect();
                map.into()
            }
        }
    }

    /// How many values it has in all, itself included.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::List(list) => list.size,
            Self::Record(of) => of.size,
            _ => 1,
        }
    }

    /// The order of all values, which is total. A number or a text that stands for a node is equal
    /// to it.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        if let (Some(a), Some(b)) = (self.scalar(), other.scalar()) {
            return a.compare(&b);
        }
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => a.cmp(b),
            (Self::List(a), Self::List(b)) => {
                let (a, b) = (&a.items, &b.items);
                in_order(a.iter().zip(b.iter()), a.len(), b.len())
            }
            (Self::Record(a), Self::Record(b)) => {
                let (a, b) = (&a.fields, &b.fields);
                let keys = a.keys().cmp(b.keys());
                keys.then_with(|| in_order(a.values().zip(b.values()), a.len(), b.len()))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn scalar(&self) -> Option<Scalar<'_>> {
        match self {
            Self::Number(n) if n.fract() == 0.0 && n.abs() < 9e15 => Some(Scalar::Whole(*n as i64)),
            Self::Number(n) => Some(Scalar::Real(*n)),
            Self::Node(NodeName::Int(i)) => Some(Scalar::Whole(*i)),
            Self::Node(NodeName::Text(text)) => Some(Scalar::Word(text)),
            Self::Text(text) => Some(match NodeName::from(&**text) {
                NodeName::Int(i) => Scalar::Whole(i),
                NodeName::Text(_) => Scalar::Word(text),
            }),
            _ => None,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Boolean(_) => 1,
            Self::Number(_) | Self::Text(_) | Self::Node(_) => 2,
            Self::List(_) => 3,
            Self::Record(_) => 4,
        }
    }
}

fn in_order<'d>(
    mut pairs: impl Iterator<Item = (&'d Data, &'d Data)>,
    n_left: usize,
    n_right: usize,
) -> Ordering {
    let differs = pairs.find_map(|(a, b)| Some(a.compare(b)).filter(|o| o.is_ne()));
    differs.unwrap_or(n_left.cmp(&n_right))
}

/// What numbers, texts and nodes are compared by.
enum Scalar<'d> {
    Whole(i64),
    /// Not whole, or beyond the whole numbers that a float holds exactly.
    Real(f64),
    Word(&'d str),
}

impl Scalar<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        let key = |s: &Self| match s {
            // Zero is zero, whatever its sign.
            Self::Whole(i) => (0, *i as f64 + 0.0, 0, *i),
            Self::Real(n) => (0, *n, 1, 0),
            Self::Word(_) => (1, 0.0, 0, 0),
        };
        if let (Self::Word(a), Self::Word(b)) = (self, other) {
            return a.cmp(b);
        }
        let (a, b) = (key(self), key(other));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3))
    }
}

/// Whether two JSON values are the same result: numbers up to rounding, a node by its name.
pub(super) fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        (Value::Number(n), Value::String(text)) | (Value::String(text), Value::Number(n)) => {
            n.to_string() == *text
        }
        (a, b) => a == b,
    }
}
