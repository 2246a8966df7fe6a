//! Answers with the questions that they answer, one JSON object a line: those that `graphground record`
//! writes, and those that somebody has of a model's log.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::logged::{LoggedError, parse_logged};
use crate::{
    Difficulty, ParseError, Problem, Style, TaskId, Verdict, Wording, parse_question, task,
};

/// How a model was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordSettings {
    /// The id of the reasoning system.
    pub system: String,
    /// The words of the question.
    pub wording: Wording,
    /// How the model was prompted.
    pub style: Style,
    /// What was said before the question, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The sampling temperature; at 0 the likeliest token comes each time.
    pub temperature: f64,
    /// The most tokens of a reply.
    pub max_tokens: u64,
}

/// An answer of a model to a problem of our generators, word for word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedAnswer {
    /// What the model is called.
    pub model: String,
    /// The SHA-256 of the model's file, in hexadecimal digits.
    pub model_sha256: String,
    /// The task of the problem.
    pub task: TaskId,
    /// How hard the problem is.
    pub difficulty: Difficulty,
    /// The seed that makes the problem.
    pub seed: u64,
    /// The question as it was asked.
    pub question: String,
    /// The answer as it came.
    pub answer: String,
    /// How right it was when it was recorded.
    pub verdict: Verdict,
    /// How the model was asked.
    pub settings: RecordSettings,
    /// The day on which it was recorded, in UTC: `2026-11-25`.
    pub recorded: String,
}

impl RecordedAnswer {
    /// The problem that was asked: what its seed makes.
    pub fn problem(&self) -> Problem {
        task(self.task).generate(self.difficulty, self.seed)
    }
}

/// An answer with the problem that it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredProblem {
    /// The problem. It has a seed where that makes this very problem.
    pub problem: Problem,
    /// The question in words.
    pub question: String,
    /// What the model wrote.
    pub text: String,
    /// The name of the model; empty where the line has none.
    pub model: String,
    /// The day on which the answer was recorded, where the line has one.
    pub recorded: Option<String>,
}

/// Why a line holds no answer to a question that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnsweredError {
    /// The line is no JSON, or lacks a field.
    #[error(
        "{message}; expected an object with question and answer, or with task, graph, query and answer_text"
    )]
    Json {
        /// What is wrong with the line.
        message: String,
    },
    /// The question is none of NLGraph's.
    #[error("the question cannot be read: {0}")]
    Question(#[from] ParseError),
    /// The line has the fields of a logged answer, which do not fit.
    #[error(transparent)]
    Logged(#[from] LoggedError),
}

#[derive(Deserialize)]
struct Line {
    question: String,
    answer: String,
    #[serde(default)]
    model: String,
    #[serde(default)]
    difficulty: String,
    seed: Option<u64>,
    recorded: Option<String>,
}

/// Reads one line: a recorded answer, any object with `question` and `answer`, or a logged answer with
/// the graph and the query beside it. The problem is what the question says.
///
/// # Errors
/// What is wrong with the line and what would be right.
pub fn parse_answered(line: &str) -> Result<AnsweredProblem, AnsweredError> {
    let no_line = |error: serde_json::Error| AnsweredError::Json { message: error.to_string() };
    let value: Value = serde_json::from_str(line).map_err(no_line)?;
    if value.get("answer_text").is_some() {
        let logged = parse_logged(line)?;
        return Ok(AnsweredProblem {
            question: logged.problem.question(Wording::Benchmark, Style::ZeroShot),
            problem: logged.problem,
            text: logged.text,
            model: logged.model,
            recorded: None,
        });
    }
    let line: Line = serde_json::from_value(value).map_err(no_line)?;
    let mut problem = parse_question(&line.question)?;
    problem.difficulty = Difficulty::from_name(&line.difficulty);
    // A seed is what an address names: one that makes another problem would lead elsewhere.
    if let (Some(difficulty), Some(seed)) = (problem.difficulty, line.seed) {
        let made = task(problem.task()).generate(difficulty, seed);
        if made.graph == problem.graph && made.query == problem.query {
            problem = made;
        }
    }
    Ok(AnsweredProblem {
        problem,
        question: line.question,
        text: line.answer,
        model: line.model,
        recorded: line.recorded,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn recorded(id: TaskId, seed: u64) -> RecordedAnswer {
        let made = task(id).generate(Difficulty::Easy, seed);
        RecordedAnswer {
            model: "m".into(),
            model_sha256: String::new(),
            task: id,
            difficulty: Difficulty::Easy,
            seed,
            question: made.question(Wording::Improved, Style::ZeroShot),
            answer: "Yes.".into(),
            verdict: Verdict::Correct,
            settings: RecordSettings {
                system: "standalone".into(),
                wording: Wording::Improved,
                style: Style::ZeroShot,
                prompt: None,
                temperature: 0.0,
                max_tokens: 100,
            },
            recorded: "2026-11-25".into(),
        }
    }

    #[test]
    fn a_recorded_line_is_read_as_the_problem_of_its_seed() {
        for id in TaskId::ALL {
            let answer = recorded(id, 3);
            let line = serde_json::to_string(&answer).unwrap();
            assert_eq!(serde_json::from_str::<RecordedAnswer>(&line).unwrap(), answer);
            let read = parse_answered(&line).unwrap();
            assert_eq!(read.problem, answer.problem(), "{id}");
            assert_eq!((read.text.as_str(), read.model.as_str()), ("Yes.", "m"));
        }
    }

    #[test]
    fn a_seed_that_makes_another_problem_is_left_out() {
        let line = RecordedAnswer { seed: 4, ..recorded(TaskId::Cycle, 3) };
        let read = parse_answered(&serde_json::to_string(&line).unwrap()).unwrap();
        assert_eq!(read.problem.seed, None);
        let made = task(TaskId::Cycle).generate(Difficulty::Easy, 3);
        assert_eq!(read.problem.graph, made.graph);
    }

    #[test]
    fn a_logged_answer_is_read_too() {
        let line = json!({
            "task": "cycle", "difficulty": "easy", "graph": { "n": 3, "edges": [[0, 1], [1, 2]] },
            "query": null, "answer_text": "There is a cycle.", "model": "davinci",
        });
        let read = parse_answered(&line.to_string()).unwrap();
        assert_eq!(read.problem.graph.n_edges(), 2);
        assert!(read.question.contains("Is there a cycle"), "{}", read.question);
    }

    #[test]
    fn faults_say_what_would_be_right() {
        let of = |line: &str| parse_answered(line).unwrap_err().to_string();
        assert!(of("{").contains("expected an object with question and answer"));
        assert!(of("[1]").contains("expected an object with question and answer"));
        assert!(of(r#"{"question": "q"}"#).contains("answer"));
        assert!(
            of(r#"{"question": "What?", "answer": "a"}"#).contains("the question cannot be read")
        );
        assert!(
            of(r#"{"task": "x", "graph": {"n": 1}, "answer_text": "a"}"#).contains("unknown task")
        );
    }
}
