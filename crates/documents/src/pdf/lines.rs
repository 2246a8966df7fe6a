//! Pieces of text as lines and paragraphs.

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
            if away.abs() > size * 0.5 {
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
    pub(super) fn finish(self) -> String {
        let mut text = String::with_capacity(self.text.len());
        for char in self.text.chars() {
            match char {
                'ﬀ' => text.push_str("ff"),
                'ﬁ' => text.push_str("fi"),
                'ﬂ' => text.push_str("fl"),
                'ﬃ' => text.push_str("ffi"),
                'ﬄ' => text.push_str("ffl"),
                '\u{ad}' | '\u{feff}' => {}
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
