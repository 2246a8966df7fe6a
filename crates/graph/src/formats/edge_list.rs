//! Edge list: one edge a line, `u v` or `u v weight`.
//!
//! `#` starts a comment; the comment `# directed` makes the graph directed. A line with one name is
//! a node. Names with blanks, commas or quotes stand in double quotes, spelt as in JSON.

use super::{Format, FormatError, add_edge, name, number};
use crate::{Graph, NodeName};

pub(super) const FORMAT: Format = Format {
    id: "edge_list",
    title: "Edge list",
    extensions: &["txt", "edges", "edgelist"],
    keeps: "nodes, edges, weights",
    parse,
    write: Some(write),
};

fn tokens(text: &str, line: usize) -> Result<Vec<String>, FormatError> {
    let mut list = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
        if rest.is_empty() || rest.starts_with('#') {
            return Ok(list);
        }
        if rest.starts_with('"') {
            let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            match stream.next() {
                Some(Ok(word)) => list.push(word),
                _ => {
                    let message = "a quoted name does not end: close it with \"";
                    return Err(FormatError::at(line, message));
                }
            }
            rest = &rest[stream.byte_offset()..];
        } else {
            let end = rest
                .find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '#'))
                .unwrap_or(rest.len());
            list.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
}

fn parse(text: &str) -> Result<Graph, FormatError> {
    let directed = text.lines().any(|line| {
        line.trim().strip_prefix('#').is_some_and(|c| c.trim().eq_ignore_ascii_case("directed"))
    });
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    for (i, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = Some(i + 1);
        let words = tokens(text, i + 1)?;
        match &words[..] {
            [] => {}
            [node] => {
                graph.ensure_node(name(node, line)?)?;
            }
            [u, v] => add_edge(&mut graph, (name(u, line)?, name(v, line)?), None, None)?,
            [u, v, w] => {
                let weight = number(w, "weight", line)?;
                add_edge(&mut graph, (name(u, line)?, name(v, line)?), Some(weight), None)?;
            }
            more => {
                return Err(FormatError::at(
                    i + 1,
                    format!("{} words: a line is `u v` or `u v weight`", more.len()),
                ));
            }
        }
    }
    Ok(graph)
}

fn word(node: &NodeName) -> String {
    let text = node.to_string();
    let plain = text.chars().all(|c| !c.is_whitespace() && !matches!(c, ',' | ';' | '#' | '"'));
    if plain { text } else { serde_json::Value::from(text).to_string() }
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
