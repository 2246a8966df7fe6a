//! Logs of answers: what is false in them is found, and what cannot be read is told.

use std::io::Read as _;

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

/// The recorded runs that the page has beside it.
fn recorded_runs() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runs/example.jsonl.gz");
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_runs_file_gives_the_answers_that_were_given_without_a_call() {
    let mut page = Page::new();
    let text = recorded_runs();
    let found = page.ask(CheckAnswers { text: text.clone() }).0;
    // Of 76 runs without tools 15 were cut off before an answer.
    assert_eq!((found.n_read, found.n_unread), (61, 0), "{:?}", found.fault);
    assert!(found.n_false > 20, "{}", found.n_false);
    for answer in &found.answers {
        assert!(["local:own", "smollm2"].contains(&answer.model.as_str()), "{}", answer.model);
        assert_eq!(answer.recorded.as_ref().map(String::len), Some("2026-11-25".len()));
        assert!(answer.problem.seed.is_some() && answer.problem.question.contains("Q:"));
        // It is judged as the same answer in a log.
        let line = json!({ "question": answer.problem.question, "answer": answer.text });
        let same = page.ask(CheckAnswers { text: line.to_string() }).0;
        assert_eq!(same.answers[0].judgement.verdict, answer.judgement.verdict);
        assert_eq!(same.answers[0].claims, answer.claims);
    }
    // A file that breaks off is none.
    let torn = format!("{}\n{{\"type\":", text.lines().next().unwrap());
    assert_eq!(page.ask(CheckAnswers { text: torn }).0.n_read, 0);
}
