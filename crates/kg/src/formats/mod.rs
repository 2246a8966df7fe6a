//! Files of knowledge graphs.
//!
//! [`FORMATS`] lists them. A reader takes a file line by line where the format has lines, and tells
//! what it could not read instead of stopping at it: whoever asked decides.

mod graphml;
mod grbench;
mod jsonl;
#[cfg(feature = "turtle")]
pub(crate) mod rdf;
mod triple_lists;
mod triples;

use crate::{Kg, KgBuilder};

/// The most faults that are kept of one file; all are counted.
pub const MAX_FAULTS: usize = 100;

/// A format.
pub struct Format {
    /// A stable id.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Endings of its files.
    pub endings: &'static [&'static str],
    /// What survives writing and reading again.
    pub keeps: &'static str,
    /// Reads a file into a graph.
    pub read: fn(text: &str, into: &mut KgBuilder) -> Faults,
    /// Writes a graph.
    pub write: fn(&Kg) -> String,
}

/// Every format.
pub static FORMATS: &[Format] = &[
    jsonl::FORMAT,
    triples::TSV,
    triples::CSV,
    triple_lists::FORMAT,
    grbench::FORMAT,
    graphml::FORMAT,
    #[cfg(feature = "turtle")]
    rdf::N_TRIPLES,
    #[cfg(feature = "turtle")]
    rdf::TURTLE,
];

/// The format of that id.
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

/// The format of a file, by how it begins, and else by the ending of its name.
pub fn sniff(file_name: &str, text: &str) -> Option<&'static Format> {
    let line = text.trim_start_matches('\u{feff}').trim_start().lines().next().unwrap_or_default();
    let ending = file_name.trim_end_matches(".gz").rsplit_once('.').map(|(_, e)| e);
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    let by_start = [
        ("graphml", line.starts_with("<?xml") || line.starts_with("<graphml")),
        ("triple_lists", line.starts_with("['") || line.starts_with("[\"")),
        ("jsonl", line.starts_with('{') && line.ends_with('}') && line.len() > 2),
        // Lines of JSON are told by their ending where the first of them is broken.
        ("grbench", line.starts_with('{') && !matches!(ending.as_str(), "jsonl" | "ndjson")),
        ("turtle", line.starts_with("@prefix") || line.starts_with("PREFIX")),
        ("ntriples", line.starts_with(['<', '_']) && line.ends_with('.') && ending != "ttl"),
    ];
    let by_start = by_start.into_iter().find(|(_, it_is)| *it_is).and_then(|(id, _)| find(id));
    by_start
        .or_else(|| {
            FORMATS.iter().find(|f| f.endings.contains(&ending.as_str()) && f.id != "triple_lists")
        })
        .or_else(|| find("tsv").filter(|_| line.contains('\t')))
        .or_else(|| find("csv").filter(|_| line.contains(',')))
}

/// Reads line by line, empty lines left out. A line that cannot be read gives its column and what
/// is wrong.
fn line_faults<'a>(
    text: &'a str,
    mut line: impl FnMut(&'a str) -> Result<(), (usize, String)>,
) -> Faults {
    let mut faults = Faults::default();
    let text = text.trim_start_matches('\u{feff}');
    for (i, text) in text.lines().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        if let Err((column, message)) = line(text) {
            faults.add(i + 1, column, message);
        }
    }
    faults
}

/// What serde_json says of one whole text, with its place.
fn json_fault(error: &serde_json::Error, expected: &str, faults: &mut Faults) {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(m, _)| m);
    faults.add(error.line(), error.column().max(1), format!("{message}; expected {expected}"));
}

/// One place of a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1; 0 where it is not known.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A fault of what a line says, where the line is not known, has none.
        if self.line == 0 {
            return f.write_str(&self.message);
        }
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// What of a file could not be read; the rest was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many there are.
    pub n: usize,
    /// The first [`MAX_FAULTS`] of them.
    pub first: Vec<Fault>,
}

impl Faults {
    /// Counts a fault.
    pub fn add(&mut self, line: usize, column: usize, message: impl Into<String>) {
        self.n += 1;
        if self.first.len() < MAX_FAULTS {
            self.first.push(Fault { line, column, message: message.into() });
        }
    }

    /// Whether everything could be read.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }
}
