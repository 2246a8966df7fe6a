//! Hashes of what a model was asked.

use llm::{Message, ToolSpec};

pub use llm::bytes_hash;

/// The hash for a model that is sent no bytes, such as a script: over messages and tools as JSON.
pub fn request_hash(messages: &[Message], tools: &[ToolSpec]) -> String {
    bytes_hash(serde_json::to_string(&(messages, tools)).unwrap_or_default().as_bytes())
}
