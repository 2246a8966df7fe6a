//! Pieces of text as lines and paragraphs.

use crate::UNREADABLE;
use crate::formula::grouped;

/// A piece of text on a page.
pub(super) struct Piece {
    /// What is written.
    pub text: String,
    /// Where it starts and ends, in points.
    pub start: (f64, f64),
    /// Where it ends.
    pub end: (f64, f64),
    /// The height of its letters, in points.
    pub size: f64,
}

/// The text of a page as it grows, in the order in which it is drawn.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    last: Option<Piece>,
    /// Where signs above or below the line start, if they are open.
    script: Option<usize>,
}

impl Lines {
    /// How many bytes there are.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Appends a piece, after a space or on a new line, as its place says.
    pub(super) fn push(&mut self, piece: Piece) {
        if piece.text.is_empty() {
            return;
        }
        if let Some(last) = &self.last {
            let (dx, dy) = direction(last);
            let (x, y) = (piece.start.0 - last.end.0, piece.start.1 - last.end.1);
            // Along the line, and away from it: positive is where the next line goes.
            let (along, away) = (x * dx + y * dy, x * dy - y * dx);
            let size = last.size.max(piece.size).max(0.1);
            let same = (piece.start.0 - last.start.0).abs() + (piece.start.1 - last.start.1).abs();
            if piece.text == last.text && same < size * 0.15 {
                // The same again at the same place, to look bold.
                return;
            }
            let is_near = away.abs() <= size * 0.6 && along.abs() < size * 0.6;
            // A smaller sign above or below the line is a power or an index.
            let is_script = is_near && piece.size < last.size * 0.85 && away.abs() > size * 0.08;
            let is_base = piece.size * 0.85 > last.size || !is_near && self.script.is_some();
            if self.script.is_some() && is_base {
                self.end_script();
            }
            if is_script && !piece.text.trim().is_empty() && self.script.is_none() {
                self.text.push(if away < 0.0 { '^' } else { '_' });
                self.script = Some(self.text.len());
            } else if away.abs() > size * 0.5 {
                let is_near = away > 0.0 && away < size * 1.9;
                self.end_line(if is_near { "\n" } else { "\n\n" });
            } else if along < -size * 2.0 {
                self.end_line("\n");
            } else if along > size * 2.5 {
                self.space("   ");
            } else if along > size * 0.18 {
                self.space(" ");
            }
        }
        self.text.push_str(&piece.text);
        self.last = Some(piece);
    }

    /// Closes the signs above or below the line.
    fn end_script(&mut self) {
        if let Some(start) = self.script.take() {
            let shown = self.text.split_off(start.min(self.text.len()));
            self.text.push_str(&grouped(&shown));
        }
    }

    fn space(&mut self, space: &str) {
        if !self.text.ends_with([' ', '\n']) {
            self.text.push_str(space);
        }
    }

    fn end_line(&mut self, end: &str) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push_str(if self.text.ends_with('\n') { "\n" } else { end });
        }
    }

    /// The text. Ligatures become letters, and controls spaces.
    pub(super) fn finish(mut self) -> String {
        self.end_script();
        let mut text = String::with_capacity(self.text.len());
        for char in self.text.chars() {
            match char {
                'ﬀ' => text.push_str("ff"),
                'ﬁ' => text.push_str("fi"),
                'ﬂ' => text.push_str("fl"),
                'ﬃ' => text.push_str("ffi"),
                'ﬄ' => text.push_str("ffl"),
                '\u{ad}' | '\u{feff}' => {}
                char::REPLACEMENT_CHARACTER => text.push_str(UNREADABLE),
                '\n' => text.push('\n'),
                _ if char.is_control() || char == '\u{a0}' => text.push(' '),
                _ => text.push(char),
            }
        }
        text
    }
}

/// The direction of a piece, one long.
fn direction(piece: &Piece) -> (f64, f64) {
    let (x, y) = (piece.end.0 - piece.start.0, piece.end.1 - piece.start.1);
    let length = x.hypot(y);
    if length.is_finite() && length > 1e-6 { (x / length, y / length) } else { (1.0, 0.0) }
}
