//! Python that a model wrote, run by whoever has one: a sandbox in the browser, or the companion.

use agent::ToolFailure;
use kg::property::PropertyGraph;
use llm::{BoxFuture, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{failure, read_arguments, spec};

/// Runs Python. What it runs is hostile until it is known to be otherwise: a runner bounds its time,
/// its memory and what it may reach.
pub trait PythonRunner {
    /// Runs a piece of code, in names of its own.
    ///
    /// # Errors
    /// The code failed, or was ended, or there is no Python.
    fn run<'a>(
        &'a self,
        request: PythonRequest,
    ) -> BoxFuture<'a, Result<PythonReply, PythonFailure>>;
}

/// A piece of code, with what it works on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PythonRequest {
    /// The code. Its result is the variable `result`, or the value of its last line.
    pub code: String,
    /// What the code knows as `G`, a `networkx.MultiDiGraph`.
    #[serde(default)]
    pub graph: Option<PythonGraph>,
    /// Files of the folder that it works in.
    #[serde(default)]
    pub files: Vec<PythonFile>,
    /// Whether the graph is told back as the code left it.
    #[serde(default)]
    pub wants_graph: bool,
    /// Whether it is a program by itself: it has no names but Python's own and no value, and what it
    /// writes to its standard error comes apart from what it prints.
    #[serde(default)]
    pub is_program: bool,
    /// Milliseconds after which it is ended.
    pub limit_ms: u64,
}

/// A text file for a piece of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PythonFile {
    /// By which `open` finds it.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// A property graph as Python is given it and gives it back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PythonGraph {
    /// Whether edges have a direction.
    #[serde(default = "yes")]
    pub directed: bool,
    /// The nodes, in the order of their ids.
    pub nodes: Vec<PythonNode>,
    /// The edges, in the order of their ids.
    pub edges: Vec<PythonEdge>,
}

fn yes() -> bool {
    true
}

/// What a node is called: by its id, or by what the code called it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PythonKey {
    /// A text, which every id is.
    Text(String),
    /// A whole number, which code may use for its own nodes.
    Number(i64),
}

/// A node of a graph that Python works on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PythonNode {
    /// The id of the node; none for one that the code added.
    #[serde(default)]
    pub id: Option<String>,
    /// What the code calls it; only in what is told back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<PythonKey>,
    /// What kinds of thing it is.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Names with their values.
    #[serde(default)]
    pub properties: Map<String, Value>,
}

/// An edge of a graph that Python works on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PythonEdge {
    /// The id of the edge; none for one that the code added.
    #[serde(default)]
    pub id: Option<String>,
    /// The node that it starts at: its id, or in what is told back its key.
    pub source: PythonKey,
    /// The node that it ends at, likewise.
    pub target: PythonKey,
    /// What it means.
    #[serde(rename = "type")]
    pub edge_type: String,
    /// Names with their values.
    #[serde(default)]
    pub properties: Map<String, Value>,
}

/// What came of a piece of code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PythonReply {
    /// What it printed, cut where it is long.
    #[serde(default)]
    pub output: String,
    /// What a program wrote to its standard error, cut where it is long.
    #[serde(default)]
    pub errors: String,
    /// Its result as JSON; null where there is none.
    #[serde(default)]
    pub result: Value,
    /// Its result as Python shows it, cut where it is long.
    #[serde(default)]
    pub result_text: String,
    /// The graph as the code left it, where that was wanted.
    #[serde(default)]
    pub graph: Option<PythonGraph>,
    /// Milliseconds that the run took.
    #[serde(default)]
    pub took_ms: f64,
}

/// How a piece of code failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PythonFault {
    /// It is no Python.
    Syntax,
    /// It raised an exception.
    Runtime,
    /// It took too long and was ended.
    Timeout,
    /// It took too much memory and was ended.
    Memory,
    /// It, or what came of it, is too large.
    TooLarge,
    /// There is no Python here, or it does not answer.
    Unavailable,
}

/// Why a piece of code gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}{}", .line.map(|line| format!(" (line {line})")).unwrap_or_default())]
pub struct PythonFailure {
    /// What kind of failure it is.
    pub kind: PythonFault,
    /// The last line of the traceback, or what else was wrong.
    pub message: String,
    /// The line of the code, counted from 1, where one is known.
    #[serde(default)]
    pub line: Option<u64>,
    /// What it had printed before.
    #[serde(default)]
    pub output: String,
    /// What a program had written to its standard error.
    #[serde(default)]
    pub errors: String,
    /// The exit code of a program; absent where it was ended.
    #[serde(default)]
    pub exit: Option<i64>,
}

impl PythonFailure {
    /// A failure of which no more is known.
    pub fn new(kind: PythonFault, message: impl Into<String>) -> Self {
        let (output, errors) = (String::new(), String::new());
        Self { kind, message: message.into(), line: None, output, errors, exit: None }
    }
}

pub(super) const RUN: &str = "run_python";
/// The longest code, in bytes.
pub(in crate::kgot) const MAX_CODE: usize = 50_000;
/// Milliseconds that a run may take.
pub(crate) const LIMIT_MS: u64 = 10_000;
/// The letters of output and result that a model is told.
const MAX_TOLD: usize = 20_000;
/// The bytes of files that a run is given.
pub(super) const MAX_FILES: usize = 5_000_000;
/// The nodes and edges that a run is given.
pub(in crate::kgot) const MAX_GRAPH: usize = 50_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunArgs {
    code: String,
}

/// What models are told of the tool that runs Python.
pub(super) fn specs(has_graph: bool) -> Vec<ToolSpec> {
    let graph = if has_graph {
        " The knowledge graph so far is G, a networkx.MultiDiGraph: nodes have their properties and \
         labels, edges their properties and type. What is done to it is forgotten."
    } else {
        ""
    };
    vec![spec(
        RUN,
        &format!(
            "Runs Python 3 with networkx for up to 10 seconds, without a network. Gives what was \
             printed, and the variable result. Files of the task can be opened by their names; \
             those that are no text have .md behind their names and are Markdown.{graph}"
        ),
        json!({ "code": { "type": "string", "description": "The whole program." } }),
        &["code"],
    )]
}

/// Runs what a model wrote.
pub(super) async fn run(
    runner: &dyn PythonRunner,
    graph: Option<&PropertyGraph>,
    files: Vec<PythonFile>,
    arguments: Value,
) -> Result<(Value, Vec<String>), ToolFailure> {
    let RunArgs { code } = read_arguments(arguments)?;
    if code.trim().is_empty() || code.len() > MAX_CODE {
        let message = format!("the code has {} bytes; expected 1 to {MAX_CODE}", code.len());
        return Err(failure("bad_code", message));
    }
    let too_large = graph.is_some_and(|g| g.n_nodes() + g.n_edges() > MAX_GRAPH);
    let graph = graph.filter(|_| !too_large).map(told_graph);
    let request =
        PythonRequest { code, graph, files, limit_ms: LIMIT_MS, ..PythonRequest::default() };
    let reply = runner.run(request).await.map_err(|error| {
        let mut message = error.to_string();
        let output = cut(&error.output);
        if !output.trim().is_empty() {
            message.push_str(&format!("\nIt had printed:\n{output}"));
        }
        let code = match error.kind {
            PythonFault::Syntax => "syntax",
            PythonFault::Runtime => "runtime",
            PythonFault::Timeout => "timeout",
            PythonFault::Memory => "memory",
            PythonFault::TooLarge => "too_large",
            PythonFault::Unavailable => "unavailable",
        };
        failure(code, message)
    })?;
    let mut told = json!({ "output": cut(&reply.output) });
    if !reply.result.is_null() {
        let as_text = reply.result.to_string();
        told["result"] = if as_text.len() > MAX_TOLD {
            let text = if reply.result_text.is_empty() { &as_text } else { &reply.result_text };
            json!(cut(text))
        } else {
            reply.result
        };
    }
    let mut notes = Vec::new();
    if too_large {
        notes.push(format!("the graph has more than {MAX_GRAPH} nodes and edges; G was not given"));
    }
    if told["output"] == json!("") && told.get("result").is_none() {
        notes
            .push("nothing was printed and there is no result; print what you want to know".into());
    }
    Ok((told, notes))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TOLD) {
        Some((at, _)) => format!("{}… (cut)", &text[..at]),
        None => text.to_owned(),
    }
}

/// A property graph in the form that Python is given it.
pub fn told_graph(graph: &PropertyGraph) -> PythonGraph {
    let json = |properties: &kg::property::Properties| -> Map<String, Value> {
        properties.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
    };
    let node_id = |id: kg::property::NodeId| id.0.to_string();
    PythonGraph {
        directed: true,
        nodes: graph
            .nodes()
            .map(|(id, node)| PythonNode {
                id: Some(node_id(id)),
                key: None,
                labels: node.labels.iter().cloned().collect(),
                properties: json(&node.properties),
            })
            .collect(),
        edges: graph
            .edges()
            .map(|(id, edge)| PythonEdge {
                id: Some(id.0.to_string()),
                source: PythonKey::Text(node_id(edge.source)),
                target: PythonKey::Text(node_id(edge.target)),
                edge_type: edge.edge_type.clone(),
                properties: json(&edge.properties),
            })
            .collect(),
    }
}
