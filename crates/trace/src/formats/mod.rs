//! Traces in files: our own format and those of others.
//!
//! Every format reads and writes a list of [`Record`]s. What a format has no place for is left out
//! on the way there; what it has and we have no word for is kept in [`Record::metadata`], or left out
//! and named in [`Opened::notes`].

mod atif;
mod inspect;
mod json;
mod messages;
mod moment;
mod openai;
mod otel;
mod own;
mod parts;
mod report;
mod turn;

use serde_json::Value;

use crate::Record;
use report::Report;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 200_000_000;
/// The most steps of one trace that are read.
pub const MAX_STEPS: usize = 1_000_000;

/// Why a file of traces could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Not JSON at all.
    #[error("{place} is not JSON: {reason}")]
    NotJson {
        /// The file, or which line of it.
        place: String,
        /// What the parser said, with line and column.
        reason: String,
    },
    /// JSON, but not of that shape.
    #[error("{place} has no {missing}, which {format} must have")]
    Shape {
        /// Where in the file.
        place: String,
        /// What was looked for.
        missing: String,
        /// The id of the format.
        format: &'static str,
    },
    /// Written by a later version of this program.
    #[error(
        "this file has version {found} of our format, and this program reads versions 1 to \
         {newest}; open it with a newer Graphground"
    )]
    Newer {
        /// The version that the file says.
        found: u64,
        /// The newest version that this program reads.
        newest: u32,
    },
    /// Larger than anything that is read.
    #[error("the file has {found} {unit}; the limit is {limit}")]
    TooLarge {
        /// How many it has.
        found: usize,
        /// The unit of what there is too much of, such as bytes.
        unit: &'static str,
        /// How many are read.
        limit: usize,
    },
    /// None of the formats.
    #[error("this is no trace in a format that is known: {known}. It starts with {start:?}")]
    Unknown {
        /// The ids of the formats that there are.
        known: String,
        /// The first characters of the file.
        start: String,
    },
}

/// A file format for traces.
#[derive(Clone, Copy)]
pub struct Format {
    /// A stable id, as `--to` takes it: `inspect`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What a file's name ends with.
    pub extension: &'static str,
    /// One sentence for people: who reads it, and what it has no place for.
    pub lede: &'static str,
    /// Reads all records of a file's values; what it leaves out it counts.
    take: fn(Vec<Value>, &mut Report) -> Result<Vec<Record>, FormatError>,
    /// Writes records as one file.
    pub write: fn(&[Record]) -> String,
    /// Whether a JSON value, the file or its first line, looks like it.
    is_it: fn(&Value) -> bool,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Format").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Every format, our own first.
pub static FORMATS: &[Format] =
    &[own::FORMAT, openai::FORMAT, inspect::FORMAT, otel::FORMAT, atif::FORMAT];

/// Id and title of every format, for who only names them: a list of functions would bring all the
/// readers and writers with it.
pub const TITLES: [(&str, &str); 5] = [
    ("graphground", "Graphground trace"),
    ("openai", "OpenAI messages (JSON lines)"),
    ("inspect", "Inspect log"),
    ("otel", "OpenTelemetry GenAI (OTLP/JSON)"),
    ("atif", "ATIF trajectory"),
];

/// A moment in milliseconds since 1970 as RFC 3339 text, in UTC.
pub fn moment(ms: f64) -> String {
    moment::write(ms)
}

/// The format of that id.
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

/// A file of traces, as it was read.
#[derive(Debug)]
pub struct Opened {
    /// Its format.
    pub format: &'static Format,
    /// Its traces.
    pub records: Vec<Record>,
    /// What was left out and what the file does not say, each in a line for people.
    pub notes: Vec<String>,
}

/// How many values of a file are looked at to know its format: some programs begin a file of lines
/// with lines of another kind.
const SNIFFED: usize = 50;

/// Reads a file in whichever format it is.
///
/// # Errors
/// None of the formats, or its format's error.
pub fn open(text: &str) -> Result<Opened, FormatError> {
    check_size(text)?;
    if let Some(records) = own::read_at_once(text) {
        return Ok(Opened { format: &FORMATS[0], records, notes: Vec::new() });
    }
    let mut report = Report::default();
    let values = json::values(text, &mut report)?;
    let format = format_of(&values, text)?;
    let records = (format.take)(values, &mut report)?;
    Ok(Opened { format, records, notes: report.notes() })
}

/// Which format a file is in.
///
/// # Errors
/// None of them.
pub fn sniff(text: &str) -> Result<&'static Format, FormatError> {
    check_size(text)?;
    format_of(&json::values(text, &mut Report::default())?, text)
}

fn format_of(values: &[Value], text: &str) -> Result<&'static Format, FormatError> {
    let is_it = |format: &&Format| values.iter().take(SNIFFED).any(|value| (format.is_it)(value));
    FORMATS.iter().find(is_it).ok_or_else(|| FormatError::Unknown {
        known: FORMATS.iter().map(|f| f.title).collect::<Vec<_>>().join(", "),
        start: text.trim_start().chars().take(60).collect(),
    })
}

/// Reads a file in whichever format it is, for who needs no notes.
///
/// # Errors
/// As for [`open`].
pub fn read(text: &str) -> Result<(&'static Format, Vec<Record>), FormatError> {
    open(text).map(|opened| (opened.format, opened.records))
}

impl Format {
    /// Reads all records of a file; an error says where the file is wrong.
    ///
    /// # Errors
    /// The file is not JSON, or not of this format.
    pub fn read(&self, text: &str) -> Result<Vec<Record>, FormatError> {
        check_size(text)?;
        let mut report = Report::default();
        (self.take)(json::values(text, &mut report)?, &mut report)
    }
}

fn check_size(text: &str) -> Result<(), FormatError> {
    if text.len() > MAX_BYTES {
        return Err(FormatError::TooLarge { found: text.len(), unit: "bytes", limit: MAX_BYTES });
    }
    Ok(())
}
