//! GraphArena: answers in JSON, problems in pickles.

use super::json::{parse, text};
use super::pickle::{Pickle, PickleId, PickleValue};
use super::{BenchmarkFileError, FileRow, GraphBenchmark, name_parts, rows_of};
use crate::official::arena::ArenaTask;

/// The task that a name tells, such as that of `claude_MCP_hard.json`.
fn task(name: &str) -> &'static str {
    name_parts(name).filter_map(ArenaTask::from_name).last().map_or("", ArenaTask::as_str)
}

/// The size that a name tells.
fn level(name: &str) -> Option<&'static str> {
    ["easy", "hard"].into_iter().find(|level| name_parts(name).any(|part| part == *level))
}

const LOG: &str = "{\"0\": {\"model\": \"answer\"}}";

pub(super) fn log(name: &str, content: &str) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let value = parse(content, 1, LOG)?;
    let entries =
        value.as_object().ok_or_else(|| BenchmarkFileError::wrong("line 1", "no object", LOG))?;
    let read = entries.iter().map(|(id, answers)| {
        let place = || format!("entry {id:?}");
        let answers = answers
            .as_object()
            .ok_or_else(|| BenchmarkFileError::wrong(place(), "its value is no object", LOG))?;
        let mut row = FileRow::new(GraphBenchmark::GraphArena, id, task(name));
        row.fields.extend(level(name).map(|level| ("level".into(), level.into())));
        for (model, answer) in answers {
            // Such an entry beside the models is the question.
            if model == "problem" {
                row.question = text(answer);
                continue;
            }
            // The benchmark scores an answer that did not come as an empty text.
            let answer = match answer.is_null() || answer.is_string() {
                true => text(answer).unwrap_or_default(),
                false => {
                    let what = format!("the answer of {model:?} is no text");
                    return Err(BenchmarkFileError::wrong(
                        place(),
                        what,
                        "a text, or null for none",
                    ));
                }
            };
            row.answers.push((model.clone(), answer));
        }
        Ok(row)
    });
    rows_of(GraphBenchmark::GraphArena, read)
}

/// The benchmark's own files have 500.
const MAX_PROBLEMS: usize = 20_000;

const PROBLEMS: &str = "a list of dicts with id, problem_text and exact_answer, or of texts";

pub(super) fn pickle(name: &str, bytes: &[u8]) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let pickle = Pickle::read(bytes).map_err(|error| {
        BenchmarkFileError::wrong(format!("byte {}", error.at), error.what, PROBLEMS)
    })?;
    let problems = pickle
        .items(pickle.root())
        .ok_or_else(|| BenchmarkFileError::wrong("the pickle", "it holds no list", PROBLEMS))?;
    if problems.len() > MAX_PROBLEMS {
        let (found, limit) = (problems.len(), MAX_PROBLEMS);
        return Err(BenchmarkFileError::TooLarge { what: "problems", found, limit });
    }
    // A list may mention one problem many times; then its texts are copied as often.
    let mut copied = 0_usize;
    let mut read = Vec::with_capacity(problems.len());
    for (i, problem) in problems.iter().enumerate() {
        let row = row(name, &pickle, i, *problem);
        copied += row.as_ref().map_or(0, n_bytes);
        if copied > bytes.len().saturating_mul(4).saturating_add(1_000_000) {
            let what = "its problems repeat one another, and together are too large";
            return Err(BenchmarkFileError::wrong(format!("problem {}", i + 1), what, PROBLEMS));
        }
        read.push(row);
    }
    rows_of(GraphBenchmark::GraphArena, read.into_iter())
}

/// How many bytes of texts a row has.
fn n_bytes(row: &FileRow) -> usize {
    let fields = row.fields.iter().map(|(_, value)| value.len()).sum::<usize>();
    fields + row.question.as_ref().map_or(0, String::len)
}

fn row(
    name: &str,
    pickle: &Pickle,
    i: usize,
    problem: PickleId,
) -> Result<FileRow, BenchmarkFileError> {
    let wrong =
        |what: &str| BenchmarkFileError::wrong(format!("problem {}", i + 1), what, PROBLEMS);
    let mut row = FileRow::new(GraphBenchmark::GraphArena, i.to_string(), task(name));
    row.fields.extend(level(name).map(|level| ("level".into(), level.into())));
    // Worked examples are texts.
    if let Some(text) = pickle.text(problem) {
        row.question = Some(text.into());
        row.fields.push(("kind".into(), "example".into()));
        return Ok(row);
    }
    let PickleValue::Dict(pairs) = pickle.get(problem) else {
        return Err(wrong("it is neither a dict nor a text"));
    };
    // A dict that is filled many times over would be looked through for each key.
    if pairs.len() > 100 {
        return Err(wrong("it has more than 100 keys"));
    }
    let question = pickle.field(problem, "problem_text").and_then(|id| pickle.text(id));
    row.question = Some(question.ok_or_else(|| wrong("it has no problem_text"))?.into());
    let plain = |key: &str| pickle.field(problem, key).and_then(|id| plain(pickle, id));
    if let Some(id) = plain("id") {
        row.id = id;
    }
    // The notebooks take the other value where there is no exact one.
    row.label = plain("exact_answer").or_else(|| plain("approx_answer"));
    let names = ["exact_answer", "approx_answer", "path", "source", "target", "node1", "node2"];
    let fields = names.into_iter().filter_map(|key| Some((key.to_owned(), plain(key)?)));
    row.fields.extend(fields);
    Ok(row)
}

/// A number, a text or a list of at most 64 of them; nothing for what is none.
fn plain(pickle: &Pickle, id: PickleId) -> Option<String> {
    let single = |id: PickleId| match pickle.text(id) {
        Some(text) => Some(text.to_owned()),
        None => pickle.number(id).map(|number| number.to_string()),
    };
    if let Some(text) = single(id) {
        return Some(text);
    }
    let items = pickle.items(id).filter(|items| items.len() <= 64)?;
    let items: Vec<String> = items.iter().map(|item| single(*item)).collect::<Option<_>>()?;
    Some(format!("[{}]", items.join(", ")))
}
