//! Traces: read, written, computed again, compared.

use serde::{Deserialize, Serialize};
use tasks::Verdict;
use trace::diff::Diff;
use trace::replay::Replay;
use trace::{Record, Trace};

use crate::exact::Exact;
use crate::service::services;

/// Reads a file of traces, in whichever format it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadTraces {
    /// The file's text; nothing where the file itself comes with the request.
    pub text: Option<String>,
}

/// What a file of traces holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TraceFile {
    /// The format's name for people.
    pub format: String,
    /// The traces.
    #[serde(with = "crate::exact")]
    pub records: Vec<Record>,
    /// What was left out and what the file does not say, each in a line for people.
    pub notes: Vec<String>,
}

/// Writes traces in a format.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteTraces {
    /// The traces.
    #[serde(with = "crate::exact")]
    pub records: Vec<Record>,
    /// The format's id.
    pub format: String,
}

/// A file's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextFile {
    /// The text.
    pub text: String,
    /// What its name ends with.
    pub extension: String,
}

/// Computes every result of a trace again; what differs comes step by step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReplayTrace {
    /// The trace.
    #[serde(with = "crate::exact")]
    pub trace: Box<Trace>,
}

/// Compares two traces, row by row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompareTraces {
    /// The trace on the left.
    #[serde(with = "crate::exact")]
    pub left: Box<Trace>,
    /// The trace on the right.
    #[serde(with = "crate::exact")]
    pub right: Box<Trace>,
}

/// Holds answers against their own questions, as many as there are traces in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct JudgeAnswers {
    /// Each question with the answer to it.
    pub answers: Vec<(String, String)>,
}

/// How right each answer is, in their order; nothing where the question cannot be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedAnswers {
    /// The verdicts.
    pub verdicts: Vec<Option<Verdict>>,
}

services! {
    ReadTraces, "trace/read" => TraceFile,
    JudgeAnswers, "trace/judge" => JudgedAnswers,
    WriteTraces, "trace/write" => TextFile,
    ReplayTrace, "trace/replay" => Exact<Replay>,
    CompareTraces, "trace/compare" => Exact<Diff>,
}
