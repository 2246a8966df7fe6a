//! What can go wrong between us and a model's endpoint. Mistakes of the model itself are no errors.

use serde::{Deserialize, Serialize};

/// Why no answer came. The message says what was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", content = "about", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelError {
    /// Nothing came back at all.
    #[error("no answer from {url}: {reason}")]
    Unreachable {
        /// Where.
        url: String,
        /// What the transport said.
        reason: String,
    },
    /// The endpoint answered with an error status.
    #[error("the endpoint answered {status}: {message}{hint}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// The endpoint's own words, shortened.
        message: String,
        /// What to do about it, starting with a separator; may be empty.
        hint: String,
    },
    /// The endpoint answered something that is not JSON.
    #[error(
        "the endpoint answered {found} where JSON was expected; check the address: it usually ends in /v1"
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
        /// Its size.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// The person stopped it.
    #[error("stopped")]
    Cancelled,
    /// A script was asked something that is not in it.
    #[error("{0}")]
    Scripted(String),
}
