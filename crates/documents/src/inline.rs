//! The text of one paragraph, with bold, italics, links, and signs above and below the line.

use crate::formula::grouped;

/// How letters look, as far as it says something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub is_bold: bool,
    pub is_italic: bool,
    pub is_struck: bool,
    /// `^` above the line, `_` below it.
    pub script: Option<char>,
}

/// A paragraph as it grows. White space becomes one space, and marks for bold and italics stand at
/// the words, never at spaces.
#[derive(Debug, Default)]
pub(crate) struct Inline {
    text: String,
    /// How letters are to look from here on.
    wants: Look,
    /// How they look where `text` ends.
    has: Look,
    /// Where the text above or below the line starts, if it is open.
    script: usize,
    /// Where the text of the open link starts, and where it leads to.
    link: Option<(usize, String)>,
}

impl Inline {
    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether nothing stands here.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// How what comes looks.
    pub(crate) fn set(&mut self, look: Look) {
        self.wants = look;
    }

    /// Appends a text. In time that grows with it.
    pub(crate) fn push(&mut self, text: &str) {
        for char in text.chars() {
            if char.is_whitespace() && char != '\u{a0}' {
                self.space();
            } else {
                self.mark(self.wants);
                self.text.push(if char == '\u{a0}' { ' ' } else { char });
            }
        }
    }

    /// Appends a text as it is.
    pub(crate) fn push_raw(&mut self, text: &str) {
        self.mark(self.wants);
        self.text.push_str(text);
    }

    /// Ends the line within the paragraph.
    pub(crate) fn line_break(&mut self) {
        self.mark(Look::default());
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Opens a link; one that is open is closed before.
    pub(crate) fn open_link(&mut self, to: &str) {
        self.close_link();
        self.mark(Look::default());
        self.link = Some((self.text.len(), to.to_owned()));
    }

    /// Closes the link that is open, if there is one.
    pub(crate) fn close_link(&mut self) {
        let Some((start, to)) = self.link.take() else { return };
        self.mark(Look::default());
        let Some(inner) = self.text.get(start..) else { return };
        let words = inner.trim();
        if words.is_empty() || to.is_empty() || words == to {
            return;
        }
        let (has_space, ends_in_space) = (inner.starts_with(' '), inner.ends_with(' '));
        let linked = format!(
            "{}[{}]({to}){}",
            if has_space { " " } else { "" },
            words.replace('\n', " "),
            if ends_in_space { " " } else { "" }
        );
        self.text.truncate(start);
        self.text.push_str(&linked);
    }

    /// The paragraph; a new one begins, as bold as this one was.
    pub(crate) fn take(&mut self) -> String {
        self.close_link();
        self.mark(Look::default());
        let text = std::mem::take(&mut self.text);
        text.trim().to_owned()
    }

    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// Closes and opens marks until those that are open are `wants`.
    fn mark(&mut self, wants: Look) {
        if self.has == wants {
            return;
        }
        let end = self.text.trim_end_matches([' ', '\n']).len();
        let space = self.text.split_off(end);
        if self.has.script.is_some() {
            // Signs above the line are one thing: the power n + 1, not n, plus 1.
            let shown = self.text.split_off(self.script.min(self.text.len()));
            self.text.push_str(&grouped(&shown));
        }
        // Letters that only rise or fall stay as bold as they were.
        let is_same = Look { script: None, ..self.has } == Look { script: None, ..wants };
        if !is_same {
            self.text.push_str(if self.has.is_struck { "~~" } else { "" });
            self.text.push_str(marks(self.has));
        }
        self.text.push_str(&space);
        if !is_same {
            self.text.push_str(marks(wants));
            self.text.push_str(if wants.is_struck { "~~" } else { "" });
        }
        if let Some(mark) = wants.script {
            self.text.push(mark);
            self.script = self.text.len();
        }
        self.has = wants;
    }
}

fn marks(look: Look) -> &'static str {
    match (look.is_bold, look.is_italic) {
        (true, true) => "***",
        (true, false) => "**",
        (false, true) => "*",
        (false, false) => "",
    }
}
