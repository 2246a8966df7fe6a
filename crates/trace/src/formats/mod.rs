//! Traces in files: our own format and those of others.
//!
//! Every format reads and writes a list of [`Record`]s. What a format has no place for is left out
//! on the way there; what it has and we have no word for is kept in [`Record::metadata`].

mod atif;
mod inspect;
mod moment;
mod openai;
mod otel;
mod own;
mod parts;

use serde_json::Value;

use crate::Record;

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
    /// Reads all records of a file; an error says where the file is wrong.
    pub read: fn(&str) -> Result<Vec<Record>, FormatError>,
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

/// Reads a file in whichever format it is.
///
/// # Errors
/// None of the formats, or its format's error.
pub fn read(text: &str) -> Result<(&'static Format, Vec<Record>), FormatError> {
    if text.len() <= MAX_BYTES
        && let Some(records) = own::read_at_once(text)
    {
        return Ok((&FORMATS[0], records));
    }
    let format = sniff(text)?;
    Ok((format, (format.read)(text)?))
}

/// Which format a file is in.
///
/// # Errors
/// None of them.
pub fn sniff(text: &str) -> Result<&'static Format, FormatError> {
    if text.len() > MAX_BYTES {
        return Err(FormatError::TooLarge { found: text.len(), unit: "bytes", limit: MAX_BYTES });
    }
    let whole = parts::json(text, "the file");
    let value = match whole {
        Ok(value) => value,
        // Several lines of JSON are one value each.
        Err(error) => match text.trim_start().lines().next().map(|l| parts::json(l, "line 1")) {
            Some(Ok(value)) if value.is_object() => value,
            _ => return Err(error),
        },
    };
    FORMATS.iter().find(|f| (f.is_it)(&value)).ok_or_else(|| FormatError::Unknown {
        known: FORMATS.iter().map(|f| f.title).collect::<Vec<_>>().join(", "),
        start: text.trim_start().chars().take(60).collect(),
    })
}
