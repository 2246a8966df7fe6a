//! Names in a scenario, and where a hazard is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The longest name of a location, a robot or a survivor.
pub(super) const MAX_ID: usize = 24;

/// Whether a text can name something: letters, digits, `_` and `-`, so that it can be found in a
/// sentence and drawn on a map.
pub(super) fn is_id(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Puts `2` of `L2` where a machine and a person both look for it: by letters, then by number.
pub(super) fn natural(id: &str) -> (String, u64, String) {
    let split = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
    let digits: String = id[split..].chars().take_while(char::is_ascii_digit).collect();
    (id[..split].to_owned(), digits.parse().unwrap_or(0), id.to_owned())
}

/// Where a hazard is: at a location, or on a road.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Place {
    /// At a location.
    Location(String),
    /// On the road between two locations, in either order.
    Road(String, String),
}

impl Place {
    /// Whether both mean the same place; a road is the same from both ends.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Location(a), Self::Location(b)) => a == b,
            (Self::Road(a, b), Self::Road(c, d)) => (a, b) == (c, d) || (a, b) == (d, c),
            _ => false,
        }
    }

    /// Whether the place is the road between two locations.
    pub fn is_road(&self, a: &str, b: &str) -> bool {
        matches!(self, Self::Road(c, d) if (c == a && d == b) || (c == b && d == a))
    }

    /// Whether the place is or touches a location.
    pub fn involves(&self, location: &str) -> bool {
        match self {
            Self::Location(a) => a == location,
            Self::Road(a, b) => a == location || b == location,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Location(a) => f.write_str(a),
            Self::Road(a, b) => write!(f, "the road {a} - {b}"),
        }
    }
}

/// A number as people write it: no more digits than needed.
pub(super) fn number(value: f64) -> String {
    format!("{}", (value * 1000.0).round() / 1000.0)
}
