//! What is shared in an address.

use serde::{Deserialize, Serialize};
use systems::Run;
use tasks::rescue::Scenario;
use tasks::{Style, Wording};
use trace::Record;

use crate::exact::Exact;
use crate::problem::{GraphView, ProblemView};
use crate::service::services;
use crate::traces::TraceFile;

/// What is put into a link.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shared {
    /// A problem, in the words that its wording and style give, or in its own.
    Problem {
        /// The problem.
        problem: Box<ProblemView>,
        /// The wording in use.
        wording: Wording,
        /// The style in use.
        style: Style,
    },
    /// A problem with what one model made of it without tools and with them.
    Pair {
        /// The problem.
        problem: Box<ProblemView>,
        /// The wording in use.
        wording: Wording,
        /// The style in use.
        style: Style,
        /// The two runs.
        runs: Vec<Run>,
    },
    /// A disaster.
    Rescue {
        /// The scenario.
        scenario: Box<Scenario>,
    },
    /// A run.
    Trace {
        /// The record.
        record: Box<Record>,
    },
    /// A lesson.
    Lesson {
        /// Its file: Markdown with blocks, which the page reads.
        text: String,
    },
}

/// Puts something into a link `v1.<kind>.<payload>`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteLink {
    /// What is shared.
    #[serde(with = "crate::exact")]
    pub shared: Box<Shared>,
}

/// Reads a link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadLink {
    /// The link.
    pub link: String,
}

/// What a link holds: what the same thing in a file would give.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Linked {
    /// A problem.
    Problem(Box<ProblemView>),
    /// A graph without a question.
    Graph(Box<GraphView>),
    /// A problem with two runs on it, judged again.
    Pair(Box<ProblemView>, Vec<Run>),
    /// A disaster.
    Rescue(Box<Scenario>),
    /// A run.
    Traces(TraceFile),
    /// A lesson's file, which the page reads.
    Lesson(String),
}

services! {
    WriteLink, "link/write" => String,
    ReadLink, "link/read" => Exact<Linked>,
}
