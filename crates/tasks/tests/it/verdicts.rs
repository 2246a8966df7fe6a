//! Answers as texts, and the verdicts that they must get.

use tasks::{Problem, Verdict, parse_question, verify};

pub fn problem(question: &str) -> Problem {
    parse_question(question).unwrap_or_else(|error| panic!("{error}: {question}"))
}

/// The texts whose verdict is another one.
#[derive(Default)]
pub struct Wrong(Vec<String>);

impl Wrong {
    pub fn hold(&mut self, problem: &Problem, text: &str, verdict: Verdict) {
        let judgement = verify(problem, text);
        if judgement.verdict != verdict {
            self.0.push(format!(
                "{}: {text:?}\n  expected {verdict:?}, got {:?}: {}\n  read {:?}",
                problem.task(),
                judgement.verdict,
                judgement.explanation,
                judgement.answer
            ));
        }
    }

    pub fn end(self) {
        assert!(self.0.is_empty(), "{} wrong:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Fails with all texts whose verdict is another one.
pub fn hold(problem: &Problem, cases: &[(&str, Verdict)]) {
    let mut wrong = Wrong::default();
    for (text, verdict) in cases {
        wrong.hold(problem, text, *verdict);
    }
    wrong.end();
}
