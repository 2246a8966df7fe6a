//! Rows of GraCoRe as problems, and what its labels are worth.

use graph::NodeName;
use serde_json::Value;

use super::instruct::{build, number};
use super::rows::RowProblem;
use crate::official::files::FileRow;
use crate::parse::has;
use crate::query::Shape as _;
use crate::verify::{judged, verify_answer};
use crate::{
    Answer, Ends, Judgement, ParseError, Problem, Query, Terminals, Verdict, Whole, answers,
};

/// What parts the graph from the question.
const QUESTION: &str = "\nQ: ";

/// Reads the question of a row, with the graph in its sentences.
///
/// Nodes are those of the sentences, and 0 up to the number of nodes that the file tells, since the text
/// does not name nodes without edges.
///
/// # Errors
/// The question is of none of the tasks that we have, or a line tells no edge.
pub(super) fn problem(row: &FileRow) -> Result<RowProblem, ParseError> {
    let text = row.question.as_deref().unwrap_or_default();
    let unknown =
        |words: &str| ParseError::UnknownQuestion { found: words.chars().take(40).collect() };
    let (told, question) = text.split_once(QUESTION).ok_or_else(|| unknown(text))?;
    let has = |words: &str| has(question, words);
    let query = if has("bipartite") {
        Query::Bipartite(Whole)
    } else if has("shortest path from") {
        Query::ShortestPath(Ends::in_words(question).ok_or_else(|| unknown(question))?)
    } else if has("maximum flow") {
        Query::Flow(Terminals::in_words(question).ok_or_else(|| unknown(question))?)
    } else if has("shortest possible route") {
        Query::Tour(Whole)
    } else if has("number of colors") {
        Query::Coloring(Whole)
    } else {
        return Err(ParseError::NoTask { question: question.chars().take(80).collect() });
    };
    let mut edges = Vec::new();
    for (i, line) in told.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let edge = line.split_once(", distance is").and_then(|(ends, distance)| {
            let (a, b) = ends.trim().strip_prefix("From node ")?.split_once(" to node ")?;
            Some((NodeName::from(a.trim()), NodeName::from(b.trim()), Some(number(distance)?)))
        });
        edges.push(edge.ok_or_else(|| ParseError::Expected {
            line: i + 1,
            column: 1,
            expected: "\"From node 0 to node 1, distance is 3\"".into(),
            found: line.chars().take(40).collect(),
        })?);
    }
    let directed = told.starts_with("This is a directed");
    let n = row.field("node_count").and_then(|n| n.trim().parse().ok()).unwrap_or(0_usize);
    let nodes = (0..n).map(NodeName::from);
    let graph = build(directed, matches!(query, Query::Flow(_)), nodes, edges)?;
    query.check(&graph).map_err(|reason| ParseError::Expected {
        line: 1,
        column: 1,
        expected: "a graph that the question fits".into(),
        found: reason,
    })?;
    let problem = Problem { difficulty: None, seed: None, graph, query };
    Ok(RowProblem { problem, asks: None })
}

/// What a label of GraCoRe is worth: a path with its length, a flow, a tour with its length, or a word.
pub(super) fn judge_label(problem: &Problem, label: &str) -> Judgement {
    let value: Value = serde_json::from_str(label).unwrap_or(Value::Null);
    let find = |words: &[&str]| {
        let object = value.as_object()?;
        let is_called = |key: &String| words.iter().any(|word| key.to_lowercase().contains(word));
        object.iter().find(|(key, _)| is_called(key)).map(|(_, value)| value)
    };
    let path: Vec<NodeName> = find(&["path", "route", "tour"])
        .map(ToString::to_string)
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(NodeName::from)
        .collect();
    let told = find(&["flow", "distance", "length", "total", "cost"]);
    let told = told.and_then(|value| number(&value.to_string()));
    let claim = match &problem.query {
        Query::ShortestPath(_) if !path.is_empty() => Answer::ShortestPath(answers::ShortestPath {
            path,
            others: Vec::new(),
            total: told,
            is_marked: false,
        }),
        Query::Flow(_) if told.is_some() => {
            Answer::Flow(answers::Flow { value: told, flows: Vec::new() })
        }
        Query::Tour(_) if !path.is_empty() => {
            let length: Option<f64> = path
                .windows(2)
                .map(|step| problem.graph.edge(&step[0], &step[1]).map(|e| e.weight_or_one()))
                .sum();
            let mut judgement =
                verify_answer(problem, &Answer::Tour(answers::Tour { nodes: path }));
            if let (Some(told), Some(length)) = (told, length)
                && (told - length).abs() > 1e-6
            {
                judgement.verdict = Verdict::Incorrect;
                judgement.explanation =
                    format!("The tour has the length {length}, and the label says {told}.");
            }
            return judgement;
        }
        _ => return judged(problem, label),
    };
    verify_answer(problem, &claim)
}
