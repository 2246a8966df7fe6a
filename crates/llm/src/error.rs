//! What can go wrong between us and a model's endpoint. Mistakes of the model itself are no errors.

use serde::{Deserialize, Serialize};

/// Whether asking the same again may help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// The same question gets the same answer.
    #[default]
    Never,
    /// The fault may pass.
    Soon,
    /// It passes after so many milliseconds, as the endpoint says.
    After(u64),
}

/// Why no answer came. The message says what was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", content = "about", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelError {
    /// Nothing came back at all.
    #[error("no answer from {url}: {reason}")]
    Unreachable {
        /// The address that was asked.
        url: String,
        /// What the transport said.
        reason: String,
    },
    /// The endpoint answered with an error status.
    #[error("the endpoint answered {status}: {message}{hint}")]
    Status {
        /// The HTTP status, which is not one of success.
        status: u16,
        /// The endpoint's own words, shortened.
        message: String,
        /// What to do about it, starting with a separator; may be empty.
        hint: String,
        /// Whether asking again may help.
        #[serde(default)]
        retry: Retry,
    },
    /// The conversation is longer than the model can read.
    #[error("the conversation does not fit into the model's context window{}: {message}{hint}",
        .limit.map(|n| format!(" of {n} tokens")).unwrap_or_default())]
    ContextOverflow {
        /// The endpoint's own words, shortened.
        message: String,
        /// How many tokens fit, where the endpoint tells.
        limit: Option<u64>,
        /// What to do about it, starting with a separator.
        hint: String,
    },
    /// The answer broke off.
    #[error("the answer broke off: {reason}")]
    Broken {
        /// What broke, in words of whoever sent the request.
        reason: String,
    },
    /// The endpoint was silent for too long.
    #[error("{url} was silent for {seconds} seconds")]
    TimedOut {
        /// The address that was asked.
        url: String,
        /// The time that was waited, in seconds.
        seconds: u64,
    },
    /// The endpoint answered something that is not JSON.
    #[error(
        "the endpoint answered {found} where JSON was expected; check the address against the one that the server names"
    )]
    NotJson {
        /// What it looked like.
        found: String,
    },
    /// JSON, but not of the protocol's shape.
    #[error(
        "the endpoint's answer has no {missing}; is this address really a {protocol} endpoint?"
    )]
    Shape {
        /// Which field was looked for.
        missing: String,
        /// Which protocol was expected.
        protocol: String,
    },
    /// The answer is larger than anything sensible.
    #[error("the endpoint's answer has {size} bytes; the limit is {limit}")]
    TooLarge {
        /// Its size in bytes.
        size: usize,
        /// The most bytes that are read.
        limit: usize,
    },
    /// The person stopped it.
    #[error("stopped")]
    Cancelled,
    /// A model on this machine could not answer.
    #[error("the model could not answer: {reason}")]
    Local {
        /// What was wrong.
        reason: String,
    },
    /// A script was asked something that is not in it.
    #[error("{0}")]
    Scripted(String),
}

impl ModelError {
    /// Every text in it that somebody else may have written.
    pub(crate) fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::Unreachable { url: a, reason: b }
            | Self::Status { message: a, hint: b, .. }
            | Self::ContextOverflow { message: a, hint: b, .. }
            | Self::Shape { missing: a, protocol: b } => vec![a, b],
            Self::Broken { reason: text }
            | Self::Local { reason: text }
            | Self::TimedOut { url: text, .. }
            | Self::NotJson { found: text }
            | Self::Scripted(text) => vec![text],
            Self::TooLarge { .. } | Self::Cancelled => Vec::new(),
        }
    }

    /// Whether the endpoint asks for fewer questions at a time.
    pub fn is_too_fast(&self) -> bool {
        // 429 too many requests, 503 unavailable, 529 overloaded (Anthropic's own).
        matches!(self, Self::Status { status: 429 | 503 | 529, .. })
    }

    /// Whether asking the same again may help. This cannot tell a connection
    /// that was never there from a wrong address; a caller that had an answer before knows better.
    pub fn retry(&self) -> Retry {
        match self {
            Self::Status { retry, .. } => *retry,
            Self::Broken { .. } => Retry::Soon,
            _ => Retry::Never,
        }
    }
}
