//! Names of nodes: what a person or a model calls them.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The name of a node: an integer or a text such as `"Tom"`.
///
/// `7` and `"7"` are the same name, so that a model that quotes a number still finds its node.
/// Integers order before texts and by value, so sorted names read as a person would sort them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NodeName {
    /// A whole number, written without quotes in JSON.
    Int(i64),
    /// A name that is no whole number.
    Text(Box<str>),
}

impl NodeName {
    /// The longest text that a name may have, in bytes.
    pub const MAX_LEN: usize = 200;

    /// The integer behind the name, when it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(i) => Some(*i),
            Self::Text(_) => None,
        }
    }
}

impl Ord for NodeName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Int(_), Self::Text(_)) => std::cmp::Ordering::Less,
            (Self::Text(_), Self::Int(_)) => std::cmp::Ordering::Greater,
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
        }
    }
}

impl PartialOrd for NodeName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for NodeName {
    fn from(i: i64) -> Self {
        Self::Int(i)
    }
}

impl From<usize> for NodeName {
    fn from(i: usize) -> Self {
        Self::Int(i64::try_from(i).unwrap_or(i64::MAX))
    }
}

impl From<&str> for NodeName {
    fn from(text: &str) -> Self {
        // Only the canonical spelling is an integer: "007" stays a text, and printing gives it back.
        match text.parse::<i64>() {
            Ok(i) if i.to_string() == text => Self::Int(i),
            _ => Self::Text(text.into()),
        }
    }
}

impl From<String> for NodeName {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(i) => write!(f, "{i}"),
            Self::Text(t) => f.write_str(t),
        }
    }
}

impl Serialize for NodeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(i) => serializer.serialize_i64(*i),
            Self::Text(t) => serializer.serialize_str(t),
        }
    }
}

impl<'de> Deserialize<'de> for NodeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = NodeName;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a node: an integer or a text")
            }
            fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<NodeName, E> {
                Ok(NodeName::Int(v))
            }
            fn visit_u64<E: serde::de::Error>(self, v: u64) -> Result<NodeName, E> {
                i64::try_from(v).map(NodeName::Int).map_err(E::custom)
            }
            fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<NodeName, E> {
                // Some models write 3.0 where they mean 3.
                if v.fract() == 0.0 && v.abs() < 9e15 {
                    Ok(NodeName::Int(v as i64))
                } else {
                    Err(E::custom(format!("{v} is not a node: a number must be whole")))
                }
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<NodeName, E> {
                let v = v.trim();
                if v.is_empty() {
                    return Err(E::custom("a node name must not be empty"));
                }
                if v.len() > NodeName::MAX_LEN {
                    return Err(E::custom(format!(
                        "a node name has at most {} bytes, this one has {}",
                        NodeName::MAX_LEN,
                        v.len()
                    )));
                }
                Ok(NodeName::from(v))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for NodeName {
    fn schema_name() -> Cow<'static, str> {
        "Node".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["integer", "string"] })
    }
}

/// The names most like `wanted`, best first, at most `limit`; for error messages.
///
/// Integers are near by value, texts by edit distance (ignoring case).
///
/// O(n·l²) for n names of length l.
pub fn nearest_names<'a>(
    wanted: &NodeName,
    names: impl Iterator<Item = &'a NodeName>,
    limit: usize,
) -> Vec<NodeName> {
    let mut scored: Vec<(u64, &NodeName)> = names
        .map(|name| {
            let distance = match (wanted, name) {
                (NodeName::Int(a), NodeName::Int(b)) => a.abs_diff(*b),
                _ => edit_distance(
                    &wanted.to_string().to_lowercase(),
                    &name.to_string().to_lowercase(),
                ) as u64,
            };
            (distance, name)
        })
        .collect();
    scored.sort();
    scored.into_iter().take(limit).map(|(_, name)| name.clone()).collect()
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_number_is_the_same_name() {
        let quoted: NodeName = serde_json::from_str("\"7\"").unwrap();
        let plain: NodeName = serde_json::from_str("7").unwrap();
        assert_eq!(quoted, plain);
        assert_eq!(serde_json::to_string(&quoted).unwrap(), "7");
    }

    #[test]
    fn only_canonical_integers_are_integers() {
        for text in ["007", "+1", "1.5", "a", "-0"] {
            assert!(matches!(NodeName::from(text), NodeName::Text(_)), "{text}");
        }
        assert_eq!(NodeName::from("-3"), NodeName::Int(-3));
    }

    #[test]
    fn nearest_prefers_close_spellings() {
        let names: Vec<NodeName> =
            ["Katy", "Tom", "Lily", "Tim"].iter().map(|&s| s.into()).collect();
        let near = nearest_names(&"tmo".into(), names.iter(), 2);
        assert!(near.contains(&"Tom".into()), "{near:?}");
    }
}
