//! One case of an experiment.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
use serde_json::Value;

/// One problem with all that its experiment needs to put and to score it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The id of its experiment.
    pub experiment: String,
    /// A name that is unique in its benchmark.
    pub id: String,
    /// The group that tables count it in, such as a task; empty where there are no groups.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Its level within the group, such as `easy` or `2 hops`; empty where that is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub level: String,
    /// The nodes of its own graph, for plots over the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// The name of the graph or the data that it stands on, where these are shared.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub world: String,
    /// The problem in its experiment's own form.
    pub body: Body,
}

impl Case {
    /// Whether both are the same case. Files of earlier versions do not tell what cases stand on.
    pub fn is_same(&self, other: &Self) -> bool {
        let worlds = [&self.world, &other.world];
        (worlds[0] == worlds[1] || worlds.iter().any(|w| w.is_empty()))
            && (&self.experiment, &self.id, &self.body)
                == (&other.experiment, &other.id, &other.body)
    }

    /// The group with the level, for people: `cycle, easy`.
    pub fn family(&self) -> String {
        match (self.group.as_str(), self.level.as_str()) {
            ("", "") => "all".to_owned(),
            (group, "") => group.to_owned(),
            ("", level) => level.to_owned(),
            (group, level) => format!("{group}, {level}"),
        }
    }
}

/// The problem of a case as JSON text, which is a tenth of the memory of a tree: a benchmark holds
/// thousands. In a file it stands as JSON, not as a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body(Box<str>);

impl Body {
    /// Writes a problem.
    ///
    /// # Errors
    /// It cannot be written as JSON: a map whose keys are no texts, or a number that JSON has not.
    pub fn new<T: Serialize>(problem: &T) -> Result<Self, String> {
        // By way of a value, as when it is read: then two bodies are the same if their texts are.
        let value = serde_json::to_value(problem).map_err(|e| e.to_string())?;
        Ok(Self(value.to_string().into()))
    }

    /// Reads the problem.
    ///
    /// # Errors
    /// It is of another kind.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_str(&self.0).map_err(|e| format!("the case cannot be read: {e}"))
    }

    /// The body as JSON text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: Value = serde_json::from_str(&self.0).map_err(ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|value| Self(value.to_string().into()))
    }
}
