//! Logs of answers: what is false in them is found, and what cannot be read is told.

use protocol::answers::{CheckAnswers, MOST_ANSWERS};
use serde_json::json;
use tasks::{Difficulty, Style, TaskId, Wording};

use crate::page::*;

/// A line of a log: an answer to the problem of a seed.
fn logged(seed: u64, answer: &str) -> String {
    let problem = tasks::task(TaskId::ShortestPath).generate(Difficulty::Easy, seed);
    let question = problem.question(Wording::Improved, Style::ZeroShot);
    json!({ "question": question, "answer": answer, "model": "m", "difficulty": "easy", "seed": seed })
        .to_string()
}

#[test]
fn a_log_of_answers_gives_those_with_something_false() {
    let mut page = Page::new();
    let made = tasks::task(TaskId::ShortestPath).generate(Difficulty::Easy, 3);
    let (u, v) = made.missing_edge().unwrap();
    let right = tasks::reference_text(&made, &tasks::solve(&made));
    let lines = [
        logged(3, &format!("There is an edge between node {u} and node {v}.")),
        logged(3, &right),
        "no JSON".to_owned(),
        String::new(),
    ];
    let found = page.ask(CheckAnswers { text: lines.join("\n") }).0;
    assert_eq!((found.n_read, found.n_false, found.n_unread), (2, 1, 1), "{found:?}");
    assert!(found.fault.unwrap().starts_with("line 3: "));
    let answer = &found.answers[0];
    assert_eq!((answer.problem.seed, answer.model.as_str()), (Some(3), "m"));
    assert!(answer.claims.iter().any(|claim| !claim.is_true));
    // No more is kept than is shown; the others are counted.
    let many = vec![lines[0].as_str(); MOST_ANSWERS + 5].join("\n");
    let found = page.ask(CheckAnswers { text: many }).0;
    assert_eq!((found.answers.len(), found.n_false), (MOST_ANSWERS, MOST_ANSWERS + 5));
}
