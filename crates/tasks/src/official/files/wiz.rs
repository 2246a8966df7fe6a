//! GraphWiz: JSON lines of questions, of logged answers and of sets of answers.

use serde_json::{Map, Value};

use super::json::{parse, text};
use super::{BenchmarkFileError, FileRow, GraphBenchmark, check_rows, name_parts};
use crate::official::wiz::WizTask;

const LINE: &str = "an object with input_prompt and answer, with query, or with source_data";

pub(super) fn lines(name: &str, content: &str) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let task = name_parts(name).filter_map(WizTask::from_name).last().map_or("", WizTask::as_str);
    let mut rows = Vec::new();
    if content.trim_start().starts_with('[') {
        let value = parse(content, 1, LINE)?;
        for (i, entry) in value.as_array().into_iter().flatten().enumerate() {
            check_rows(i + 1)?;
            rows.push(row(entry, format!("entry {}", i + 1), i, task)?);
        }
        return Ok(rows);
    }
    for (i, line) in content.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        check_rows(rows.len() + 1)?;
        let value = parse(line, i + 1, LINE)?;
        let n = rows.len();
        rows.push(row(&value, format!("line {}", i + 1), n, task)?);
    }
    Ok(rows)
}

/// The task whose fixed words open a question.
fn opened(question: &str) -> Option<WizTask> {
    const OPENINGS: [(&str, WizTask); 9] = [
        ("Determine whether or not there is a cycle", WizTask::Cycle),
        ("Determine whether two nodes are connected", WizTask::Connectivity),
        ("Determine whether or not a graph is bipartite", WizTask::Bipartite),
        ("Find one of the topology sorting paths", WizTask::Topology),
        ("Find the shortest path between two nodes", WizTask::Shortest),
        ("Find the maximum sum of the weights", WizTask::Triplet),
        ("Find the maximum flow", WizTask::Flow),
        ("Determine whether or not there is a Hamiltonian path", WizTask::Hamilton),
        ("Determine if a smaller graph is present", WizTask::Substructure),
    ];
    let question = question.trim_start();
    OPENINGS.into_iter().find(|(words, _)| question.starts_with(words)).map(|(_, task)| task)
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
