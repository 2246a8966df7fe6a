//! Results in their places, and in their order.

use serde::{Deserialize, Serialize};

use super::execute::{CallRun, ExecutedText, Mode, Piece, Replacement, StepRun};
use super::tree::Api;

/// In which order the answers of a text stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// That of the text.
    #[default]
    Text,
    /// That of the public prompt files: where a text has three calls, the silent ones come first.
    Reference,
}

impl Order {
    pub(super) fn answers(self, ran: &ExecutedText) -> Vec<Option<&str>> {
        let mut calls: Vec<&CallRun> = ran.calls().collect();
        if self == Self::Reference && calls.len() == 3 {
            calls.sort_by_key(|c| c.place == Replacement::Result);
        }
        let mut answers = Vec::new();
        for call in calls {
            if call.steps.is_empty() {
                answers.push(None);
            }
            let is_reason = |s: &&StepRun| s.api == Api::Reason;
            answers.extend(call.steps.iter().filter(is_reason).map(|s| s.result.as_deref()));
        }
        answers
    }
}

/// The text with what its calls gave.
pub(super) fn fill(pieces: &[Piece], mode: Mode) -> String {
    let mut text = String::new();
    let mut was_removed = false;
    for piece in pieces {
        match piece {
            Piece::Text(words) => {
                let mut words = words.as_str();
                if was_removed && mode == Mode::Ours {
                    // Where a silent call stood, one space is enough, and before a comma none.
                    let ends = text.is_empty() || text.ends_with(char::is_whitespace);
                    if ends && words.starts_with(' ') {
                        words = &words[1..];
                    }
                    if words.starts_with([',', '.', ';', ':', '!', '?', ')']) && text.ends_with(' ')
                    {
                        text.pop();
                    }
                }
                text.push_str(words);
                was_removed = false;
            }
            Piece::Call(call) => match call.place {
                Replacement::Nothing => was_removed = true,
                Replacement::Itself => text.push_str(&call.source),
                Replacement::Result => {
                    let results: Vec<&str> =
                        call.steps.iter().filter_map(|s| s.result.as_deref()).collect();
                    text.push_str(&results.join(", "));
                }
            },
        }
    }
    if mode == Mode::Reference {
        let is_double = |c: char, last: &mut char| std::mem::replace(last, c) == ' ' && c == ' ';
        let mut last = '\0';
        text = text.chars().filter(|c| !is_double(*c, &mut last)).collect();
    }
    text
}
