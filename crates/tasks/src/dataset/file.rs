//! One file of NLGraph: `{"key": {"question", "answer", "difficulty"}}`.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::{Difficulty, Problem, Style, Wording, reference_text, solve};

/// The largest file that is read, in bytes.
pub const MAX_DATASET_BYTES: usize = 200_000_000;
/// The most problems that a file may have.
const MAX_ENTRIES: usize = 1_000_000;

/// One problem of a file, not parsed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetEntry {
    /// Its key in the file.
    #[serde(default, skip_serializing)]
    pub key: String,
    /// The question, in the benchmark's words.
    pub question: String,
    /// The reference answer; may be empty.
    pub answer: String,
    /// `easy`, `medium` or `hard`; files may leave it out.
    #[serde(default)]
    pub difficulty: Option<String>,
}

impl DatasetEntry {
    /// Its level, if that is one we know.
    pub fn level(&self) -> Option<Difficulty> {
        self.difficulty.as_deref().and_then(Difficulty::from_name)
    }
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// The text ends in the middle.
    #[error(
        "the file ends at byte {byte} (line {line}) in the middle of problem {} \
         ({n_read} came before it whole); it seems cut off, so fetch it again", n_read + 1
    )]
    Truncated {
        /// How many bytes there are.
        byte: usize,
        /// The last line, from 1.
        line: usize,
        /// How many problems are whole.
        n_read: usize,
    },
    /// The text is JSON of another shape, or no JSON.
    #[error(
        "line {line}, column {column}, after {n_read} problems: {message}; expected \
         {{\"key\": {{\"question\": …, \"answer\": …, \"difficulty\": …}}, …}}"
    )]
    Invalid {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// How many problems are whole.
        n_read: usize,
        /// What is wrong, with line and column.
        message: String,
    },
    /// The file is empty.
    #[error("the file is empty; expected {{\"key\": {{\"question\": …, \"answer\": …}}, …}}")]
    Empty,
    /// The file is larger than we read.
    #[error("the file has {found} {what}; at most {limit} are read")]
    TooLarge {
        /// What there is too much of: bytes or problems.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are allowed.
        limit: usize,
    },
}

/// Reads a file, keeping its order. Unknown fields are passed over.
///
/// # Errors
/// What is wrong and where, and how many problems came before it.
pub fn parse(text: &str) -> Result<Vec<DatasetEntry>, DatasetError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.len() > MAX_DATASET_BYTES {
        let (found, limit) = (text.len(), MAX_DATASET_BYTES);
        return Err(DatasetError::TooLarge { what: "bytes", found, limit });
    }
    if text.trim().is_empty() {
        return Err(DatasetError::Empty);
    }
    let n_read = Cell::new(0);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let entries = Entries { n_read: &n_read }
        .deserialize(&mut deserializer)
        .and_then(|entries| deserializer.end().map(|()| entries));
    entries.map_err(|error| {
        let n_read = n_read.get();
        if n_read >= MAX_ENTRIES {
            let limit = MAX_ENTRIES;
            return DatasetError::TooLarge { what: "problems", found: n_read + 1, limit };
        }
        if error.is_eof() {
            let line = text.lines().count();
            return DatasetError::Truncated { byte: text.len(), line, n_read };
        }
        // The place stands in fields of its own.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        DatasetError::Invalid { line: error.line(), column: error.column().max(1), n_read, message }
    })
}

struct Entries<'a> {
    n_read: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = Vec<DatasetEntry>;
    fn deserialize<D: serde::Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = Vec<DatasetEntry>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of problems")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if entries.len() >= MAX_ENTRIES {
                return Err(serde::de::Error::custom("too many problems"));
            }
            let mut entry: DatasetEntry = map.next_value()?;
            entry.key = key;
            entries.push(entry);
            self.n_read.set(entries.len());
        }
        Ok(entries)
    }
}

/// A problem in the shape of NLGraph's files, with our solution in the reference's wording.
pub fn entry_json(problem: &Problem, key: String) -> DatasetEntry {
    DatasetEntry {
        key,
        question: problem.question(Wording::Benchmark, Style::ZeroShot),
        answer: reference_text(problem, &solve(problem)),
        difficulty: problem.difficulty.map(|d| d.as_str().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_other_fields_are_passed_over() {
        let text = r#"{"9": {"question": "q", "answer": "a", "difficulty": "easy", "x": [1]},
                       "2": {"question": "r", "answer": "b"}}"#;
        let entries = parse(text).unwrap();
        assert_eq!(entries.iter().map(|e| e.key.as_str()).collect::<Vec<_>>(), ["9", "2"]);
        assert_eq!(entries[0].level(), Some(Difficulty::Easy));
    }

    #[test]
    fn errors_say_where_and_how_far_it_was_good() {
        let text = "{\"0\": {\"question\": \"q\", \"answer\": \"a\"},\n \"1\": {\"question\": \"";
        let error = parse(text).unwrap_err();
        assert_eq!(error, DatasetError::Truncated { byte: text.len(), line: 2, n_read: 1 });
        let error = parse("[1, 2]").unwrap_err().to_string();
        assert!(error.starts_with("line 1, column 1, after 0 problems"), "{error}");
        assert_eq!(parse(" "), Err(DatasetError::Empty));
    }
}
