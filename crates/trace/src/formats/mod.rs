//! Traces in files: our own format and those of others.
//!
//! A file is taken for a format by that format's own sign alone; what shows none is refused. Every
//! format reads a list of [`Record`]s. What was said, called and answered is in their traces; what
//! else a file has is kept in [`Record::metadata`], or counted in [`Opened::notes`].

mod agents;
mod archive;
mod atif;
mod chats;
mod inspect;
mod json;
mod langfuse;
mod langsmith;
mod messages;
mod moment;
mod openai;
mod otel;
mod own;
mod parts;
mod report;
mod spans;
mod turn;

use std::borrow::Cow;
use std::collections::HashMap;

use graph::formats::ReadNotes;
use serde_json::Value;

use crate::Record;
use archive::Archive;
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
    /// A zip that cannot be opened, or has no traces in it.
    #[error("the archive cannot be read: {reason}")]
    Archive {
        /// What is wrong, and in which file of it.
        reason: String,
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
    /// What a file's name ends with, the usual one first.
    pub extensions: &'static [&'static str],
    /// What of a file is read.
    pub reads: &'static str,
    /// What a file may have that no trace here has; notes count it where it was met.
    pub loses: &'static str,
    /// What survives writing and reading again; empty where it is not written.
    pub keeps: &'static str,
    /// Reads all records of a file's values; what it leaves out it counts.
    take: fn(Vec<Value>, &mut Report) -> Result<Vec<Record>, FormatError>,
    /// Writes records as one file, where the format is written.
    pub write: Option<fn(&[Record]) -> String>,
    /// Whether a JSON value, the file or its first line, shows the format's sign.
    is_it: fn(&Value) -> bool,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Format").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Every format, our own first, in the order in which their signs are looked for.
pub static FORMATS: &[Format] = &[
    own::FORMAT,
    inspect::FORMAT,
    otel::FORMAT,
    atif::FORMAT,
    langfuse::FORMAT,
    langsmith::FORMAT,
    agents::FORMAT,
    chats::FORMAT,
    openai::FORMAT,
];

/// Id and title of every format that is written, for who only names them: a list of functions would
/// bring all the readers and writers with it.
pub const TITLES: [(&str, &str); 5] = [
    ("graphground", "Graphground trace"),
    ("inspect", "Inspect log"),
    ("otel", "OpenTelemetry GenAI (OTLP/JSON)"),
    ("atif", "ATIF trajectory"),
    ("openai", "OpenAI messages (JSON lines)"),
];

/// A moment in milliseconds since 1970 as RFC 3339 text, in UTC.
pub fn moment(ms: f64) -> String {
    moment::write(ms)
}

/// The format of that id.
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

/// Writes records in the format of that id.
///
/// # Errors
/// There is no such format, or it is only read; the error lists those that are written.
pub fn write(id: &str, records: &[Record]) -> Result<(&'static Format, String), String> {
    match find(id).and_then(|format| Some((format, format.write?))) {
        Some((format, write)) => Ok((format, write(records))),
        None => {
            let ids = TITLES.map(|(id, _)| id).join(", ");
            Err(format!("no format {id:?} is written; there are {ids}"))
        }
    }
}

/// Writes records in our own format.
pub fn write_own(records: &[Record]) -> String {
    own::write(records)
}

/// A file of traces, as it was read.
#[derive(Debug)]
pub struct Opened {
    /// Its format.
    pub format: &'static Format,
    /// Its traces.
    pub records: Vec<Record>,
    /// What of the file the traces do not show, and what could not be read.
    pub notes: ReadNotes,
}

/// How many values of a file are looked at to know its format: some programs begin a file of lines
/// with lines of another kind.
const SNIFFED: usize = 50;

/// Reads a file in whichever format it is: JSON in one value or many, or a zip of such files.
///
/// # Errors
/// None of the formats, or its format's error.
pub fn open(bytes: &[u8]) -> Result<Opened, FormatError> {
    check_size(bytes)?;
    let mut report = Report::default();
    if archive::is_archive(bytes) {
        return open_archive(&Archive::open(bytes)?, report);
    }
    let text = text_in(bytes, &mut report);
    if let Some(records) = own::read_at_once(&text) {
        return Ok(Opened { format: &FORMATS[0], records, notes: ReadNotes::default() });
    }
    let values = json::values(&text, &mut report)?;
    let format = format_of(&values).ok_or_else(|| unknown(&text))?;
    let records = with_ids((format.take)(values, &mut report)?);
    Ok(Opened { format, records, notes: report.finish() })
}

/// The records that could be read, and a note of each that could not; an error where none could.
fn readable(
    all: Vec<Result<Record, FormatError>>,
    report: &mut Report,
) -> Result<Vec<Record>, FormatError> {
    let mut records = Vec::new();
    let mut first = None;
    for read in all {
        match read {
            Ok(record) => records.push(record),
            Err(error) => {
                report.fault(error.to_string());
                first.get_or_insert(error);
            }
        }
    }
    match first {
        Some(error) if records.is_empty() => Err(error),
        _ => Ok(records),
    }
}

/// Ids that are unique: what comes again gets a number.
fn with_ids(mut records: Vec<Record>) -> Vec<Record> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for record in &mut records {
        let n = counts.entry(record.id.clone()).or_default();
        *n += 1;
        if *n > 1 {
            record.id = format!("{} ({n})", record.id);
        }
    }
    records
}

/// Reads the traces of an archive: an Inspect log, or the files that are in the format of the first
/// one that is known.
fn open_archive(archive: &Archive<'_>, mut report: Report) -> Result<Opened, FormatError> {
    if let Some(records) = inspect::read_archive(archive, &mut report)? {
        let (format, records) = (&inspect::FORMAT, with_ids(records));
        return Ok(Opened { format, records, notes: report.finish() });
    }
    let mut found: Option<(&Format, Vec<Value>)> = None;
    let is_json = |path: &&str| [".json", ".jsonl", ".ndjson"].iter().any(|e| path.ends_with(e));
    for path in archive.paths() {
        let values = if is_json(&path) {
            let text = archive.text(path)?;
            json::values(&text, &mut report).unwrap_or_default()
        } else {
            Vec::new()
        };
        match (format_of(&values), &mut found) {
            (Some(format), None) => found = Some((format, values)),
            (Some(format), Some((first, all))) if first.id == format.id => all.extend(values),
            _ => report.left_out("file| of the archive", path),
        }
    }
    let Some((format, values)) = found else {
        let reason = "there is no file of traces in it".to_owned();
        return Err(FormatError::Archive { reason });
    };
    let records = with_ids((format.take)(values, &mut report)?);
    Ok(Opened { format, records, notes: report.finish() })
}

/// Bytes as text, and whether some of them were none.
fn text_of(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        (Cow::Owned(text), false)
    };
    match bytes {
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        _ => match String::from_utf8_lossy(bytes) {
            Cow::Borrowed(text) => (Cow::Borrowed(text), false),
            Cow::Owned(text) => (Cow::Owned(text), true),
        },
    }
}

fn text_in<'a>(bytes: &'a [u8], report: &mut Report) -> Cow<'a, str> {
    let (text, is_damaged) = text_of(bytes);
    if is_damaged {
        report.changed("bytes that are no UTF-8 into U+FFFD", "");
    }
    text
}

/// Which format a file is in.
///
/// # Errors
/// None of them.
pub fn sniff(text: &str) -> Result<&'static Format, FormatError> {
    check_size(text.as_bytes())?;
    format_of(&json::values(text, &mut Report::default())?).ok_or_else(|| unknown(text))
}

fn format_of(values: &[Value]) -> Option<&'static Format> {
    let is_it = |format: &&Format| values.iter().take(SNIFFED).any(|value| (format.is_it)(value));
    FORMATS.iter().find(is_it)
}

fn unknown(text: &str) -> FormatError {
    FormatError::Unknown {
        known: FORMATS.iter().map(|f| f.title).collect::<Vec<_>>().join(", "),
        start: text.trim_start().chars().take(60).collect(),
    }
}

/// Reads a text in whichever format it is, for who needs no notes.
///
/// # Errors
/// As for [`open`].
pub fn read(text: &str) -> Result<(&'static Format, Vec<Record>), FormatError> {
    open(text.as_bytes()).map(|opened| (opened.format, opened.records))
}

impl Format {
    /// Reads all records of a file; an error says where the file is wrong.
    ///
    /// # Errors
    /// The file is not JSON, or not of this format.
    pub fn read(&self, text: &str) -> Result<Vec<Record>, FormatError> {
        check_size(text.as_bytes())?;
        let mut report = Report::default();
        (self.take)(json::values(text, &mut report)?, &mut report)
    }
}

fn check_size(bytes: &[u8]) -> Result<(), FormatError> {
    if bytes.len() > MAX_BYTES {
        return Err(FormatError::TooLarge { found: bytes.len(), unit: "bytes", limit: MAX_BYTES });
    }
    Ok(())
}
