//! The words and signs of a query.

use super::look_alikes;
use crate::error::{Cause, CypherError};

/// A word, a literal or a sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name or a keyword.
    Word(String),
    /// A name between backticks; never a keyword.
    Quoted(String),
    Text(String),
    Int(i64),
    /// 2^63, which is a number only behind a minus.
    MinusOnly,
    Float(f64),
    /// What begins like a number, and is none.
    NoNumber,
    Parameter(String),
    Sign(&'static str),
    End,
}

/// A token, and its bytes.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

/// Longer ones first.
const SIGNS: [&str; 33] = [
    "..", "<=", ">=", "<>", "!=", "+=", "=~", "||", "(", ")", "[", "]", "{", "}", ",", ".", ":",
    ";", "|", "&", "?", "$", "+", "-", "*", "/", "%", "^", "!", "=", "<", ">", "@",
];

/// Dashes and angles that openCypher takes for ours in the arrows of patterns.
fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
            '-'
        }
        '\u{27e8}' | '\u{2329}' | '\u{3008}' | '\u{fe64}' | '\u{ff1c}' => '<',
        '\u{27e9}' | '\u{232a}' | '\u{3009}' | '\u{fe65}' | '\u{ff1e}' => '>',
        other => other,
    }
}

/// Cuts a query into tokens; the last is [`Token::End`].
///
/// # Errors
/// A text or a comment does not end, an escape or a number cannot be read, or a letter has no
/// meaning.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, CypherError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space()?;
        let start = lexer.at;
        let token = lexer.next()?;
        let is_end = token == Token::End;
        tokens.push(Placed { token, start, end: lexer.at });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

fn wrong(cause: Cause, at: usize, message: impl Into<String>) -> CypherError {
    CypherError::syntax(cause, at, message)
}

/// A sign without a meaning, with what to write where it looks like one that has.
pub(super) fn odd_sign(letter: char, at: usize) -> CypherError {
    match look_alikes::sign(letter) {
        Some((what, hint)) => wrong(Cause::InvalidUnicodeCharacter, at, what).hint(hint),
        None => {
            let cause = match letter.is_ascii() {
                true => Cause::UnexpectedSyntax,
                false => Cause::InvalidUnicodeCharacter,
            };
            wrong(cause, at, format!("the letter {letter:?} has no meaning here"))
        }
    }
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        let length = self.rest().find(|c| !keep(c)).unwrap_or(self.rest().len());
        self.at += length;
        &self.text[start..self.at]
    }

    fn skip_space(&mut self) -> Result<(), CypherError> {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '\u{feff}' || c == '\u{180e}');
            if self.rest().starts_with("//") {
                self.take_while(|c| c != '\n' && c != '\r');
            } else if self.rest().starts_with("/*") {
                match self.rest().find("*/") {
                    Some(end) => self.at += end + 2,
                    None => {
                        let message = "the comment that begins here never ends; expected `*/`";
                        return Err(wrong(Cause::UnexpectedSyntax, self.at, message));
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Token, CypherError> {
        let start = self.at;
        let Some(first) = self.peek() else { return Ok(Token::End) };
        if first.is_alphabetic() || first == '_' {
            return Ok(Token::Word(self.take_while(is_name).to_owned()));
        }
        let next = self.rest().chars().nth(1);
        if first.is_ascii_digit() || first == '.' && next.is_some_and(|c| c.is_ascii_digit()) {
            return self.number();
        }
        match first {
            '\'' | '"' => self.string(first).map(Token::Text),
            '`' => self.quoted().map(Token::Quoted),
            '$' if next.is_some_and(|c| is_name(c) || c == '`') => {
                self.at += 1;
                if next == Some('`') {
                    return self.quoted().map(Token::Parameter);
                }
                Ok(Token::Parameter(self.take_while(is_name).to_owned()))
            }
            _ => {
                let two: String = self.rest().chars().take(2).map(plain).collect();
                let found = SIGNS.iter().find(|sign| two.starts_with(**sign));
                let Some(sign) = found else { return Err(odd_sign(first, start)) };
                self.at += self.rest().chars().take(sign.len()).map(char::len_utf8).sum::<usize>();
                Ok(Token::Sign(sign))
            }
        }
    }

    fn quoted(&mut self) -> Result<String, CypherError> {
        let start = self.at;
        self.at += 1;
        let mut name = String::new();
        loop {
            name.push_str(self.take_while(|c| c != '`'));
            if self.peek().is_none() {
                let message = "the name that begins here never ends; expected a backtick";
                return Err(wrong(Cause::UnexpectedSyntax, start, message));
            }
            self.at += 1;
            if self.peek() != Some('`') {
                return Ok(name);
            }
            self.at += 1;
            name.push('`');
        }
    }

    fn string(&mut self, quote: char) -> Result<String, CypherError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|c| c != quote && c != '\\'));
            let at = self.at;
            match self.peek() {
                None => {
                    let message = "the text that begins here never ends";
                    let error = wrong(Cause::UnexpectedSyntax, start, message);
                    let marks = text.chars().find(|c| "“”„‘’‚′″´".contains(*c));
                    return Err(match marks.and_then(look_alikes::sign) {
                        Some((what, _)) => error.hint(format!("{what}; close it with {quote}")),
                        None => {
                            error.hint(format!("close it with {quote}; inside it, write \\{quote}"))
                        }
                    });
                }
                Some(c) if c == quote => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(_) => self.at += 1,
            }
            let escaped = self.peek();
            self.at += escaped.map_or(0, char::len_utf8);
            let letter = match escaped {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('u') => self.unicode(at, 4)?,
                Some('U') => self.unicode(at, 8)?,
                Some(c @ ('\\' | '\'' | '"' | '`' | '/')) => c,
                // What no escape is stays as it was written: regular expressions have many.
                Some(c) => {
                    text.push('\\');
                    c
                }
                None => continue,
            };
            text.push(letter);
        }
    }

    fn unicode(&mut self, at: usize, n_digits: usize) -> Result<char, CypherError> {
        let bad = || {
            let message = format!("expected {n_digits} hexadecimal digits of a letter");
            wrong(Cause::InvalidUnicodeLiteral, at, message)
        };
        let unit = |lexer: &mut Self| -> Result<u32, CypherError> {
            let digits = lexer.rest().get(..n_digits).ok_or_else(bad)?;
            let code = u32::from_str_radix(digits, 16).map_err(|_| bad())?;
            lexer.at += n_digits;
            Ok(code)
        };
        let first = unit(self)?;
        // A letter beyond the first 65,536 may be written as two halves.
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = unit(self)?;
            let pair = [first as u16, second as u16];
            return char::decode_utf16(pair).next().and_then(Result::ok).ok_or_else(bad);
        }
        char::from_u32(first).ok_or_else(bad)
    }

    fn number(&mut self) -> Result<Token, CypherError> {
        let start = self.at;
        let prefix = self.rest().get(..2).map(str::to_ascii_lowercase);
        let radix = match prefix.as_deref() {
            Some("0x") => Some(16),
            Some("0o") => Some(8),
            _ => None,
        };
        if let Some(radix) = radix {
            let text = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
            let digits = text[2..].replace('_', "");
            if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
                return Ok(Token::NoNumber);
            }
            return whole(u64::from_str_radix(&digits, radix).ok(), &text, start);
        }
        self.take_while(|c| c.is_ascii_digit() || c == '_');
        let mut is_float = false;
        // `1..3` is a range, and `1.x` no number.
        let after_point = self.rest().strip_prefix('.').and_then(|rest| rest.chars().next());
        if after_point.is_some_and(|c| c.is_ascii_digit()) {
            is_float = true;
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit() || c == '_');
        }
        if self.peek().is_some_and(|c| c == 'e' || c == 'E') {
            let sign = self.rest()[1..].starts_with(['+', '-']);
            let digits = &self.rest()[1 + usize::from(sign)..];
            if digits.starts_with(|c: char| c.is_ascii_digit()) {
                is_float = true;
                self.at += 1 + usize::from(sign);
                self.take_while(|c| c.is_ascii_digit());
            }
        }
        let text = self.text[start..self.at].replace('_', "");
        // `1d` and `1.5f` are floats, as in Java.
        let suffix = self.take_while(is_name);
        match suffix {
            "" => {}
            "d" | "D" | "f" | "F" => is_float = true,
            _ => return Ok(Token::NoNumber),
        }
        if !is_float {
            return whole(text.parse().ok(), &text, start);
        }
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Token::Float(float)),
            Ok(_) => {
                let message = format!("{text} is larger than any number with a fraction");
                Err(wrong(Cause::FloatingPointOverflow, start, message))
            }
            Err(_) => Ok(Token::NoNumber),
        }
    }
}

fn whole(number: Option<u64>, text: &str, at: usize) -> Result<Token, CypherError> {
    match number {
        Some(number) if number == 1 << 63 => Ok(Token::MinusOnly),
        Some(number) if number < 1 << 63 => Ok(Token::Int(number as i64)),
        _ => {
            let message = format!("{text} is larger than {}", i64::MAX);
            Err(wrong(Cause::IntegerOverflow, at, message))
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
