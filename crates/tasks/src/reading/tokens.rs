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
            b'<' if arrow_back(&bytes[at..]).is_some() => {
                at += arrow_back(&bytes[at..]).unwrap_or(1);
                Kind::Arrow
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
    leave_weights(&mut tokens);
    tokens
}

/// How long the arrow is that points back, `<-`, `<--`, or both ways, `<->`, at the start of some bytes.
fn arrow_back(bytes: &[u8]) -> Option<usize> {
    let dashes = bytes[1..].iter().take_while(|b| **b == b'-').count();
    let both = bytes.get(1 + dashes) == Some(&b'>');
    (dashes > 0).then_some(1 + dashes + usize::from(both))
}

/// Leaves out the weights that stand on arrows and the brackets around nodes between them:
/// `0 -2-> 1`, `0 --(2)--> 1`, `0 ->(2) 1`, `0 -(2)- 1`, `[0] -> [1]`.
fn leave_weights(tokens: &mut Vec<Token>) {
    if !tokens.iter().any(|t| matches!(t.kind, Kind::Arrow | Kind::Mark(b'-'))) {
        return;
    }
    let kind = |at: usize| tokens.get(at).map(|t: &Token| t.kind);
    let is_line = |at: usize| matches!(kind(at), Some(Kind::Arrow | Kind::Mark(b'-')));
    let opens = |at: usize| matches!(kind(at), Some(Kind::Mark(b'(' | b'[' | b'{')));
    let closes = |at: usize| matches!(kind(at), Some(Kind::Mark(b')' | b']' | b'}')));
    let mut is_kept = vec![true; tokens.len()];
    for at in 0..tokens.len() {
        if kind(at) != Some(Kind::Number) {
            continue;
        }
        let is_bracketed = at > 0 && opens(at - 1) && closes(at + 1);
        let (mut from, mut to) = (at, at + 1);
        if is_bracketed {
            (from, to) = (at - 1, at + 2);
        }
        let before = from.checked_sub(1).filter(|before| is_line(*before));
        let behind = is_line(to);
        let is_dash = |at: usize| kind(at) == Some(Kind::Mark(b'-'));
        // Dashes run into the number without blanks on a line that has it as its weight.
        let touches = |a: usize, b: usize| tokens[a].end == tokens[b].start;
        match before {
            // `0 -2-> 1`, and `0 -(2)- 1`, whose weight has brackets.
            Some(before)
                if behind
                    && is_dash(before)
                    && touches(before, from)
                    && touches(to - 1, to)
                    && (kind(to) == Some(Kind::Arrow) || is_bracketed) =>
            {
                let mut first = before;
                while first > 0 && is_dash(first - 1) {
                    first -= 1;
                }
                is_kept[first..to].fill(false);
            }
            // `0 ->(2) 1`: a node follows.
            Some(before)
                if is_bracketed && touches(before, from) && kind(to) == Some(Kind::Number) =>
            {
                is_kept[from..to].fill(false);
            }
            // `[0] -> [1]`: brackets of one node.
            _ if is_bracketed && (before.is_some() || behind) => {
                is_kept[from] = false;
                is_kept[to - 1] = false;
            }
            _ => {}
        }
    }
    let mut kept = is_kept.iter();
    tokens.retain(|_| kept.next().copied().unwrap_or(true));
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
    // A text that breaks off behind the number of its next item.
    if digits <= 3 && bytes[at + digits..].iter().all(u8::is_ascii_whitespace) && before.is_some() {
        let number: usize =
            bytes[at..at + digits].iter().fold(0, |n, b| n * 10 + usize::from(b - b'0'));
        let item = format!("\n{}. ", number.saturating_sub(1));
        return number > 1 && bytes.windows(item.len()).any(|part| part == item.as_bytes());
    }
    digits <= 3
        && matches!(bytes.get(at + digits), Some(b'.' | b')'))
        && bytes.get(at + digits + 1).is_some_and(|b| matches!(b, b' '))
        && bytes[at + digits + 1..]
            .iter()
            .take_while(|b| **b != b'\n')
            .any(u8::is_ascii_alphanumeric)
}
