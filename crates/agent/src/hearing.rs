//! What has come of an answer, for a run that is stopped in the middle of it.

use std::cell::RefCell;

use llm::{Message, Part, ToolCall, Watch};

/// Hands pieces on and remembers them.
pub(crate) struct Remembering<'a> {
    watch: &'a dyn Watch,
    heard: RefCell<Heard>,
}

/// What has come of one turn.
#[derive(Default)]
struct Heard {
    text: String,
    reasoning: String,
    calls: Vec<ToolCall>,
    notes: Vec<String>,
}

impl<'a> Remembering<'a> {
    pub(crate) fn new(watch: &'a dyn Watch) -> Self {
        Self { watch, heard: RefCell::default() }
    }

    /// What is to be noted: that a question was asked again, and why.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.heard.borrow_mut().notes)
    }

    /// The message as far as it has come, if anything has.
    pub(crate) fn message(&self) -> Option<Message> {
        let Heard { text, reasoning, calls, .. } = self.heard.take();
        if text.is_empty() && reasoning.is_empty() && calls.is_empty() {
            return None;
        }
        let mut message = Message::assistant(text);
        message.reasoning = (!reasoning.is_empty()).then_some(reasoning);
        message.tool_calls = calls;
        Some(message)
    }
}

impl Watch for Remembering<'_> {
    fn part(&self, part: Part) {
        let mut heard = self.heard.borrow_mut();
        match &part {
            Part::Text { text } => heard.text.push_str(text),
            Part::Reasoning { text } => heard.reasoning.push_str(text),
            Part::Call { index, name, arguments } => {
                // Calls come in order; a gap would be a fault of ours, and is no reason to panic.
                if heard.calls.len() <= *index {
                    let (id, name) = (String::new(), String::new());
                    heard.calls.push(ToolCall { id, name, arguments: String::new() });
                }
                if let Some(call) = heard.calls.get_mut(*index) {
                    call.name.clone_from(name);
                    call.arguments.push_str(arguments);
                }
            }
            Part::Retry { attempt, wait_ms, reason, .. } => {
                // What came of the attempt before is void.
                let notes = std::mem::take(&mut heard.notes);
                *heard = Heard { notes, ..Heard::default() };
                let seconds = wait_ms / 1000.0;
                heard.notes.push(format!("waited {seconds:.1} s for attempt {attempt}: {reason}"));
            }
            _ => {}
        }
        drop(heard);
        self.watch.part(part);
    }
}
