//! Values as the kit's tables write them: `(:A {x: 1})`, `[1, 2.0]`, `<(:A)-[:T]->()>`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Names and the values under them.
pub(crate) type KitMap = BTreeMap<String, KitValue>;

/// A value in a table of the kit; two are equal where the kit takes them for equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KitValue {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number; never equal to a float.
    Int(i64),
    /// A number with a point.
    Float(KitFloat),
    /// A text.
    Text(String),
    /// Values in an order.
    List(Vec<KitValue>),
    /// Values under names.
    Map(KitMap),
    /// A node.
    Node(KitNode),
    /// A relationship.
    Edge(KitEdge),
    /// A node, and from there on each relationship with the node that it leads to.
    Path(KitNode, Vec<KitHop>),
    /// What the kit has no notation for: no parsed value equals it.
    Other(String),
}

/// A node: its labels and values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KitNode {
    /// A set: the order in the table does not count.
    pub labels: BTreeSet<String>,
    /// Its values.
    pub properties: KitMap,
}

/// A relationship: its type and values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KitEdge {
    /// Its one type.
    pub edge_type: String,
    /// Its values.
    pub properties: KitMap,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KitHop {
    /// Whether it goes with the arrow.
    pub forward: bool,
    /// The relationship.
    pub edge: KitEdge,
    /// The node that it leads to.
    pub node: KitNode,
}

/// A float that can be sorted: NaN equals NaN, and there is one zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KitFloat(f64);

impl KitFloat {
    /// The float, with all kinds of NaN made one, and both zeros too.
    pub(crate) fn new(float: f64) -> Self {
        if float.is_nan() {
            Self(f64::NAN)
        } else if float == 0.0 {
            Self(0.0)
        } else {
            Self(float)
        }
    }

    /// The number.
    pub(crate) fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for KitFloat {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for KitFloat {}

impl PartialOrd for KitFloat {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for KitFloat {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl KitValue {
    /// A float.
    pub(crate) fn float(float: f64) -> Self {
        Self::Float(KitFloat::new(float))
    }

    /// The value with every list in it sorted: equal where only the order in lists differs.
    #[must_use]
    pub(crate) fn without_order(self) -> Self {
        match self {
            Self::List(list) => {
                let mut list: Vec<_> = list.into_iter().map(Self::without_order).collect();
                list.sort();
                Self::List(list)
            }
            Self::Map(map) => Self::Map(map_without_order(map)),
            Self::Node(node) => Self::Node(node.without_order()),
            Self::Edge(edge) => Self::Edge(edge.without_order()),
            Self::Path(start, hops) => {
                let hops = hops.into_iter().map(|hop| KitHop {
                    forward: hop.forward,
                    edge: hop.edge.without_order(),
                    node: hop.node.without_order(),
                });
                Self::Path(start.without_order(), hops.collect())
            }
            plain => plain,
        }
    }
}

fn map_without_order(map: KitMap) -> KitMap {
    map.into_iter().map(|(name, value)| (name, value.without_order())).collect()
}

impl KitNode {
    fn without_order(self) -> Self {
        Self { properties: map_without_order(self.properties), ..self }
    }
}

impl KitEdge {
    fn without_order(self) -> Self {
        Self { properties: map_without_order(self.properties), ..self }
    }
}

/// Writes the kit's notation; what is written can be parsed again.
impl fmt::Display for KitValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => b.fmt(f),
            Self::Int(int) => int.fmt(f),
            Self::Float(KitFloat(float)) if float.is_infinite() => {
                f.write_str(if *float > 0.0 { "Inf" } else { "-Inf" })
            }
            Self::Float(KitFloat(float)) => write!(f, "{float:?}"),
            Self::Text(text) => write_text(f, text),
            Self::List(list) => {
                f.write_str("[")?;
                for (i, value) in list.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    value.fmt(f)?;
                }
                f.write_str("]")
            }
            Self::Map(map) => write_map(f, map),
            Self::Node(node) => node.fmt(f),
            Self::Edge(edge) => edge.fmt(f),
            Self::Path(start, hops) => {
                write!(f, "<{start}")?;
                for KitHop { forward, edge, node } in hops {
                    match forward {
                        true => write!(f, "-{edge}->{node}")?,
                        false => write!(f, "<-{edge}-{node}")?,
                    }
                }
                f.write_str(">")
            }
            Self::Other(words) => f.write_str(words),
        }
    }
}

impl fmt::Display for KitNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for label in &self.labels {
            f.write_str(":")?;
            write_name(f, label)?;
        }
        if !self.properties.is_empty() {
            f.write_str(if self.labels.is_empty() { "" } else { " " })?;
            write_map(f, &self.properties)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for KitEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[:")?;
        write_name(f, &self.edge_type)?;
        if !self.properties.is_empty() {
            f.write_str(" ")?;
            write_map(f, &self.properties)?;
        }
        f.write_str("]")
    }
}

fn write_map(f: &mut fmt::Formatter<'_>, map: &KitMap) -> fmt::Result {
    f.write_str("{")?;
    for (i, (name, value)) in map.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        write_name(f, name)?;
        write!(f, ": {value}")?;
    }
    f.write_str("}")
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("'")?;
    for letter in text.chars() {
        match letter {
            '\'' => f.write_str("\\'")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("'")
}

/// Writes a name: plain where it can be, else between backticks, which are doubled in it.
fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if !name.is_empty() && name.chars().all(in_plain_name) {
        f.write_str(name)
    } else {
        write!(f, "`{}`", name.replace('`', "``"))
    }
}

/// Whether a letter is allowed in a name without backticks.
pub(super) fn in_plain_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}
