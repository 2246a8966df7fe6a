//! The text of one paragraph, with bold, italics and links.

/// A paragraph as it grows. White space becomes one space, and marks for bold and italics stand at
/// the words, never at spaces.
#[derive(Debug, Default)]
pub(crate) struct Inline {
    text: String,
    /// Bold and italics as they are to be from here on.
    wants: (bool, bool),
    /// Bold and italics that are open in `text`.
    has: (bool, bool),
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

    /// Whether what comes is bold and in italics.
    pub(crate) fn set(&mut self, is_bold: bool, is_italic: bool) {
        self.wants = (is_bold, is_italic);
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
        self.mark((false, false));
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Opens a link; one that is open is closed before.
    pub(crate) fn open_link(&mut self, to: &str) {
        self.close_link();
        self.mark((false, false));
        self.link = Some((self.text.len(), to.to_owned()));
    }

    /// Closes the link that is open, if there is one.
    pub(crate) fn close_link(&mut self) {
        let Some((start, to)) = self.link.take() else { return };
        self.mark((false, false));
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
        self.mark((false, false));
        let text = std::mem::take(&mut self.text);
        text.trim().to_owned()
    }

    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// Closes and opens marks until those that are open are `wants`.
    fn mark(&mut self, wants: (bool, bool)) {
        if self.has == wants {
            return;
        }
        if self.has != (false, false) {
            let end = self.text.trim_end_matches([' ', '\n']).len();
            let space = self.text.split_off(end);
            self.text.push_str(marks(self.has));
            self.text.push_str(&space);
        }
        self.text.push_str(marks(wants));
        self.has = wants;
    }
}

fn marks(styles: (bool, bool)) -> &'static str {
    match styles {
        (true, true) => "***",
        (true, false) => "**",
        (false, true) => "*",
        (false, false) => "",
    }
}
