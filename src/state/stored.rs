//! Runs as they are kept.

use std::collections::BTreeSet;

use llm::Usage;
use protocol::problem::ProblemView;
use serde::{Deserialize, Serialize};
use systems::Run;
use tasks::Verdict;
use trace::{StepBody, Trace};

use super::notes::Notes;

/// What a table of runs tells of one, added up from its trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// The task's id; empty where it is not known.
    pub task: String,
    /// Steps of the trace.
    pub n_steps: usize,
    /// Tool calls.
    pub n_calls: usize,
    /// Milliseconds from the first step to the end of the last.
    pub ms: f64,
    /// Tokens, as far as they were reported.
    pub usage: Usage,
    /// Kinds of mistakes of the model, with how often each was made.
    pub mistakes: Vec<(String, usize)>,
    /// Tools that were called.
    pub tools: Vec<String>,
}

/// Tools of one run that are listed; a trace may name any number of them.
const MOST_TOOLS: usize = 100;

impl RunFacts {
    /// Adds up a trace: once over its steps.
    pub fn of(trace: &Trace, task: &str) -> Self {
        let tools: BTreeSet<&str> = trace
            .steps
            .iter()
            .filter_map(|s| match &s.body {
                StepBody::Call { call, .. } => Some(call.name.as_str()),
                _ => None,
            })
            .collect();
        Self {
            task: task.to_owned(),
            n_steps: trace.steps.len(),
            n_calls: trace.n_calls(),
            ms: trace.steps.last().map_or(0.0, |s| s.at_ms + s.took_ms),
            usage: trace.usage(),
            mistakes: trace.mistakes().iter().map(|(k, n)| (k.title().to_owned(), *n)).collect(),
            tools: tools.into_iter().take(MOST_TOOLS).map(str::to_owned).collect(),
        }
    }
}

/// From which run another one goes on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The key of that run.
    pub run: f64,
    /// The number of its step, counted from 1.
    pub step: usize,
}

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
    /// What is filtered by; `None` in runs that earlier versions kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<RunFacts>,
    /// Words by which it is found again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// From where it goes on, where a person took another run over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
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
    /// What a person wrote about it.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
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
            facts: Some(RunFacts::of(&run.trace, run.task.as_str())),
            tags: Vec::new(),
            origin: None,
        };
        Self { summary, problem, run, notes: Notes::default() }
    }

    /// With other notes.
    pub fn with_notes(mut self, notes: Notes) -> Self {
        self.summary.tags.clone_from(&notes.tags);
        self.notes = notes;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_earlier_versions_are_read() {
        let old = r#"{"id":1.0,"problem":"Cycle, easy, seed 1","system":"grounded","model":"m",
            "verdict":"Correct","n_calls":4,"n_mistakes":0}"#;
        let summary: RunSummary = serde_json::from_str(old).unwrap();
        assert_eq!((summary.facts, summary.tags.len(), summary.origin), (None, 0, None));
    }
}
