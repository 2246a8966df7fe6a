//! A message with what a file says of it.

use llm::{FinishReason, Message, ToolCall, Usage};

use crate::{StepBody, ToolError};

/// What is known of an entry beside its message.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub(super) at_ms: f64,
    pub(super) took_ms: f64,
    pub(super) usage: Usage,
    /// Why it ended, where the file says so.
    pub(super) finish: Option<FinishReason>,
    /// The error beside a tool's message.
    pub(super) failed: Option<ToolError>,
    /// The call as a tool's message itself tells it.
    pub(super) call: Option<ToolCall>,
    /// The message's id: programs that write a message in pieces repeat it.
    pub(super) id: String,
    /// The step that it is, where it is no message.
    pub(super) body: Option<StepBody>,
}

/// A message with what is known of it.
pub(super) type Said = (Message, Turn);
