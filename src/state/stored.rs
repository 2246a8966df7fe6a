//! Runs as they are kept.

use protocol::problem::ProblemView;
use serde::{Deserialize, Serialize};
use systems::Run;
use tasks::Verdict;

/// A line in the list of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Milliseconds since 1970 at which it ended; also its key.
    pub id: f64,
    /// The task's title with difficulty and seed.
    pub problem: String,
    /// The system's id.
    pub system: String,
    /// The model's label.
    pub model: String,
    /// How right the answer is.
    pub verdict: Verdict,
    /// Tool calls.
    pub n_calls: usize,
    /// Mistakes of the model.
    pub n_mistakes: usize,
}

/// A run with all that is needed to show it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredRun {
    /// Its line.
    pub summary: RunSummary,
    /// The problem that the run is about.
    pub problem: ProblemView,
    /// The run with its trace.
    pub run: Run,
}

impl StoredRun {
    /// A run that ended at a moment.
    pub fn new(id: f64, problem: ProblemView, run: Run) -> Self {
        let mut words = vec![run.task.title().to_owned()];
        words.extend(run.difficulty.map(|d| d.as_str().to_owned()));
        words.extend(run.seed.map(|s| format!("seed {s}")));
        let summary = RunSummary {
            id,
            problem: words.join(", "),
            system: run.system.clone(),
            model: run.trace.model.clone(),
            verdict: run.judgement.verdict,
            n_calls: run.trace.n_calls(),
            n_mistakes: run.trace.mistakes().iter().map(|(_, n)| n).sum(),
        };
        Self { summary, problem, run }
    }
}
