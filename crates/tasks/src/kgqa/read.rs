//! Files of questions: JSON lines, and lines as MetaQA has them.

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

/// The question, the node that it is about, and the answers of a line as MetaQA has it:
/// `what is near [the mill]`, a tab, `the weir|the ford`.
fn marked(line: &str) -> Option<(String, &str, Vec<String>)> {
    let (question, answers) = line.split_once('\t')?;
    let (before, rest) = question.split_once('[')?;
    let (topic, after) = rest.split_once(']')?;
    let is_question = !topic.trim().is_empty() && question.contains(' ') && !answers.contains('\t');
    let answers = answers.split('|').map(str::trim).filter(|a| !a.is_empty()).map(str::to_owned);
    is_question.then(|| (format!("{before}{topic}{after}"), topic, answers.collect()))
}

/// Whether a text is one of questions: its first line that is not empty is an object with a
/// `question`, or a question with its node in brackets and answers behind a tab. A line of a graph is
/// none of them.
pub fn is_of_questions(text: &str) -> bool {
    let first =
        text.lines().map(|l| l.trim_start_matches('\u{feff}').trim()).find(|l| !l.is_empty());
    let Some(first) = first else { return false };
    if !first.starts_with('{') {
        return marked(first).is_some();
    }
    // A line with a fault is one of questions if it means to be: the fault is told then.
    serde_json::from_str::<Head>(first).is_ok()
        || (serde_json::from_str::<serde::de::IgnoredAny>(first).is_err()
            && first.contains("\"question\"")
            && !first.contains("\"type\""))
}

/// Reads lines with `question` and `answers` (or one `answer`), and, where they are there, `id`,
/// `level`, `hops`, `template`, `plan`, `path` and `start`; or MetaQA's lines, in which brackets stand
/// around the node to start from and are no part of the question.
///
/// # Errors
/// The first line that cannot be read, with its column.
pub fn read_questions(text: &str) -> Result<Vec<QuestionRow>, QuestionError> {
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let fault = |column, message: String| QuestionError { line: i + 1, column, message };
        let line = line.trim_start_matches('\u{feff}').trim();
        if !line.starts_with('{') {
            let form = "a line is an object, or a question with its [node] in brackets, a tab, and \
                        answers with | between them";
            let (question, topic, answers) =
                marked(line).ok_or_else(|| fault(1, form.to_owned()))?;
            let id = format!("question-{}", i + 1);
            let question = KgQuestion { id, question, answers, ..KgQuestion::default() };
            let start = Some(topic.to_owned());
            rows.push(QuestionRow { question, path: None, start });
            if rows.len() > MAX_QUESTIONS {
                return Err(fault(1, format!("there are more than {MAX_QUESTIONS} questions")));
            }
            continue;
        }
        let read: Line = serde_json::from_str(line).map_err(|e| {
            let message = e.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            fault(e.column().max(1), format!("{message}; a line has \"question\" and \"answers\""))
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
        assert!(read_questions("where is it\tthere").is_err());
    }

    #[test]
    fn a_node_in_brackets_is_where_a_question_starts() {
        let text = "what runs past [Hollow Mill]\tthe weir|the ford\nwho owns [Ash Farm]?\tAnn\n";
        assert!(is_of_questions(text));
        let rows = read_questions(text).unwrap();
        let first = &rows[0];
        assert_eq!(first.question.question, "what runs past Hollow Mill");
        assert_eq!(first.question.answers, ["the weir", "the ford"]);
        assert_eq!(first.start.as_deref(), Some("Hollow Mill"));
        assert_eq!((rows.len(), rows[1].question.id.as_str()), (2, "question-2"));
        // Triples are none.
        assert!(!is_of_questions("Hollow Mill\truns past\tthe weir"));
        assert!(!is_of_questions("Hollow Mill|owner|Ann"));
    }
}
