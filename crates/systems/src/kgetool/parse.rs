//! Searches in what a model writes: `KG.search(Start=Bob, Path=[mother, home_address])` in every
//! spelling that models have for it.

use serde::{Deserialize, Serialize};
use tasks::family::Search;
use tasks::family::score::Ruleset;

/// The most bytes of an answer that are read.
pub const MAX_TEXT: usize = 200_000;
/// The most searches of an answer.
pub const MAX_SEARCHES: usize = 64;
/// The most relations of a path.
pub const MAX_HOPS: usize = 16;
/// The most bytes of a name.
const MAX_NAME: usize = tasks::family::MAX_NAME_BYTES;

/// A search as a model wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenSearch {
    /// Its words, cut where they are too long.
    pub text: String,
    /// What was read, or why nothing could be.
    pub search: Result<Search, String>,
}

/// Finds the searches in an answer.
///
/// In `paper` mode every spelling is read: `start` and `path` in any case or without their names,
/// names in any quotes or none, `<relationship>` before a relation or not, full-width signs, and a
/// search that comes twice counts once. In `compat` mode what the public code reads is read: names
/// lose their spaces, and a capital `Start` is none.
///
/// # Complexity
/// O(length of the text).
pub fn parse(text: &str, mode: Ruleset) -> Vec<WrittenSearch> {
    let text = cut(text, MAX_TEXT);
    let mut all: Vec<WrittenSearch> = Vec::new();
    let mut rest = text;
    while let Some(at) = find_search(rest, mode) {
        rest = &rest[at..];
        let Some((inside, after)) = arguments(rest, mode) else {
            if mode == Ruleset::Compat {
                continue;
            }
            let why = "a search was begun and not ended; it ends with a closing bracket".to_owned();
            all.push(WrittenSearch { text: cut(rest, 200).to_owned(), search: Err(why) });
            break;
        };
        rest = after;
        let search = match mode {
            Ruleset::Compat => read_compat(inside),
            Ruleset::Paper => read(inside),
        };
        let written = WrittenSearch { text: cut(inside, 200).to_owned(), search };
        if mode == Ruleset::Compat
            || !all.iter().any(|w| w.search == written.search && w.search.is_ok())
        {
            all.push(written);
        }
        if all.len() == MAX_SEARCHES {
            break;
        }
    }
    all
}

fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    &text[..end]
}

/// Where the text continues after the next `KG.search(`.
fn find_search(text: &str, mode: Ruleset) -> Option<usize> {
    const NAME: &str = "KG.search";
    if mode == Ruleset::Compat {
        return text.find("KG.search(").map(|i| i + NAME.len() + 1);
    }
    let bytes = text.as_bytes();
    let mut from = 0;
    while from + NAME.len() <= bytes.len() {
        let found = bytes[from..]
            .windows(NAME.len())
            .position(|w| w.eq_ignore_ascii_case(NAME.as_bytes()))?
            + from
            + NAME.len();
        let gap = text[found..].len() - text[found..].trim_start().len();
        let next = text[found + gap..].chars().next();
        if matches!(next, Some('(' | '（')) {
            return Some(found + gap + next.map_or(1, char::len_utf8));
        }
        from = found;
    }
    None
}

/// What stands in the brackets, and what follows.
fn arguments(text: &str, mode: Ruleset) -> Option<(&str, &str)> {
    if mode == Ruleset::Compat {
        let line = text.lines().next().unwrap_or_default();
        let end = line.find(')')?;
        return Some((&text[..end], &text[end + 1..]));
    }
    // A bracket in quotes ends nothing.
    let mut quote: Option<char> = None;
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), '\n') => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            // An apostrophe within a word opens no quotes.
            (None, '\'') if !text[..i].ends_with(char::is_alphanumeric) => quote = Some(c),
            (None, '(' | '（') => depth += 1,
            (None, ')' | '）') if depth == 0 => {
                return Some((&text[..i], &text[i + c.len_utf8()..]));
            }
            (None, ')' | '）') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// As the public code reads: quotes and spaces deleted, then two patterns in small letters.
fn read_compat(inside: &str) -> Result<Search, String> {
    let mut plain = String::new();
    let mut in_tag = false;
    for c in inside.chars() {
        match c {
            '\'' | '"' | '`' | ' ' => {}
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            _ if in_tag => {}
            '，' => plain.push(','),
            '【' => plain.push('['),
            '】' => plain.push(']'),
            c => plain.push(c),
        }
    }
    let part = |key: &str, end: char| {
        let at = plain.find(key)? + key.len();
        let text = plain[at..].split(end).next().unwrap_or_default();
        (!text.is_empty()).then_some(text)
    };
    let start = part("start=", ',').ok_or("no start=… was found")?;
    let path = part("path=[", ']').ok_or("no path=[…] was found")?;
    bounded(start.to_owned(), path.split(',').map(str::to_owned).collect())
}

fn read(inside: &str) -> Result<Search, String> {
    let plain: String = inside
        .chars()
        .map(|c| match c {
            '，' | '、' => ',',
            '【' | '［' => '[',
            '】' | '］' => ']',
            '＝' => '=',
            '“' | '”' => '"',
            c => c,
        })
        .collect();
    let example = "write KG.search(start=\"…\", path=[\"…\", \"…\"])";
    let Some(open) = plain.find('[') else {
        return Err(format!("it has no path in square brackets; {example}"));
    };
    let (before, list) = (&plain[..open], &plain[open + 1..]);
    let Some(close) = list.find(']') else {
        return Err(format!("its path is begun and not ended; {example}"));
    };
    let (list, after) = (&list[..close], &list[close + 1..]);
    // The start stands before the path, or behind it with its name.
    let start = named(before, "start")
        .or_else(|| named(after, "start"))
        .unwrap_or_else(|| before.split(',').next().unwrap_or_default().to_owned());
    let start = name(&start);
    let path: Vec<String> = list.split(',').map(name).filter(|r| !r.is_empty()).collect();
    if start.is_empty() || start.to_ascii_lowercase().starts_with("path") {
        return Err(format!("it has no start; {example}"));
    }
    if path.is_empty() {
        return Err(format!("its path is empty; {example}"));
    }
    bounded(start, path)
}

/// The text behind `key =` or `key:` up to a comma.
fn named(text: &str, key: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let at = lower.find(key)? + key.len();
    let rest = text[at..].trim_start_matches(|c: char| {
        c.is_whitespace() || c.is_alphabetic() || c == '_' || QUOTES.contains(&c)
    });
    let rest = rest.strip_prefix(['=', ':'])?;
    Some(rest.split(',').next().unwrap_or_default().to_owned())
}

const QUOTES: [char; 4] = ['"', '\'', '`', '“'];

/// A name without quotes, brackets and tags around it.
fn name(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let before = text;
        text = text.trim_matches(|c: char| {
            c.is_whitespace() || QUOTES.contains(&c) || c == '{' || c == '}'
        });
        // `<relationship>` stands before a name; `<name>` stands around it.
        if let Some(rest) = text.strip_prefix('<')
            && let Some((tag, name)) = rest.split_once('>')
        {
            text = if name.trim().is_empty() { tag } else { name };
        }
        if let Some((name, tag)) = text.rsplit_once("</")
            && tag.ends_with('>')
        {
            text = name;
        }
        if text == before {
            return text.to_owned();
        }
    }
}

fn bounded(start: String, path: Vec<String>) -> Result<Search, String> {
    let n = path.len();
    if n > MAX_HOPS {
        return Err(format!("its path has {n} relations; at most {MAX_HOPS} are followed"));
    }
    if let Some(long) = path.iter().chain([&start]).find(|p| p.len() > MAX_NAME) {
        let (shown, n) = (cut(long, 40), long.len());
        return Err(format!("the name {shown:?}… has {n} bytes; at most {MAX_NAME} are read"));
    }
    Ok(Search { start, path })
}

/// The search in the spelling that the prompt asks for.
pub fn write(search: &Search) -> String {
    let path: Vec<String> = search.path.iter().map(|r| format!("\"<relationship>{r}\"")).collect();
    format!("KG.search(start=\"{}\", path=[{}])", search.start, path.join(", "))
}
