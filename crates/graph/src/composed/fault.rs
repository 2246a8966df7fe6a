//! What is wrong with a proposal.

use serde::{Deserialize, Serialize};

/// What is wrong with a proposal, in words that let a model correct it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalFault {
    /// A stable word: `syntax`, `unknown_name`, `wrong_type`, `example_differs`, …
    pub code: String,
    /// The line and the column in the body, from 1, where it is wrong there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(usize, usize)>,
    /// What was wrong and what would be right.
    pub message: String,
}

impl ProposalFault {
    /// A fault of the proposal as a whole.
    pub(super) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), at: None, message: message.into() }
    }

    /// A fault at a byte of the body.
    pub(super) fn at(source: &str, byte: usize, code: &str, message: impl Into<String>) -> Self {
        Self { at: Some(place(source, byte)), ..Self::new(code, message) }
    }
}

impl std::fmt::Display for ProposalFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((line, column)) = self.at {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// The line and the column of a byte, from 1; columns count characters.
fn place(source: &str, byte: usize) -> (usize, usize) {
    let before = source.get(..byte).unwrap_or(source);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
