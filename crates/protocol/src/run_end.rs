//! How a run ended, in the form that all experiments have in common.

use serde_json::Value;
use systems::experiment::Score;
use trace::Trace;

/// A run that has ended, in the form that all have in common.
#[derive(Clone, Debug)]
pub struct RunEnd<'a> {
    /// What was asked, in a line.
    pub title: String,
    /// The id of the system.
    pub system: &'a str,
    /// The family of problems that its case is of; a question of a person's own is of none.
    pub task: &'a str,
    /// What happened.
    pub trace: &'a Trace,
    /// What it left beside its trace, as its experiment has it.
    pub outcome: Value,
    /// How good it was, where it is known what is right.
    pub score: Option<&'a Score>,
}

/// The longest title of a run, in characters.
const MAX_TITLE: usize = 80;

/// The first line of what was asked, cut where it is long.
pub fn title_of(asked: &str) -> String {
    let first = asked.trim().lines().next().unwrap_or_default();
    let cut: String = first.chars().take(MAX_TITLE).collect();
    if cut.len() < first.len() { format!("{}…", cut.trim_end()) } else { cut }
}
