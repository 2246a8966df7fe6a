//! How a turn ended.

use crate::{FinishReason, Message};

/// How a turn of a model ended. Only what was [`Answered`](Self::Answered) is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// The model answered.
    Answered,
    /// It calls tools.
    Called,
    /// The limit on tokens cut the text off.
    CutOff,
    /// The provider failed in the middle; asking again may help.
    Failed {
        /// The endpoint's own word for it.
        reason: String,
    },
    /// The endpoint withheld the answer, or the model declined by the protocol's own field.
    Refused {
        /// The endpoint's own word for it.
        reason: String,
    },
    /// It ended well and said nothing.
    Empty,
    /// It asked the person something in place of an answer.
    AskedBack,
}

impl TurnEnd {
    /// Whether the endpoint failed at a call that the model wrote wrong. Asking again may help; where it does
    /// not, the mistake is the model's and no void. O(length of the reason).
    pub fn is_bad_call(&self) -> bool {
        let Self::Failed { reason } = self else { return false };
        let reason = reason.to_lowercase();
        let is_call = ["call", "tool", "function"].iter().any(|word| reason.contains(word));
        is_call && ["malformed", "invalid", "unexpected"].iter().any(|word| reason.contains(word))
    }

    /// How a turn ended, by what it said and by the word that the endpoint has for its end. That a text
    /// is a question back is for its reader to say. O(words of the reason).
    pub fn of(message: &Message, finish: &FinishReason) -> Self {
        let has_calls = !message.tool_calls.is_empty();
        match finish {
            FinishReason::Other(word) => match end_of_word(word) {
                Some(Self::CutOff) if has_calls => return Self::Called,
                Some(end) => return end,
                None => {}
            },
            FinishReason::ContentFilter => {
                return Self::Refused { reason: "the endpoint withheld the text".to_owned() };
            }
            FinishReason::Length if !has_calls => return Self::CutOff,
            _ => {}
        }
        if has_calls {
            Self::Called
        } else if message.content.trim().is_empty() {
            Self::Empty
        } else {
            Self::Answered
        }
    }
}

/// Words in names of reasons, and which end they mean. A reason is in capitals, with underscores, or
/// in words of its own: what counts is the words in it.
const FAILED: [&str; 13] = [
    "error",
    "malformed",
    "fail",
    "abort",
    "unavailable",
    "insufficient",
    "overload",
    "interrupt",
    "cancel",
    "timeout",
    "timed",
    "unexpected",
    "disconnect",
];
const REFUSED: [&str; 11] = [
    "filter",
    "safety",
    "refus",
    "block",
    "prohibited",
    "sensitive",
    "spii",
    "recitation",
    "policy",
    "moderat",
    "violat",
];
const CUT: [&str; 5] = ["length", "max", "limit", "truncat", "window"];

fn end_of_word(reason: &str) -> Option<TurnEnd> {
    let word = reason.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|part| word.contains(part));
    if has(&FAILED) {
        Some(TurnEnd::Failed { reason: reason.to_owned() })
    } else if has(&REFUSED) {
        Some(TurnEnd::Refused { reason: reason.to_owned() })
    } else if has(&CUT) {
        Some(TurnEnd::CutOff)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str, reason: &str) -> TurnEnd {
        TurnEnd::of(&Message::assistant(text), &FinishReason::Other(reason.to_owned()))
    }

    #[test]
    fn a_reason_is_read_by_the_words_in_it() {
        for reason in ["error", "MALFORMED_FUNCTION_CALL", "network_error", "upstream failed"] {
            assert_eq!(end("Yes", reason), TurnEnd::Failed { reason: reason.to_owned() });
            assert_eq!(end("Yes", reason).is_bad_call(), reason.starts_with("MALFORMED"));
        }
        for reason in ["SAFETY", "PROHIBITED_CONTENT", "sensitive", "guardrail_violation"] {
            assert_eq!(end("Yes", reason), TurnEnd::Refused { reason: reason.to_owned() });
        }
        for reason in ["MAX_TOKENS", "model_length", "token limit", "context_window_exceeded"] {
            assert_eq!(end("Yes", reason), TurnEnd::CutOff);
        }
        for reason in ["eos", "COMPLETE", "pause_turn", ""] {
            assert_eq!(end("Yes", reason), TurnEnd::Answered);
            assert_eq!(end(" \n", reason), TurnEnd::Empty);
        }
    }
}
