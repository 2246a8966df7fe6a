//! Lines with an arrow between names, as people and models write edges: `a -> b`, `a -- b: 3`.

use super::{Direction, Draft, Format, FormatError, GraphRead, Peek, number, short, unmarked};

pub(super) const FORMAT: Format = Format {
    id: "arrows",
    title: "Lines with arrows",
    extensions: &["txt"],
    reads: "`a -> b`, `a <- b`, `a -- b`, `a <-> b` with one of these and other arrows, chains, several \
            ends between commas, and a weight behind `:`, in brackets or on the arrow",
    loses: "words that are no weight",
    keeps: "it is only read",
    is_it: |peek: &Peek<'_>| {
        let pieces: Vec<&str> = peek.lines.iter().flat_map(|l| pieces(l)).collect();
        let n = pieces.iter().filter(|p| is_edge(p)).count();
        n > 0 && n * 5 >= pieces.len() * 4
    },
    parse,
    nth: None,
    write: None,
};

/// What may stand between two names, the longer first, and whether it leads on, back or both ways.
const ARROWS: [(&str, Way); 22] = [
    ("<-->", Way::Both),
    ("<->", Way::Both),
    ("<=>", Way::Both),
    ("-->", Way::On),
    ("->", Way::On),
    ("==>", Way::On),
    ("=>", Way::On),
    ("<--", Way::Back),
    ("<-", Way::Back),
    ("---", Way::Both),
    ("--", Way::Both),
    ("→", Way::On),
    ("⟶", Way::On),
    ("⇒", Way::On),
    ("←", Way::Back),
    ("↔", Way::Both),
    ("⇔", Way::Both),
    ("&rarr;", Way::On),
    (" — ", Way::Both),
    (" – ", Way::Both),
    (" - ", Way::Both),
    ("\\to ", Way::On),
];

#[derive(Clone, Copy, PartialEq)]
enum Way {
    On,
    Back,
    Both,
}

/// The first arrow of a text, with what is before and after it; a quoted text
/// is a name.
fn arrow(text: &str) -> Option<(&str, Way, &str)> {
    let mut is_quoted = false;
    for (i, c) in text.char_indices() {
        is_quoted ^= c == '"';
        if is_quoted || c.is_alphanumeric() {
            continue;
        }
        if let Some((sign, way)) = ARROWS.iter().find(|(sign, _)| text[i..].starts_with(sign)) {
            return Some((&text[..i], *way, &text[i + sign.len()..]));
        }
    }
    None
}

fn is_edge(piece: &str) -> bool {
    let Some((before, _, behind)) = arrow(bare(piece)) else { return false };
    let is_name = |t: &str| {
        let t = t.trim();
        t.chars().any(char::is_alphanumeric) && t.len() <= 100 && t.split_whitespace().count() <= 6
    };
    is_name(before) && is_name(arrow(behind).map_or(behind, |(name, ..)| name))
}

/// A line's pieces between semicolons.
fn pieces(line: &str) -> Vec<&str> {
    line.split(';').map(str::trim).filter(|p| !p.is_empty() && !p.starts_with("```")).collect()
}

/// Without the mark of a list: `- a -> b`, `1. a -> b`.
fn bare(piece: &str) -> &str {
    for mark in ["- ", "* ", "• "] {
        if let Some(rest) = piece.strip_prefix(mark) {
            return rest.trim_start();
        }
    }
    let digits = piece.trim_start_matches(|c: char| c.is_ascii_digit());
    match digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") ")) {
        Some(rest) if digits.len() < piece.len() => rest.trim_start(),
        _ => piece,
    }
}

/// What a name is without marks around it.
fn named(text: &str) -> &str {
    let text = text.trim().trim_end_matches([',', '.']);
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let inner = inner.or_else(|| text.strip_prefix('(').and_then(|t| t.strip_suffix(')')));
    let inner = inner.or_else(|| text.strip_prefix('[').and_then(|t| t.strip_suffix(']')));
    inner
        .or_else(|| text.strip_prefix('`').and_then(|t| t.strip_suffix('`')))
        .unwrap_or(text)
        .trim()
}

/// A last name, and the weight behind it: `b: 3`, `b (3)`, `b [weight=3]`, `b 3`.
fn weighted(text: &str) -> Result<(&str, Option<f64>), FormatError> {
    let text = text.trim().trim_end_matches(['.', ',']);
    if text.ends_with('"') {
        return Ok((text, None));
    }
    let value = |words: &str| {
        let words = words.trim().trim_end_matches([')', ']', '}']);
        let last = words.rsplit(|c: char| c.is_whitespace() || matches!(c, '=' | ':' | '(' | '['));
        number(last.take(1).collect::<String>().as_str(), "weight", None)
    };
    for open in [" (", " [", " {", "(", "["] {
        if let Some((name, inner)) = text.rsplit_once(open)
            && inner.ends_with([')', ']', '}'])
            && !name.trim().is_empty()
        {
            return Ok((name, Some(value(inner)?)));
        }
    }
    for sign in [": ", ":", ", ", " | "] {
        if let Some((name, words)) = text.rsplit_once(sign)
            && let Ok(weight) = value(words)
        {
            return Ok((name.trim_end_matches(" weight"), Some(weight)));
        }
    }
    if let Some((name, word)) = text.rsplit_once(char::is_whitespace)
        && let Ok(weight) = number(word, "weight", None)
    {
        return Ok((name, Some(weight)));
    }
    Ok((text, None))
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let mut draft = Draft::new();
    let mut is_directed = false;
    for (i, line) in unmarked(text).lines().enumerate() {
        if super::sign::comment(line).is_some() {
            continue;
        }
        for piece in pieces(line) {
            match edges(bare(piece)) {
                Ok(found) => {
                    for (a, way, b, weight) in found {
                        is_directed |= way != Way::Both;
                        let ends = if way == Way::Back { [b, a] } else { [a, b] };
                        draft.link(ends, [weight, None], Some(way != Way::Both), i + 1);
                    }
                }
                Err(error) => draft.fault_of(i + 1, error),
            }
        }
    }
    draft.finish(Direction::Is(is_directed))
}

type Found<'a> = (&'a str, Way, &'a str, Option<f64>);

/// The edges of a chain.
fn edges(piece: &str) -> Result<Vec<Found<'_>>, FormatError> {
    let mut found = Vec::new();
    let Some((first, mut way, mut rest)) = arrow(piece) else {
        let message = format!("`{}` has no arrow: give `a -> b`", short(piece));
        return Err(FormatError::new(message));
    };
    let mut first = first;
    // `a -3-> b`: the weight is on the arrow.
    let mut on_first = None;
    if let Some((name, word)) = first.rsplit_once('-')
        && name.ends_with(char::is_whitespace)
        && let Ok(weight) = number(word, "weight", None)
    {
        (first, on_first) = (name, Some(weight));
    }
    let mut before = vec![named(first)];
    // `a -3-> b`, `a --(3)--> b`: the weight is on the arrow.
    loop {
        let next = arrow(rest);
        let (part, weight_behind) = match next {
            Some((part, ..)) => (part, None),
            None => {
                let (name, weight) = weighted(rest)?;
                (name, weight)
            }
        };
        let on_arrow = part.trim().trim_matches(['(', ')', '[', ']']).parse::<f64>().ok();
        if let (Some((_, after, behind)), Some(weight), true) =
            (next, on_arrow, way == Way::Both && found.is_empty() && before.len() == 1)
            && after != Way::Back
            && rest.starts_with(part)
            && piece.contains(&format!("-{part}-"))
        {
            let (name, _) = weighted(behind)?;
            found.push((before[0], after, named(name), Some(weight)));
            return Ok(found);
        }
        let (part, weight) = match weight_behind {
            None if next.is_some() => weighted(part).unwrap_or((part, None)),
            weight => (part, weight),
        };
        let ends: Vec<&str> = if part.contains('"') {
            vec![named(part)]
        } else {
            part.split(',').map(named).collect()
        };
        for a in &before {
            for b in &ends {
                found.push((*a, way, *b, weight.or(on_first)));
            }
        }
        if found.len() > 10_000 {
            return Err(FormatError::new("more than 10000 edges in one line"));
        }
        before = ends;
        match next {
            Some((_, next, behind)) => (way, rest) = (next, behind),
            None => return Ok(found),
        }
    }
}
