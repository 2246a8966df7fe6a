//! How GraphInstruct's evaluators read texts.

use crate::official::python::{digit, number, skip_chars};

/// What stands between the first `<<<` and the first `>>>`; nothing if that is empty.
///
/// Without a `<<<` the text counts from its third character on, because the script adds the length
/// of the mark to the place -1.
pub(super) fn wrapped(text: &str) -> Option<&str> {
    let end = text.find(">>>")?;
    let start = match text.find("<<<") {
        Some(at) => at + 3,
        None => text.len() - skip_chars(text, 2).len(),
    };
    (end > start).then(|| &text[start..end])
}

/// The first run of digits, without leading zeros.
pub(super) fn first_integer(text: &str) -> Option<String> {
    let start = text.find(|c| digit(c).is_some())?;
    let rest = &text[start..];
    Some(number(until_not(rest, |c| digit(c).is_some())))
}

fn until_not(text: &str, fits: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !fits(c)).unwrap_or(text.len())]
}

/// The first `2.5`, `.5` or `1/2`: what is above and below the stroke.
pub(super) fn first_float(text: &str) -> Option<(f64, f64)> {
    let is_digit = |c: char| digit(c).is_some();
    let value = |digits: &str| number(digits).parse::<f64>().unwrap_or(f64::INFINITY);
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| is_digit(c) || c == '.') {
        rest = &rest[at..];
        let whole = until_not(rest, is_digit);
        let behind = &rest[whole.len()..];
        let mark = behind.chars().next();
        let more = until_not(skip_chars(behind, 1), is_digit);
        match mark {
            Some('.') if !more.is_empty() => {
                let text = format!("{}.{}", number(whole), ascii(more));
                return Some((text.parse().unwrap_or(f64::INFINITY), 1.0));
            }
            Some('/') if !whole.is_empty() && !more.is_empty() => {
                return Some((value(whole), value(more)));
            }
            Some(mark) => rest = &behind[mark.len_utf8()..],
            None => return None,
        }
    }
    None
}

fn ascii(digits: &str) -> String {
    digits.chars().filter_map(|c| char::from_digit(digit(c)?, 10)).collect()
}

/// The words of a list of nodes. Only a plain space parts words; quotes, brackets, commas and the
/// two characters of an arrow become spaces first.
pub(super) fn words(text: &str) -> Vec<String> {
    let is_mark = |c: char| " '\"()[]{},->".contains(c);
    text.split(is_mark).filter(|word| !word.is_empty()).map(String::from).collect()
}

/// The nodes of a label of `page_rank`.
pub(super) fn nodes_of_label(label: &str) -> impl Iterator<Item = &str> {
    label.split(['[', ']', ',', ' ']).filter(|word| !word.is_empty())
}

/// The text behind a phrase; where it is missing, one character less than it is long is skipped.
pub(super) fn behind<'t>(text: &'t str, phrase: &str) -> &'t str {
    match text.find(phrase) {
        Some(at) => &text[at + phrase.len()..],
        None => skip_chars(text, phrase.chars().count() - 1),
    }
}

/// The text up to a mark; where it is missing, all but its last character.
pub(super) fn until(text: &str, mark: char) -> &str {
    let end = text.find(mark).or_else(|| text.char_indices().next_back().map(|(at, _)| at));
    &text[..end.unwrap_or_default()]
}
