//! What expressions give.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

use kg::property::{
    EdgeId, Element, NodeId, Properties, PropertyGraph, PropertyPoint, PropertyValue,
};
use serde_json::{Value as Json, json};

use crate::parts::Parts;
use crate::temporal::Temporal;

/// Bytes of a text that count as one part.
const BYTES_A_PART: usize = 16;

/// A value. A copy takes no time.
///
/// Nodes and edges are ids: what they have is in the graph ([`crate::CypherTable::graph`]).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CypherValue {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Float(f64),
    /// A text.
    Text(Parts<Box<str>>),
    /// Several values.
    List(Parts<Vec<CypherValue>>),
    /// Values under names.
    Map(Parts<Box<BTreeMap<String, CypherValue>>>),
    /// A node.
    Node(NodeId),
    /// An edge.
    Edge(EdgeId),
    /// Nodes and the edges between them.
    Path(Parts<Box<CypherPath>>),
    /// A date, a time or a length of time.
    Temporal(Temporal),
}

/// Nodes and the edges between them: one node more than edges.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CypherPath {
    /// The nodes, from the start.
    pub nodes: Vec<NodeId>,
    /// The edges between them, whichever way they point.
    pub edges: Vec<EdgeId>,
}

impl CypherValue {
    /// A text.
    pub fn text(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        let n = text.len();
        Self::Text(Parts::new(text, 1 + n / BYTES_A_PART, 0, n))
    }

    /// A list.
    pub fn list(items: Vec<CypherValue>) -> Self {
        let (size, depth) = sum(items.iter());
        let bytes = items.capacity() * size_of::<Self>();
        Self::List(Parts::new(items, size, depth, bytes))
    }

    /// A map.
    pub fn map(entries: BTreeMap<String, CypherValue>) -> Self {
        let (size, depth) = sum(entries.values());
        let n_letters: usize = entries.keys().map(String::len).sum();
        let bytes = n_letters + entries.len() * (size_of::<Self>() + size_of::<String>());
        let size = size.saturating_add(n_letters / BYTES_A_PART);
        Self::Map(Parts::new(Box::new(entries), size, depth, bytes))
    }

    /// A path.
    pub fn path(path: CypherPath) -> Self {
        let n = path.nodes.len() + path.edges.len();
        Self::Path(Parts::new(Box::new(path), 1 + n, 0, n * size_of::<NodeId>()))
    }

    /// How many parts it has, those of its parts included, however many of them are shared: what
    /// it costs to walk it. Saturates. O(1).
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.size(),
            Self::List(list) => list.size(),
            Self::Map(map) => map.size(),
            Self::Path(path) => path.size(),
            _ => 1,
        }
    }

    /// How deep lists and maps nest in it. O(1).
    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::List(list) => list.depth(),
            Self::Map(map) => map.depth(),
            _ => 0,
        }
    }

    /// Whether there is no value.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// What sort of value it is, in words.
    pub fn sort(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a Boolean",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Node(_) => "a node",
            Self::Edge(_) => "a relationship",
            Self::Path(_) => "a path",
            Self::Temporal(temporal) => temporal.sort(),
        }
    }

    /// The value of a property.
    pub fn of_property(property: &PropertyValue) -> Self {
        match property {
            PropertyValue::Bool(b) => Self::Bool(*b),
            PropertyValue::Int(n) => Self::Int(*n),
            PropertyValue::Float(x) => Self::Float(*x),
            PropertyValue::Text(text) => Self::text(text.as_str()),
            PropertyValue::List(list) => Self::list(list.iter().map(Self::of_property).collect()),
            PropertyValue::Point(point) => Self::of_point(point),
        }
    }

    /// A place as a map of its parts, by the names that Neo4j has for them.
    fn of_point(point: &PropertyPoint) -> Self {
        let (crs, srid) = point.system();
        let named = [("crs", Self::text(crs)), ("srid", Self::Int(srid.cast_signed()))];
        let plain = [("x", Some(point.x)), ("y", Some(point.y)), ("z", point.z)];
        let plain = plain.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let parts = point.parts().chain(plain).map(|(name, value)| (name, Self::Float(value)));
        Self::map(named.into_iter().chain(parts).map(|(n, v)| (n.to_owned(), v)).collect())
    }

    /// The place that a map with the parts of one is.
    fn to_point(map: &BTreeMap<String, CypherValue>) -> Option<PropertyPoint> {
        let number = |name: &str| match map.get(name)? {
            Self::Int(n) => Some(*n as f64),
            Self::Float(x) => Some(*x),
            _ => None,
        };
        let Some(Self::Text(crs)) = map.get("crs") else { return None };
        let mut object = serde_json::Map::from_iter([("crs".to_owned(), json!(&**crs))]);
        for name in ["longitude", "latitude", "height", "x", "y", "z"] {
            object.extend(number(name).map(|value| (name.to_owned(), json!(value))));
        }
        PropertyPoint::of_json(&object)
    }

    /// All properties of something, as a map.
    pub fn of_properties(properties: &Properties) -> Self {
        let entry =
            |(name, value): (&String, &PropertyValue)| (name.clone(), Self::of_property(value));
        Self::map(properties.iter().map(entry).collect())
    }

    /// The value as a property; `None` for null.
    ///
    /// # Errors
    /// No property can have it: a map, a node, an edge, a path, or a list with one of these or with
    /// a list in it. The error says what it is.
    pub(crate) fn to_property(&self) -> Result<Option<PropertyValue>, &'static str> {
        Ok(Some(match self {
            Self::Null => return Ok(None),
            Self::Bool(b) => PropertyValue::Bool(*b),
            Self::Int(n) => PropertyValue::Int(*n),
            Self::Float(x) => PropertyValue::Float(*x),
            Self::Text(text) => PropertyValue::Text(text.to_string()),
            // The store has no dates: they become the text that `date(…)` reads again.
            Self::Temporal(temporal) => PropertyValue::Text(temporal.to_string()),
            Self::List(list) => {
                let one = |item: &CypherValue| match item {
                    CypherValue::List(_) => Err("a list of lists"),
                    CypherValue::Null => Err("a list with null in it"),
                    other => other.to_property(),
                };
                let items: Result<Vec<_>, _> = list.iter().map(one).collect();
                PropertyValue::List(items?.into_iter().flatten().collect())
            }
            Self::Map(map) => match Self::to_point(map) {
                Some(point) => PropertyValue::Point(point),
                None => return Err(self.sort()),
            },
            other => return Err(other.sort()),
        }))
    }

    /// A JSON value; its objects are maps.
    pub fn of_json(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(b) => Self::Bool(*b),
            Json::Number(n) => match (n.as_i64(), n.as_f64()) {
                (Some(n), _) => Self::Int(n),
                (None, Some(x)) => Self::Float(x),
                (None, None) => Self::Null,
            },
            Json::String(text) => Self::text(text.as_str()),
            Json::Array(list) => Self::list(list.iter().map(Self::of_json).collect()),
            Json::Object(map) => {
                Self::map(map.iter().map(|(k, v)| (k.clone(), Self::of_json(v))).collect())
            }
        }
    }

    /// The value as JSON. Nodes are `{id, labels, properties}`, edges `{id, type, start, end,
    /// properties}`, paths `{nodes, relationships}`; what was deleted has `deleted`. Numbers that
    /// JSON does not have are texts: `"NaN"`.
    pub fn to_json(&self, graph: &PropertyGraph) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Bool(b) => json!(b),
            Self::Int(n) => json!(n),
            Self::Float(x) if x.is_finite() => json!(x),
            Self::Float(_) | Self::Temporal(_) => json!(self.to_text(graph)),
            Self::Text(text) => json!(&**text),
            Self::List(list) => list.iter().map(|item| item.to_json(graph)).collect(),
            Self::Map(map) => {
                Json::Object(map.iter().map(|(k, v)| (k.clone(), v.to_json(graph))).collect())
            }
            Self::Node(id) => match graph.node(*id) {
                Some(node) => json!({
                    "id": id, "labels": node.labels,
                    "properties": Self::of_properties(&node.properties).to_json(graph),
                }),
                None => json!({ "id": id, "deleted": true }),
            },
            Self::Edge(id) => match graph.edge(*id) {
                Some(edge) => json!({
                    "id": id, "type": edge.edge_type, "start": edge.source, "end": edge.target,
                    "properties": Self::of_properties(&edge.properties).to_json(graph),
                }),
                None => json!({ "id": id, "deleted": true }),
            },
            Self::Path(path) => {
                let nodes = path.nodes.iter().map(|id| Self::Node(*id).to_json(graph));
                let edges = path.edges.iter().map(|id| Self::Edge(*id).to_json(graph));
                json!({
                    "nodes": nodes.collect::<Vec<_>>(),
                    "relationships": edges.collect::<Vec<_>>(),
                })
            }
        }
    }

    /// The value as Cypher would write it: `(:Person {name: 'Ada'})`, `[:KNOWS]`, `[1, 2.0, 'x']`.
    pub fn to_text(&self, graph: &PropertyGraph) -> String {
        let mut out = String::new();
        self.write_text(graph, &mut out);
        out
    }

    fn write_text(&self, graph: &PropertyGraph, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(b) => _ = write!(out, "{b}"),
            Self::Int(n) => _ = write!(out, "{n}"),
            Self::Float(x) => out.push_str(&float_text(*x)),
            Self::Text(text) => {
                let escaped = text.replace('\\', "\\\\").replace('\'', "\\'");
                _ = write!(out, "'{escaped}'");
            }
            Self::List(list) => {
                out.push('[');
                for (i, item) in list.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    item.write_text(graph, out);
                }
                out.push(']');
            }
            Self::Map(map) => {
                out.push('{');
                for (i, (name, value)) in map.iter().enumerate() {
                    _ = write!(out, "{}{name}: ", if i == 0 { "" } else { ", " });
                    value.write_text(graph, out);
                }
                out.push('}');
            }
            Self::Node(id) => {
                out.push('(');
                let labels = graph.node(*id).map(|node| &node.labels);
                labels.into_iter().flatten().for_each(|label| _ = write!(out, ":{label}"));
                write_properties(
                    graph,
                    Element::Node(*id),
                    labels.is_some_and(|l| !l.is_empty()),
                    out,
                );
                out.push(')');
            }
            Self::Edge(id) => {
                let edge_type = graph.edge(*id).map_or("", |edge| &edge.edge_type);
                _ = write!(out, "[:{edge_type}");
                write_properties(graph, Element::Edge(*id), true, out);
                out.push(']');
            }
            Self::Path(path) => {
                out.push('<');
                for (i, node) in path.nodes.iter().enumerate() {
                    if let Some(before) = i.checked_sub(1) {
                        let id = path.edges[before];
                        let back = graph
                            .edge(id)
                            .is_some_and(|e| e.source == *node && e.target == path.nodes[before]);
                        let back = back && path.nodes[before] != *node;
                        out.push_str(if back { "<-" } else { "-" });
                        Self::Edge(id).write_text(graph, out);
                        out.push_str(if back { "-" } else { "->" });
                    }
                    Self::Node(*node).write_text(graph, out);
                }
                out.push('>');
            }
            Self::Temporal(temporal) => _ = write!(out, "'{temporal}'"),
        }
    }

    /// Whether two values are equal; `None` where that is not known, because one is null or has a
    /// null in it.
    pub fn equals(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Null, _) | (_, Self::Null) => None,
            (Self::List(a), Self::List(b)) => {
                if a.len() != b.len() {
                    return Some(false);
                }
                all(a.iter().zip(b.iter()).map(|(a, b)| a.equals(b)))
            }
            (Self::Map(a), Self::Map(b)) => {
                if a.len() != b.len() || !a.keys().eq(b.keys()) {
                    return Some(false);
                }
                all(a.values().zip(b.values()).map(|(a, b)| a.equals(b)))
            }
            (Self::Float(x), _) | (_, Self::Float(x)) if x.is_nan() => Some(false),
            // A date that was stored is a text.
            (Self::Temporal(time), Self::Text(text)) | (Self::Text(text), Self::Temporal(time)) => {
                let stored = Temporal::of_stored(text);
                Some(stored.is_some_and(|stored| stored.order(time) == Ordering::Equal))
            }
            _ => Some(self.order(other) == Ordering::Equal),
        }
    }

    /// Which of two values is less; `None` where they cannot be compared.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Float(x), _) | (_, Self::Float(x)) if x.is_nan() => None,
            (Self::Int(_) | Self::Float(_), Self::Int(_) | Self::Float(_))
            | (Self::Text(_), Self::Text(_))
            | (Self::Bool(_), Self::Bool(_)) => Some(self.order(other)),
            (Self::List(a), Self::List(b)) => {
                for (a, b) in a.iter().zip(b.iter()) {
                    match a.compare(b) {
                        Some(Ordering::Equal) => {}
                        other => return other,
                    }
                }
                Some(a.len().cmp(&b.len()))
            }
            (Self::Temporal(a), Self::Temporal(b)) => a.compare(b),
            (Self::Temporal(a), Self::Text(text)) => a.compare(&Temporal::of_stored(text)?),
            (Self::Text(text), Self::Temporal(b)) => Temporal::of_stored(text)?.compare(b),
            _ => None,
        }
    }

    /// The order of all values, in which ORDER BY puts them: maps, nodes, edges, lists, paths, dates,
    /// texts, Booleans, numbers, NaN, null.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => order_floats(*a, *b),
            (Self::Int(a), Self::Float(b)) => order_mixed(*a, *b),
            (Self::Float(a), Self::Int(b)) => order_mixed(*b, *a).reverse(),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Node(a), Self::Node(b)) => a.cmp(b),
            (Self::Edge(a), Self::Edge(b)) => a.cmp(b),
            (Self::Path(a), Self::Path(b)) => a.cmp(b),
            (Self::Temporal(a), Self::Temporal(b)) => a.order(b),
            (Self::List(a), Self::List(b)) => {
                let first = a.iter().zip(b.iter()).map(|(a, b)| a.order(b));
                first.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
            }
            (Self::Map(a), Self::Map(b)) => {
                let both = a.iter().zip(b.iter());
                both.map(|((k, v), (l, w))| k.cmp(l).then_with(|| v.order(w)))
                    .fold(Ordering::Equal, Ordering::then)
                    .then(a.len().cmp(&b.len()))
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Map(_) => 0,
            Self::Node(_) => 1,
            Self::Edge(_) => 2,
            Self::List(_) => 3,
            Self::Path(_) => 4,
            Self::Temporal(_) => 5,
            Self::Text(_) => 6,
            Self::Bool(_) => 7,
            Self::Int(_) | Self::Float(_) => 8,
            Self::Null => 9,
        }
    }
}

/// The size and the depth of what has these parts.
fn sum<'v>(parts: impl Iterator<Item = &'v CypherValue>) -> (usize, usize) {
    parts.fold((1, 1), |(size, depth): (usize, usize), part| {
        (size.saturating_add(part.size()), depth.max(part.depth() + 1))
    })
}

/// How many parts a property has when it is a value.
pub(crate) fn property_size(property: &PropertyValue) -> usize {
    match property {
        PropertyValue::Text(text) => 1 + text.len() / BYTES_A_PART,
        PropertyValue::List(items) => 1 + items.iter().map(property_size).sum::<usize>(),
        _ => 1,
    }
}

fn write_properties(graph: &PropertyGraph, of: Element, is_behind: bool, out: &mut String) {
    let Some(properties) = graph.properties(of).filter(|all| !all.is_empty()) else { return };
    out.push_str(if is_behind { " " } else { "" });
    CypherValue::of_properties(properties).write_text(graph, out);
}

/// A number as Cypher writes it: always with a point or an exponent.
pub(crate) fn float_text(x: f64) -> String {
    if x.is_nan() {
        return "NaN".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let text = format!("{x:?}");
    text.replace('e', "E")
}

fn order_floats(a: f64, b: f64) -> Ordering {
    // NaN is behind all numbers.
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// Compares without rounding: not every i64 is an f64.
fn order_mixed(a: i64, b: f64) -> Ordering {
    if b.is_nan() {
        return Ordering::Less;
    }
    if b >= 9_223_372_036_854_775_808.0 {
        return Ordering::Less;
    }
    if b < -9_223_372_036_854_775_808.0 {
        return Ordering::Greater;
    }
    let whole = b.trunc();
    a.cmp(&(whole as i64))
        .then_with(|| 0.0_f64.partial_cmp(&(b - whole)).unwrap_or(Ordering::Equal))
}

/// True where all are, false where one is not, and not known otherwise.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            None => result = None,
            Some(true) => {}
        }
    }
    result
}

/// The same kind of value with the same parts: unlike [`CypherValue::equals`], null is null and NaN is NaN.
impl PartialEq for CypherValue {
    fn eq(&self, other: &Self) -> bool {
        self.order(other) == Ordering::Equal
    }
}

impl Eq for CypherValue {}

impl Hash for CypherValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Self::Null => {}
            Self::Bool(b) => b.hash(state),
            Self::Int(n) => n.hash(state),
            // Equal to a whole number, so hashed like one.
            Self::Float(x) if x.fract() == 0.0 && x.abs() < 9.2e18 => (*x as i64).hash(state),
            Self::Float(x) if x.is_nan() => f64::NAN.to_bits().hash(state),
            Self::Float(x) => x.to_bits().hash(state),
            Self::Text(text) => text.hash(state),
            Self::List(list) => list.hash(state),
            Self::Map(map) => map.hash(state),
            Self::Node(id) => id.hash(state),
            Self::Edge(id) => id.hash(state),
            Self::Path(path) => path.hash(state),
            Self::Temporal(temporal) => temporal.hash(state),
        }
    }
}
