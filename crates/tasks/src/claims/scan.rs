//! A text as tokens that know their place, in sentences.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// `->`, `→`, or the dash of `0-1-2`.
    Arrow,
    Mark(char),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Which sentence it stands in.
    pub(super) sentence: usize,
}

/// The tokens of a text. A sentence ends at `.`, `!`, `?` and at the end of a line; numbering such as
/// `1.` at the start of a line is left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out: Vec<Token> = Vec::new();
    let (mut at, mut sentence, mut line_start) = (0, 0, true);
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        let kind = match c {
            '\n' => {
                sentence += 1;
                line_start = true;
                continue;
            }
            c if c.is_whitespace() => continue,
            '0'..='9' => {
                at = number_end(bytes, at);
                if line_start && is_numbering(bytes, at) {
                    at += 1;
                    continue;
                }
                Kind::Number
            }
            c if c.is_alphabetic() => {
                let rest = &text[at..];
                let len = rest
                    .char_indices()
                    .find(|(_, c)| !(c.is_alphanumeric() || *c == '\'' || *c == '’' || *c == '_'))
                    .map_or(rest.len(), |(i, _)| i);
                at += len;
                Kind::Word
            }
            '→' | '⟶' | '⇒' | '➔' | '➝' | '↔' => Kind::Arrow,
            '-' | '–' | '—' | '=' => {
                let rest = text[at..].trim_start_matches(['-', '–']);
                let rest = past_weight(rest).unwrap_or(rest);
                if let Some(after) = rest.strip_prefix('>') {
                    at = text.len() - after.len();
                    Kind::Arrow
                } else if c != '=' && is_dash(bytes, start, at) {
                    Kind::Arrow
                } else {
                    Kind::Mark(c)
                }
            }
            c => Kind::Mark(c),
        };
        line_start = false;
        out.push(Token { kind, start, end: at, sentence });
        let ends = match kind {
            Kind::Mark('.' | '!' | '?') => {
                bytes.get(at).is_none_or(|b| b.is_ascii_whitespace() || *b == b'*')
            }
            _ => false,
        };
        if ends {
            sentence += 1;
        }
    }
    out
}

/// What stands behind the weight on an arrow, up to its head: `2-> 1` and `(2)--> 1`.
fn past_weight(rest: &str) -> Option<&str> {
    let inside = rest.trim_start_matches(['(', '[']);
    let number = inside.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let behind = number.trim_start_matches([')', ']']);
    let head = behind.trim_start_matches(['-', '–']);
    (number.len() < inside.len() && head.len() < behind.len() && head.starts_with('>'))
        .then_some(head)
}

/// The end of a number that may have decimals: a dot counts only before a digit.
fn number_end(bytes: &[u8], mut at: usize) -> usize {
    let from = at - 1;
    let digits = |at: usize| bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    at += digits(at);
    // Groups of three, `1,200`; a list such as `1,200,3` has none.
    let mut end = at;
    while at - from <= 3
        && bytes[from] != b'0'
        && bytes.get(end) == Some(&b',')
        && digits(end + 1) == 3
    {
        end += 4;
    }
    if bytes.get(end) != Some(&b',') {
        at = end;
    }
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at += 1;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
    }
    at
}

/// Whether a number at the start of a line numbers it: `1. ` or `1) `.
fn is_numbering(bytes: &[u8], end: usize) -> bool {
    matches!(bytes.get(end), Some(b'.' | b')'))
        && bytes.get(end + 1).is_none_or(u8::is_ascii_whitespace)
}

/// Whether a dash joins two numbers, as in `0-1`.
fn is_dash(bytes: &[u8], start: usize, end: usize) -> bool {
    let before = bytes[..start].iter().rfind(|b| **b != b' ');
    let after = bytes[end..].iter().find(|b| **b != b' ');
    before.is_some_and(u8::is_ascii_digit) && after.is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, usize)> {
        tokens(text).iter().map(|t| (text[t.start..t.end].to_owned(), t.sentence)).collect()
    }

    #[test]
    fn places_and_sentences() {
        let found = words("1. node 0->4.\n2.5 + 1 = 3.5! Then 0-1-2");
        let plain: Vec<&str> = found.iter().map(|(w, _)| w.as_str()).collect();
        assert_eq!(
            plain,
            [
                "node", "0", "->", "4", ".", "2.5", "+", "1", "=", "3.5", "!", "Then", "0", "-",
                "1", "-", "2"
            ]
        );
        assert_eq!(found[4].1, 0);
        assert_eq!(found[5].1, 2, "the dot and the line each end one");
        assert_eq!(found[11].1, 3);
    }
}
