//! Runs of other systems that lessons show, recorded so that they need neither a model nor a
//! knowledge graph. A test of `systems` makes each again and compares it with its file.

use trace::Record;

macro_rules! runs {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../assets/lessons/recorded/", $name, ".json")))),*]
    };
}

/// The name of each, and the record of its trace as JSON.
pub static RUNS: &[(&str, &str)] = runs! {
    "plan-refused",
    "plan-wrong-meaning",
    "search-greedy",
    "search-retrieval",
    "call-filled",
    "call-unknown",
};

/// The text of a run.
pub fn find(name: &str) -> Option<&'static str> {
    RUNS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A run, read.
pub fn record(name: &str) -> Option<Record> {
    serde_json::from_str(find(name)?).ok()
}
