//! Files of knowledge graphs.
//!
//! [`FORMATS`] lists them. A reader takes a file line by line where the format has lines, and tells
//! what it could not read instead of stopping at it: whoever asked decides. After
//! [`ENOUGH_FAULTS`] it gives up, because the file is of another format.

mod faults;
mod graphml;
mod grbench;
mod jsonl;
mod objects;
mod plain;
pub(crate) mod rdf;
mod triple_lists;
mod triples;

use graph::formats::{FormatError, TableColumns};

use crate::{Kg, KgBuilder};

pub use faults::{ENOUGH_FAULTS, Fault, Faults, MAX_FAULTS};

/// A file format of knowledge graphs.
pub struct Format {
    /// A stable id, as `--to` takes it: `jsonl`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Endings of its files.
    pub endings: &'static [&'static str],
    /// The least that a file of it may be: for a person whose file is of another format.
    pub example: &'static str,
    /// What survives writing and reading again.
    pub keeps: &'static str,
    /// Reads a file into a graph.
    pub read: fn(text: &str, into: &mut KgBuilder) -> Faults,
    /// Writes a graph as one text.
    pub write: fn(&Kg) -> String,
}

impl Format {
    /// What to give, for a person who gave something else.
    pub fn expected(&self) -> String {
        format!("expected {}, such as {}", self.title, self.example)
    }
}

/// Every format, in the order in which lists show them.
pub static FORMATS: &[Format] = &[
    jsonl::FORMAT,
    triples::TSV,
    triples::CSV,
    triples::BARS,
    triple_lists::FORMAT,
    grbench::FORMAT,
    graphml::FORMAT,
    rdf::N_TRIPLES,
    rdf::TURTLE,
    rdf::N_QUADS,
    rdf::TRIG,
    rdf::RDF_XML,
    rdf::JSON_LD,
];

/// The format of that id.
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

/// The most bytes of a text whose signs are looked for.
const LOOKED_AT: usize = 4096;

fn beginning(text: &str) -> &str {
    let end = (0..=LOOKED_AT.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

/// The format of a file, by how it begins, and else by the ending of its name.
pub fn sniff(file_name: &str, text: &str) -> Option<&'static Format> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if let Some(rdf) = rdf::sniff(beginning(start)).and_then(find) {
        return Some(rdf);
    }
    let line = start.lines().next().unwrap_or_default();
    let ending = file_name.trim_end_matches(".gz").rsplit_once('.').map(|(_, e)| e);
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    // What is N-Triples is all of these, too.
    let of_rdf = matches!(ending.as_str(), "ttl" | "nq" | "trig");
    let by_start = [
        ("graphml", line.starts_with("<?xml") || line.starts_with("<graphml")),
        ("triple_lists", line.starts_with("['") || line.starts_with("[\"")),
        ("jsonl", line.starts_with('{') && line.ends_with('}') && line.len() > 2),
        // Lines of JSON are told by their ending where the first of them is broken.
        ("grbench", line.starts_with('{') && !matches!(ending.as_str(), "jsonl" | "ndjson")),
        ("turtle", (line.starts_with("@prefix") || line.starts_with("PREFIX")) && ending != "trig"),
        ("ntriples", line.starts_with(['<', '_']) && line.ends_with('.') && !of_rdf),
    ];
    let by_start = by_start.into_iter().find(|(_, it_is)| *it_is).and_then(|(id, _)| find(id));
    // JSON that is of no knowledge graph, and whatever another program marks as its own.
    let is_grbench = start.starts_with('{') && beginning(start).contains("_nodes\"");
    let is_open = matches!(by_start, None | Some(Format { id: "grbench" | "jsonl", .. }));
    // A name of its own says which format was meant, but `.json`, which many are called.
    let is_called = FORMATS.iter().any(|f| {
        f.endings.contains(&ending.as_str())
            && !["grbench", "jsonl", "triple_lists"].contains(&f.id)
    });
    let is_bars = by_start.is_none() && line.matches('|').count() == 2;
    if is_open && !is_grbench && !is_called && !is_bars && plain::is_it(text) {
        return Some(&plain::FORMAT);
    }
    // Tabs in a file that is called `.csv`.
    let n_tabs = line.matches('\t').count();
    let has_as_many = |line: &str| line.is_empty() || line.matches('\t').count() == n_tabs;
    if by_start.is_none() && n_tabs >= 2 && start.lines().take(20).all(has_as_many) {
        return find("tsv");
    }
    by_start
        .or_else(|| {
            FORMATS.iter().find(|f| f.endings.contains(&ending.as_str()) && f.id != "triple_lists")
        })
        .or_else(|| find("tsv").filter(|_| line.contains('\t')))
        .or_else(|| find("bars").filter(|_| is_bars))
        .or_else(|| find("csv").filter(|_| line.contains(',')))
}

/// The most bytes of a table that show what its columns are.
pub const TABLE_HEAD: usize = 1 << 16;

/// Why a text cannot be read without a person who says what its columns are, if it is a table of which
/// neither a heading nor the rows say it; the error has the first rows, and [`read_table`] takes the answer.
/// The first [`TABLE_HEAD`] bytes of the text decide.
pub fn unknown_table(file_name: &str, text: &str) -> Option<FormatError> {
    let head = &text[..text.floor_char_boundary(TABLE_HEAD)];
    // Its last row may be cut.
    let end = head.rfind('\n').filter(|_| head.len() + 4 > TABLE_HEAD);
    let head = &head[..end.unwrap_or(head.len())];
    triples::unknown(head, sniff(file_name, head)?)
}

/// Reads a table with the columns that a person named.
///
/// # Errors
/// There is no such column, or none for an end of an edge.
pub fn read_table(
    text: &str,
    columns: &TableColumns,
    into: &mut KgBuilder,
) -> Result<Faults, FormatError> {
    triples::read_chosen(text, columns, into)
}

/// Reads line by line, empty lines left out. A line gives whether it says anything of a graph, or
/// its column and what is wrong. `what` the file should be is said where there are too many such lines.
fn line_faults<'a>(
    text: &'a str,
    what: &str,
    mut line: impl FnMut(&'a str) -> Result<bool, (usize, String)>,
) -> Faults {
    let mut faults = Faults::default();
    let text = text.trim_start_matches('\u{feff}');
    for (i, text) in text.lines().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        match line(text) {
            Ok(says) => faults.n_read += usize::from(says),
            Err((column, message)) => {
                faults.add(i + 1, column, message);
                if faults.are_too_many(what, i + 1) {
                    break;
                }
            }
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
