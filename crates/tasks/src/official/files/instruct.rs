//! GraphInstruct: a table of questions, a table of a model's answers, examples for training.

use csv::{ReaderBuilder, StringRecord};
use serde_json::Value;

use super::json::{parse, text};
use super::{BenchmarkFileError, FileRow, GraphBenchmark, name_parts, rows_of};
use crate::official::instruct::InstructTask;

/// The task that a name tells; names of tasks have the same marks inside that part names.
fn task(name: &str) -> &'static str {
    let parts: Vec<String> = name_parts(name).map(str::to_ascii_lowercase).collect();
    let told = |task: &&str| {
        let words: Vec<String> = task.split('_').map(str::to_ascii_lowercase).collect();
        parts.windows(words.len()).any(|some| some == words)
    };
    // The longest, since `hamiltonian_path` has a name of one word in it for others.
    let names = InstructTask::NAMED.into_iter().map(|(_, name)| name);
    names.filter(told).max_by_key(|name| name.len()).unwrap_or_default()
}

const TABLE: &str = "a row with question and answer, or with id and output";

pub(super) fn table(name: &str, content: &str) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let mut reader = ReaderBuilder::new().from_reader(content.as_bytes());
    let wrong = |error: csv::Error| {
        let line = error.position().map_or(1, |position| position.line());
        let what = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} fields where the first line names {expected_len}")
            }
            _ => error.to_string(),
        };
        BenchmarkFileError::wrong(format!("line {line}"), what, TABLE)
    };
    let header = reader.headers().map_err(wrong)?.clone();
    let read = reader.records().enumerate().map(|(n, record)| {
        let record = record.map_err(wrong)?;
        let line = record.position().map_or(1, |position| position.line());
        record_row(name, &header, &record, (n, line))
    });
    rows_of(GraphBenchmark::GraphInstruct, read)
}

fn record_row(
    name: &str,
    header: &StringRecord,
    record: &StringRecord,
    (n, line): (usize, u64),
) -> Result<FileRow, BenchmarkFileError> {
    // Tables before their ids were made have none.
    let mut row = FileRow::new(GraphBenchmark::GraphInstruct, n.to_string(), task(name));
    for (column, value) in header.iter().zip(record) {
        match column.trim() {
            "id" => row.id = value.into(),
            "task" => row.task = value.into(),
            "question" => row.question = Some(value.into()),
            "answer" => row.label = Some(value.into()),
            "output" => row.answers.push(("output".into(), value.into())),
            // The column `label` is the number of a choice, not the right answer.
            column => row.fields.push((column.into(), value.into())),
        }
    }
    if row.id.is_empty() {
        return Err(BenchmarkFileError::wrong(format!("line {line}"), "the row has no id", TABLE));
    }
    Ok(row)
}

const EXAMPLE: &str = "an array of objects with instruction, input and output";

pub(super) fn training(name: &str, content: &str) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let value = parse(content, 1, EXAMPLE)?;
    let entries =
        value.as_array().ok_or_else(|| BenchmarkFileError::wrong("line 1", "no array", EXAMPLE))?;
    let read = entries.iter().enumerate().map(|(i, entry)| {
        let of = |key: &str| entry.get(key).map(|value: &Value| text(value).unwrap_or_default());
        let (Some(instruction), Some(output)) = (of("instruction"), of("output")) else {
            let place = format!("entry {}", i + 1);
            return Err(BenchmarkFileError::wrong(place, "no instruction, or no output", EXAMPLE));
        };
        let mut row = FileRow::new(GraphBenchmark::GraphInstruct, i.to_string(), task(name));
        row.question = Some(match of("input") {
            Some(input) if !input.is_empty() => format!("{instruction}\n{input}"),
            _ => instruction,
        });
        row.label = Some(output);
        Ok(row)
    });
    rows_of(GraphBenchmark::GraphInstruct, read)
}
