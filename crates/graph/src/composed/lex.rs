//! Cuts a source into tokens.

use super::fault::ProposalFault;
use super::syntax::MAX_SOURCE;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Number(f64),
    Text(String),
    Sign(&'static str),
}

impl Token {
    /// In quotes, for messages.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Word(word) => format!("{word:?}"),
            Self::Number(n) => format!("the number {n}"),
            Self::Text(text) => format!("the text {text:?}"),
            Self::Sign(sign) => format!("{sign:?}"),
        }
    }
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 26] = [
    "=>", "==", "!=", "<=", ">=", "??", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]",
    "{", "}", ",", ";", ":", ".", "!", "?",
];

/// The tokens with the byte at which each begins. O(length).
pub(super) fn tokens(source: &str) -> Result<Vec<(usize, Token)>, ProposalFault> {
    if source.len() > MAX_SOURCE {
        let message =
            format!("the body has {} bytes; it may have {MAX_SOURCE} at most", source.len());
        return Err(ProposalFault::new("too_long", message));
    }
    let fault = |at, message: String| ProposalFault::at(source, at, "syntax", message);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let run = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if c.is_ascii_alphabetic() || c == '_' {
            let len = run(|c| c.is_ascii_alphanumeric() || c == '_');
            found.push((at, Token::Word(rest[..len].to_owned())));
            at += len;
        } else if c.is_ascii_digit() {
            let whole = run(|c| c.is_ascii_digit());
            let tail = &rest[whole..];
            let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            let part = match tail.strip_prefix('.').map(digits) {
                Some(n) if n > 0 => n + 1,
                _ => 0,
            };
            let len = whole + part;
            let number: f64 = rest[..len]
                .parse()
                .map_err(|_| fault(at, format!("{:?} is no number", &rest[..len])))?;
            if !number.is_finite() {
                return Err(fault(at, "the number is too large".into()));
            }
            found.push((at, Token::Number(number)));
            at += len;
        } else if c == '"' || c == '\'' {
            let inside = &rest[1..];
            let Some(len) = inside.find(c) else {
                return Err(fault(at, format!("the text that begins here has no closing {c}")));
            };
            let text = &inside[..len];
            if text.contains(['\n', '\\']) {
                let message = "a text has neither line ends nor backslashes";
                return Err(fault(at, message.into()));
            }
            found.push((at, Token::Text(text.to_owned())));
            at += len + 2;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            found.push((at, Token::Sign(sign)));
            at += sign.len();
        } else {
            return Err(fault(at, format!("{c:?} means nothing here")));
        }
    }
    Ok(found)
}
