//! A cursor over a text, for the parser.

use super::syntax::{Hint, SyntaxError};

/// The most characters between quotes.
const MAX_QUOTED: usize = 1_000;

/// Where the parser is.
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    /// Where to look on for calls if this one fails: behind the start of the last quoted text, since
    /// a quote that was forgotten swallows what follows.
    pub(super) resume: usize,
}

/// Whether a bare word ends here.
fn ends_bare(c: char) -> bool {
    matches!(c, ',' | ')' | '[' | ']' | '}' | '{' | '(' | '"' | '“' | '”' | '\n' | '\r')
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, resume: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn go(&mut self, at: usize) {
        self.at = at;
        self.resume = at;
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The next character that is no space.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }

    /// Takes the next character if it is this one.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.at += wanted.len_utf8();
            self.resume = self.at;
        }
        is_there
    }

    /// Takes the next words if they are these.
    pub(super) fn eat_words(&mut self, wanted: &str) -> bool {
        self.skip_space();
        let is_there = self.rest().starts_with(wanted);
        if is_there {
            self.at += wanted.len();
            self.resume = self.at;
        }
        is_there
    }

    /// Takes an identifier: letters, digits and underscores, no digit first.
    pub(super) fn identifier(&mut self) -> &'t str {
        self.skip_space();
        let rest = self.rest();
        let end = identifier_end(rest);
        self.at += end;
        self.resume = self.at;
        &rest[..end]
    }

    /// Takes what is between quotes; the cursor stands on the first of them.
    pub(super) fn quoted(&mut self) -> Result<&'t str, SyntaxError> {
        let start = self.at;
        let Some(open) = self.rest().chars().next() else {
            return Err(self.wrong("a quote", Some(Hint::CutOff)));
        };
        self.resume = start + open.len_utf8();
        let inside = &self.text[self.resume..];
        let is_close = |c: char| match open {
            '“' | '”' => matches!(c, '”' | '"' | '\n'),
            '\'' | '‘' => matches!(c, '\'' | '’' | '"' | '\n'),
            _ => matches!(c, '"' | '\n'),
        };
        // The bound keeps many quotes without an end from being searched to the end of the text.
        let close = inside.char_indices().take(MAX_QUOTED).find(|(_, c)| is_close(*c));
        match close {
            Some((end, c)) if c != '\n' && (c != '"' || !matches!(open, '\'' | '‘')) => {
                self.at = self.resume + end + c.len_utf8();
                Ok(&inside[..end])
            }
            Some((end, _)) => {
                self.at = self.resume + end;
                Err(self.wrong("a closing quote", Some(Hint::Quote)))
            }
            None => {
                self.at = start;
                let is_over = inside.chars().nth(MAX_QUOTED).is_none();
                let (found, hint) = match is_over {
                    true => ("a quote that the text never closes".to_owned(), Hint::CutOff),
                    false => (format!("one that lasts {MAX_QUOTED} characters"), Hint::Quote),
                };
                let hint = Some(hint);
                let expected = "a closing quote".to_owned();
                Err(SyntaxError { at: start, found, expected, hint, insert: None })
            }
        }
    }

    /// Takes a bare word, up to what ends it, without the spaces around it.
    pub(super) fn bare(&mut self) -> &'t str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(ends_bare).unwrap_or(rest.len());
        self.at += end;
        self.resume = self.at;
        rest[..end].trim_end()
    }

    /// Takes what stands before the bracket's end, without the spaces around it.
    pub(super) fn until_close(&mut self) -> &'t str {
        self.skip_space();
        let rest = self.rest();
        let end = rest
            .match_indices(['[', ']', '\n', '<'])
            .find(|(i, c)| *c != "<" || is_api_tag(&rest[*i..]))
            .map_or(rest.len(), |(i, _)| i);
        self.at += end;
        self.resume = self.at;
        rest[..end].trim_end()
    }

    /// An error about what stands here.
    pub(super) fn wrong(&mut self, expected: &str, hint: Option<Hint>) -> SyntaxError {
        self.skip_space();
        let mut next: String = self.rest().chars().take(12).collect();
        if let Some(end) = next.find(char::is_whitespace) {
            next.truncate(end);
        }
        let (found, hint) = if next.is_empty() {
            ("the end of the text".to_owned(), Some(Hint::CutOff))
        } else {
            (format!("{next:?}"), hint)
        };
        SyntaxError { at: self.at, found, expected: expected.to_owned(), hint, insert: None }
    }
}

/// How long the identifier is with which the text begins.
pub(super) fn identifier_end(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// Whether the text begins with the paper's token around a call.
pub(super) fn is_api_tag(text: &str) -> bool {
    text.starts_with("<API>") || text.starts_with("</API>")
}
