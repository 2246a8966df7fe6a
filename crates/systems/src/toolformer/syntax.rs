//! What is wrong with a call that cannot be read.

use serde::{Deserialize, Serialize};

/// Why a bracket could not be read, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("byte {at}: {expected} was expected, and {found} stands there{}", .hint.map_or_else(String::new, |h| format!("; {}", h.text())))]
pub struct SyntaxError {
    /// Where in the text, as a byte.
    pub at: usize,
    /// What stands in its place.
    pub found: String,
    /// What would be right.
    pub expected: String,
    /// How to correct it, where that is plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
    /// What to put in at [`at`](Self::at) to correct it, where that is plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insert: Option<char>,
}

/// Advice that goes with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hint {
    /// Another name than GL and GR.
    Api,
    /// The text ends in the middle.
    CutOff,
    /// A quoted text without an end.
    Quote,
    /// A bare word that is neither a reference, nor a number, nor a name.
    Bare,
    /// `paper#` without an id.
    Id,
    /// A missing comma or bracket.
    Separator,
    /// A missing end of the call.
    Close,
    /// GR without a graph.
    Graph,
    /// Calls in calls in calls.
    Deep,
    /// More than a call may have.
    Many,
    /// A set where none may stand.
    Set,
}

impl Hint {
    /// The hint in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Api => "a call is GL(…), which loads a graph, or GR(…), which reasons about one",
            Self::CutOff => "the text ends before the call does: let the model write more tokens",
            Self::Quote => "close the quotes on the line that opens them",
            Self::Bare => "put words in quotes, or write a reference as paper#1",
            Self::Id => "an id stands behind the # and has no space, comma, quote or bracket",
            Self::Separator => "arguments have commas between them and a round bracket at the end",
            Self::Close => "a call ends with ] or -->r]",
            Self::Graph => "the first argument of GR is a graph: GL(…) or the name of one loaded",
            Self::Deep => "call in sequence what is nested so deeply",
            Self::Many => "split it into several calls",
            Self::Set => "a set holds quoted texts, words, references and pairs",
        }
    }
}
