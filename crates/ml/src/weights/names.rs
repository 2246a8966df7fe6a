//! The names that a model knows: ids of entities, users, classes.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// The most names of one kind.
const MAX_NAMES: usize = 5_000_000;
/// The longest name, in bytes.
const MAX_NAME: usize = 512;

/// Names in an order, each once, found again in O(1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Names {
    all: Vec<String>,
    place: HashMap<String, usize>,
}

impl Names {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Where a name stands.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.place.get(name).copied()
    }

    /// The name at a place; empty beyond the last.
    pub fn at(&self, place: usize) -> &str {
        self.all.get(place).map_or("", String::as_str)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }
}

impl TryFrom<Vec<String>> for Names {
    type Error = String;

    fn try_from(all: Vec<String>) -> Result<Self, String> {
        if all.len() > MAX_NAMES {
            return Err(format!("there are {} names; at most {MAX_NAMES} are read", all.len()));
        }
        let mut place = HashMap::with_capacity(all.len());
        for (i, name) in all.iter().enumerate() {
            if name.is_empty() || name.len() > MAX_NAME || name.chars().any(char::is_control) {
                let name: String = name.chars().take(40).collect();
                return Err(format!(
                    "{name:?} is no name; one has 1 to {MAX_NAME} bytes and no control characters"
                ));
            }
            if place.insert(name.clone(), i).is_some() {
                return Err(format!("the name {name:?} comes twice"));
            }
        }
        Ok(Self { all, place })
    }
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        names.all
    }
}
