//! Thoughts between marks in the text.

use super::{marks, spellings};

/// Words that stand in the marks of thoughts.
const WORDS: [&str; 6] = ["think", "thinking", "thought", "thoughts", "reasoning", "reason"];

/// Splits a text into what was thought and what is said. Thoughts stand at the beginning, between
/// marks; the first mark may be missing, as where a template has it in the prompt, and the last, where
/// the text is cut off. `None` where there are none. O(text).
pub fn split_thoughts(text: &str) -> Option<(String, String)> {
    if let Some(found) = marks::split_channels(text) {
        return Some(found);
    }
    let text = spellings::usual(text);
    let text = text.as_ref();
    let mut thoughts: Vec<&str> = Vec::new();
    let mut rest = text.trim_start();
    while let Some((word, behind)) = opening(rest) {
        match closing(behind, Some(word)) {
            Some((inside, after)) => {
                thoughts.push(inside.trim());
                rest = after.trim_start();
            }
            None => {
                thoughts.push(behind.trim());
                rest = "";
            }
        }
    }
    if thoughts.is_empty() {
        let (inside, after) = closing(text, None)?;
        if marks::is_quoted(text, inside.len()) || opens_anywhere(inside) {
            return None;
        }
        thoughts.push(inside.trim());
        rest = after;
    }
    Some((thoughts.join("\n\n"), rest.trim().to_owned()))
}

/// The word of the mark that a text begins with, and what comes behind it.
fn opening(text: &str) -> Option<(&'static str, &str)> {
    let (name, behind) = marks::tag(text)?;
    let word = WORDS.into_iter().find(|word| name_is(name, word))?;
    Some((word, behind))
}

/// Whether the name in a mark is that word, in whatever letters and with whatever prefix, or a suffix
/// behind a colon.
fn name_is(name: &str, word: &str) -> bool {
    let name = name.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    name.split(':')
        .any(|part| part.rsplit('_').next().is_some_and(|part| part.eq_ignore_ascii_case(word)))
}

/// Whether a mark of thoughts opens within a text.
fn opens_anywhere(text: &str) -> bool {
    marks::starts(text).any(|at| opening(&text[at..]).is_some())
}

/// What stands before the mark that closes thoughts, and what behind it.
fn closing<'t>(text: &'t str, word: Option<&str>) -> Option<(&'t str, &'t str)> {
    for at in marks::starts(text) {
        let Some((name, behind)) = marks::tag(&text[at..]) else { continue };
        let Some(name) = name.strip_prefix('/').or_else(|| end_of_special(name)) else { continue };
        let is_it = |known: &str| name_is(name, known);
        if word.map_or_else(|| WORDS.iter().any(|w| is_it(w)), is_it) {
            return Some((&text[..at], behind));
        }
    }
    None
}

/// The name in a mark that closes without a slash: `<|END_THINKING|>`.
fn end_of_special(name: &str) -> Option<&str> {
    let name = name.trim_matches(['|', '｜']);
    ["end_", "END_", "end_of_"].iter().find_map(|end| name.strip_prefix(end)).or(
        // A pair of signs of its own closes with the slash inside.
        name.strip_prefix("/"),
    )
}
