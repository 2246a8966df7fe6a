//! A text that was read once for a problem: for its verdict, the claims in it, and the rules that decided.

use std::borrow::Cow;

use serde_json::Value;

use crate::reading::{Draft, Names, Reading, ReadingRule, two_answers};
use crate::{Answer, Problem, printed};

/// A text that was read for a problem.
pub(crate) struct ReadText<'p> {
    /// The problem, with numbers for names where its readers know none.
    problem: Cow<'p, Problem>,
    names: Option<Names>,
    reading: Reading,
    /// The lists in what is in another language.
    lists: Option<Reading>,
}

impl<'p> ReadText<'p> {
    pub(crate) fn new(problem: &'p Problem, text: &str) -> Self {
        let (names, problem) = match Names::of_problem(problem) {
            Some((names, problem)) => (Some(names), Cow::Owned(problem)),
            None => (None, Cow::Borrowed(problem)),
        };
        let reading = match (&names, printed::spelled(&problem, text)) {
            (Some(names), _) => names.read(text),
            (None, None) => Reading::new(text),
            (None, Some(words)) => {
                let mut draft = Draft::of(text);
                draft.rewrite(|writer| writer.put(text.len(), &words));
                Reading::of(text, draft)
            }
        };
        let lists = reading.elsewhere();
        Self { problem, names, reading, lists }
    }

    /// What the text says, with the reading whose rules found it; or the rule by which nothing answers, and
    /// why.
    pub(crate) fn answer(&self) -> Result<(Answer, &Reading), (&'static str, String)> {
        let found =
            self.readings().find_map(|reading| Some((self.problem.read(reading)?, reading)));
        let Some((answer, reading)) = found else { return Err(self.nothing()) };
        if let Some(reason) = two_answers(reading, || numbers(&answer), decision(&answer)) {
            return Err(("two answers", reason));
        }
        match &self.names {
            None => Ok((answer, reading)),
            Some(names) => match names.named(&answer) {
                Some(answer) => Ok((answer, reading)),
                None => {
                    let reason = "The text names nodes in a way that is not read.";
                    Err(("no answer", reason.to_owned()))
                }
            },
        }
    }

    fn nothing(&self) -> (&'static str, String) {
        let (rule, reason) = match self.reading.language {
            _ if self.reading.is_empty() => ("empty text", "The text is empty."),
            Some(language) => {
                let reason = format!("Only English is read, and the text looks like {language}.");
                return ("other language", reason);
            }
            None if self.reading.only_thinks => {
                ("only thoughts", "The text breaks off in the middle of its thoughts.")
            }
            None if self.reading.is_cut_off() => {
                ("cut off", "The text breaks off before it gets to an answer.")
            }
            None => ("no answer", "The text never gets to an answer."),
        };
        (rule, reason.to_owned())
    }

    /// What the text was read as; none for a text without a word.
    pub(crate) fn readings(&self) -> impl Iterator<Item = &Reading> {
        let all = [Some(&self.reading), self.lists.as_ref()];
        all.into_iter().flatten().filter(|_| !self.reading.is_empty())
    }

    /// The names that are numbers in what was read.
    pub(crate) fn names(&self) -> Option<&Names> {
        self.names.as_ref()
    }
}

/// The yes or no that an answer is.
fn decision(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Connectivity(answer) => Some(answer.connected),
        Answer::Cycle(answer) | Answer::DirectedCycle(answer) => Some(answer.has_cycle),
        Answer::Hamilton(answer) | Answer::Hamiltonian(answer) => answer.exists,
        Answer::Bipartite(answer) => Some(answer.is_bipartite),
        Answer::Substructure(answer) => answer.is_present,
        _ => None,
    }
}

/// The numbers that an answer is, beside its nodes: a value, a total, a count.
fn numbers(answer: &Answer) -> Vec<f64> {
    match serde_json::to_value(answer) {
        Ok(Value::Object(fields)) => fields.values().filter_map(Value::as_f64).collect(),
        _ => Vec::new(),
    }
}

/// The rules by which [`verify`](crate::verify) reads a text, one or more for each part of the
/// answer: what a disagreement with another judge is explained by.
///
/// # Complexity
/// That of reading, O(length).
pub fn explain_reading(problem: &Problem, text: &str) -> Vec<ReadingRule> {
    match ReadText::new(problem, text).answer() {
        Ok((_, reading)) => reading.fired(),
        Err((rule, _)) => vec![ReadingRule::nothing(rule)],
    }
}
