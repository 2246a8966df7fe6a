//! One line of a runs file.

use llm::{ToolSpec, Usage};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use systems::experiment::{Case, Cost, Finished, Score, Setup};
use systems::experiments;
use trace::Trace;

use crate::Key;
use crate::labels::ReaderLabel;

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;
/// The format of runs inside the single-file app: `{"format": …, "title": …, "runs": …}`, the
/// runs being a runs file in gzip in base64.
pub const EMBEDDED: &str = "graphground-report";
/// What the first line of every runs file calls itself.
pub const NAME: &str = "graphground-runs";

/// One line of a runs file.
///
/// A file begins with [`Entry::Head`]; a setup, a tool list and a case each stand once, before the
/// first run that names them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", bound(deserialize = "T: Deserialize<'de>"))]
pub enum Entry<T = Trace> {
    /// What this file is.
    Head {
        /// The name of the format, always [`NAME`].
        format: String,
        /// The version of the format; this crate writes [`VERSION`].
        version: u32,
    },
    /// A system with its models.
    Setup {
        /// The hash of the setup, by which runs name it.
        hash: String,
        /// The system with its models and options.
        setup: Box<Setup>,
    },
    /// The definitions of tools.
    Tools {
        /// Their hash, as a setup names it.
        hash: String,
        /// The tools as the models read them.
        tools: Vec<ToolSpec>,
    },
    /// A case that runs of the file are about.
    Case(Box<Case>),
    /// A run that came to its end.
    Run(Box<RunEntry<T>>),
    /// A run that did not come to its end, because an endpoint failed. It is made again, and never
    /// counted as a wrong answer.
    Failure(Failure),
    /// What a reader says that a run is.
    Label(ReaderLabel),
}

impl<T> Entry<T> {
    /// The run that it is about, if it is about one.
    pub fn key(&self) -> Option<&Key> {
        match self {
            Self::Run(run) => Some(&run.key),
            Self::Failure(failure) => Some(&failure.key),
            Self::Label(label) => Some(&label.key),
            _ => None,
        }
    }
}

impl Entry {
    /// The first line of every file.
    pub fn head() -> Self {
        Self::Head { format: NAME.to_owned(), version: VERSION }
    }

    /// The same without the trace.
    pub fn light(self) -> Entry<IgnoredAny> {
        match self {
            Self::Head { format, version } => Entry::Head { format, version },
            Self::Setup { hash, setup } => Entry::Setup { hash, setup },
            Self::Tools { hash, tools } => Entry::Tools { hash, tools },
            Self::Case(case) => Entry::Case(case),
            Self::Run(run) => Entry::Run(Box::new(run.light())),
            Self::Failure(failure) => Entry::Failure(failure),
            Self::Label(label) => Entry::Label(label),
        }
    }

    /// As one line with its end.
    pub fn line(&self) -> String {
        // Every type in here can be written as JSON.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// A run that came to its end, with its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
pub struct RunEntry<T = Trace> {
    /// Setup, case and sample of the run.
    pub key: Key,
    /// When it ended, in milliseconds since 1970; 0 where there was no clock.
    #[serde(default)]
    pub at_ms: f64,
    /// How good it was.
    pub score: Score,
    /// Calls, turns, tokens and time of the run.
    pub cost: Cost,
    /// What its experiment needs to score it again, beside the trace.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub outcome: Value,
    /// What happened, without what its setup and its case say already.
    pub trace: T,
}

/// A run that did not come to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Setup, case and sample of the run.
    pub key: Key,
    /// When, in milliseconds since 1970.
    #[serde(default)]
    pub at_ms: f64,
    /// What was wrong, in words of the endpoint or of ours.
    pub reason: String,
    /// Tokens that it took all the same.
    #[serde(default)]
    pub usage: Usage,
}

impl RunEntry {
    /// A run as it is kept.
    pub fn new(
        key: Key,
        at_ms: f64,
        setup: &Setup,
        case: &Case,
        finished: Finished,
        cost: Cost,
    ) -> Self {
        let Finished { mut trace, outcome, score } = finished;
        if let Ok(experiment) = experiments::find(&setup.experiment) {
            experiment.pack(setup, case, &mut trace);
        }
        for step in &mut trace.steps {
            // A thousandth of a millisecond is finer than anything that is read off them.
            step.at_ms = (step.at_ms * 1e3).round() / 1e3;
            step.took_ms = (step.took_ms * 1e3).round() / 1e3;
        }
        Self { key, at_ms, score, cost, outcome, trace }
    }

    /// The same without its trace.
    pub fn light(self) -> RunEntry<IgnoredAny> {
        let Self { key, at_ms, score, cost, outcome, .. } = self;
        RunEntry { key, at_ms, score, cost, outcome, trace: IgnoredAny }
    }

    /// The trace as it was, with what the setup and the case say put back.
    pub fn whole_trace(&self, setup: &Setup, case: &Case, tools: &[ToolSpec]) -> Trace {
        let mut trace = self.trace.clone();
        if let Ok(experiment) = experiments::find(&setup.experiment) {
            experiment.unpack(setup, case, tools, &mut trace);
        }
        trace
    }
}
