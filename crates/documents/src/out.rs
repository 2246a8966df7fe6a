//! Text that is written until it is long enough.

use crate::{Document, DocumentKind, DocumentLimits};

/// How many notes a document has at most.
const NOTES: usize = 20;

/// Markdown as it grows: it takes up to a limit and drops what comes after, so that nothing that
/// writes has to count.
#[derive(Debug)]
pub(crate) struct Out {
    text: String,
    limit: usize,
    is_full: bool,
    is_cut: bool,
    notes: Vec<String>,
}

impl Out {
    /// Nothing yet, at most `limits.text_bytes` long.
    pub(crate) fn new(limits: &DocumentLimits) -> Self {
        Self {
            text: String::new(),
            limit: limits.text_bytes,
            is_full: false,
            is_cut: false,
            notes: Vec::new(),
        }
    }

    /// Whether more would be dropped: who writes may stop.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// How many bytes may still come.
    pub(crate) fn room(&self) -> usize {
        self.limit.saturating_sub(self.text.len())
    }

    /// Appends a text. In time that grows with what is kept of it.
    pub(crate) fn push(&mut self, text: &str) {
        if self.is_full {
            return;
        }
        if text.len() <= self.room() {
            self.text.push_str(text);
        } else {
            let mut end = self.room();
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            self.text.push_str(&text[..end]);
            self.is_full = true;
            self.is_cut = true;
        }
    }

    /// Appends a line.
    pub(crate) fn line(&mut self, text: &str) {
        self.push(text);
        self.push("\n");
    }

    /// Ends the line and leaves an empty one, unless nothing stands here yet.
    pub(crate) fn gap(&mut self) {
        if self.text.is_empty() || self.is_full || self.text.ends_with("\n\n") {
            return;
        }
        self.push(if self.text.ends_with('\n') { "\n" } else { "\n\n" });
    }

    /// Appends a heading of a level from 1 to 6, with empty lines around it.
    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        self.gap();
        self.push(&"#".repeat(level.clamp(1, 6)));
        self.push(" ");
        self.line(&one_line(text));
        self.gap();
    }

    /// Appends a paragraph, with empty lines around it.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.gap();
        self.line(text.trim_end());
        self.gap();
    }

    /// Says something about how the file was read, once.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.notes.len() < NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Says that something was left out: the document counts as cut.
    pub(crate) fn leave_out(&mut self, note: impl Into<String>) {
        self.note(note);
        self.is_cut = true;
    }

    /// Appends what was written elsewhere, its notes with their place before them.
    pub(crate) fn append(&mut self, other: Self, place: &str) {
        self.push(other.text.trim_end());
        self.push("\n");
        self.is_full |= other.is_full;
        self.is_cut |= other.is_cut;
        for note in other.notes {
            self.note(format!("{place}: {note}"));
        }
    }

    /// The document, cut at the end of a line.
    pub(crate) fn finish(mut self, kind: DocumentKind) -> Document {
        if self.is_full {
            if let Some(end) = self.text.rfind('\n') {
                self.text.truncate(end + 1);
            }
            let note = format!(
                "The text was cut after {} bytes: what comes later in the file is not in it.",
                thousands(self.text.len())
            );
            self.notes.insert(0, note);
        }
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        if !self.text.is_empty() && end < self.limit {
            self.text.push('\n');
        }
        Document { kind, markdown: self.text, is_cut: self.is_cut, notes: self.notes }
    }
}

/// A text without line breaks, and with one space where there was any white space.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// A count with commas between thousands, for people.
pub(crate) fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
