//! Edge list: one edge a line, `u v` or `u v weight`.
//!
//! `#`, `%` and `//` start comments; one of them says whether the graph is directed, in the words of
//! ours, SNAP's or KONECT's. A line with one name is a node. Names with blanks, commas or quotes are in
//! double quotes, spelt as in JSON.

use super::sign::comment;
use super::{Direction, Draft, Format, FormatError, GraphRead, NoteKind, Peek, number, unmarked};
use crate::{Graph, NodeName};

pub(super) const FORMAT: Format = Format {
    id: "edge_list",
    title: "Edge list",
    extensions: &["txt", "edges", "edgelist", "ncol", "lgl"],
    reads: "`a b`, `a b 3`, `a b {'weight': 3}` (networkx), `(a, b) (b, c, 3)`, more columns of numbers \
            (KONECT), `# a` with `b 3` below it (igraph's LGL); comments that say the direction",
    loses: "further columns and attributes",
    keeps: "nodes, edges, weights",
    is_it,
    parse,
    nth: None,
    write: Some(write),
};

/// What comments say of a graph.
#[derive(Default)]
pub(super) struct CommentedKind {
    pub directed: Option<bool>,
    /// Whether numbers on the right are other nodes than those on the left.
    is_bipartite: bool,
}

pub(super) fn read_comments<'a>(comments: impl Iterator<Item = &'a str>) -> CommentedKind {
    let mut said = CommentedKind::default();
    for words in comments {
        let words = words.to_ascii_lowercase();
        let mut first = words.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        let (word, next) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
        match (word, next) {
            ("directed", "" | "graph" | "network") | ("asym", _) => said.directed = Some(true),
            ("undirected", "" | "graph" | "network") | ("sym", _) => said.directed = Some(false),
            ("bip", _) => (said.directed, said.is_bipartite) = (Some(false), true),
            _ => {}
        }
    }
    said
}

/// What a line is.
enum Line<'a> {
    Node(String),
    Edge(Vec<String>),
    /// Two ends and attributes as Python writes them.
    Data(Vec<String>, &'a str),
    /// So many words that are none of these.
    Odd(Vec<String>),
}

fn line_of(text: &str, at: usize) -> Result<Line<'_>, FormatError> {
    let Words { words, has_odd, data } = words(text, at)?;
    let are_numbers = |words: &[String]| words.iter().all(|w| w.parse::<f64>().is_ok());
    Ok(match (&words[..], data) {
        _ if has_odd => Line::Odd(words),
        ([_, _], Some(data)) => Line::Data(words, data),
        ([node], None) => Line::Node(node.clone()),
        ([_, _, rest @ ..], None) if are_numbers(rest) => Line::Edge(words),
        _ => Line::Odd(words),
    })
}

/// The first line that is no edge, for a text that is no edge list.
pub(super) fn first_odd(text: &str) -> (usize, &str) {
    let is_odd = |line: &str| !matches!(line_of(line, 0), Ok(Line::Edge(_) | Line::Data(..)));
    let mut all = super::lines(text).filter(|(_, line)| comment(line).is_none());
    let first = super::lines(text).next().unwrap_or((1, ""));
    all.find(|(_, line)| is_odd(line)).unwrap_or(first)
}

fn is_it(peek: &Peek<'_>) -> bool {
    if groups(peek.first()).is_some() {
        return peek.lines.iter().all(|l| groups(l).is_some());
    }
    if peek.text.starts_with(['{', '[', '<']) {
        return false;
    }
    // A table of which nobody knows the columns is none.
    let table = peek.table();
    let is_table = table.is_table() && table.separator() != ' ' && !peek.first().contains('{');
    if is_table && peek.comments.is_empty() {
        return false;
    }
    let is_lgl = is_lgl(peek.text);
    let says = read_comments(peek.comments.iter().copied()).directed.is_some();
    let (mut n_edges, mut n_nodes, mut n_odd) = (0, 0, 0);
    for line in &peek.lines {
        match line_of(line, 0) {
            Ok(Line::Edge(words)) => {
                // Prose has words that end in marks.
                let ends = |w: &String| w.ends_with(['.', '?', '!', ':']) && w.len() > 1;
                if !says && words.iter().any(ends) { n_odd += 1 } else { n_edges += 1 }
            }
            Ok(Line::Data(..)) => n_edges += 1,
            Ok(Line::Node(_)) => n_nodes += 1,
            Ok(Line::Odd(_)) | Err(_) => n_odd += 1,
        }
    }
    // Single words are nodes only beside edges, or where a comment says what the file is.
    let is_alone = n_nodes > n_edges && !says && !is_lgl;
    let has_some = n_edges > 0 || says;
    has_some && !is_alone && n_odd * 5 <= n_edges + n_nodes
}

/// Whether the first line has the sizes of a matrix, as files do that were one: three numbers, of which
/// two are the same, above lines of two.
fn is_sized(text: &str) -> bool {
    let mut all = super::lines(text).map(|(_, l)| l).filter(|l| comment(l).is_none());
    let first: Vec<&str> = all.next().unwrap_or_default().split_whitespace().collect();
    let are_sizes = matches!(first[..], [a, b, n] if a == b && n.parse::<usize>().is_ok());
    are_sizes && all.next().is_some_and(|l| l.split_whitespace().count() == 2)
}

/// igraph's LGL: `# a`, and below it the neighbours of `a` with weights.
fn is_lgl(text: &str) -> bool {
    let mut n = 0;
    let mut is_below = false;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()).take(200) {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some(_), None, None) => {
                // A comment at the top of an edge list comes once.
                n += usize::from(is_below);
                is_below = false;
            }
            (Some(_), None, ..) => is_below = true,
            (Some(_), Some(weight), None, None) if weight.parse::<f64>().is_ok() => is_below = true,
            _ => return false,
        }
    }
    n > 0 && text.trim_start().starts_with('#')
}

/// What is between brackets, where a line has nothing else: `(0,1) (1,2)`, `[(0, 1), (1, 2)]`.
fn groups(line: &str) -> Option<Vec<&str>> {
    let line = line.trim().trim_end_matches([',', '.', ';']);
    let line = line.trim_start_matches(['[', '{']).trim_end_matches([']', '}']);
    let mut rest = line.trim_start();
    let mut list = Vec::new();
    while let Some(inner) = rest.strip_prefix('(') {
        let (group, behind) = inner.split_once(')')?;
        if !(1..=2).contains(&group.matches(',').count()) {
            return None;
        }
        list.push(group);
        rest = behind.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
    }
    (rest.is_empty() && !list.is_empty()).then_some(list)
}

#[derive(Default)]
struct Words<'a> {
    words: Vec<String>,
    /// Whether one has marks alone, which are another format's.
    has_odd: bool,
    /// What stands in braces behind them.
    data: Option<&'a str>,
}

fn words(text: &str, line: usize) -> Result<Words<'_>, FormatError> {
    let mut found = Words::default();
    let is_odd = |w: &str| !w.chars().any(char::is_alphanumeric);
    // Between tabs, names may have blanks.
    if text.contains('\t') && !text.contains('"') {
        let all = text.split('\t').map(str::trim).filter(|w| !w.is_empty());
        for word in all {
            if word.starts_with('{') && word.ends_with('}') {
                found.data = Some(word);
                break;
            }
            found.has_odd |= is_odd(word);
            found.words.push(word.to_owned());
        }
        return Ok(found);
    }
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
        if rest.is_empty() || rest.starts_with('#') {
            return Ok(found);
        }
        if rest.starts_with('{') && rest.trim_end().ends_with('}') {
            found.data = Some(rest.trim_end());
            return Ok(found);
        }
        if rest.starts_with('"') {
            let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            match stream.next() {
                Some(Ok(word)) => found.words.push(word),
                _ => {
                    let message = "a quoted name does not end: close it with \"";
                    return Err(FormatError::at(line, message));
                }
            }
            rest = &rest[stream.byte_offset()..];
        } else {
            let end = rest
                .find(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
                .unwrap_or(rest.len());
            found.has_odd |= is_odd(&rest[..end]);
            found.words.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let text = unmarked(text);
    let said = read_comments(text.lines().filter_map(comment));
    let is_lgl = is_lgl(text);
    let mut is_sized = is_sized(text);
    let mut draft = Draft::new();
    // The node that the lines below it are neighbours of.
    let mut above: Option<String> = None;
    for (i, line) in text.lines().enumerate() {
        let (at, line) = (i + 1, line.trim());
        if let Some(words) = comment(line) {
            if is_lgl {
                above = Some(words.to_owned());
                if let Err(error) = draft.node(words) {
                    draft.fault_of(at, error);
                }
            }
            continue;
        }
        if line.is_empty() {
            continue;
        }
        if let (true, Some(above)) = (is_lgl, &above) {
            let (name, weight) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let weight = (!weight.is_empty()).then(|| number(weight, "weight", None)).transpose();
            match weight {
                Ok(weight) => draft.link([above, name], [weight, None], None, at),
                Err(error) => draft.fault_of(at, error),
            }
            continue;
        }
        if is_sized && draft.n_nodes() == 0 {
            is_sized = false;
            draft.note(
                NoteKind::Dropped,
                "line| with the numbers of rows, columns and entries",
                "",
                at,
            );
            continue;
        }
        if let Err(error) = add(&mut draft, line, at, &said) {
            draft.fault_of(at, error);
        }
    }
    if said.is_bipartite {
        draft.notes.say(
            NoteKind::Turned,
            "nodes on the right are called r1, r2, …, as the two sides number theirs on their own",
        );
    }
    draft.finish(said.directed.map_or(Direction::Assumed(false), Direction::Is))
}

fn add(draft: &mut Draft, line: &str, at: usize, said: &CommentedKind) -> Result<(), FormatError> {
    if let Some(groups) = groups(line) {
        for group in groups {
            let words: Vec<&str> =
                group.split(',').map(|w| w.trim().trim_matches(['\'', '"'])).collect();
            let weight = words.get(2).map(|w| number(w, "weight", None)).transpose()?;
            draft.link([words[0], words[1]], [weight, None], None, at);
        }
        return Ok(());
    }
    let (words, values) = match line_of(line, at)? {
        Line::Node(node) => {
            draft.node(&node)?;
            return Ok(());
        }
        Line::Edge(words) => {
            let weight = words.get(2).map(|w| number(w, "weight", None)).transpose()?;
            if words.len() > 3 {
                draft.note(NoteKind::Dropped, "line| whose columns after the third", "", at);
            }
            (words, [weight, None])
        }
        Line::Data(words, data) => {
            let values = attributes(draft, data, at)?;
            (words, values)
        }
        Line::Odd(words) => {
            return Err(FormatError::new(match &words[..] {
                [_, _, weight] => number(weight, "weight", None)
                    .map_or_else(|e| e.message, |_| "a name has no letter and no digit".to_owned()),
                _ => format!("{} words; write two names, or two names and a number", words.len()),
            }));
        }
    };
    let right = if said.is_bipartite { format!("r{}", words[1]) } else { words[1].clone() };
    draft.link([&words[0], &right], values, None, at);
    Ok(())
}

/// Weight and capacity of `{'weight': 3, 'colour': 'red'}`.
fn attributes(draft: &mut Draft, data: &str, at: usize) -> Result<[Option<f64>; 2], FormatError> {
    let mut values = [None; 2];
    let inner = data.trim_matches(['{', '}']);
    for pair in inner.split(',').filter(|p| !p.trim().is_empty()) {
        let Some((key, value)) = pair.split_once(':') else { continue };
        let key = key.trim().trim_matches(['\'', '"']);
        match ["weight", "capacity"].iter().position(|k| *k == key) {
            Some(i) => values[i] = Some(number(value.trim_matches([' ', '\'', '"']), key, None)?),
            None => draft.drop_edge_value(key, at),
        }
    }
    Ok(values)
}

fn word(node: &NodeName) -> String {
    let text = node.to_string();
    // Other marks may be signs of other formats.
    let is_plain = |c: char| c.is_alphanumeric() || "_-.+".contains(c);
    let is_name = text.starts_with(|c: char| c.is_alphanumeric() || c == '-')
        && text.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        && text.chars().all(is_plain);
    if is_name { text } else { serde_json::Value::from(text).to_string() }
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let mut text =
        String::from(if graph.is_directed() { "# directed\n" } else { "# undirected\n" });
    for node in graph.names() {
        text += &format!("{}\n", word(node));
    }
    for e in graph.edges() {
        text += &format!("{} {}", word(e.source), word(e.target));
        if let Some(weight) = e.weight {
            text += &format!(" {weight}");
        }
        text.push('\n');
    }
    Ok(text)
}
