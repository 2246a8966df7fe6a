//! A text in plain spelling as words, numbers and marks.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    Arrow,
    Mark(u8),
    Newline,
}

/// A word, number or mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The mark of all signs that are not ASCII.
const OTHER_SIGN: u8 = 0;

/// Cuts a text in plain spelling into words, numbers and marks.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token> = Vec::with_capacity(bytes.len() / 3);
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'\n' => {
                at += 1;
                Kind::Newline
            }
            b'a'..=b'z' => {
                while at < bytes.len() && (bytes[at].is_ascii_lowercase() || bytes[at] == b'\'') {
                    at += 1;
                }
                Kind::Word
            }
            b'0'..=b'9' => {
                let ordinal = numbering(bytes, at, tokens.last());
                while at < bytes.len() && bytes[at].is_ascii_digit() {
                    at += 1;
                }
                if ordinal {
                    at += 1;
                    continue;
                }
                if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
                {
                    at += 1;
                    while at < bytes.len() && bytes[at].is_ascii_digit() {
                        at += 1;
                    }
                }
                if ["st", "nd", "rd", "th"].iter().any(|s| bytes[at..].starts_with(s.as_bytes())) {
                    at += 2;
                    Kind::Word
                } else {
                    Kind::Number
                }
            }
            b'-' | b'=' => {
                while at < bytes.len() && matches!(bytes[at], b'-' | b'=') {
                    at += 1;
                }
                if bytes.get(at) == Some(&b'>') {
                    at += 1;
                    Kind::Arrow
                } else {
                    at = start + 1;
                    Kind::Mark(bytes[start])
                }
            }
            b if b.is_ascii_graphic() => {
                at += 1;
                Kind::Mark(b)
            }
            b if b.is_ascii() => {
                at += 1;
                continue;
            }
            _ => {
                // Other scripts are words of their own: they separate, and no pattern has them. Signs
                // such as ✅ are marks.
                while at < bytes.len() && !bytes[at].is_ascii() {
                    at += 1;
                }
                if text[start..at].chars().any(char::is_alphanumeric) {
                    Kind::Word
                } else {
                    Kind::Mark(OTHER_SIGN)
                }
            }
        };
        tokens.push(Token { kind, start: start as u32, end: at as u32 });
    }
    tokens
}

/// Whether the number at `at` is the `1.` or `1)` of a list item: it begins a line, and the line
/// goes on after it.
fn numbering(bytes: &[u8], at: usize, before: Option<&Token>) -> bool {
    if before.is_some_and(|token| !matches!(token.kind, Kind::Newline | Kind::Mark(b'-'))) {
        return false;
    }
    if before.is_some_and(|token| token.kind == Kind::Mark(b'-')) {
        return false;
    }
    let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    digits <= 3
        && matches!(bytes.get(at + digits), Some(b'.' | b')'))
        && bytes.get(at + digits + 1).is_some_and(|b| matches!(b, b' '))
        && bytes[at + digits + 1..]
            .iter()
            .take_while(|b| **b != b'\n')
            .any(u8::is_ascii_alphanumeric)
}
