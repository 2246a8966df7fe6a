//! GraphWiz: JSON lines of questions, of logged answers and of sets of answers.

use serde_json::{Map, Value};

use super::json::{parse, text};
use super::{BenchmarkFileError, FileRow, GraphBenchmark, name_parts, rows_of};
use crate::official::wiz::WizTask;
use crate::parse::has;

const LINE: &str = "an object with input_prompt and answer, with query, or with source_data";

pub(super) fn lines(name: &str, content: &str) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let task = name_parts(name).filter_map(WizTask::from_name).last().map_or("", WizTask::as_str);
    if content.trim_start().starts_with('[') {
        let value = parse(content, 1, LINE)?;
        let entries = value.as_array().into_iter().flatten().enumerate();
        let read = entries.map(|(i, entry)| row(entry, format!("entry {}", i + 1), i, task));
        return rows_of(GraphBenchmark::GraphWiz, read);
    }
    let lines = content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = lines
        .enumerate()
        .map(|(n, (i, line))| row(&parse(line, i + 1, LINE)?, format!("line {}", i + 1), n, task));
    rows_of(GraphBenchmark::GraphWiz, read)
}

/// The task that the first sentence of a question tells.
fn opened(question: &str) -> Option<WizTask> {
    const SIGNS: [(&str, WizTask); 9] = [
        ("there is a cycle", WizTask::Cycle),
        ("nodes are connected", WizTask::Connectivity),
        ("graph is bipartite", WizTask::Bipartite),
        ("topology sorting", WizTask::Topology),
        ("shortest path", WizTask::Shortest),
        ("sum of the weights", WizTask::Triplet),
        ("maximum flow", WizTask::Flow),
        ("Hamiltonian path", WizTask::Hamilton),
        ("smaller graph is present", WizTask::Substructure),
    ];
    // The first sentence says it, in whatever lines.
    let sentence = question.trim_start().split('.').next().unwrap_or_default();
    SIGNS.into_iter().find(|(words, _)| has(sentence, words)).map(|(_, task)| task)
}

fn row(
    value: &Value,
    place: String,
    n: usize,
    task: &'static str,
) -> Result<FileRow, BenchmarkFileError> {
    let wrong = |what: &str| BenchmarkFileError::wrong(&place, what, LINE);
    let outer = value.as_object().ok_or_else(|| wrong("no object"))?;
    // A logged answer has the line of its question inside.
    let inner = outer.get("source_data").and_then(Value::as_object).unwrap_or(outer);
    let of = |object: &Map<String, Value>, key: &str| object.get(key).and_then(text);
    let question = of(inner, "input_prompt").or_else(|| of(inner, "query"));
    let question = question.ok_or_else(|| wrong("no question"))?;
    let id = of(outer, "index").or_else(|| of(inner, "index")).unwrap_or_else(|| n.to_string());
    // What the line says of its task is nearest, then the words, then the name of the file.
    let told = of(outer, "task").or_else(|| of(inner, "task"));
    let task = told.unwrap_or_else(|| opened(&question).map_or(task, WizTask::as_str).to_owned());
    let mut row = FileRow::new(GraphBenchmark::GraphWiz, id, task);
    row.question = Some(question);
    row.label = of(inner, "answer");
    for (key, value) in outer {
        match key.as_str() {
            "output_str" | "CoT_response" => {
                row.answers.extend(text(value).map(|answer| (key.clone(), answer)));
            }
            "pos_response" | "neg_response" => {
                let list = value.as_array();
                let list = list.ok_or_else(|| wrong(&format!("{key} is no array")))?;
                row.answers.extend(list.iter().filter_map(text).map(|a| (key.clone(), a)));
            }
            _ => {}
        }
    }
    let known = ["node_range", "edge_range"];
    row.fields.extend(known.iter().filter_map(|key| Some(((*key).into(), of(inner, key)?))));
    Ok(row)
}
