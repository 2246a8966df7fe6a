//! What of a file could not be read.

use super::Format;

/// The most faults that are kept of one file; all that were met are counted.
pub const MAX_FAULTS: usize = 100;
/// After so many faults a reader gives up: a file of its format that was spoiled here and there has
/// fewer, and a file of another format has no end of them.
pub const ENOUGH_FAULTS: usize = 1000;
/// The most characters of a message: some quote what they found, which may be the whole file.
const MAX_MESSAGE: usize = 300;

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
    /// How many faults there are.
    pub n: usize,
    /// How many nodes, edges and statements of others could be read.
    pub n_read: usize,
    /// The first [`MAX_FAULTS`] faults.
    pub first: Vec<Fault>,
    /// What the graph does not show of what could be read, for people.
    pub notes: Vec<String>,
    /// Why the reader stopped before the end of the file, if it did: then the file is most likely
    /// of another format, and what was read of it is not worth having.
    pub gave_up: Option<String>,
}

impl Faults {
    /// Counts a fault, and keeps its place if it is among the first. Lines and columns count from 1.
    pub fn add(&mut self, line: usize, column: usize, message: impl Into<String>) {
        self.n += 1;
        if self.first.len() < MAX_FAULTS {
            let mut message = message.into();
            if let Some((at, _)) = message.char_indices().nth(MAX_MESSAGE) {
                message.truncate(at);
                message.push('…');
            }
            self.first.push(Fault { line, column, message });
        }
    }

    /// Says what the graph does not show of the file.
    pub(super) fn note(&mut self, words: String) {
        self.notes.push(words);
    }

    /// Why a file of that format is not to be taken, if it is not: the reader gave up, or more of
    /// the file is faulty than not. A file that says nothing at all may belong to others that do.
    pub fn refusal(&self, format: &Format) -> Option<String> {
        let why = match &self.gave_up {
            Some(why) => why.clone(),
            None if self.n > self.n_read => {
                format!("{} places could not be read, and {} could", self.n, self.n_read)
            }
            None => return None,
        };
        let first = self.first.first().map(|f| format!("; the first fault is {f}"));
        Some(format!("{why}{}; {}", first.unwrap_or_default(), format.expected()))
    }

    /// Whether everything could be read.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Whether a reader of `what` is to stop here, and if so says why.
    pub(super) fn are_too_many(&mut self, what: &str, line: usize) -> bool {
        if self.n >= ENOUGH_FAULTS {
            self.give_up(what, line, "1,000 faults");
        }
        self.gave_up.is_some()
    }

    /// Says that the rest of the file is not read, and why.
    pub(super) fn give_up(&mut self, what: &str, line: usize, after: &str) {
        let place = if line == 0 { String::new() } else { format!(" in line {line}") };
        self.gave_up = Some(format!("this is no {what}: gave up after {after}{place}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_quotes_a_whole_file_is_cut() {
        let mut faults = Faults::default();
        faults.add(1, 1, "ä".repeat(10_000));
        assert_eq!(faults.first[0].message.chars().count(), MAX_MESSAGE + 1);
        assert!(faults.first[0].message.ends_with('…'));
    }

    #[test]
    fn a_reader_gives_up_at_the_thousandth_fault_and_not_before() {
        let mut faults = Faults::default();
        for i in 1..ENOUGH_FAULTS {
            faults.add(i, 1, "x");
            assert!(!faults.are_too_many("Turtle", i));
        }
        faults.add(1000, 1, "x");
        assert!(faults.are_too_many("Turtle", 1000));
        let said = faults.gave_up.unwrap();
        assert_eq!(said, "this is no Turtle: gave up after 1,000 faults in line 1000");
    }
}
