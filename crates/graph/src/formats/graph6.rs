//! graph6: an undirected graph in a line of printable characters, as nauty writes it.

use super::{Format, FormatError};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "graph6",
    title: "graph6",
    extensions: &["g6"],
    keeps: "the shape of an undirected graph; nodes become 0 to n - 1",
    parse,
    write: Some(write),
};

fn parse(text: &str) -> Result<Graph, FormatError> {
    let text = text.trim();
    let line = text.strip_prefix(">>graph6<<").unwrap_or(text);
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
    let wanted = n.checked_mul(n.saturating_sub(1)).map(|x| (x / 2).div_ceil(6));
    if wanted != Some(bits.len()) {
        return Err(FormatError::new(format!(
            "{n} nodes take {} characters, found {}",
            wanted.map_or("too many".into(), |w| w.to_string()),
            bits.len()
        )));
    }
    let mut graph = Graph::undirected();
    for i in 0..n {
        graph.ensure_node(i)?;
    }
    let mut k = 0;
    for b in 1..n {
        for a in 0..b {
            if bits[k / 6] >> (5 - k % 6) & 1 == 1 {
                graph.link(a, b)?;
            }
            k += 1;
        }
    }
    Ok(graph)
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
