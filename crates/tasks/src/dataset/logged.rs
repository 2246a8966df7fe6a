//! Answers that models gave, one JSON object a line, with the graph and the query beside them.

use graph::{Delta, Graph, NodeName};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Difficulty, EdgeNumber, Problem, TaskId};

/// A logged answer with its problem.
#[derive(Clone, Debug)]
pub struct LoggedAnswer {
    /// The problem, from `graph` and `query` (not from the wording of the question).
    pub problem: Problem,
    /// The level as logged; also `line`, NLGraph's connectivity on chains.
    pub level: String,
    /// What the model wrote.
    pub text: String,
    /// The name of the model that answered.
    pub model: String,
    /// How it was asked.
    pub prompt_style: String,
    /// The benchmark's own score: for flow that of the value.
    pub official_score: Option<f64>,
    /// Which version of the benchmark's script gave it.
    pub official_rule: Option<String>,
}

/// Why a line is no logged answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoggedError {
    /// The line is no JSON, or lacks a field.
    #[error("{message}; expected an object with task, graph, query and answer_text")]
    Json {
        /// What is wrong with the line.
        message: String,
    },
    /// The task is none of ours.
    #[error("unknown task {name:?}; expected one of {}", TaskId::names())]
    UnknownTask {
        /// The name of the task that is not known.
        name: String,
    },
    /// A node, edge or the query does not fit.
    #[error("{message}")]
    Problem {
        /// What does not fit and what would.
        message: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Line {
    task: String,
    #[serde(default)]
    difficulty: String,
    #[serde(default)]
    prompt_style: String,
    #[serde(default)]
    model: String,
    graph: LoggedGraph,
    #[serde(default)]
    query: Value,
    answer_text: String,
    #[serde(default)]
    official_score: Option<f64>,
    #[serde(default)]
    official_score2: Option<f64>,
    #[serde(default)]
    official_rule: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct LoggedGraph {
    n: usize,
    #[serde(default)]
    n1: usize,
    #[serde(default)]
    n2: usize,
    #[serde(default)]
    edges: Vec<Vec<f64>>,
    #[serde(default)]
    embedding: Vec<Vec<f64>>,
}

const MAX_NODES: usize = crate::MAX_QUESTION_NODES;

/// Reads one line.
///
/// # Errors
/// What is wrong with it and what would be right.
pub fn parse_logged(line: &str) -> Result<LoggedAnswer, LoggedError> {
    let line: Line = serde_json::from_str(line)
        .map_err(|error| LoggedError::Json { message: error.to_string() })?;
    let task = TaskId::from_name(&line.task)
        .ok_or_else(|| LoggedError::UnknownTask { name: line.task.clone() })?;
    let wrong = |message: String| LoggedError::Problem { message };
    if line.graph.n.saturating_add(line.graph.n1).saturating_add(line.graph.n2) > MAX_NODES {
        return Err(wrong(format!(
            "a graph of {} nodes; at most {MAX_NODES} are read",
            line.graph.n
        )));
    }
    let graph = build(task, &line.graph).map_err(wrong)?;
    let query = task.logged(&line.query, (line.graph.n1, line.graph.n2)).map_err(wrong)?;
    let difficulty = Difficulty::from_name(&line.difficulty);
    let flow_score = line.official_score2.filter(|_| task == TaskId::Flow);
    Ok(LoggedAnswer {
        problem: Problem { difficulty, seed: None, graph, query },
        level: line.difficulty,
        text: line.answer_text,
        model: line.model,
        prompt_style: line.prompt_style,
        official_score: flow_score.or(line.official_score),
        official_rule: line.official_rule,
    })
}

fn build(task: TaskId, from: &LoggedGraph) -> Result<Graph, String> {
    let directed = task.is_directed();
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    let name = |i: usize, second: bool| match (task, second) {
        (TaskId::Matching, false) => NodeName::Text(format!("a{i}").into()),
        (TaskId::Matching, true) => NodeName::Text(format!("j{i}").into()),
        _ => NodeName::from(i),
    };
    let (n_first, n_second) =
        if task == TaskId::Matching { (from.n1, from.n2) } else { (from.n, 0) };
    for (n, second) in [(n_first, false), (n_second, true)] {
        for i in 0..n {
            graph.ensure_node(name(i, second)).map_err(|e| e.to_string())?;
        }
    }
    let bound = if n_second > 0 || task == TaskId::Matching { n_second } else { n_first };
    for edge in &from.edges {
        let whole = |v: f64| (v >= 0.0 && v.fract() == 0.0 && v < 1e9).then_some(v as usize);
        let ends = match edge[..] {
            [a, b] | [a, b, _] => whole(a).zip(whole(b)),
            _ => None,
        };
        let Some((a, b)) = ends.filter(|(a, b)| *a < n_first && *b < bound) else {
            return Err(format!(
                "edge {edge:?} in a graph of {n_first} nodes; expected [a, b] or [a, b, weight]"
            ));
        };
        let value = edge.get(2).copied();
        let is_capacity = task.edge_number() == EdgeNumber::Capacity;
        let (weight, capacity) = if is_capacity { (None, value) } else { (value, None) };
        graph
            .apply(&Delta::AddEdge {
                source: name(a, false),
                target: name(b, task == TaskId::Matching),
                weight,
                capacity,
            })
            .map_err(|e| e.to_string())?;
    }
    for (i, values) in from.embedding.iter().enumerate() {
        graph
            .apply(&Delta::SetEmbedding { node: i.into(), values: values.clone() })
            .map_err(|e| e.to_string())?;
    }
    Ok(graph)
}
