//! What an extraction and a call are worth, by two sets of rules.

mod call;
mod extraction;

use serde::{Deserialize, Serialize};

pub use call::{CallScore, CallSummary, score_call};
pub use extraction::{Extracted, ExtractionScore, ExtractionSummary, score_extraction};

/// By which rules something is done or measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruleset {
    /// As the paper says, and where it is silent, as it should be.
    #[default]
    Paper,
    /// As the benchmark's public code does, with what looks like slips in it.
    Compat,
}

impl Ruleset {
    /// Both sets of rules.
    pub const ALL: [Self; 2] = [Self::Paper, Self::Compat];

    /// Its name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Compat => "compat",
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut n, mut sum) = (0usize, 0.0);
    for value in values {
        n += 1;
        sum += value;
    }
    if n == 0 { 0.0 } else { 100.0 * sum / n as f64 }
}
