//! What a reader did to a file that its traces do not show.

use graph::formats::{FilePlace, FormatError, NoteKind, ReadNotes};

/// Collects notes while a file is read.
#[derive(Debug, Default)]
pub(super) struct Report {
    notes: ReadNotes,
    n_unknown_endings: usize,
}

impl Report {
    /// One thing of that kind was left out: `|` in `what` is where a plural has its s, `name` is what
    /// the file calls it.
    pub(super) fn left_out(&mut self, what: &'static str, name: &str) {
        self.notes.count(NoteKind::Dropped, what.into(), name, 1, None);
    }

    /// One thing is there in another form.
    pub(super) fn changed(&mut self, what: &'static str, name: &str) {
        self.notes.count(NoteKind::Turned, what.into(), name, 1, None);
    }

    /// A line that is no JSON, or no value that could be a trace.
    pub(super) fn bad_line(&mut self, line: usize, message: String) {
        self.notes.fault(FormatError { line: Some(line), ..FormatError::new(message) });
    }

    /// A file of an archive, or an item of a list, that could not be read.
    pub(super) fn fault(&mut self, message: String) {
        self.notes.fault(FormatError::new(message));
    }

    /// Why a file with `n_read` values is refused for its faults, if it is.
    pub(super) fn refusal(&mut self, n_read: usize) -> Option<FormatError> {
        self.notes.refusal(n_read)
    }

    /// A list breaks off at that line.
    pub(super) fn torn(&mut self, line: usize) {
        let what = "the last item of the list, which breaks off";
        self.notes.count(NoteKind::Dropped, what.into(), "", 0, Some(FilePlace::Line(line)));
    }

    /// A trace ends with a text, and the file does not say why.
    pub(super) fn unknown_ending(&mut self) {
        self.n_unknown_endings += 1;
    }

    /// All notes.
    pub(super) fn finish(mut self) -> ReadNotes {
        if self.n_unknown_endings > 0 {
            let what = "last turn| to be the answer, as the file does not say why it ended";
            let n = self.n_unknown_endings;
            self.notes.count(NoteKind::Defaulted, what.into(), "", n, None);
        }
        self.notes
    }
}
