//! How good a run was.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tasks::Verdict;
use trace::{StepBody, Stop, TOOLS_DROPPED, TOOLS_UNUSED, Trace};

/// Something that is measured of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its name in files.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it says, in a sentence.
    pub lede: &'static str,
}

impl Measure {
    /// A measure with its names and what it says.
    pub const fn new(id: &'static str, title: &'static str, lede: &'static str) -> Self {
        Self { id, title, lede }
    }
}

/// A kind of error that a run may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorKind {
    /// Its name in files.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
}

/// How good a run was: the same shape for every experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// How right the answer is.
    pub verdict: Verdict,
    /// Measures by their ids, each from 0 to 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, f64>,
    /// What is counted beside, by name: what measures over many runs are computed from.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u64>,
    /// Kinds of errors by their ids.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub errors: BTreeSet<String>,
    /// Why, in a sentence or two.
    #[serde(default)]
    pub explanation: String,
    /// The answer as a vote counts it; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ballot: String,
}

impl Score {
    /// A verdict with its reason.
    pub fn new(verdict: Verdict, explanation: impl Into<String>) -> Self {
        Self {
            verdict,
            measures: BTreeMap::new(),
            counts: BTreeMap::new(),
            errors: BTreeSet::new(),
            explanation: explanation.into(),
            ballot: String::new(),
        }
    }

    /// The same with a measure, from 0 to 1.
    #[must_use]
    pub fn with(mut self, id: &str, value: f64) -> Self {
        self.measures.insert(id.to_owned(), value);
        self
    }

    /// The same with a yes or a no.
    #[must_use]
    pub fn with_flag(self, id: &str, is: bool) -> Self {
        self.with(id, f64::from(u8::from(is)))
    }

    /// The same with a count.
    #[must_use]
    pub fn with_count(mut self, id: &str, n: u64) -> Self {
        self.counts.insert(id.to_owned(), n);
        self
    }
}

/// The kinds of errors that runs of every experiment may have.
pub const COMMON_KINDS: [ErrorKind; 9] = [
    ErrorKind { id: "cut_off", title: "not answered: cut off" },
    ErrorKind { id: "refused", title: "not answered: refused" },
    ErrorKind { id: "empty", title: "not answered: empty" },
    ErrorKind { id: "asked_back", title: "not answered: asked back" },
    ErrorKind { id: "no_program", title: "not answered: no program, or it failed" },
    ErrorKind { id: "context_exceeded", title: "context exceeded" },
    ErrorKind { id: "limit", title: "limit reached" },
    ErrorKind { id: TOOLS_UNUSED, title: "no offered tool used" },
    ErrorKind { id: TOOLS_DROPPED, title: "tools left out by the endpoint" },
];

/// Whether a trace has a finding of that rule. O(steps).
pub fn has_finding(trace: &Trace, rule: &str) -> bool {
    trace.steps.iter().any(|step| match &step.body {
        StepBody::Findings { findings, .. } => findings.iter().any(|f| f.rule == rule),
        _ => false,
    })
}

/// The errors that a trace shows, whatever the experiment: which of [`COMMON_KINDS`]. O(steps).
pub fn common_errors(trace: &Trace) -> impl Iterator<Item = String> + use<> {
    let id = match trace.ended() {
        Some(Stop::CutOff) => Some("cut_off"),
        Some(Stop::Refused { .. }) => Some("refused"),
        Some(Stop::Empty) => Some("empty"),
        Some(Stop::AskedBack) => Some("asked_back"),
        Some(Stop::NoProgram { .. }) => Some("no_program"),
        Some(Stop::ModelFailed { is_overflow: true, .. }) => Some("context_exceeded"),
        Some(Stop::Rounds | Stop::Calls | Stop::Tokens | Stop::Deadline) => Some("limit"),
        Some(Stop::Answered | Stop::Cancelled | Stop::ModelFailed { .. }) | None => None,
    };
    let rules = [TOOLS_UNUSED, TOOLS_DROPPED].into_iter().filter(|rule| has_finding(trace, rule));
    let found: Vec<&str> = id.into_iter().chain(rules).collect();
    found.into_iter().map(str::to_owned)
}
