//! Which rules of reading decided what a text was taken to say.

use serde::Serialize;

/// A part of an answer that a rule of reading found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum ReadingPart {
    /// The yes or no.
    Decision,
    /// The path, order, cycle, sides, flow or assignment.
    Witness,
    /// The sum, value or count.
    Number,
    /// Nothing answers.
    Nothing,
}

/// A rule of reading that decided a part of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadingRule {
    /// What it decided.
    pub part: ReadingPart,
    /// The rule in a few words, such as `announced list`.
    pub rule: &'static str,
    /// The words of the text that it knew, if it knows a list of them; else empty.
    pub words: &'static str,
    /// The sentence that it read, counted from 0; `None` for a rule about the whole text.
    pub sentence: Option<usize>,
}

impl ReadingRule {
    pub(crate) fn decision(rule: &'static str, words: &'static str, sentence: usize) -> Self {
        Self { part: ReadingPart::Decision, rule, words, sentence: Some(sentence) }
    }

    pub(crate) fn witness(rule: &'static str, sentence: Option<usize>) -> Self {
        Self { part: ReadingPart::Witness, rule, words: "", sentence }
    }

    pub(crate) fn number(rule: &'static str, sentence: Option<usize>) -> Self {
        Self { part: ReadingPart::Number, rule, words: "", sentence }
    }

    pub(crate) fn nothing(rule: &'static str) -> Self {
        Self { part: ReadingPart::Nothing, rule, words: "", sentence: None }
    }
}
