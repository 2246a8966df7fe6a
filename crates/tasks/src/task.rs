//! The list of tasks.

use graph::Graph;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::judgement::Evidence;
use crate::nlgraph;
use crate::parse::{Cursor, GraphText};
use crate::verify::Reading;
use crate::{Answer, Difficulty, Judgement, ParseError, Problem, Query, Style, TaskId, Wording};

/// A family of problems.
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// A few words for people.
    pub title: &'static str,
    /// One sentence for people.
    pub lede: &'static str,
    /// The levels that the benchmark has for it.
    pub difficulties: &'static [Difficulty],
    /// How a question of it begins.
    pub(crate) openings: &'static [&'static str],
    /// A word that the line of the question has, where an opening is shared.
    pub(crate) question_words: &'static [&'static str],
    pub(crate) make: fn(Difficulty, &mut ChaCha8Rng) -> (Graph, Query),
    pub(crate) parse: fn(&mut Cursor<'_>) -> Result<GraphText, ParseError>,
    pub(crate) ask: fn(&Problem, Wording, Style, &mut String),
    pub(crate) solve: fn(&Problem) -> Answer,
    pub(crate) reference: fn(&Problem, &Answer) -> String,
    /// The reference answer with its reasons, for exemplars.
    pub(crate) reasoned: fn(&Problem, &Answer) -> String,
    /// A short description of an algorithm, for the style of that name.
    pub(crate) algorithm: &'static str,
    pub(crate) read: fn(&Problem, &Reading) -> Option<Answer>,
    pub(crate) judge: fn(&Problem, &Answer, Evidence) -> Judgement,
}

impl Task {
    /// A problem, the same for the same seed on every machine.
    ///
    /// A level that the task does not have gives its easiest.
    pub fn generate(&self, difficulty: Difficulty, seed: u64) -> Problem {
        let difficulty =
            if self.difficulties.contains(&difficulty) { difficulty } else { Difficulty::Easy };
        // Task and level are mixed in so that one seed does not give the same graph everywhere.
        let stream = (self.id as u64) << 8 | difficulty as u64;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        let (graph, query) = (self.make)(difficulty, &mut rng);
        Problem { difficulty: Some(difficulty), seed: Some(seed), graph, query }
    }
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Every task, in the benchmark's order, which is the order of [`TaskId`].
pub static TASKS: &[Task] = &[
    nlgraph::connectivity::TASK,
    nlgraph::cycle::TASK,
    nlgraph::topology::TASK,
    nlgraph::shortest_path::TASK,
    nlgraph::flow::TASK,
    nlgraph::matching::TASK,
    nlgraph::hamilton::TASK,
    nlgraph::gnn::TASK,
];

/// The task of that name.
pub fn task(id: TaskId) -> &'static Task {
    // A test holds the order of the list against the order of the names.
    &TASKS[id as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_stands_in_its_place_and_has_words() {
        for id in TaskId::ALL {
            let task = task(id);
            assert_eq!(task.id, id);
            assert!(!task.lede.is_empty() && task.lede.ends_with(['.', '?']));
            assert!(task.difficulties.contains(&Difficulty::Easy));
        }
    }
}
