//! Files of knowledge graphs.
//!
//! [`FORMATS`] lists them. A reader takes a file line by line where the format has lines, and tells
//! what it could not read instead of stopping at it: whoever asked decides.

mod jsonl;

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
    /// Reads a file into a graph.
    pub read: fn(text: &str, into: &mut KgBuilder) -> Faults,
    /// Writes a graph.
    pub write: fn(&Kg) -> String,
}

/// Every format.
pub static FORMATS: &[Format] = &[jsonl::FORMAT];

/// The format of that id.
pub fn find(id: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.id == id)
}

/// One place of a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
