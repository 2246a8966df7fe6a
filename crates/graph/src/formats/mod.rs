//! Graphs as text: one file a format, one line in [`FORMATS`].
//!
//! Every parser takes any text without panicking, in time and memory in proportion to it, and says
//! where it stumbled, over what, and what would be right.

mod adjacency_csv;
mod cytoscape;
mod dot;
mod edge_list;
mod graph6;
mod graphml;
mod node_link;

use serde_json::Value;

use crate::{Graph, GraphError, NodeName};

/// Reads a graph from a text.
pub type Parse = fn(&str) -> Result<Graph, FormatError>;
/// Writes a graph as a text.
pub type Write = fn(&Graph) -> Result<String, FormatError>;

/// One way to write a graph down.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// A stable short name.
    pub id: &'static str,
    /// A few words for people.
    pub title: &'static str,
    /// Endings of file names, the usual one first.
    pub extensions: &'static [&'static str],
    /// What survives writing and reading again.
    pub keeps: &'static str,
    /// Reads a graph from a text; an error says the line.
    pub parse: Parse,
    /// Writes a graph, where the format can be written.
    pub write: Option<Write>,
}

/// Every format, in the order in which lists show them.
pub static FORMATS: &[Format] = &[
    edge_list::FORMAT,
    node_link::FORMAT,
    graphml::FORMAT,
    dot::FORMAT,
    graph6::FORMAT,
    adjacency_csv::FORMAT,
    cytoscape::FORMAT,
];

/// Why a text is not a graph, or a graph cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{message}", line.map(|l| format!("line {l}: ")).unwrap_or_default())]
pub struct FormatError {
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What was found and what would be right.
    pub message: String,
}

impl FormatError {
    fn new(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }
}

impl From<GraphError> for FormatError {
    fn from(error: GraphError) -> Self {
        Self::new(error.to_string())
    }
}

/// The format of that id.
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

/// The format that a text is most likely in; the edge list if nothing else fits.
pub fn sniff(text: &str) -> &'static Format {
    let text = text.trim_start_matches('\u{feff}').trim();
    let first = text.lines().find(|l| !l.trim_start().starts_with(['#', '/'])).unwrap_or("").trim();
    if text.starts_with('<') {
        return &graphml::FORMAT;
    }
    if text.starts_with(['{', '[']) {
        let elements = text.starts_with('[') || text.contains("\"elements\"");
        return if elements { &cytoscape::FORMAT } else { &node_link::FORMAT };
    }
    let word = first.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    let is_dot = ["graph", "digraph", "strict"].iter().any(|w| word.eq_ignore_ascii_case(w));
    if is_dot && text.contains('{') {
        return &dot::FORMAT;
    }
    if text.starts_with(">>graph6<<") || (!text.is_empty() && (graph6::FORMAT.parse)(text).is_ok())
    {
        return &graph6::FORMAT;
    }
    if first.contains(',') && (adjacency_csv::FORMAT.parse)(text).is_ok() {
        return &adjacency_csv::FORMAT;
    }
    &edge_list::FORMAT
}

/// A node name from a text, held to the same bounds as a name from a model.
fn name(text: &str, line: Option<usize>) -> Result<NodeName, FormatError> {
    let text = text.trim();
    let message = if text.is_empty() {
        "a node has an empty name".to_owned()
    } else if text.len() > NodeName::MAX_LEN {
        format!("a name has {} bytes, at most {} are allowed", text.len(), NodeName::MAX_LEN)
    } else {
        return Ok(text.into());
    };
    Err(FormatError { line, message })
}

/// A finite number from a text.
fn number(text: &str, what: &str, line: Option<usize>) -> Result<f64, FormatError> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(FormatError {
            line,
            message: format!("`{}` is no {what}: give a finite number such as 2.5", short(text)),
        }),
    }
}

/// The beginning of a text, for messages.
fn short(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}

fn json_name(value: Option<&Value>, what: &str) -> Result<NodeName, FormatError> {
    let value = value.ok_or_else(|| FormatError::new(format!("{what} is missing")))?;
    serde_json::from_value(value.clone()).map_err(|e| FormatError::new(format!("{what}: {e}")))
}

fn json_number(value: Option<&Value>, what: &str) -> Result<Option<f64>, FormatError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(n)) => Ok(n.as_f64()),
        Some(Value::String(text)) => number(text, what, None).map(Some),
        Some(other) => {
            let found = short(&other.to_string());
            Err(FormatError::new(format!("{what} is {found}: give a number")))
        }
    }
}

fn parse_json(text: &str) -> Result<Value, FormatError> {
    serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|e| FormatError::at(e.line(), format!("this is not JSON: {e}")))
}

/// Adds or sets an edge whose ends may be new.
fn add_edge(
    graph: &mut Graph,
    ends: (NodeName, NodeName),
    weight: Option<f64>,
    capacity: Option<f64>,
) -> Result<(), FormatError> {
    let (source, target) = ends;
    graph.ensure_node(source.clone())?;
    graph.ensure_node(target.clone())?;
    graph.apply(&crate::Delta::AddEdge { source, target, weight, capacity })?;
    Ok(())
}
