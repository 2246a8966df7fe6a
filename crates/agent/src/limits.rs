//! How far a run may go.

use serde::{Deserialize, Serialize};

/// How far a run may go. Reaching a limit is an outcome, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Turns of the model.
    pub max_rounds: u32,
    /// Tool calls in all.
    pub max_calls: u32,
    /// Tokens in all, as far as the endpoint tells them.
    pub max_tokens: Option<u64>,
    /// Milliseconds from the start; looked at between steps.
    pub deadline_ms: Option<f64>,
}

impl Default for Limits {
    /// Paper is silent on limits; these are enough for every NLGraph problem several times over.
    fn default() -> Self {
        Self {
            max_rounds: 24,
            max_calls: 64,
            max_tokens: Some(200_000),
            deadline_ms: Some(300_000.0),
        }
    }
}

/// A clock, as an argument: the core has none of its own.
pub trait Clock {
    /// Milliseconds since some fixed moment.
    fn now_ms(&self) -> f64;
}

impl<F: Fn() -> f64> Clock for F {
    fn now_ms(&self) -> f64 {
        self()
    }
}
