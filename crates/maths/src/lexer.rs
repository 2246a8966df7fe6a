//! A calculation as words, numbers and signs.

use num_bigint::BigInt;
use num_rational::Ratio;

use super::{Fault, Wrong};

/// The longest exponent of a number that is written, such as `1e400`.
const EXPONENT: usize = 6;

/// A piece of a calculation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A number.
    Number(Ratio<BigInt>),
    /// A name of a value or function.
    Name(String),
    /// A sign, as it is called here: `×` is `*`, `**` is `^`.
    Sign(&'static str),
    /// The end of a part: `;` or a new line.
    Next,
}

/// A piece and where it is.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// Which token.
    pub token: Token,
    /// Its first character, from 0.
    pub at: usize,
    /// Whether white space stands before it.
    pub is_apart: bool,
}

/// Signs as they are written, longer ones first, and what they are called here.
const SIGNS: [(&str, &str); 34] = [
    ("**", "^"),
    ("//", "//"),
    ("<=", "<="),
    (">=", ">="),
    ("==", "=="),
    ("!=", "!="),
    ("<>", "!="),
    ("+", "+"),
    ("-", "-"),
    ("−", "-"),
    ("–", "-"),
    ("*", "*"),
    ("×", "*"),
    ("·", "*"),
    ("⋅", "*"),
    ("/", "/"),
    ("÷", "/"),
    ("%", "%"),
    ("^", "^"),
    ("!", "!"),
    ("<", "<"),
    ("≤", "<="),
    (">", ">"),
    ("≥", ">="),
    ("=", "="),
    ("≠", "!="),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    (",", ","),
    ("²", "²"),
    ("³", "³"),
    ("√", "√"),
];

/// Cuts a text into pieces. In time that grows with it; the digits of numbers are bounded by
/// `digits`.
pub(super) fn pieces(text: &str, digits: usize) -> Result<Vec<Placed>, Fault> {
    let chars: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let (mut at, mut is_apart) = (0, false);
    while let Some(char) = chars.get(at).copied() {
        let start = at;
        let token = if matches!(char, '\n' | ';') {
            at += 1;
            Token::Next
        } else if char.is_whitespace() {
            at += 1;
            is_apart = true;
            continue;
        } else if char.is_ascii_digit()
            || char == '.' && chars.get(at + 1).is_some_and(char::is_ascii_digit)
        {
            Token::Number(number(&chars, &mut at, digits).map_err(|wrong| wrong.at(start))?)
        } else if char == 'π' {
            at += 1;
            Token::Name("pi".to_owned())
        } else if char.is_alphabetic() || char == '_' {
            let mut name = String::new();
            while let Some(char) =
                chars.get(at).filter(|char| char.is_alphanumeric() || **char == '_')
            {
                name.push(*char);
                at += 1;
            }
            Token::Name(name)
        } else {
            let rest: String = chars[at..].iter().take(2).collect();
            let found = SIGNS.iter().find(|(written, _)| rest.starts_with(written));
            let Some((written, sign)) = found else {
                return Err(unknown(char).at(at));
            };
            at += written.chars().count();
            Token::Sign(sign)
        };
        pieces.push(Placed { token, at: start, is_apart });
        is_apart = false;
    }
    Ok(pieces)
}

fn unknown(char: char) -> Wrong {
    let hint = match char {
        '$' | '€' | '£' | '¥' => "leave out signs of money",
        '°' => "write rad(90) for 90 degrees",
        '\'' | '"' => "give numbers, not texts",
        '{' | '}' => "write ( and )",
        '&' | '|' | '~' => "compare parts one by one",
        _ => "leave it out",
    };
    Wrong::new(format!("{char:?} has no meaning here"), hint)
}

/// Reads a number; `at` moves behind it.
fn number(chars: &[char], at: &mut usize, digits: usize) -> Result<Ratio<BigInt>, Wrong> {
    let mut written = String::new();
    let (mut places, mut is_fraction) = (0_usize, false);
    while let Some(char) = chars.get(*at).copied() {
        let next_is_digit = chars.get(*at + 1).is_some_and(char::is_ascii_digit);
        match char {
            '0'..='9' => {
                written.push(char);
                places += usize::from(is_fraction);
            }
            '_' if next_is_digit => {}
            '.' if !is_fraction => is_fraction = true,
            '.' => {
                return Err(Wrong::new(
                    "a number has two points",
                    "write one point, before the decimals, and nothing between thousands",
                ));
            }
            _ => break,
        }
        *at += 1;
    }
    let too_long =
        || Wrong::new(format!("the number is longer than {digits} digits"), "take a shorter one");
    if written.len() > digits {
        return Err(too_long());
    }
    let mut exponent = 0_i64;
    if matches!(chars.get(*at), Some('e' | 'E')) {
        let sign = chars.get(*at + 1).copied().filter(|char| matches!(char, '+' | '-'));
        let start = *at + 1 + usize::from(sign.is_some());
        let text: String = chars
            .iter()
            .skip(start)
            .take_while(|char| char.is_ascii_digit())
            .take(EXPONENT + 1)
            .collect();
        if !text.is_empty() {
            *at = start + text.len();
            exponent = text.parse().unwrap_or(i64::MAX / 2);
            if sign == Some('-') {
                exponent = -exponent;
            }
        }
    }
    let power = exponent - i64::try_from(places).unwrap_or(i64::MAX / 2);
    let length = usize::try_from(power.unsigned_abs()).unwrap_or(usize::MAX);
    if length > digits {
        return Err(too_long());
    }
    let value: BigInt = written.parse().unwrap_or_default();
    let ten = BigInt::from(10).pow(u32::try_from(length).unwrap_or(0));
    Ok(if power < 0 { Ratio::new(value, ten) } else { Ratio::from_integer(value * ten) })
}
