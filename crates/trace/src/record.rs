//! A trace with what it was about: what a file of traces holds.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Trace;

/// How good an answer was, in words that any format has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordScore {
    /// What was measured, such as `verdict`.
    pub name: String,
    /// What came out, such as `correct`.
    pub label: String,
    /// The same from 0 (wrong) to 1 (right).
    pub value: f64,
    /// Why, in a sentence or two.
    pub explanation: String,
}

/// A trace with what it was about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// A name that is unique in its file.
    pub id: String,
    /// Which family of problems, such as `shortest_path`; may be empty.
    pub task: String,
    /// The question, as the model read it.
    pub input: String,
    /// When it began, as RFC 3339, where that was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// How good the answer was, where somebody judged it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<RecordScore>,
    /// Whatever else its format had; kept so that nothing is lost on the way.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// The trace of the run.
    pub trace: Trace,
}

impl Record {
    /// A trace without a judgement; the question is what its user said first.
    pub fn of(trace: Trace) -> Self {
        let input = trace
            .prompt
            .iter()
            .find(|m| m.role == llm::Role::User)
            .map(|m| m.content.clone())
            .unwrap_or_default();
        Self {
            id: "1".into(),
            task: String::new(),
            input,
            started_at: None,
            score: None,
            metadata: Map::new(),
            trace,
        }
    }
}
