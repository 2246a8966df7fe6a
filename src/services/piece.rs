//! An answer on its way.

use llm::HttpHead;

/// A piece of a streamed answer.
pub(crate) enum Piece {
    /// What stands before it.
    Head(HttpHead),
    /// More of its text, cut between letters.
    Text(String),
}
