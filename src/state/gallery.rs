//! The gallery of hallucinations: which answers are shown, and what an address says of that.

use std::collections::BTreeSet;

use protocol::answers::CheckedAnswer;
use tasks::claims::Claim;
use tasks::{MarkKind, TaskId};

use super::answers::{Hallucination, error_kinds};
use super::setup::Keys;

/// Cards that are shown at once; a person asks for more.
pub const PAGE: usize = 12;

/// What of the answers is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GalleryFilter {
    /// Answers to this task alone.
    pub task: Option<TaskId>,
    /// Answers with such an error.
    pub error: Option<Hallucination>,
}

impl GalleryFilter {
    /// Reads keys; what is missing or cannot be read is no filter.
    pub fn of_keys(keys: &Keys) -> Self {
        let key = |name: &str| keys.get(name).map(String::as_str);
        Self {
            task: key("task").and_then(TaskId::from_name),
            error: key("error").and_then(Hallucination::from_name),
        }
    }

    /// The keys that lead here.
    pub fn keys(self) -> Vec<(&'static str, &'static str)> {
        let task = self.task.map(|task| ("task", task.as_str()));
        let error = self.error.map(|error| ("error", error.as_str()));
        task.into_iter().chain(error).collect()
    }

    /// Whether an answer is shown.
    pub fn lets(self, answer: &CheckedAnswer) -> bool {
        self.task.is_none_or(|task| task == answer.problem.task)
            && self.error.is_none_or(|error| error_kinds(&answer.claims).contains(&error))
    }

    /// The places of the answers that are shown: those with an edge that does not exist come first, for
    /// their mistake is seen in the drawing.
    pub fn places(self, answers: &[CheckedAnswer]) -> Vec<usize> {
        let shown = answers.iter().enumerate().filter(|(_, answer)| self.lets(answer));
        let mut places: Vec<usize> = shown.map(|(place, _)| place).collect();
        let is_drawn = |claim: &Claim| {
            !claim.is_true && claim.marks.edges.iter().any(|mark| mark.kind == MarkKind::False)
        };
        places.sort_by_key(|place| !answers[*place].claims.iter().any(is_drawn));
        places
    }
}

/// The tasks of some answers, and the kinds of error in them, each once.
pub fn choices(answers: &[CheckedAnswer]) -> (BTreeSet<TaskId>, BTreeSet<Hallucination>) {
    let tasks = answers.iter().map(|answer| answer.problem.task).collect();
    let errors = answers.iter().flat_map(|answer| error_kinds(&answer.claims)).collect();
    (tasks, errors)
}

/// The beginning of words that may be of any length, on one line.
pub fn shortened(words: &str, most: usize) -> String {
    let mut letters = words.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let mut short: String = letters.by_ref().take(most).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::super::answers::tests::recorded;
    use super::*;

    fn of(keys: &[(&str, &str)]) -> GalleryFilter {
        GalleryFilter::of_keys(&keys.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect())
    }

    #[test]
    fn an_address_holds_the_filter() {
        for task in [None, Some(TaskId::Flow)] {
            for error in [None, Some(Hallucination::WrongSum)] {
                let filter = GalleryFilter { task, error };
                assert_eq!(of(&filter.keys()), filter);
            }
        }
        assert_eq!(of(&[("task", "banana"), ("error", "")]), GalleryFilter::default());
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        assert_eq!(shortened("a\nb", 3), "a b");
        assert_eq!(shortened("añbc", 2), "añ…");
        assert_eq!(shortened("", 2), "");
    }

    #[test]
    fn every_answer_is_found_under_its_task_and_its_errors() {
        let all = recorded();
        assert_eq!(GalleryFilter::default().places(&all).len(), all.len());
        let (tasks, errors) = choices(&all);
        let by_task = tasks
            .iter()
            .map(|task| GalleryFilter { task: Some(*task), error: None }.places(&all).len());
        assert_eq!(by_task.sum::<usize>(), all.len());
        for error in errors {
            let filter = GalleryFilter { task: None, error: Some(error) };
            let places = filter.places(&all);
            assert!(!places.is_empty());
            assert!(places.iter().all(|at| error_kinds(&all[*at].claims).contains(&error)));
        }
    }
}
