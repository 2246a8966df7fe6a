//! Hashes of what a model was asked.

use llm::{Message, ToolSpec};

/// FNV-1a: small, portable, and never a secret.
pub fn bytes_hash(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The hash for a model that is sent no bytes, such as a script: over messages and tools as JSON.
pub fn request_hash(messages: &[Message], tools: &[ToolSpec]) -> String {
    bytes_hash(serde_json::to_string(&(messages, tools)).unwrap_or_default().as_bytes())
}
