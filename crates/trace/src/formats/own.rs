//! Our own format: everything that a trace has.

use serde::Deserialize;
use serde_json::{Value, json};

use super::report::Report;
use super::{Format, FormatError, parts};
use crate::{Record, Trace, VERSION};

pub(super) const FORMAT: Format = Format {
    id: "graphground",
    title: "Graphground trace",
    extensions: &["trace.json"],
    reads: "everything, in versions 1 and 2",
    loses: "nothing",
    keeps: "everything, with what each call did to the graph",
    take: read,
    write: Some(write),
    is_it,
};

const NAME: &str = "graphground.trace";

fn is_it(value: &Value) -> bool {
    value.get("format").is_some_and(|f| f == NAME)
        || (value.get("version").is_some_and(Value::is_u64)
            && value.get("prompt").is_some()
            && value.get("steps").is_some())
}

pub(super) fn write(records: &[Record]) -> String {
    serde_json::to_string(&json!({ "format": NAME, "version": VERSION, "records": records }))
        .unwrap_or_default()
}

/// A file of this version, read in one go.
#[derive(Deserialize)]
struct File {
    format: String,
    version: u32,
    records: Vec<Record>,
}

/// Reads a file that this version wrote without the detour over a tree of values, which takes most
/// of the time for a long trace. Whatever does not fit is left to [`read`], which says why.
pub(super) fn read_at_once(text: &str) -> Option<Vec<Record>> {
    let start = text.get(..text.len().min(200)).unwrap_or_default();
    if !start.contains(NAME) {
        return None;
    }
    let file: File = serde_json::from_str(text).ok()?;
    (file.format == NAME && file.version == VERSION).then_some(file.records)
}

fn read(values: Vec<Value>, _: &mut Report) -> Result<Vec<Record>, FormatError> {
    let mut records = Vec::new();
    for value in values {
        records.extend(records_of(value)?);
    }
    Ok(records)
}

fn records_of(value: Value) -> Result<Vec<Record>, FormatError> {
    let found = value.get("version").and_then(Value::as_u64).unwrap_or(1);
    if found > u64::from(VERSION) {
        return Err(FormatError::Newer { found, newest: VERSION });
    }
    // Version 1 was a bare trace.
    let Some(records) = value.get("records") else {
        return Ok(vec![Record::of(trace(value, "the file")?)]);
    };
    let records = records
        .as_array()
        .ok_or_else(|| parts::missing("the file", "list `records`", "our format"))?;
    records
        .iter()
        .enumerate()
        .map(|(i, record)| {
            let place = format!("record {}", i + 1);
            serde_json::from_value::<Record>(record.clone())
                .map(|mut r| {
                    r.trace.version = VERSION;
                    r
                })
                .map_err(|e| FormatError::NotJson { place, reason: format!("a record: {e}") })
        })
        .collect()
}

fn trace(value: Value, place: &str) -> Result<Trace, FormatError> {
    let mut trace: Trace = serde_json::from_value(value).map_err(|e| FormatError::NotJson {
        place: place.to_owned(),
        reason: format!("a trace: {e}"),
    })?;
    trace.version = VERSION;
    Ok(trace)
}
