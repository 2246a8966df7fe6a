//! What the first page says: which problems it asks, what happened in a sentence, the score, and how a
//! graph grows.

use graph::{Delta, Graph};
use tasks::claims::Claim;
use tasks::{TaskId, Verdict};
use trace::{Step, StepBody};

use super::setup::ProblemSetup;
use super::story::Steps;

/// The problems of the strip.
pub const N_STRIP: usize = 10;

/// The tasks in turn with their names in plain words: first one whose answers name edges, which can be
/// drawn. Graph convolution is left out, for its question needs a paper.
const TURNS: [(TaskId, &str); 7] = [
    (TaskId::ShortestPath, "Shortest way"),
    (TaskId::Hamilton, "Visit every node"),
    (TaskId::Connectivity, "Is there a way?"),
    (TaskId::Flow, "Most water"),
    (TaskId::Matching, "Who gets which job"),
    (TaskId::Cycle, "Is there a loop?"),
    (TaskId::Topology, "Put in order"),
];

/// The seed of the first of the problems that the page asks: the first from 7 on in whose shortest way our
/// own model, trained without tools, makes an edge up, so that there is one to see. The others follow it,
/// and no problem is left out, whatever the model makes of it.
const FIRST_SEED: u64 = 7;

/// The problem of a place in the order in which the page asks.
pub fn problem_at(place: usize) -> ProblemSetup {
    let seed = FIRST_SEED + place as u64;
    ProblemSetup { task: TURNS[place % TURNS.len()].0, seed, ..ProblemSetup::default() }
}

/// What that problem is about, in plain words.
pub fn title_at(place: usize) -> &'static str {
    TURNS[place % TURNS.len()].1
}

/// A question without the graph in words that stands before it.
pub fn asked(question: &str) -> &str {
    let from = question.rfind("Q:").map_or(0, |at| at + 2);
    let rest = &question[from..];
    rest.rfind("A:").map_or(rest, |to| &rest[..to]).trim()
}

/// An answer, as far as the sentence needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnswerFacts {
    /// How right it is; none where the model could not be asked.
    pub verdict: Option<Verdict>,
    /// Calls of tools.
    pub n_calls: usize,
    /// Claims that do not hold.
    pub n_false: usize,
}

impl AnswerFacts {
    /// Whether it is right.
    pub fn is_right(&self) -> bool {
        self.verdict == Some(Verdict::Correct)
    }
}

/// How many claims do not hold.
pub fn count_false(claims: &[Claim]) -> usize {
    claims.iter().filter(|claim| !claim.is_true).count()
}

/// What happened, in one sentence.
pub fn sentence(alone: AnswerFacts, with_tools: AnswerFacts) -> String {
    let calls = match with_tools.n_calls {
        0 => "without calling any".to_owned(),
        1 => "with one call".to_owned(),
        n => format!("with {n} calls"),
    };
    let false_claims = match alone.n_false {
        0 => String::new(),
        1 => " and said one thing about the graph that is false".to_owned(),
        n => format!(" and said {n} things about the graph that are false"),
    };
    match (alone.is_right(), with_tools.is_right()) {
        (false, true) => format!(
            "Alone the model guessed wrong{false_claims}; with tools the same model built the graph \
             and was right, {calls}."
        ),
        (true, true) => format!(
            "This time the guess was right too; with tools the model built the graph and computed the \
             answer, {calls}."
        ),
        (true, false) => {
            "This time the guess was right, and with tools the model was wrong.".to_owned()
        }
        (false, false) => {
            format!("Alone the model guessed wrong{false_claims}, and with tools it was wrong too.")
        }
    }
}

/// A running score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StripScore {
    /// Problems that both sides have answered.
    pub n: usize,
    /// Right answers without tools.
    pub alone: usize,
    /// Right answers with tools.
    pub with_tools: usize,
}

/// The score of what is answered.
pub fn score(rows: &[[Option<Verdict>; 2]]) -> StripScore {
    let mut score = StripScore::default();
    for [alone, with_tools] in rows {
        if let (Some(alone), Some(with_tools)) = (alone, with_tools) {
            score.n += 1;
            score.alone += usize::from(*alone == Verdict::Correct);
            score.with_tools += usize::from(*with_tools == Verdict::Correct);
        }
    }
    score
}

fn deltas(step: &Step) -> &[Delta] {
    match &step.body {
        StepBody::Call { effects, .. } => &effects.deltas,
        _ => &[],
    }
}

/// How many changes the calls of a run have made to its graph.
pub fn n_changes(steps: &Steps) -> usize {
    steps.iter().map(|step| deltas(step).len()).sum()
}

/// The graph after so many changes.
pub fn grown(steps: &Steps, n: usize) -> Graph {
    let mut graph = Graph::undirected();
    for delta in steps.iter().flat_map(|step| deltas(step)).take(n) {
        // What was a step of a run can be made again.
        let _ = graph.apply(delta);
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(verdict: Verdict, n_calls: usize, n_false: usize) -> AnswerFacts {
        AnswerFacts { verdict: Some(verdict), n_calls, n_false }
    }

    #[test]
    fn the_question_stands_behind_the_graph() {
        let text = "The edges are: (0,1) (1,2)\nQ: Is there a path from 0 to 2?\nA:";
        assert_eq!(asked(text), "Is there a path from 0 to 2?");
        assert_eq!(asked("What now?"), "What now?");
        assert_eq!(asked(""), "");
    }

    #[test]
    fn a_sentence_says_what_happened_to_each_side() {
        let (right, wrong) = (told(Verdict::Correct, 2, 0), told(Verdict::Incorrect, 0, 3));
        let words = sentence(wrong, right);
        assert!(
            words.contains("guessed wrong and said 3 things") && words.contains("with 2 calls")
        );
        assert!(sentence(right, right).contains("right too"));
        assert!(
            sentence(told(Verdict::Correct, 0, 0), wrong)
                .contains("with tools the model was wrong")
        );
        assert!(sentence(wrong, told(Verdict::NoAnswer, 1, 0)).contains("wrong too"));
        assert!(sentence(wrong, told(Verdict::Correct, 1, 0)).contains("with one call"));
    }

    #[test]
    fn only_what_both_have_answered_counts() {
        let (right, wrong) = (Some(Verdict::Correct), Some(Verdict::Incorrect));
        let rows = [[wrong, right], [right, right], [right, None], [None, None]];
        assert_eq!(score(&rows), StripScore { n: 2, alone: 1, with_tools: 2 });
    }

    #[test]
    fn the_strip_has_every_task() {
        let asked: Vec<TaskId> = (0..N_STRIP).map(|place| problem_at(place).task).collect();
        let of_benchmark = tasks::TaskGroup::NlGraph.tasks().filter(|task| *task != TaskId::Gnn);
        assert!(of_benchmark.into_iter().all(|task| asked.contains(&task)));
        assert_eq!(title_at(TURNS.len()), title_at(0));
        let first = ProblemSetup { seed: FIRST_SEED, ..ProblemSetup::default() };
        assert_eq!(problem_at(0), first);
    }
}
