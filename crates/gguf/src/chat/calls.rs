//! Tool calls in a text, as models write them: Hermes' `<tool_call>` and the bare JSON of llama 3.

use llm::{Part, ToolCall, Watch};
use serde_json::Value;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";

/// Calls behind a text, for templates that know none.
pub(crate) fn write(content: &str, calls: &[ToolCall]) -> String {
    calls.iter().fold(content.to_owned(), |text, call| {
        let arguments: Value = serde_json::from_str(&call.arguments)
            .unwrap_or_else(|_| Value::String(call.arguments.clone()));
        let call = serde_json::json!({ "name": call.name, "arguments": arguments });
        let gap = if text.is_empty() { "" } else { "\n" };
        format!("{text}{gap}{OPEN}\n{call}\n{CLOSE}")
    })
}

/// A call out of its JSON. One that names no tool is none.
fn call(value: &Value, serial: usize) -> Option<ToolCall> {
    let value = value.get("function").filter(|f| f.is_object()).unwrap_or(value);
    let name = value.get("name")?.as_str()?.to_owned();
    let arguments = value.get("arguments").or_else(|| value.get("parameters"));
    let arguments = match arguments {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "{}".to_owned(),
    };
    Some(ToolCall { id: format!("call_{serial}"), name, arguments })
}

/// Text and calls of an answer.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub text: String,
    pub calls: Vec<ToolCall>,
}

/// Cuts an answer into text and calls. What looks like a call and cannot be read stays text, but
/// for Hermes' marks, behind which a call of what name there is comes out: the model is told then.
pub(crate) fn read(text: &str, first_serial: usize) -> Answer {
    let mut answer = Answer::default();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        answer.text.push_str(before);
        let (inside, behind) = after.split_once(CLOSE).unwrap_or((after, ""));
        let serial = first_serial + answer.calls.len();
        let parsed = llm::repair::read(inside.trim()).ok().map(|repaired| repaired.value);
        match parsed.and_then(|value| call(&value, serial)) {
            Some(call) => answer.calls.push(call),
            None => answer.text.push_str(&rest[before.len()..rest.len() - behind.len()]),
        }
        rest = behind;
    }
    answer.text.push_str(rest);
    if answer.calls.is_empty() {
        let bare = text.trim().trim_start_matches("<|python_tag|>").trim();
        let mut values = serde_json::Deserializer::from_str(bare).into_iter::<Value>();
        if bare.starts_with('{')
            && let Some(Ok(value)) = values.next()
            && value.get("parameters").or_else(|| value.get("arguments")).is_some()
            && let Some(call) = call(&value, first_serial)
        {
            answer.calls.push(call);
            answer.text = bare[values.byte_offset()..].to_owned();
        }
    }
    if !answer.calls.is_empty() {
        answer.text = answer.text.trim().to_owned();
    }
    answer
}

/// Shows text as it comes, and holds back what may be a call.
#[derive(Debug, Default)]
pub(super) struct Shown {
    all: String,
    /// How many bytes were shown.
    shown: usize,
    /// Whether calls are looked for.
    has_tools: bool,
}

impl Shown {
    pub(super) fn new(has_tools: bool) -> Self {
        Self { has_tools, ..Self::default() }
    }

    /// Adds text and shows what is no part of a call.
    pub(super) fn push(&mut self, text: &str, watch: &dyn Watch) {
        self.all.push_str(text);
        let end = if self.has_tools { self.safe() } else { self.all.len() };
        self.show(end, watch);
    }

    fn show(&mut self, end: usize, watch: &dyn Watch) {
        if let Some(text) = self.all.get(self.shown..end).filter(|text| !text.is_empty()) {
            watch.part(Part::Text { text: text.to_owned() });
            self.shown = end;
        }
    }

    /// Up to where the text is surely no call.
    fn safe(&self) -> usize {
        let start = self.all.trim_start();
        if start.starts_with('{') || "<|python_tag|>".starts_with(start) || start.starts_with("<|p")
        {
            return 0;
        }
        if let Some(at) = self.all.find(OPEN) {
            return at;
        }
        let most = OPEN.len().min(self.all.len());
        let begun = (1..=most).rev().find(|n| self.all.ends_with(&OPEN[..*n]));
        self.all.len() - begun.unwrap_or(0)
    }

    /// The whole answer: shows what is left of its text, and its calls.
    pub(super) fn finish(mut self, first_serial: usize, watch: &dyn Watch) -> Answer {
        if !self.has_tools {
            return Answer { text: self.all, calls: Vec::new() };
        }
        let answer = read(&self.all, first_serial);
        if answer.calls.is_empty() {
            self.show(self.all.len(), watch);
        }
        for (index, call) in answer.calls.iter().enumerate() {
            watch.part(Part::Call {
                index,
                name: call.name.clone(),
                arguments: call.arguments.clone(),
            });
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_both_kinds_are_read() {
        let hermes = "Let me see.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>\n<tool_call>{\"name\": \"g\", \"arguments\": \"{}\"}</tool_call>";
        let answer = read(hermes, 3);
        assert_eq!(answer.text, "Let me see.");
        let calls: Vec<_> =
            answer.calls.iter().map(|c| (&*c.id, &*c.name, &*c.arguments)).collect();
        assert_eq!(calls, [("call_3", "f", "{\"a\":1}"), ("call_4", "g", "{}")]);
        let llama = read("{\"name\": \"f\", \"parameters\": {\"a\": 1}}", 0);
        assert_eq!(llama.calls[0].arguments, "{\"a\":1}");
        assert_eq!(llama.text, "");
        let none = read("{\"name\": \"Ann\"} is <tool_call>no call", 0);
        assert_eq!(none.calls, []);
        assert_eq!(none.text, "{\"name\": \"Ann\"} is <tool_call>no call");
    }

    #[test]
    fn no_part_of_a_call_is_shown_as_text() {
        let seen = std::cell::RefCell::new(String::new());
        struct Seen<'a>(&'a std::cell::RefCell<String>);
        impl Watch for Seen<'_> {
            fn part(&self, part: Part) {
                if let Part::Text { text } = part {
                    self.0.borrow_mut().push_str(&text);
                }
            }
        }
        let mut shown = Shown::new(true);
        let text = "a < b <tool_call>{\"name\": \"f\"}</tool_call>";
        for c in text.chars() {
            shown.push(&c.to_string(), &Seen(&seen));
        }
        let answer = shown.finish(0, &Seen(&seen));
        assert_eq!(&*seen.borrow(), "a < b ");
        assert_eq!(answer.calls.len(), 1);
    }
}
