//! A graph in JSON is the list of deltas that builds it.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{Delta, Graph};

impl Serialize for Graph {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_deltas().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Graph {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let deltas = Vec::<Delta>::deserialize(deserializer)?;
        Self::from_deltas(&deltas).map_err(D::Error::custom)
    }
}
