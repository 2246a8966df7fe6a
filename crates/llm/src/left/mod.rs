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
mod thoughts;

use serde_json::Value;

use crate::{ToolCall, ToolSpec};
use marks::Opening;

pub use thoughts::split_thoughts;

/// The most calls that are read from one text.
const MAX_CALLS: usize = 32;
/// The most bytes of a text in which calls are looked for.
const MAX_TEXT: usize = 1_000_000;

/// What a text without a native call has in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftCalls {
    /// The calls, in their order; they have no ids.
    pub calls: Vec<ToolCall>,
    /// What is said before the first of them; all of the text where there is none.
    pub text: String,
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
    match marks::find_opening(text) {
        Some(Opening::Call { at }) => match payload::read(&text[at..], tools, true) {
            Some(calls) => LeftCalls { calls, text: text[..at].trim().to_owned(), unread: None },
            None => as_text(Some("it ends in something that cannot be read as a call".into())),
        },
        Some(Opening::Explained { .. }) => as_text(Some("it is part of an explanation".into())),
        None => {
            let whole = marks::without_fence(text.trim());
            match payload::read(whole, tools, false) {
                Some(calls) => LeftCalls { calls, ..LeftCalls::default() },
                None => as_text(None),
            }
        }
    }
}

/// Whether a text ends in a call that has begun and not ended, as where a limit cut it off.
pub fn ends_in_a_call(text: &str, tools: &[ToolSpec]) -> bool {
    let Some(Opening::Call { at }) = marks::find_opening(text) else {
        return false;
    };
    !tools.is_empty() && payload::read(&text[at..], tools, true).is_none()
}

/// The arguments of a call from values by name, as the tool's schema has their types: a value that
/// stands as bare text is a text where the schema wants one, else what it reads as.
fn typed(name: &str, values: Vec<(String, String)>, tools: &[ToolSpec]) -> String {
    let schema = tools.iter().find(|tool| tool.name == name).map(|tool| &tool.parameters);
    let object = values.into_iter().map(|(key, raw)| {
        let wants = schema.and_then(|schema| schema.pointer(&format!("/properties/{key}/type")));
        let wants_text = match wants {
            Some(Value::String(kind)) => kind == "string",
            Some(Value::Array(kinds)) => kinds.iter().all(|kind| kind == "string"),
            _ => false,
        };
        let raw = raw.strip_prefix('\n').unwrap_or(&raw);
        let raw = raw.strip_suffix('\n').unwrap_or(raw);
        let value = match python::literal(raw.trim()) {
            Some(value) if !wants_text => value,
            _ => Value::String(raw.to_owned()),
        };
        (key, value)
    });
    Value::Object(object.collect()).to_string()
}

#[cfg(test)]
mod tests;
