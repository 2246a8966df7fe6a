//! graph6, digraph6 and sparse6: a graph in a line of printable characters, as nauty writes it.

use super::{Direction, Draft, Format, FormatError, GraphRead, Peek, lines, too_few};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "graph6",
    title: "graph6",
    extensions: &["g6", "d6"],
    reads: "a graph of a file in graph6 or digraph6, the first unless another is chosen, with or without its header",
    loses: "the other graphs of the file",
    keeps: "the shape of an undirected graph; nodes become 0 to n - 1",
    is_it: |peek| is_it(peek, false),
    parse,
    nth: Some(parse_nth),
    write: Some(write),
};

pub(super) const SPARSE6: Format = Format {
    id: "sparse6",
    title: "sparse6",
    extensions: &["s6"],
    reads: "a graph of a file in sparse6, the first unless another is chosen, with or without its header",
    loses: "the other graphs of the file",
    keeps: "it is only read",
    is_it: |peek| is_it(peek, true),
    parse,
    nth: Some(parse_nth),
    write: None,
};

const HEADERS: [&str; 3] = [">>graph6<<", ">>digraph6<<", ">>sparse6<<"];

fn is_it(peek: &Peek<'_>, is_sparse: bool) -> bool {
    let first = peek.text.lines().next().unwrap_or_default().trim();
    let bare = HEADERS.iter().find_map(|h| first.strip_prefix(h)).unwrap_or(first);
    if bare.starts_with(':') != is_sparse {
        return first.starts_with(HEADERS[2]) && is_sparse;
    }
    first.starts_with(">>") && bare != first
        || (!first.is_empty() && peek.text.lines().take(20).all(|l| decode(l.trim()).is_ok()))
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    parse_nth(text, 1)
}

fn parse_nth(text: &str, number: usize) -> Result<GraphRead, FormatError> {
    let mut all = lines(text)
        .map(|(at, line)| (at, HEADERS.iter().find_map(|h| line.strip_prefix(h)).unwrap_or(line)))
        .filter(|(_, line)| !line.is_empty());
    let before: Vec<usize> = all.by_ref().take(number - 1).map(|(at, _)| at).collect();
    let Some((at, line)) = all.next() else {
        return Err(match before.len() {
            0 => FormatError::new("the text is empty: give a line of graph6"),
            n => too_few(number, n),
        });
    };
    let (directed, n, edges) = decode(line).map_err(|e| FormatError { line: Some(at), ..e })?;
    let mut draft = Draft::new();
    draft.numbered(0..n, text.len())?;
    for (a, b) in edges {
        draft.edge((a as u32, b as u32), [None; 2], None, at)?;
    }
    let others_at: Vec<usize> = before.into_iter().chain(all.map(|(at, _)| at)).collect();
    if let Some(first) = others_at.first() {
        let place = draft.place(*first);
        draft.notes.drop_graphs(number, "graph", others_at.len(), Some(place));
    }
    draft.finish(Direction::Is(directed))
}

type Decoded = (bool, usize, Vec<(usize, usize)>);

/// Whether edges have a direction, how many nodes there are, and the edges.
fn decode(line: &str) -> Result<Decoded, FormatError> {
    if line.starts_with(';') {
        return Err(FormatError::new("incremental sparse6 needs the graph before it"));
    }
    let (kind, line) = match line.as_bytes().first() {
        Some(b':') => (':', &line[1..]),
        Some(b'&') => ('&', &line[1..]),
        _ => (' ', line),
    };
    if let Some((at, c)) = line.char_indices().find(|(_, c)| !('?'..='~').contains(c)) {
        return Err(FormatError::new(format!(
            "character {} is {c:?}: a single line of characters from ? to ~ is expected",
            at + 1
        )));
    }
    let six: Vec<usize> = line.bytes().map(|b| usize::from(b - 63)).collect();
    let number = |digits: &[usize]| digits.iter().fold(0usize, |n, d| n << 6 | d);
    let (n, bits) = match six[..] {
        [] => return Err(FormatError::new("the text is empty: give a line of graph6")),
        [63, 63, ..] if six.len() >= 8 => (number(&six[2..8]), &six[8..]),
        [63, ..] if six.len() >= 4 => (number(&six[1..4]), &six[4..]),
        [63, ..] => return Err(FormatError::new("the number of nodes is cut off")),
        [n, ..] => (n, &six[1..]),
    };
    if kind == ':' {
        return Ok((false, n, sparse(n, bits)));
    }
    let wanted = if kind == '&' {
        n.checked_mul(n)
    } else {
        n.checked_mul(n.saturating_sub(1)).map(|x| x / 2)
    };
    let wanted = wanted.map(|x| x.div_ceil(6));
    if wanted != Some(bits.len()) {
        return Err(FormatError::new(format!(
            "{n} nodes take {} characters, found {}",
            wanted.map_or("too many".into(), |w| w.to_string()),
            bits.len()
        )));
    }
    let is_set = |k: usize| bits[k / 6] >> (5 - k % 6) & 1 == 1;
    let mut edges = Vec::new();
    if kind == '&' {
        let all = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
        edges.extend(all.filter(|(a, b)| is_set(a * n + b)));
        return Ok((true, n, edges));
    }
    let mut k = 0;
    for b in 1..n {
        for a in 0..b {
            if is_set(k) {
                edges.push((a, b));
            }
            k += 1;
        }
    }
    Ok((false, n, edges))
}

/// Edges of sparse6: a bit says whether the second end moves on, as many as a node takes which it or
/// the first end is.
fn sparse(n: usize, six: &[usize]) -> Vec<(usize, usize)> {
    let width = (usize::BITS - n.saturating_sub(1).leading_zeros()).max(1) as usize;
    let mut edges = Vec::new();
    let n_bits = six.len() * 6;
    let bit = |k: usize| six[k / 6] >> (5 - k % 6) & 1;
    let (mut at, mut v) = (0, 0);
    while at + 1 + width <= n_bits {
        v += bit(at);
        let x = (at + 1..=at + width).fold(0usize, |x, k| x << 1 | bit(k));
        at += 1 + width;
        // What fills the last character names nodes that are not there.
        if x >= n || v >= n {
            break;
        }
        if x > v {
            v = x;
        } else {
            edges.push((x, v));
        }
    }
    edges
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    if graph.is_directed() {
        return Err(FormatError::new(
            "the graph is directed, and graph6 holds undirected ones only",
        ));
    }
    let g = graph.adjacency();
    let n = g.n_nodes();
    if n > 258_047 {
        return Err(FormatError::new(format!("{n} nodes: at most 258047 are written")));
    }
    let mut set = vec![0u8; (n * n.saturating_sub(1) / 2).div_ceil(6)];
    for &(u, v, _) in &g.edges {
        let (a, b) = (u.min(v) as usize, u.max(v) as usize);
        if a == b {
            return Err(FormatError::new(format!(
                "node {} has a self loop, which graph6 cannot hold",
                graph.name(g.nodes[a])
            )));
        }
        let k = b * (b - 1) / 2 + a;
        set[k / 6] |= 1 << (5 - k % 6);
    }
    let mut six: Vec<u8> = if n <= 62 {
        vec![n as u8]
    } else {
        vec![63, (n >> 12) as u8 & 63, (n >> 6) as u8 & 63, n as u8 & 63]
    };
    six.extend(set);
    Ok(six.into_iter().map(|x| char::from(x + 63)).collect::<String>() + "\n")
}
