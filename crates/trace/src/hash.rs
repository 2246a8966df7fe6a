//! Hashes of what a model was asked.

use llm::{Message, ToolSpec};

/// FNV-1a over what the model is asked: small, portable, and never a secret.
pub fn request_hash(messages: &[Message], tools: &[ToolSpec]) -> String {
    let text = serde_json::to_string(&(messages, tools)).unwrap_or_default();
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
