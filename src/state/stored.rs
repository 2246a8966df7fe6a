//! Runs as they are kept.

use std::collections::BTreeSet;

use llm::Usage;
use protocol::problem::ProblemView;
use protocol::run_end::RunEnd;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::Run;
use tasks::Verdict;
use trace::{Record, StepBody, Trace};

use super::notes::Notes;
use super::records;

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
    /// What was asked, in a line.
    pub problem: String,
    /// The system's id.
    pub system: String,
    /// The model's label.
    pub model: String,
    /// How right the answer is, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
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
    /// What a person wrote about the whole of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// What the file says of the answer from which the run came.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file_score: String,
    /// By what it is found again where it came from a file ([`records::source`]).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The step from which it continues a run that a person took over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

/// What a page knows of a run beside what the run's end says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keeping {
    /// The problem, where it is one of graphs.
    pub problem: Option<ProblemView>,
    /// The step from which it continues a run that a person took over.
    pub origin: Option<Origin>,
    /// The kept run that it replaces, where a conversation continues.
    pub replaces: Option<f64>,
}

impl Keeping {
    /// A run on a problem.
    pub fn problem(problem: &ProblemView) -> Self {
        Self { problem: Some(problem.clone()), ..Self::default() }
    }
}

impl RunSummary {
    /// Whether it is of a run on a graph problem.
    pub fn is_on_problem(&self) -> bool {
        systems::nlgraph::find(&self.system).is_some()
    }
}

/// A run with all that is needed to show it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "AnyStored")]
pub struct StoredRun {
    /// Its line.
    pub summary: RunSummary,
    /// The problem that the run is about, where it is one of graphs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemView>,
    /// Its trace with what was asked and how good it was.
    pub record: Record,
    /// What it left beside its trace, as its experiment has it.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub outcome: Value,
    /// What a person wrote about it.
    #[serde(skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
}

/// A kept run of this version or an earlier one, which kept runs on graph problems alone.
#[derive(Deserialize)]
struct AnyStored {
    summary: RunSummary,
    problem: Option<ProblemView>,
    #[serde(default)]
    outcome: Value,
    #[serde(default)]
    notes: Notes,
    record: Option<Record>,
    /// What earlier versions kept in place of a record and an outcome.
    run: Option<Run>,
}

impl TryFrom<AnyStored> for StoredRun {
    type Error = &'static str;

    fn try_from(stored: AnyStored) -> Result<Self, Self::Error> {
        let AnyStored { summary, problem, mut outcome, notes, mut record, run } = stored;
        if let Some(run) = run {
            outcome = serde_json::to_value(&run.judgement).unwrap_or_default();
            record = Some(records::of_run(&run, records::id_of(summary.id)));
        }
        let record = record.ok_or("a kept run has a record")?;
        Ok(Self { summary, problem, record, outcome, notes })
    }
}

impl StoredRun {
    /// A run that ended, under its key.
    pub fn new(id: f64, end: &RunEnd, keeping: Keeping) -> Self {
        let trace = end.trace;
        let summary = RunSummary {
            id,
            problem: end.title.clone(),
            system: end.system.to_owned(),
            model: trace.model.clone(),
            verdict: end.score.map(|score| score.verdict),
            n_calls: trace.n_calls(),
            n_mistakes: trace.mistakes().iter().map(|(_, n)| n).sum(),
            facts: Some(RunFacts::of(trace, end.task)),
            tags: Vec::new(),
            note: String::new(),
            file_score: String::new(),
            source: String::new(),
            origin: keeping.origin,
        };
        let record = records::record(end, records::id_of(id));
        let (problem, outcome) = (keeping.problem, end.outcome.clone());
        Self { summary, problem, record, outcome, notes: Notes::default() }
    }

    /// A trace that was opened, which a person wants to find again, with our verdict.
    pub fn of_record(
        id: f64,
        record: Record,
        problem: Option<ProblemView>,
        verdict: Option<Verdict>,
    ) -> Self {
        let trace = &record.trace;
        let summary = RunSummary {
            id,
            problem: records::about_in_file(&record),
            system: trace.system.clone(),
            model: trace.model.clone(),
            verdict,
            n_calls: trace.n_calls(),
            n_mistakes: trace.mistakes().iter().map(|(_, n)| n).sum(),
            facts: Some(RunFacts::of(trace, &record.task)),
            tags: Vec::new(),
            note: String::new(),
            file_score: record.score.as_ref().map_or_else(String::new, records::score_words),
            source: records::source(&record),
            origin: None,
        };
        Self { summary, problem, record, outcome: Value::Null, notes: Notes::default() }
    }

    /// The record with the notes, and the problem.
    pub fn opened(self) -> (Record, Option<ProblemView>) {
        let Self { mut record, problem, notes, .. } = self;
        notes.put(&mut record.metadata);
        (record, problem)
    }

    /// With other notes.
    pub fn with_notes(mut self, notes: Notes) -> Self {
        self.summary.tags.clone_from(&notes.tags);
        self.summary.note.clone_from(&notes.run);
        self.notes = notes;
        self
    }
}

#[cfg(test)]
mod tests {
    use llm::Message;
    use systems::experiment::Score;
    use tasks::Certificate;

    use super::*;

    #[test]
    fn runs_of_earlier_versions_are_read() {
        let old = r#"{"id":1.0,"problem":"Cycle, easy, seed 1","system":"grounded","model":"m",
            "verdict":"Correct","n_calls":4,"n_mistakes":0}"#;
        let summary: RunSummary = serde_json::from_str(old).unwrap();
        assert_eq!((summary.facts, summary.tags.len(), summary.origin), (None, 0, None));
        assert_eq!(summary.verdict, Some(Verdict::Correct));
    }

    /// Earlier versions kept the run and its judgement where a record is now.
    #[test]
    fn what_earlier_versions_kept_is_a_record_now() {
        let trace = Trace::new("grounded", "m".into(), Vec::new());
        let old = serde_json::json!({
            "summary": { "id": 12.0, "problem": "Cycle, easy, seed 1", "system": "grounded",
                "model": "m", "verdict": "Partial", "n_calls": 0, "n_mistakes": 0 },
            "problem": null,
            "run": { "system": "grounded", "task": "cycle", "difficulty": "easy", "seed": 1,
                "question": "Is there a cycle?", "trace": trace,
                "judgement": { "verdict": "Partial", "answer": null, "explanation": "half",
                    "certificate": Certificate::default() } },
            "notes": { "tags": ["look"] },
        });
        let read: StoredRun = serde_json::from_value(old).unwrap();
        let score = read.record.score.as_ref().unwrap();
        assert_eq!((score.label.as_str(), score.explanation.as_str()), ("partial", "half"));
        assert_eq!((read.record.id.as_str(), read.record.task.as_str()), ("12", "cycle"));
        assert_eq!(read.outcome["verdict"], "Partial");
        let text = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<StoredRun>(&text).unwrap(), read);
    }

    #[test]
    fn a_run_is_kept_with_a_verdict_only_where_it_is_known_what_is_right() {
        let trace = Trace::new("kgot", "m".into(), vec![Message::user("Who was it?")]);
        let score = Score::new(Verdict::Incorrect, "");
        let end = |score| RunEnd {
            title: "Who was it?".into(),
            system: "kgot-cypher",
            task: "kgot",
            trace: &trace,
            outcome: Value::Null,
            score,
        };
        let known = StoredRun::new(3.0, &end(Some(&score)), Keeping::default());
        assert_eq!(known.summary.verdict, Some(Verdict::Incorrect));
        assert_eq!(known.record.score.unwrap().label, "incorrect");
        let own = StoredRun::new(4.0, &end(None), Keeping::default());
        assert_eq!((own.summary.verdict, own.record.score), (None, None));
        assert_eq!((own.record.id.as_str(), own.record.input.as_str()), ("4", "Who was it?"));
    }
}
