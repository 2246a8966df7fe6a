//! Tasks for Knowledge Graph of Thoughts: questions in plain words about a handful of files.
//!
//! The set is ours: 120 tasks in three levels (lookup, several sources, calculation), each with
//! files that hold its answer, so that it runs offline. Every task has one answer. A third of the
//! questions are worded freely, each in words of its own.

mod ask;
mod files;
mod import;
mod score;
mod valley;

use serde::{Deserialize, Serialize};

pub use ask::{KgotCalculation, KgotSolution};
pub use files::{CaseFile, FileBytes};
pub use import::{ImportFault, ImportedCase, ImportedCases, read_gaia, read_simple_qa};
pub use score::{GaiaVerdict, SimpleQaGrade, grading_prompt, judge_gaia, read_grade};
pub use valley::{Delivery, Valley, Village, Worker, Workshop};

/// How many tasks the set has.
pub const N_TASKS: usize = 120;
/// The levels, from easy to hard.
pub const KGOT_LEVELS: [&str; 3] = ["lookup", "several sources", "calculation"];

/// Who says whether an answer is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KgotJudge {
    /// GAIA's rules ([`judge_gaia`]).
    #[default]
    Gaia,
    /// A model, asked by [`grading_prompt`] and read by [`read_grade`].
    SimpleQa,
}

impl KgotJudge {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A task with its answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KgotCase {
    /// What is asked.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// One of [`KGOT_LEVELS`]; or what a file of one's own says.
    #[serde(default)]
    pub level: String,
    /// Names and texts of the files.
    #[serde(default)]
    pub files: Vec<(String, String)>,
    /// Files that are no text, or may not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attached: Vec<CaseFile>,
    /// Who judges the answer.
    #[serde(default, skip_serializing_if = "KgotJudge::is_default")]
    pub judge: KgotJudge,
    /// Whether the question is worded freely, and not by a template.
    #[serde(default)]
    pub is_free: bool,
}

/// The tasks of a seed, level by level; 0 is the set of the documentation. The same on every
/// machine.
pub fn cases(seed: u64) -> Vec<KgotCase> {
    solved(seed).into_iter().map(|(case, _)| case).collect()
}

/// The same with how a program solves each, which knows the answer: for scripts and tests.
pub fn solved(seed: u64) -> Vec<(KgotCase, KgotSolution)> {
    let mut all = Vec::new();
    let per_level = N_TASKS / KGOT_LEVELS.len();
    for (l, level) in KGOT_LEVELS.iter().enumerate() {
        let mut n = 0;
        let mut at = 0_u64;
        while n < per_level {
            let valley_seed = seed.wrapping_mul(1_000).wrapping_add(l as u64 * 300 + at);
            at += 1;
            let valley = Valley::generate(valley_seed);
            // A kind whose answer this valley does not have once is asked in the next.
            let Some((question, answer, solution, is_free)) = ask::ask(&valley, l, n, seed) else {
                continue;
            };
            // The same question about two valleys has two answers.
            if all.iter().any(|(case, _): &(KgotCase, KgotSolution)| case.question == question) {
                continue;
            }
            let case = KgotCase {
                question,
                answer,
                level: (*level).to_owned(),
                files: valley.files(),
                is_free,
                ..KgotCase::default()
            };
            all.push((case, solution));
            n += 1;
        }
    }
    all
}
