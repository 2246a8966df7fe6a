//! Values that cross as one text, for `#[serde(with = "protocol::exact")]`.
//!
//! Messages cross as values of JavaScript, which has one kind of number: `1.0` comes back as `1`. In
//! a result of a tool that is another value, and a trace is replayed and compared to the last byte.
//! So what holds JSON of tools (steps, traces, results of functions) crosses as JSON text.
//! `docs/measurements.md`, "Messages between page and worker", has how many results would differ,
//! and what either way costs.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that crosses as one text, where it is a whole reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact<T>(pub T);

impl<T: Serialize> Serialize for Exact<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, to)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Exact<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize(from).map(Self)
    }
}

/// Writes a value as JSON text.
///
/// # Errors
/// The value has no JSON, as a map whose keys are no strings.
pub fn serialize<T: Serialize, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    let text = serde_json::to_string(value).map_err(S::Error::custom)?;
    to.serialize_str(&text)
}

/// Reads a value from JSON text.
///
/// # Errors
/// The text is not JSON, or not of this type.
pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    serde_json::from_str(&text).map_err(D::Error::custom)
}
