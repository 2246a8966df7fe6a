//! What a reader did not take from a file, and what the file does not say.

use std::collections::BTreeMap;

use super::FormatError;

/// The most kinds of things that are named one by one.
const MAX_KINDS: usize = 20;
/// The most characters of a name that a file gives.
const MAX_NAME: usize = 60;

/// Counts what is left out while a file is read.
#[derive(Debug, Default)]
pub(super) struct Report {
    left_out: BTreeMap<(&'static str, String), usize>,
    bad_lines: usize,
    first_bad_line: String,
    unknown_endings: usize,
}

impl Report {
    /// One thing of that kind was left out; `name` is what the file calls it.
    pub(super) fn left_out(&mut self, kind: &'static str, name: &str) {
        let name: String = name.chars().take(MAX_NAME).collect();
        let key = (kind, name);
        let key = if self.left_out.len() < MAX_KINDS || self.left_out.contains_key(&key) {
            key
        } else {
            ("other things", String::new())
        };
        *self.left_out.entry(key).or_default() += 1;
    }

    /// A line is no JSON.
    pub(super) fn bad_line(&mut self, error: &FormatError) {
        if self.bad_lines == 0 {
            self.first_bad_line = error.to_string();
        }
        self.bad_lines += 1;
    }

    /// A trace ends with a text, and the file does not say why.
    pub(super) fn unknown_ending(&mut self) {
        self.unknown_endings += 1;
    }

    /// The notes for people, each a line.
    pub(super) fn notes(self) -> Vec<String> {
        let mut notes = Vec::new();
        match self.bad_lines {
            0 => {}
            1 => notes.push(format!("left out: {}", self.first_bad_line)),
            n => notes.push(format!(
                "left out: {n} lines that are not JSON; the first: {}",
                self.first_bad_line
            )),
        }
        notes.extend(self.left_out.into_iter().map(|((kind, name), n)| {
            let name = if name.is_empty() { String::new() } else { format!(" {name:?}") };
            format!("left out: {kind}{name} ({n})")
        }));
        if self.unknown_endings > 0 {
            notes.push(format!(
                "the file does not say why the last turn ended; its text counts as the answer \
                 ({})",
                self.unknown_endings
            ));
        }
        notes
    }
}
