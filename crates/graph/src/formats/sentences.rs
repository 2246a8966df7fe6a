//! Sentences, as people tell a graph: "Ann knows Ben.", "There is an edge between A and B with weight 3.",
//! "Node 0 is connected to nodes 1, 2."

use super::{
    Direction, Draft, Format, FormatError, GraphRead, NoteKind, Peek, number, short, unmarked,
};

pub(super) const FORMAT: Format = Format {
    id: "sentences",
    title: "Sentences",
    extensions: &["txt", "md"],
    reads: "a sentence for each edge: two names with a verb between (directed), or with \"is connected \
            to\", \"and … are friends\", \"edge between … and …\" (undirected), with \"weight 3\" behind",
    loses: "what the verb says",
    keeps: "it is only read",
    is_it: |peek: &Peek<'_>| {
        let all: Vec<&str> = peek.lines.iter().flat_map(|l| sentences(l)).collect();
        let n = all.iter().filter(|s| read(s).is_some()).count();
        n > 0 && n * 3 >= all.len() * 2
    },
    parse,
    nth: None,
    write: None,
};

struct Said<'a> {
    sources: Vec<&'a str>,
    targets: Vec<&'a str>,
    is_directed: bool,
    weight: Option<f64>,
    verb: &'a str,
}

/// Sentences of a line: a full stop ends one where a blank or nothing comes behind it.
fn sentences(line: &str) -> Vec<&str> {
    line.split_inclusive(['.', ';', '!'])
        .fold(Vec::<&str>::new(), |mut list, part| {
            // A point within a number or a name ends nothing.
            match list.last_mut() {
                Some(last) if !last.is_empty() && !part.starts_with(char::is_whitespace) => {
                    let start = last.as_ptr() as usize - line.as_ptr() as usize;
                    let end = part.as_ptr() as usize - line.as_ptr() as usize + part.len();
                    *last = &line[start..end];
                }
                _ => list.push(part),
            }
            list
        })
        .into_iter()
        .map(|s| {
            s.trim().trim_start_matches(['-', '*', '•']).trim_end_matches(['.', ';', '!']).trim()
        })
        .filter(|s| !s.is_empty())
        .collect()
}

/// What stands between two names, and whether it leads from one to the other.
const BETWEEN: [(&str, bool); 12] = [
    (" is connected with ", false),
    (" is connected to ", false),
    (" is linked to ", false),
    (" is adjacent to ", false),
    (" is friends with ", false),
    (" is a friend of ", false),
    (" are connected to ", false),
    (" has an edge to ", true),
    (" points to ", true),
    (" leads to ", true),
    (" depends on ", true),
    (" connects to ", false),
];

/// What stands behind two names with "and" between.
const BEHIND: [&str; 6] = [
    " are friends",
    " are connected",
    " are linked",
    " are adjacent",
    " know each other",
    " are neighbours",
];

fn read(sentence: &str) -> Option<Said<'_>> {
    let (sentence, weight) = weighted(sentence);
    if sentence.len() > 400 || sentence.contains(['?', '{', '}', '<', '=']) {
        return None;
    }
    for (start, middle, is_directed) in [
        ("edge between ", " and ", false),
        ("edge from ", " to ", true),
        ("road between ", " and ", false),
        ("link from ", " to ", true),
        ("link between ", " and ", false),
    ] {
        if let Some((_, ends)) = sentence.split_once(start)
            && let Some((a, b)) = ends.split_once(middle)
        {
            let (sources, targets) = (vec![name(a)?], vec![name(b)?]);
            return Some(Said { sources, targets, is_directed, weight, verb: "" });
        }
    }
    for (middle, is_directed) in BETWEEN {
        if let Some((a, b)) = sentence.split_once(middle) {
            return Some(Said {
                sources: vec![name(a)?],
                targets: names(b)?,
                is_directed,
                weight,
                verb: "",
            });
        }
    }
    for behind in BEHIND {
        if let Some((ends, _)) = sentence.split_once(behind) {
            let (a, b) = ends.split_once(" and ")?;
            let (sources, targets) = (vec![name(a)?], vec![name(b)?]);
            return Some(Said { sources, targets, is_directed: false, weight, verb: "" });
        }
    }
    // A name, a verb in small letters, a name.
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let at = words.iter().position(|w| is_verb(w))?;
    let (before, behind) = (&words[..at], &words[at + 1..]);
    let behind_names: Vec<&str> =
        behind.iter().map(|w| w.trim_end_matches(',')).filter(|w| *w != "and").collect();
    let are_names =
        |list: &[&str]| !list.is_empty() && list.len() <= 6 && list.iter().copied().all(is_name);
    if !are_names(before) || (behind.len() != 1 && !are_names(&behind_names)) {
        return None;
    }
    let place = words[at + 1].as_ptr() as usize - sentence.as_ptr() as usize;
    let end = words[at].as_ptr() as usize - sentence.as_ptr() as usize;
    Some(Said {
        sources: vec![name(&sentence[..end])?],
        targets: names(&sentence[place..])?,
        is_directed: true,
        weight,
        verb: words[at],
    })
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        && word.chars().all(|c| c.is_alphanumeric() || "_-'".contains(c))
}

fn is_verb(word: &str) -> bool {
    let others = ["is", "was", "has", "its", "this", "and", "but", "not"];
    word.len() > 2
        && word.chars().all(char::is_lowercase)
        && word.ends_with(['s', 'd', 't'])
        && !others.contains(&word)
}

/// A sentence without its weight, and that.
fn weighted(sentence: &str) -> (&str, Option<f64>) {
    let signs = [
        " with weight ",
        " with a weight of ",
        " with capacity ",
        " of weight ",
        " of length ",
        " (weight ",
        " with cost ",
    ];
    for sign in signs {
        if let Some((before, behind)) = sentence.split_once(sign) {
            let word = behind.split(|c: char| c.is_whitespace() || c == ')' || c == ',').next();
            if let Ok(weight) = number(word.unwrap_or_default(), "weight", None) {
                return (before.trim_end_matches(','), Some(weight));
            }
        }
    }
    (sentence, None)
}

/// One name, without the word that says what it is.
fn name(text: &str) -> Option<&str> {
    let mut text = text.trim().trim_matches([',', '"', '`']);
    for word in
        ["There is an ", "nodes ", "Nodes ", "node ", "Node ", "vertex ", "Vertex ", "the ", "The "]
    {
        text = text.strip_prefix(word).unwrap_or(text);
    }
    let is_fit = !text.is_empty() && text.len() <= 60 && text.split_whitespace().count() <= 3;
    is_fit.then_some(text)
}

/// Names between commas and "and".
fn names(text: &str) -> Option<Vec<&str>> {
    let list: Option<Vec<&str>> = text
        .split(',')
        .flat_map(|part| part.split(" and "))
        .map(|part| part.trim().strip_prefix("and ").unwrap_or(part).trim())
        .filter(|part| !part.is_empty())
        .map(name)
        .collect();
    list.filter(|list| !list.is_empty())
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let mut draft = Draft::new();
    draft.mirrors = true;
    let mut is_directed = false;
    for (i, line) in unmarked(text).lines().enumerate() {
        if super::sign::comment(line).is_some() {
            continue;
        }
        for sentence in sentences(line) {
            let Some(said) = read(sentence) else {
                let sentence = short(sentence);
                draft.fault(
                    i + 1,
                    format!("`{sentence}` names no two nodes: write \"Ann knows Ben.\""),
                );
                continue;
            };
            is_directed |= said.is_directed;
            if !said.verb.is_empty() {
                draft.note(NoteKind::Dropped, "verb|, such as", said.verb, i + 1);
            }
            for a in &said.sources {
                for b in &said.targets {
                    draft.link([a, b], [said.weight, None], Some(said.is_directed), i + 1);
                }
            }
        }
    }
    draft.finish(Direction::Is(is_directed))
}
