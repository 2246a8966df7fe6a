//! Files of benchmarks: whole sets of problems, and the check of a set.

mod checker;
mod file;
mod gracore;
mod instruct;
mod logged;
mod recorded;
mod rows;
mod time;

pub use checker::{CheckFailure, CheckedRow, Checker, DatasetReport, LevelReport, TaskReport};
pub use file::{DatasetEntry, DatasetError, MAX_DATASET_BYTES, entry_json, parse};
pub use logged::{LoggedAnswer, LoggedError, parse_logged};
pub use recorded::{
    AnsweredError, AnsweredProblem, RecordSettings, RecordedAnswer, parse_answered,
};
pub use rows::{RowProblem, RuleCounts, find_questions, joined_rows};
