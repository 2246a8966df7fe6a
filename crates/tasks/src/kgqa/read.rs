//! Files of questions: JSON lines.

use serde::Deserialize;
use serde_json::Value;

use super::KgQuestion;
use crate::Difficulty;

/// The most questions of one file.
const MAX_QUESTIONS: usize = 200_000;

/// Why a file of questions could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct QuestionError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A question with what its file says beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionRow {
    /// The question with its right answers.
    pub question: KgQuestion,
    /// Its program, as it stands in the file: lists of edge types.
    pub path: Option<Value>,
    /// The id of the node that the program starts from, where it is told.
    pub start: Option<String>,
}

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "question")]
    _question: String,
}

#[derive(Deserialize)]
struct Line {
    id: Option<String>,
    question: String,
    #[serde(default)]
    answers: Vec<String>,
    #[serde(default)]
    answer: Option<String>,
    #[serde(default)]
    level: Option<String>,
    #[serde(default)]
    hops: Option<u32>,
    #[serde(default)]
    template: Option<String>,
    #[serde(default)]
    path: Option<Value>,
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    plan: Option<kg::plan::Plan>,
}

/// Whether a text is one of questions: its first line that is not empty is an object with a
/// `question`. A line of a graph has none.
pub fn is_of_questions(text: &str) -> bool {
    let first =
        text.lines().map(|l| l.trim_start_matches('\u{feff}').trim()).find(|l| !l.is_empty());
    let Some(first) = first.filter(|l| l.starts_with('{')) else { return false };
    // A line with a fault is one of questions if it means to be: the fault is told then.
    serde_json::from_str::<Head>(first).is_ok()
        || (serde_json::from_str::<serde::de::IgnoredAny>(first).is_err()
            && first.contains("\"question\"")
            && !first.contains("\"type\""))
}

/// Reads lines with `question` and `answers` (or one `answer`), and, where they are there, `id`,
/// `level`, `hops`, `template`, `plan`, `path` and `start`.
///
/// # Errors
/// The first line that cannot be read, with its column.
pub fn read_questions(text: &str) -> Result<Vec<QuestionRow>, QuestionError> {
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let fault = |column, message: String| QuestionError { line: i + 1, column, message };
        let read: Line =
            serde_json::from_str(line.trim_start_matches('\u{feff}')).map_err(|e| {
                let message = e.to_string();
                let message = message.split(" at line ").next().unwrap_or_default();
                fault(
                    e.column().max(1),
                    format!("{message}; a line has \"question\" and \"answers\""),
                )
            })?;
        if rows.len() >= MAX_QUESTIONS {
            return Err(fault(1, format!("there are more than {MAX_QUESTIONS} questions")));
        }
        let answers =
            if read.answers.is_empty() { read.answer.into_iter().collect() } else { read.answers };
        let question = KgQuestion {
            id: read.id.unwrap_or_else(|| format!("question-{}", i + 1)),
            question: read.question,
            answers,
            level: read.level.as_deref().and_then(Difficulty::from_name),
            hops: read.hops.unwrap_or(0),
            template: read.template.unwrap_or_default(),
            plan: read.plan,
        };
        rows.push(QuestionRow { question, path: read.path, start: read.start });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        let rows =
            read_questions("\n{\"question\": \"q\", \"answer\": \"a\"}\n").unwrap_or_default();
        assert_eq!((rows.len(), rows[0].question.id.as_str()), (1, "question-2"));
        assert_eq!(rows[0].question.answers, ["a"]);
        let error =
            read_questions("{\"question\": \"q\"}\n{\"answers\": [").map_err(|e| e.to_string());
        assert!(error.unwrap_err().starts_with("line 2, column 13: EOF"));
        assert!(read_questions("{\"answers\": []}").is_err());
    }
}
