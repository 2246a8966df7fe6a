//! GML, as networkx, igraph, Gephi and yEd write it: keys, each with a number, a text or a list.

use super::{
    Direction, Draft, Format, FormatError, GraphRead, NoteKind, Values, number, short, too_few,
    unmarked,
};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "gml",
    title: "GML",
    extensions: &["gml"],
    reads: "nodes by their labels or ids, edges with `weight` (or `value`) and `capacity`, `directed`",
    loses: "other keys, graphics, graphs after the first",
    keeps: "nodes, edges, weights, capacities",
    is_it,
    parse,
    nth: Some(parse_nth),
    write: Some(write),
};

fn is_it(peek: &super::Peek<'_>) -> bool {
    // `graph [`, with keys of the file before it, and the bracket in the next line at times.
    let mut words = peek.lines.iter().flat_map(|l| l.split_whitespace());
    let first = words.next().unwrap_or_default();
    let is_key = |w: &str| {
        let known = ["graph", "creator", "version", "comment", "directed", "label", "isplanar"];
        known.iter().any(|k| w.trim_end_matches('[').eq_ignore_ascii_case(k))
    };
    is_key(first)
        && (first.eq_ignore_ascii_case("graph[") || {
            let words: Vec<&str> = std::iter::once(first).chain(words).collect();
            words.windows(2).any(|w| w[0].eq_ignore_ascii_case("graph") && w[1].starts_with('['))
                || words.iter().any(|w| w.eq_ignore_ascii_case("graph["))
        })
}

enum Token<'a> {
    Word(&'a str),
    Text(String),
    Open,
    Close,
}

struct Tokens<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Tokens<'a> {
    /// The next token with its line.
    fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            let trimmed = self.rest.trim_start();
            let skipped = &self.rest[..self.rest.len() - trimmed.len()];
            self.line += skipped.matches('\n').count();
            let starts_line = skipped.contains('\n') || self.line == 1;
            self.rest = trimmed;
            if !(starts_line && trimmed.starts_with('#')) {
                break;
            }
            self.rest = &trimmed[trimmed.find('\n').unwrap_or(trimmed.len())..];
        }
        let line = self.line;
        let first = self.rest.chars().next()?;
        let token = match first {
            '[' | ']' => {
                self.rest = &self.rest[1..];
                if first == '[' { Token::Open } else { Token::Close }
            }
            '"' => {
                let inner = &self.rest[1..];
                // A text that does not end is the rest of its line.
                let end = inner.find('"').or_else(|| inner.find('\n')).unwrap_or(inner.len());
                self.line += inner[..end].matches('\n').count();
                self.rest = inner[end..].strip_prefix('"').unwrap_or(&inner[end..]);
                let text = &inner[..end];
                Token::Text(
                    quick_xml::escape::unescape(text).map_or_else(|_| text.to_owned(), Into::into),
                )
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
                let end = self.rest.find(is_end).unwrap_or(self.rest.len());
                let word = &self.rest[..end];
                self.rest = &self.rest[end..];
                Token::Word(word)
            }
        };
        Some((line, token))
    }
}

/// A node or an edge: what its own keys say.
struct Record {
    is_edge: bool,
    line: usize,
    depth: usize,
    pairs: Vec<(String, String, usize)>,
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    parse_nth(text, 1)
}

fn parse_nth(text: &str, wanted: usize) -> Result<GraphRead, FormatError> {
    let mut tokens = Tokens { rest: unmarked(text), line: 1 };
    let mut draft = Draft::new();
    // How deep the graph is that is open, and whether it is the one to read.
    let (mut depth, mut open) = (0_usize, None::<(usize, bool)>);
    let (mut is_directed, mut n_graphs) = (false, 0);
    let mut key: Option<String> = None;
    let mut record: Option<Record> = None;
    // Edges may come before the nodes that they name.
    let mut edges = Vec::new();
    while let Some((line, token)) = tokens.next() {
        match token {
            Token::Open => {
                let called = key.take().unwrap_or_default().to_ascii_lowercase();
                depth += 1;
                match called.as_str() {
                    "graph" if open.is_none() => {
                        n_graphs += 1;
                        open = Some((depth, n_graphs == wanted));
                        if n_graphs != wanted {
                            draft.drop_graph(wanted, line);
                        }
                    }
                    _ if open.is_some_and(|(_, is_read)| !is_read) => {}
                    "node" | "edge" if open.is_some_and(|(at, _)| at == depth - 1) => {
                        let is_edge = called == "edge";
                        record = Some(Record { is_edge, line, depth, pairs: Vec::new() });
                    }
                    "node" | "edge" | "graph" => {}
                    _ => draft.note(NoteKind::Dropped, "list|", &called, line),
                }
            }
            Token::Close => {
                if record.as_ref().is_some_and(|r| r.depth == depth)
                    && let Some(record) = record.take()
                {
                    if record.is_edge {
                        edges.push(record);
                    } else {
                        add_node(&mut draft, &record);
                    }
                }
                if open.is_some_and(|(at, _)| at == depth) {
                    open = None;
                }
                depth = depth.saturating_sub(1);
                key = None;
            }
            Token::Word(word) if key.is_none() => key = Some(word.to_owned()),
            Token::Text(text) if key.is_none() => {
                draft.fault(line, format!("\"{}\" has no key before it", short(&text)));
            }
            value => {
                let Some(key) = key.take() else { continue };
                let value = match value {
                    Token::Text(text) => text,
                    Token::Word(word) => word.to_owned(),
                    Token::Open | Token::Close => continue,
                };
                match &mut record {
                    Some(record) if record.depth == depth => {
                        record.pairs.push((key.to_ascii_lowercase(), value, line));
                    }
                    None if open == Some((depth, true)) => {
                        match key.to_ascii_lowercase().as_str() {
                            "directed" => is_directed = value == "1",
                            "multigraph" | "label" | "name" | "comment" => {}
                            other => {
                                let what = "value| of the graph's attribute";
                                draft.note(NoteKind::Dropped, what, other, line);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    if n_graphs == 0 {
        return Err(FormatError::new("there is no graph: GML is `graph [ node [ id 0 ] … ]`"));
    }
    if n_graphs < wanted {
        return Err(too_few(wanted, n_graphs));
    }
    if depth > 0 {
        draft.fault(tokens.line, "the text ends before the last ]");
    }
    for edge in &edges {
        add_edge(&mut draft, edge);
    }
    draft.finish(Direction::Is(is_directed))
}

fn add_node(draft: &mut Draft, record: &Record) {
    let find = |key: &str| record.pairs.iter().find(|(k, ..)| k == key).map(|(_, v, _)| v.as_str());
    let Some(id) = find("id").or_else(|| find("label")) else {
        return draft.fault(record.line, "a node has no `id`");
    };
    match draft.node(id) {
        Ok(node) => {
            if let Some(label) = find("label").or_else(|| find("name")) {
                draft.label(node, label);
            }
        }
        Err(error) => return draft.fault_of(record.line, error),
    }
    for (key, _, line) in &record.pairs {
        if !matches!(key.as_str(), "id" | "label" | "name") {
            draft.drop_node_value(key, *line);
        }
    }
}

fn add_edge(draft: &mut Draft, record: &Record) {
    let find = |key: &str| record.pairs.iter().find(|(k, ..)| k == key).map(|(_, v, _)| v.as_str());
    let (Some(a), Some(b)) = (find("source"), find("target")) else {
        return draft.fault(record.line, "an edge has no `source` or no `target`");
    };
    let called_weight = if find("weight").is_some() { "weight" } else { "value" };
    let mut values: Values = [None; 2];
    for (slot, key) in values.iter_mut().zip([called_weight, "capacity"]) {
        if let Some(text) = find(key) {
            match number(text, key, None) {
                Ok(number) => *slot = Some(number),
                Err(error) => return draft.fault_of(record.line, error),
            }
        }
    }
    let before = draft.n_edges();
    draft.link([a, b], values, None, record.line);
    if draft.n_edges() == before {
        return;
    }
    if called_weight == "value" && values[0].is_some() {
        draft.note(NoteKind::Turned, "weight| read from the key `value`", "", record.line);
    }
    if let Some(label) = find("label") {
        draft.edge_label(label);
    }
    for (key, _, line) in &record.pairs {
        let known = ["source", "target", "capacity", "label", "id", "key", called_weight];
        if !known.contains(&key.as_str()) {
            draft.drop_edge_value(key, *line);
        }
    }
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let escaped = |text: String| {
        let mut plain = String::new();
        for c in text.chars() {
            match c {
                '&' => plain += "&amp;",
                '"' => plain += "&quot;",
                // GML is ASCII; other characters are numbers, as in HTML.
                c if !c.is_ascii() || c.is_ascii_control() => {
                    plain += &format!("&#{};", u32::from(c))
                }
                c => plain.push(c),
            }
        }
        plain
    };
    let mut text = format!("graph [\n  directed {}\n", u8::from(graph.is_directed()));
    for node in graph.indices() {
        let (id, label) = (node.index(), escaped(graph.name(node).to_string()));
        text += &format!("  node [\n    id {id}\n    label \"{label}\"\n  ]\n");
    }
    for e in graph.edges() {
        let (source, target) = (e.source_idx.index(), e.target_idx.index());
        text += &format!("  edge [\n    source {source}\n    target {target}\n");
        for (key, value) in [("weight", e.weight), ("capacity", e.capacity)] {
            if let Some(value) = value {
                // A real number has its point, in front of an exponent too.
                let mut number = format!("{value:?}");
                if !number.contains('.') {
                    number = number.replace('e', ".0e");
                }
                text += &format!("    {key} {number}\n");
            }
        }
        text += "  ]\n";
    }
    Ok(text + "]\n")
}
