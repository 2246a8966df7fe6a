//! Calls and thoughts that a server left in the text.
//!
//! A server has to know the model that it serves: which marks stand around its calls, and which around
//! its thoughts. One that does not know hands them on as text. They are read here by what they have in
//! common (a mark, a name, arguments), whatever the model is called.
//!
//! A call is read where nothing but calls comes after it. One in a thought, a quotation, a code block
//! among other text, or an explanation is text.

mod marks;
mod payload;
mod python;
mod spellings;
mod thoughts;

use crate::{ToolCall, ToolSpec};
use marks::Opening;
use payload::Calls;

pub use thoughts::split_thoughts;

/// The most bytes of a text in which calls are looked for.
const MAX_TEXT: usize = 1_000_000;

/// What a text without a native call has in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftCalls {
    /// The calls, in their order; they have no ids.
    pub calls: Vec<ToolCall>,
    /// What is said before the first of them; all of the text where there is none.
    pub text: String,
    /// Whether the model made up a result behind them, which is left out.
    pub has_result: bool,
    /// What looks like a call and is not read as one: why not.
    pub unread: Option<String>,
}

/// Finds the calls that a server left in a text which has no thoughts in it any more. Marked calls are
/// calls even where no tool has that name: whoever answers calls says what is wrong. Without marks, a
/// call is the whole text, and names one of the tools. O(text).
pub fn find_left_calls(text: &str, tools: &[ToolSpec]) -> LeftCalls {
    let as_text = |unread| LeftCalls { text: text.to_owned(), unread, ..LeftCalls::default() };
    if tools.is_empty() || text.len() > MAX_TEXT {
        return as_text(None);
    }
    let usual = spellings::usual(text);
    let unmarked = |text: &str| payload::read(marks::without_fence(text.trim()), tools, false);
    match marks::find_opening(&usual) {
        Some(Opening::Call { at }) => match payload::read(&usual[at..], tools, true) {
            Some(Calls { calls, has_result }) => {
                let before = &usual[..at];
                // What stands before may be a call without marks.
                let (calls, text, has_result) = match unmarked(before) {
                    Some(first) if first.has_result => (first.calls, "", true),
                    Some(first) => ([first.calls, calls].concat(), "", has_result),
                    None => (calls, before.trim(), has_result),
                };
                LeftCalls { calls, text: text.to_owned(), has_result, unread: None }
            }
            None => as_text(Some("it ends in something that cannot be read as a call".into())),
        },
        Some(Opening::Explained { .. }) => as_text(Some("it is part of an explanation".into())),
        None => match unmarked(&usual) {
            Some(Calls { calls, has_result }) => {
                LeftCalls { calls, has_result, ..LeftCalls::default() }
            }
            None => as_text(None),
        },
    }
}

/// Whether a text ends in a call that has begun and not ended, as where a limit cut it off.
pub fn ends_in_a_call(text: &str, tools: &[ToolSpec]) -> bool {
    let text = spellings::usual(text);
    let Some(Opening::Call { at }) = marks::find_opening(&text) else {
        return false;
    };
    !tools.is_empty() && payload::read(&text[at..], tools, true).is_none()
}

#[cfg(test)]
mod tests;
