//! A query for a store.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A query with the values that it names, which are no part of its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoreStatement {
    /// The query.
    pub text: String,
    /// The values by their names, without the sign in front.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub values: Map<String, Value>,
}
