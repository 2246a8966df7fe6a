//! GraCoRe: graphs with their questions in one file.

use serde_json::{Map, Value};

use super::json::{parse, text};
use super::{BenchmarkFileError, FileRow, GraphBenchmark, rows_of};

const GRAPH: &str = "an object with nodes, edges, graph_description and QA";

/// The questions about every graph: the task, the key of the answer, the words.
const STRUCTURE: [(&str, &str, &str); 4] = [
    ("node number", "node_number", "How many nodes in this graph?"),
    ("average degree", "average_degree", "What's the average degree of this graph?"),
    ("connected", "is_connected", "Is this graph a connected graph?"),
    ("triplets", "similarity", "What are the triplets in this graph?"),
];

/// The name of the folder, which is the set.
fn set(name: &str) -> &str {
    let parts: Vec<&str> = name.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let [.., set, _] = &parts[..] else { return "" };
    set
}

fn file(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".json").unwrap_or(file)
}

/// The graphs of a file: an array as the benchmark has it, or one.
pub(super) fn graphs(name: &str, content: &str) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let value = parse(content, 1, GRAPH)?;
    let file = file(name);
    let Some(graphs) = value.as_array() else {
        return graph(name, file.to_owned(), "the object", &value);
    };
    let read = graphs.iter().enumerate().flat_map(|(i, value)| {
        let n = i + 1;
        match graph(name, format!("{file} {n}"), &format!("graph {n}"), value) {
            Ok(rows) => rows.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        }
    });
    rows_of(GraphBenchmark::GraCoRe, read)
}

fn graph(
    name: &str,
    id: String,
    place: &str,
    value: &Value,
) -> Result<Vec<FileRow>, BenchmarkFileError> {
    let wrong = |what: &str| BenchmarkFileError::wrong(place, what, GRAPH);
    let object = value.as_object().ok_or_else(|| wrong("no object"))?;
    let description = object.get("graph_description").and_then(Value::as_str);
    let description = description.ok_or_else(|| wrong("no graph_description"))?;
    let qa = object.get("QA").and_then(Value::as_object).ok_or_else(|| wrong("no QA"))?;
    let ask = |task: &str, words: &str, label: Option<String>| {
        let mut row = FileRow::new(GraphBenchmark::GraCoRe, id.as_str(), task);
        row.question = Some(format!("{description}\nQ: {words}"));
        row.label = label;
        row.fields = fields(object);
        row
    };
    let mut rows = Vec::new();
    // An array of one object.
    let structure = qa.get("structure_qa").map(|qa| qa.get(0).unwrap_or(qa));
    for (task, key, words) in STRUCTURE {
        let Some(entry) = structure.and_then(|structure| structure.get(key)) else { continue };
        // An entry is a question with its answer, or the answer alone.
        let words = entry.get("Q").and_then(Value::as_str).unwrap_or(words);
        let label = match entry.get("A").unwrap_or(entry) {
            Value::Bool(true) => Some("Yes".to_owned()),
            Value::Bool(false) => Some("No".to_owned()),
            other => text(other),
        };
        rows.push(ask(task, words, label));
    }
    // The key is spelled so.
    if let Some(special) = qa.get("specail_qa").or_else(|| qa.get("special_qa")) {
        let words = special.get("Q").and_then(Value::as_str);
        let words = words.ok_or_else(|| wrong("the question about the set has no Q"))?;
        let set = object.get("graph_name").and_then(Value::as_str).unwrap_or_else(|| set(name));
        rows.push(ask(set, words, special.get("A").and_then(text)));
    }
    if rows.is_empty() {
        return Err(wrong("QA has neither structure_qa nor specail_qa"));
    }
    Ok(rows)
}

/// What the file says of the graph, but for the texts and the matrix, which say it again.
fn fields(object: &Map<String, Value>) -> Vec<(String, String)> {
    const AGAIN: [&str; 4] =
        ["QA", "adjacency_matrix", "graph_description", "random_graph_description"];
    let others = object.iter().filter(|(key, _)| !AGAIN.contains(&key.as_str()));
    others.filter_map(|(key, value)| Some((key.clone(), text(value)?))).collect()
}
