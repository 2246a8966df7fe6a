//! What can be wrong with a file or a question.

use llm::ModelError;

/// Why there is no model, or no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OwnError {
    /// The bytes are no file of weights of this form.
    #[error("this is no file of the model: {reason}")]
    File {
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// The conversation asks nothing.
    #[error("there is no question to answer; ask one about a graph")]
    NoQuestion,
    /// Too many words that the weights never learned, and they learned no names.
    #[error(
        "{n_unknown} of {n_words} words are not among those that this small model knows; it answers questions about graphs in plain words"
    )]
    Unfamiliar {
        /// Words that its table does not have.
        n_unknown: usize,
        /// Words, marks and numbers of the question.
        n_words: usize,
    },
    /// A node is beyond the tokens that the weights learned.
    #[error("{found} is too large: nodes go up to 63 in this small model")]
    NodeTooLarge {
        /// The number.
        found: u32,
    },
    /// The conversation does not fit.
    #[error("{found} tokens are too many: this small model reads {limit} with its answer")]
    TooLong {
        /// Tokens of the conversation; of a text that was not looked at, about so many.
        found: usize,
        /// Tokens of the window.
        limit: usize,
    },
    /// Whoever asked wished it to stop.
    #[error("stopped")]
    Stopped,
}

impl OwnError {
    pub(crate) fn file(reason: impl Into<String>) -> Self {
        Self::File { reason: reason.into() }
    }
}

impl From<OwnError> for ModelError {
    fn from(error: OwnError) -> Self {
        match error {
            OwnError::TooLong { limit, .. } => Self::ContextOverflow {
                message: error.to_string(),
                limit: Some(limit as u64),
                hint: "; ask about a smaller graph".to_owned(),
            },
            OwnError::Stopped => Self::Cancelled,
            other => Self::Local { reason: other.to_string() },
        }
    }
}
