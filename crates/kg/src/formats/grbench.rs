//! The graphs of GRBench: by type and id, each node with its features and its neighbours by edge
//! type. An edge stands at both of its ends, and comes out once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use super::{Faults, Format, json_fault};
use crate::{Kg, KgBuilder, NodeIx};

/// As GRBench has its graphs.
pub(super) const FORMAT: Format = Format {
    id: "grbench",
    title: "Nodes with their neighbours, as GRBench has them",
    endings: &["json"],
    example: "{\"Person_nodes\": {\"Bob\": {\"features\": {}, \"neighbors\": {\"knows\": \
              [\"Bob\"]}}}}",
    keeps: "nodes, types, names, attributes, edges; which way an edge goes is told by its type's \
            name, or else by the order of its ends",
    read,
    write,
};

/// What a type's key ends with.
const ENDING: &str = "_nodes";
/// Features that a node may be called by, the best first.
const NAMES: &[&str] = &["name", "title"];

fn read(text: &str, into: &mut KgBuilder) -> Faults {
    let mut faults = Faults::default();
    let n_before = into.n_nodes() + into.n_edges();
    // Twice over the text: which way an edge goes depends on both of its ends.
    for pass in [Pass::Nodes, Pass::Edges] {
        let mut reader = serde_json::Deserializer::from_str(text);
        let done = reader.deserialize_map(Types { into, pass });
        if let Err(error) = done.and_then(|()| reader.end()) {
            json_fault(
                &error,
                "{\"<type>_nodes\": {\"<id>\": {\"features\", \"neighbors\"}}}",
                &mut faults,
            );
            break;
        }
    }
    faults.n_read = into.n_nodes() + into.n_edges() - n_before;
    faults
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Nodes,
    Edges,
}

struct Types<'b> {
    into: &'b mut KgBuilder,
    pass: Pass,
}

impl<'de> Visitor<'de> for Types<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of node types")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let node_type = key.strip_suffix(ENDING).unwrap_or(&key);
            map.next_value_seed(Nodes { into: &mut *self.into, pass: self.pass, node_type })?;
        }
        Ok(())
    }
}

struct Nodes<'b> {
    into: &'b mut KgBuilder,
    pass: Pass,
    node_type: &'b str,
}

impl<'de> serde::de::DeserializeSeed<'de> for Nodes<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

#[derive(Deserialize)]
#[serde(expecting = "a node with features and neighbors")]
struct WithFeatures {
    #[serde(default)]
    features: Map<String, Value>,
    #[serde(default, rename = "neighbors")]
    _neighbors: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(expecting = "a node with features and neighbors")]
struct WithNeighbors<'a> {
    #[serde(default, rename = "features")]
    _features: IgnoredAny,
    #[serde(default, borrow)]
    neighbors: BTreeMap<Cow<'a, str>, Vec<Id<'a>>>,
}

impl<'de> Visitor<'de> for Nodes<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of nodes by id")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(id) = map.next_key::<Cow<'de, str>>()? {
            match self.pass {
                Pass::Nodes => {
                    let node: WithFeatures = map.next_value()?;
                    let mut features = node.features;
                    let name = NAMES.iter().find_map(|n| match features.get(*n) {
                        Some(Value::String(_)) => features.shift_remove(*n),
                        _ => None,
                    });
                    let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
                    self.into
                        .node(&id, self.node_type, name, features)
                        .map_err(A::Error::custom)?;
                }
                Pass::Edges => {
                    let node: WithNeighbors = map.next_value()?;
                    for (edge_type, others) in &node.neighbors {
                        for other in others {
                            self.edge(&id, edge_type, &other.0).map_err(A::Error::custom)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Nodes<'_> {
    fn edge(&mut self, id: &str, edge_type: &str, other: &str) -> Result<(), crate::KgError> {
        let (source, target) =
            if self.is_source(id, edge_type, other) { (id, other) } else { (other, id) };
        self.into.edge(source, edge_type, target)
    }

    /// Which of the two ends an edge begins at, so that both ends say the same: the one whose type
    /// the edge's name begins with, as in `Gene-participates-Pathway`; else the one that came
    /// first.
    fn is_source(&self, id: &str, edge_type: &str, other: &str) -> bool {
        let (Some(own), Some(others)) = (self.into.find(id), self.into.find(other)) else {
            return true;
        };
        let begins = |of: Option<&str>| of.is_some_and(|of| begins_with(edge_type, of));
        let (a, b) = (begins(self.into.type_of(own)), begins(self.into.type_of(others)));
        if a != b { a } else { own <= others }
    }
}

fn begins_with(edge_type: &str, node_type: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().map(|c| if c == '_' { ' ' } else { c.to_ascii_lowercase() }).collect()
    };
    let (edge_type, node_type) = (letters(edge_type), letters(node_type));
    edge_type
        .strip_prefix(&node_type)
        .is_some_and(|rest| rest.chars().next().is_none_or(|c| !c.is_alphanumeric()))
}

/// An id as a text or as a number.
struct Id<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Id<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Cow<'de, str>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the id of a node")
            }
            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(v))
            }
            fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(v.to_owned()))
            }
            fn visit_u64<E>(self, v: u64) -> Result<Self::Value, E> {
                Ok(Cow::Owned(v.to_string()))
            }
            fn visit_i64<E>(self, v: i64) -> Result<Self::Value, E> {
                Ok(Cow::Owned(v.to_string()))
            }
            // Some files have an id with its weight.
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let first = seq.next_element::<Id<'de>>()?;
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                first.map(|id| id.0).ok_or_else(|| A::Error::custom("a list without an id"))
            }
        }
        deserializer.deserialize_any(Any).map(Id)
    }
}

fn write(kg: &Kg) -> String {
    let mut text = String::from("{");
    let mut is_first_type = true;
    for node_type in kg.schema().node_type_ixs() {
        let nodes = kg.nodes_of_type(node_type);
        if nodes.is_empty() {
            continue;
        }
        let key = format!("{}{ENDING}", kg.schema().node_type(node_type).name);
        text.push_str(if is_first_type { "\n" } else { ",\n" });
        is_first_type = false;
        text.push_str(&format!("{}: {{", Value::from(key)));
        for (i, node) in nodes.iter().enumerate() {
            text.push_str(if i > 0 { ",\n " } else { "\n " });
            text.push_str(&format!("{}: {}", Value::from(kg.id(*node)), node_value(kg, *node)));
        }
        text.push('}');
    }
    text + "\n}\n"
}

fn node_value(kg: &Kg, node: NodeIx) -> Value {
    let mut features = Map::new();
    features.insert("name".into(), kg.name(node).into());
    for (key, value) in kg.attributes(node).into_iter().flatten() {
        features.entry(key.clone()).or_insert_with(|| value.clone());
    }
    let mut neighbors: Map<String, Value> = Map::new();
    for (edge_type, way, other) in kg.edges_of(node, crate::Direction::Both) {
        // An edge to itself stands at its node once.
        if other == node && way == crate::Direction::In {
            continue;
        }
        let name = kg.schema().edge_type(edge_type).name.clone();
        if let Value::Array(others) = neighbors.entry(name).or_insert_with(|| json!([])) {
            others.push(kg.id(other).into());
        }
    }
    json!({ "features": features, "neighbors": neighbors })
}
