//! Graphs as text: one file a format, one line in [`FORMATS`].
//!
//! A text is taken for a format by that format's own sign alone; what shows none is refused. Every
//! reader takes any text without panicking, in time and memory in proportion to it. One bad record
//! does not stop the rest: it is kept with its line in the [`ReadNotes`], as everything is that the
//! graph does not show.

mod adjacency_csv;
mod adjacency_list;
mod arrows;
mod cytoscape;
mod dot;
mod draft;
mod edge_list;
mod edge_table;
mod gexf;
mod gml;
mod graph6;
mod graphml;
mod json;
mod matrix_market;
mod mermaid;
mod node_link;
mod notes;
mod pajek;
mod sentences;
mod sif;
mod sign;
mod xml;

use crate::{Graph, GraphError, NodeName};
use draft::{Direction, Draft, Labels, Values};
use sign::Peek;

pub use edge_table::{TableColumns, open_table, open_tables};
pub use notes::{FilePlace, NoteKind, ReadNote, ReadNotes};

/// Reads a graph from a text.
pub type Parse = fn(&str) -> Result<GraphRead, FormatError>;
/// Reads the graph of that number, from 1, of a text that has several.
pub type ParseNth = fn(&str, usize) -> Result<GraphRead, FormatError>;
/// Writes a graph as a text.
pub type Write = fn(&Graph) -> Result<String, FormatError>;

/// What a reader returns.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphRead {
    /// The graph.
    pub graph: Graph,
    /// What of the file it does not show, and what could not be read.
    pub notes: ReadNotes,
}

/// One way to write a graph down.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// A stable short name.
    pub id: &'static str,
    /// A few words for people.
    pub title: &'static str,
    /// Endings of file names, the usual one first.
    pub extensions: &'static [&'static str],
    /// What is read of a file of it.
    pub reads: &'static str,
    /// What a file of it may have that no graph here has; notes say it where it was met.
    pub loses: &'static str,
    /// What survives writing and reading again.
    pub keeps: &'static str,
    /// Whether a text shows the format's sign.
    is_it: fn(&Peek<'_>) -> bool,
    /// Reads a graph from a text; an error says the line.
    pub parse: Parse,
    /// Reads another graph than the first, where a file of the format may have several.
    pub nth: Option<ParseNth>,
    /// Writes a graph, where the format can be written.
    pub write: Option<Write>,
}

/// Every format, in the order in which their signs are looked for.
pub static FORMATS: &[Format] = &[
    graphml::FORMAT,
    gexf::FORMAT,
    cytoscape::FORMAT,
    json::JSON_GRAPH,
    json::ADJACENCY,
    node_link::FORMAT,
    json::APOC,
    json::LISTS,
    dot::FORMAT,
    mermaid::FORMAT,
    gml::FORMAT,
    pajek::FORMAT,
    matrix_market::FORMAT,
    graph6::FORMAT,
    graph6::SPARSE6,
    adjacency_csv::FORMAT,
    edge_table::FORMAT,
    arrows::FORMAT,
    adjacency_list::FORMAT,
    edge_list::FORMAT,
    sif::FORMAT,
    sentences::FORMAT,
];

/// Why a text is not a graph, or a graph cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{}{message}", form.map(|f| format!("this is {f}; ")).unwrap_or_default(), line.map(|l| format!("line {l}: ")).unwrap_or_default())]
pub struct FormatError {
    /// The format whose sign the text shows.
    pub form: Option<&'static str>,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// What was found and what would be right.
    pub message: String,
    /// The table, where it is one and its columns are not known: a person can say which they are.
    pub table: Option<Box<TableSample>>,
}

/// The beginning of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSample {
    /// Its first row, which may be a heading.
    pub columns: Vec<String>,
    /// The rows below it, a few.
    pub rows: Vec<Vec<String>>,
}

impl FormatError {
    /// An error of a file whose form and line are not known.
    pub fn new(message: impl Into<String>) -> Self {
        Self { form: None, line: None, message: message.into(), table: None }
    }

    fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::new(message) }
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

/// The format whose sign a text shows.
///
/// # Errors
/// It shows none; where it is a file of something else that is known, the error names it.
pub fn sniff(text: &str) -> Result<&'static Format, FormatError> {
    let peek = Peek::new(text);
    if let Some(error) = sign::other(&peek) {
        return Err(error);
    }
    FORMATS.iter().find(|f| (f.is_it)(&peek)).ok_or_else(|| unknown(&peek))
}

/// What to say of a text that shows no sign.
fn unknown(peek: &Peek<'_>) -> FormatError {
    if peek.text.starts_with(['{', '[']) {
        return match serde_json::from_str::<serde::de::IgnoredAny>(peek.text) {
            Err(e) if peek.text.starts_with(['{', '[']) => FormatError {
                form: Some("JSON"),
                ..FormatError::at(e.line(), format!("it breaks off or is spoiled: {e}"))
            },
            _ => FormatError {
                form: Some("JSON"),
                ..FormatError::new(
                    "it has no graph of a known form: give {\"nodes\": [{\"id\": 0}], \"edges\": \
                     [{\"source\": 0, \"target\": 1}]}",
                )
            },
        };
    }
    if let Some(root) = peek.root() {
        let message = format!("its root is <{}>: give GraphML or GEXF", short(&root));
        return FormatError { form: Some("XML"), ..FormatError::new(message) };
    }
    if let Some(error) = edge_table::unknown(peek.table()) {
        return error;
    }
    let (line, text) = edge_list::first_odd(peek.text);
    let message = format!(
        "`{}` shows no form of a graph: the simplest is one edge a line, such as `A B`, or `A B 3` with \
         its weight",
        short(text)
    );
    FormatError::at(line, message)
}

/// Reads a text in the format whose sign it shows.
///
/// # Errors
/// It shows none, or nothing of it can be read; the error names the format that it shows.
pub fn open(text: &str) -> Result<(&'static Format, GraphRead), FormatError> {
    let format = sniff(text)?;
    let read = (format.parse)(text).map_err(|e| FormatError { form: Some(format.title), ..e })?;
    Ok((format, read))
}

/// Reads the graph of that number, from 1, of a text that may have several.
///
/// # Errors
/// As [`open`]; or there are not so many graphs.
pub fn open_nth(text: &str, number: usize) -> Result<(&'static Format, GraphRead), FormatError> {
    if number == 1 {
        return open(text);
    }
    let format = sniff(text)?;
    let named = |e| FormatError { form: Some(format.title), ..e };
    let nth = format.nth.ok_or_else(|| named(too_few(number, 1)))?;
    Ok((format, nth(text, number).map_err(named)?))
}

/// Why there is no graph of that number.
fn too_few(number: usize, n: usize) -> FormatError {
    let graphs = if n == 1 { "graph" } else { "graphs" };
    FormatError::new(format!("there is no graph {number}: the file has {n} {graphs}"))
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
    Err(FormatError { line, ..FormatError::new(message) })
}

/// A finite number from a text.
fn number(text: &str, what: &str, line: Option<usize>) -> Result<f64, FormatError> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => {
            let message =
                format!("`{}` is no {what}: give a finite number such as 2.5", short(text));
            Err(FormatError { line, ..FormatError::new(message) })
        }
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

/// A text without the mark of its byte order.
fn unmarked(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// The lines of a text that are not empty, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = unmarked(text).lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    all.filter(|(_, line)| !line.is_empty())
}
