//! One line of a runs file.

use llm::{Message, ToolSpec, Usage};
use serde::{Deserialize, Serialize};
use systems::Run;
use tasks::Verdict;
use trace::Trace;

use crate::{Facts, Item, Key, Setup};

/// The version of the format that this crate writes.
pub const VERSION: u32 = 1;
/// The format of runs inside the single-file app: `{"format": …, "title": …, "runs": …}`, the
/// runs being a runs file in gzip in base64.
pub const EMBEDDED: &str = "graphground-report";
/// What the first line of every runs file calls itself.
pub const NAME: &str = "graphground-runs";

/// One line of a runs file.
///
/// A file begins with [`Entry::Head`]; a setup, a tool list and a problem each stand once, before
/// the first run that names them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", bound(deserialize = "T: Deserialize<'de>"))]
pub enum Entry<T = Trace> {
    /// What this file is.
    Head {
        /// [`NAME`].
        format: String,
        /// [`VERSION`].
        version: u32,
    },
    /// A system with a model.
    Setup {
        /// Its hash.
        hash: String,
        /// What it is.
        setup: Box<Setup>,
    },
    /// The definitions of tools.
    Tools {
        /// Their hash, as a setup names it.
        hash: String,
        /// The definitions.
        tools: Vec<ToolSpec>,
    },
    /// A problem.
    Problem(Box<Item>),
    /// A finished run.
    Run(Box<RunEntry<T>>),
    /// A run that did not come to its end, because its endpoint failed. It is made again.
    Failure(Failure),
}

impl<T> Entry<T> {
    /// Which run it tells of, if it does.
    pub fn key(&self) -> Option<&Key> {
        match self {
            Self::Run(run) => Some(&run.key),
            Self::Failure(failure) => Some(&failure.key),
            _ => None,
        }
    }
}

impl Entry {
    /// The first line of every file.
    pub fn head() -> Self {
        Self::Head { format: NAME.to_owned(), version: VERSION }
    }

    /// As one line with its end.
    pub fn line(&self) -> String {
        // Every type in here can be written as JSON.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
pub struct RunEntry<T = Trace> {
    /// Which run.
    pub key: Key,
    /// When it ended, in milliseconds since 1970; 0 where there was no clock.
    #[serde(default)]
    pub at_ms: f64,
    /// How good the answer was.
    pub verdict: Verdict,
    /// Why, in a sentence or two.
    #[serde(default)]
    pub explanation: String,
    /// What is counted.
    pub facts: Facts,
    /// What happened, without what its setup and its problem say already.
    pub trace: T,
}

/// A run that did not come to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Which run.
    pub key: Key,
    /// When, in milliseconds since 1970.
    #[serde(default)]
    pub at_ms: f64,
    /// What was wrong.
    pub reason: String,
    /// Tokens that it took all the same.
    #[serde(default)]
    pub usage: Usage,
}

impl RunEntry {
    /// A run as it is kept.
    pub fn new(key: Key, at_ms: f64, setup: &Setup, item: &Item, run: Run) -> Self {
        let has_tools = systems::find(&setup.system).is_some_and(|s| s.has_tools);
        let verdict = run.judgement.verdict;
        let facts = Facts::of(&item.problem(), &run.trace, verdict, has_tools);
        let mut trace = run.trace;
        if trace.prompt == prompt(setup, item) {
            trace.prompt.clear();
        }
        if setup.attach && trace.attached.as_ref() == Some(&item.graph) {
            trace.attached = None;
        }
        // Definitions stand once in the file, by the hash that the setup names.
        trace.tools.clear();
        for step in &mut trace.steps {
            // A thousandth of a millisecond is finer than anything that is read off them.
            step.at_ms = (step.at_ms * 1e3).round() / 1e3;
            step.took_ms = (step.took_ms * 1e3).round() / 1e3;
        }
        let explanation = run.judgement.explanation;
        Self { key, at_ms, verdict, explanation, facts, trace }
    }

    /// The trace as it was, with what the setup and the problem say put back.
    pub fn whole_trace(&self, setup: &Setup, item: &Item, tools: &[ToolSpec]) -> Trace {
        let mut trace = self.trace.clone();
        if trace.prompt.is_empty() {
            trace.prompt = prompt(setup, item);
        }
        let has_tools = systems::find(&setup.system).is_some_and(|s| s.has_tools);
        if setup.attach && has_tools && trace.attached.is_none() {
            trace.attached = Some(item.graph.clone());
        }
        if trace.tools.is_empty() {
            trace.tools = tools.to_vec();
        }
        trace
    }
}

/// What a run begins with.
fn prompt(setup: &Setup, item: &Item) -> Vec<Message> {
    let question = setup.question(&item.problem(), item.question.as_deref());
    vec![Message::system(setup.prompt.as_str()), Message::user(question)]
}
