//! Adjacency lists: a node and its neighbours in each line, as networkx's `adjlist` has them, with a
//! colon as people write them, or as METIS numbers them.

use rustc_hash::FxHashSet;

use super::{Direction, Draft, Format, FormatError, GraphRead, Peek, lines, short};
use crate::NodeName;

pub(super) const FORMAT: Format = Format {
    id: "adjacency_list",
    title: "Adjacency list",
    extensions: &["adjlist", "txt", "graph"],
    reads: "`a b c` (networkx's adjlist), `a: b, c`, and METIS (a line with the numbers of nodes and \
            edges, then the neighbours of each node)",
    loses: "nothing",
    keeps: "it is only read",
    is_it,
    parse,
    nth: None,
    write: None,
};

/// How lines are written.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Blanks,
    Colon,
    Metis,
}

fn is_it(peek: &Peek<'_>) -> bool {
    way(peek.text).is_some()
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|w| !w.is_empty())
}

/// What comes before and behind a colon.
fn colon(line: &str) -> Option<(&str, &str)> {
    let (node, near) = line.split_once(':').or_else(|| line.split_once("->"))?;
    let is_name =
        !node.trim().is_empty() && node.split_whitespace().count() <= 3 && node.len() <= 60;
    (is_name && !near.contains(':') && !near.starts_with("//")).then(|| (node.trim(), near.trim()))
}

fn data(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).filter(|(_, l)| super::sign::comment(l).is_none())
}

fn way(text: &str) -> Option<Way> {
    if is_metis(text) {
        return Some(Way::Metis);
    }
    let looked_at: Vec<&str> = data(text).map(|(_, line)| line).take(2000).collect();
    let with_colon: Vec<_> = looked_at.iter().map_while(|l| colon(l)).collect();
    if with_colon.len() == looked_at.len() && !with_colon.is_empty() {
        let near: Vec<&str> = with_colon.iter().flat_map(|(_, near)| words(near)).collect();
        let nodes: FxHashSet<&str> = with_colon.iter().map(|(node, _)| *node).collect();
        // Names come again, which words behind other colons do not.
        let is_short = near.iter().all(|w| w.len() <= 40 && !w.ends_with(['.', '?', '!']));
        let is_known = near.iter().any(|w| nodes.contains(w.trim_matches(['[', ']', '"', '\''])));
        if is_short && is_known && nodes.len() == with_colon.len() {
            return Some(Way::Colon);
        }
        return None;
    }
    // Every node has a line and no line has a node twice: an edge list with weights is no such thing.
    let mut firsts = FxHashSet::default();
    let (mut shortest, mut longest) = (usize::MAX, 0);
    for line in &looked_at {
        let all: Vec<&str> = words(line).collect();
        let distinct: FxHashSet<&str> = all.iter().copied().collect();
        // A loop is named by the first word alone.
        if !firsts.insert(all.first().copied()?) || distinct.len() + 1 < all.len() {
            return None;
        }
        shortest = shortest.min(all.len());
        longest = longest.max(all.len());
    }
    let are_known = looked_at.iter().flat_map(|l| words(l)).all(|w| firsts.contains(w));
    (longest >= 3 && shortest < longest && are_known).then_some(Way::Blanks)
}

/// The first line counts nodes and edges, and so many lines and ends follow. Only whole files show it.
fn is_metis(text: &str) -> bool {
    let mut all = super::unmarked(text).lines().filter(|l| !l.starts_with('%'));
    let numbers = |line: &str| -> Option<Vec<usize>> {
        line.split_whitespace().map(|w| w.parse().ok()).collect()
    };
    let head = all.next().and_then(numbers);
    let Some([n, m, rest @ ..]) = head.as_deref() else { return false };
    if *n < 2 || rest.iter().any(|r| *r != 0) {
        return false;
    }
    let (mut n_lines, mut n_ends) = (0, 0);
    for line in all {
        let Some(list) = numbers(line) else { return false };
        if list.iter().any(|i| *i == 0 || i > n) {
            return false;
        }
        // Empty lines at the end of a file are no nodes.
        n_lines += usize::from(n_lines < *n || !list.is_empty());
        n_ends += list.len();
    }
    n_lines == *n && n_ends == 2 * m
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    let mut draft = Draft::new();
    draft.mirrors = true;
    match way(text) {
        Some(Way::Metis) => {
            let all =
                super::unmarked(text).lines().enumerate().filter(|(_, l)| !l.starts_with('%'));
            let rows: Vec<_> = all.skip(1).collect();
            let n = data(text).next().and_then(|(_, l)| l.split_whitespace().next()?.parse().ok());
            let n: usize = n.unwrap_or(0);
            draft.numbered(1..n + 1, text.len())?;
            for (row, (at, line)) in rows.into_iter().take(n).enumerate() {
                let source = draft.named(NodeName::from(row + 1));
                for word in line.split_whitespace() {
                    let target = draft.node(word)?;
                    draft.edge((source, target), [None; 2], None, at + 1)?;
                }
            }
            draft.finish(Direction::Is(false))
        }
        way => {
            let is_colon = way == Some(Way::Colon);
            let marks = ['[', ']', '"', '\'', '{', '}'];
            for (at, line) in data(text) {
                let (node, near) = match colon(line) {
                    Some((node, near)) if is_colon => (node, near),
                    None if is_colon => {
                        let line = short(line);
                        draft.fault(at, format!("`{line}` has no colon: give `a: b, c`"));
                        continue;
                    }
                    _ => {
                        let line = line.trim_start_matches([',', ';']);
                        let end = line
                            .find(|c: char| c.is_whitespace() || c == ',' || c == ';')
                            .unwrap_or(line.len());
                        (&line[..end], &line[end..])
                    }
                };
                let node = node.trim_matches(marks);
                if let Err(error) = draft.node(node) {
                    draft.fault_of(at, error);
                    continue;
                }
                // Between commas, names may have blanks.
                let targets: Vec<&str> = if is_colon && near.contains(',') {
                    near.split(',')
                        .map(|w| w.trim().trim_matches(marks))
                        .filter(|w| !w.is_empty())
                        .collect()
                } else {
                    words(near).map(|w| w.trim_matches(marks)).filter(|w| !w.is_empty()).collect()
                };
                for target in targets {
                    draft.link([node, target], [None; 2], None, at);
                }
            }
            // Edges listed at both ends, or all at one, leave the direction open.
            draft.finish(Direction::Assumed(false))
        }
    }
}
