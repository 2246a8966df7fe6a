//! What a reader did to a file that its graph does not show.

use std::borrow::Cow;
use std::fmt;

use super::FormatError;

/// The most different notes on one file; the rest is counted.
const MAX_NOTES: usize = 40;
/// The most records of one file whose faults are kept; all that were met are counted.
const MAX_FAULTS: usize = 20;
/// After so many faults a file that has little else is of another format.
const ENOUGH_FAULTS: usize = 10;
/// The most characters of a name from the file in a note.
const MAX_NAME: usize = 40;

/// What happened to a part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// It is not in the graph.
    Dropped,
    /// Several became one.
    Merged,
    /// The file does not say it, so the format's default or ours was taken.
    Defaulted,
    /// It is in the graph in another form.
    Turned,
}

impl NoteKind {
    /// How a note of it begins.
    pub fn lead(self) -> &'static str {
        match self {
            Self::Dropped => "left out",
            Self::Merged => "merged",
            Self::Defaulted => "assumed",
            Self::Turned => "changed",
        }
    }
}

/// A place in a file: a line, or the number of an item in a list of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// From 1.
    Line(usize),
    /// The name of the list, and the place in it from 0.
    Item(&'static str, usize),
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Item(list, i) => write!(f, "{list}[{i}]"),
        }
    }
}

/// One thing that was done to a file, however often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadNote {
    /// What was done.
    pub kind: NoteKind,
    /// To what; `|` is where a plural has its s.
    what: Cow<'static, str>,
    /// What the file calls it; may be empty.
    name: String,
    /// How often; 0 for something that holds for the whole file.
    pub n: usize,
    /// Where first.
    pub first: Option<FilePlace>,
}

impl fmt::Display for ReadNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.kind.lead())?;
        if self.n > 0 {
            write!(f, "{} ", self.n)?;
        }
        f.write_str(&self.what.replacen('|', if self.n == 1 { "" } else { "s" }, 1))?;
        if !self.name.is_empty() {
            write!(f, " `{}`", self.name)?;
        }
        match self.first {
            Some(place) if self.n == 1 => write!(f, " ({place})"),
            Some(place) => write!(f, " (first: {place})"),
            None => Ok(()),
        }
    }
}

/// Everything that a reader did to a file that its graph does not show, and the records that it
/// could not read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadNotes {
    list: Vec<ReadNote>,
    n_more: usize,
    faults: Vec<FormatError>,
    n_faults: usize,
    n_other_graphs: usize,
}

impl ReadNotes {
    /// Whether the graph has the whole file.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.n_faults == 0
    }

    /// What was dropped, merged, defaulted and turned.
    pub fn iter(&self) -> impl Iterator<Item = &ReadNote> {
        self.list.iter()
    }

    /// The first records that could not be read.
    pub fn faults(&self) -> &[FormatError] {
        &self.faults
    }

    /// How many records could not be read.
    pub fn n_faults(&self) -> usize {
        self.n_faults
    }

    /// How many other graphs the file has.
    pub fn n_other_graphs(&self) -> usize {
        self.n_other_graphs
    }

    /// Notes graphs of the file beside the one of number `wanted`; `noun` is what its format calls them.
    pub(super) fn drop_graphs(
        &mut self,
        wanted: usize,
        noun: &str,
        n: usize,
        first: Option<FilePlace>,
    ) {
        self.n_other_graphs += n;
        let which = if wanted == 1 { "after the first" } else { "beside the one that was chosen" };
        self.count(NoteKind::Dropped, format!("{noun}| {which}").into(), "", n, first);
    }

    /// Whether something of the file is missing from the graph, or several parts became one.
    pub fn is_lossy(&self) -> bool {
        let is_loss = |note: &ReadNote| matches!(note.kind, NoteKind::Dropped | NoteKind::Merged);
        self.n_faults > 0 || self.list.iter().any(is_loss)
    }

    /// Everything as lines for a person, what could not be read first.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.faults.iter().map(|fault| format!("could not be read: {fault}")).collect();
        if self.n_faults > self.faults.len() {
            lines.push(format!("could not be read: {} more", self.n_faults - self.faults.len()));
        }
        let mut notes: Vec<&ReadNote> = self.list.iter().collect();
        notes.sort_by_key(|note| note.kind);
        lines.extend(notes.into_iter().map(ToString::to_string));
        if self.n_more > 0 {
            lines.push(format!("left out: {} more parts of other kinds", self.n_more));
        }
        lines
    }

    pub(super) fn add(
        &mut self,
        kind: NoteKind,
        what: impl Into<Cow<'static, str>>,
        name: &str,
        place: FilePlace,
    ) {
        self.count(kind, what.into(), name, 1, Some(place));
    }

    /// Notes something that holds for the whole file.
    pub fn say(&mut self, kind: NoteKind, what: impl Into<Cow<'static, str>>) {
        self.count(kind, what.into(), "", 0, None);
    }

    /// Notes that something was done `n` times, for the first time at that place; `|` in `what` is
    /// where a plural has its s, `name` is what the file calls it.
    pub fn count(
        &mut self,
        kind: NoteKind,
        what: Cow<'static, str>,
        name: &str,
        n: usize,
        first: Option<FilePlace>,
    ) {
        let name = match name.char_indices().nth(MAX_NAME) {
            Some((end, _)) => &name[..end],
            None => name,
        };
        let is_it =
            |note: &&mut ReadNote| note.kind == kind && note.what == what && note.name == name;
        if let Some(note) = self.list.iter_mut().find(is_it) {
            note.n += n;
        } else if self.list.len() < MAX_NOTES {
            self.list.push(ReadNote { kind, what, name: name.to_owned(), n, first });
        } else {
            self.n_more += n.max(1);
        }
    }

    /// Keeps a record that could not be read.
    pub fn fault(&mut self, fault: FormatError) {
        self.n_faults += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }

    /// Why a file of which so many records were read is most likely of another format.
    pub fn refusal(&mut self, n_read: usize) -> Option<FormatError> {
        let is_enough = n_read == 0 || self.n_faults > ENOUGH_FAULTS && self.n_faults > n_read;
        if self.n_faults == 0 || !is_enough {
            return None;
        }
        let mut first = self.faults.swap_remove(0);
        if self.n_faults > 1 {
            first.message += &format!(" ({} more records could not be read)", self.n_faults - 1);
        }
        Some(first)
    }
}
