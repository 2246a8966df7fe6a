#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod diff;
pub mod formats;
mod hash;
mod record;
pub mod replay;
mod step;
mod trace;

pub use hash::{bytes_hash, request_hash};
pub use record::{Record, RecordScore};
pub use step::{
    Effects, Finding, MistakeKind, NO_PROGRAM, Step, StepBody, Stop, TOOLS_DROPPED, TOOLS_UNUSED,
    Tally, ToolError, ToolResult,
};
pub use trace::{Asked, JUDGE_ROLE, Rebuilt, Trace, VERSION};
