//! Pajek's networks: `*Vertices`, then `*Arcs` and `*Edges`, as lists or as a matrix.

use super::{
    Direction, Draft, Format, FormatError, GraphRead, NoteKind, lines, number, short, too_few,
};
use crate::Graph;

pub(super) const FORMAT: Format = Format {
    id: "pajek",
    title: "Pajek",
    extensions: &["net", "paj"],
    reads: "vertices by their labels or numbers, `*Arcs`, `*Edges`, `*Arcslist`, `*Edgeslist` and \
            `*Matrix` with their weights, in any case of letters",
    loses: "places, colours and shapes, names of relations, partitions, vectors, networks after the first",
    keeps: "nodes, edges, weights",
    is_it: |peek| {
        let known = ["network", "vertices", "arcs", "edges", "arcslist", "edgeslist", "matrix"];
        section(peek.first()).is_some_and(|s| known.contains(&s.as_str()))
    },
    parse,
    nth: Some(parse_nth),
    write: Some(write),
};

/// What a line begins with a star.
fn section(line: &str) -> Option<String> {
    let word = line.strip_prefix('*')?.trim_start().split(|c: char| c.is_whitespace() || c == ':');
    Some(word.take(1).collect::<String>().to_ascii_lowercase())
}

/// Words by blanks, those between quotation marks as one.
fn words(line: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, next) = match rest.strip_prefix('"') {
            Some(inner) => inner.split_once('"').unwrap_or((inner, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        list.push(word);
        rest = next.trim_start();
    }
    list
}

struct Reading {
    draft: Draft,
    n: usize,
    /// The row of a matrix that comes next.
    row: usize,
}

impl Reading {
    fn end(&mut self, word: &str) -> Result<u32, FormatError> {
        match word.parse::<usize>() {
            Ok(i) if i > 0 && (i <= self.n || self.n == 0) => Ok(self.draft.named(i.into())),
            _ => Err(FormatError::new(format!(
                "`{}` is no vertex: give a number from 1 to {}",
                short(word),
                self.n
            ))),
        }
    }

    fn vertex(&mut self, line: &str, at: usize) -> Result<(), FormatError> {
        let words = words(line);
        let node = self.end(words[0])?;
        if let Some(label) = words.get(1) {
            self.draft.label(node, label);
        }
        if words.len() > 2 {
            self.draft.note(NoteKind::Dropped, "place| and look of vertices", "", at);
        }
        Ok(())
    }

    fn line(&mut self, section: &str, line: &str, at: usize) -> Result<(), FormatError> {
        let list: Vec<&str> = line.split_whitespace().collect();
        match section {
            "vertices" => self.vertex(line, at),
            "arcs" | "edges" => {
                let [a, b, rest @ ..] = &list[..] else {
                    return Err(FormatError::new("an edge has two ends: give `1 2`, or `1 2 3.5`"));
                };
                let ends = (self.end(a)?, self.end(b)?);
                let is_number =
                    |w: &&str| w.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
                let weight = match rest.first().filter(|w| is_number(w)) {
                    Some(word) => Some(number(word, "weight", None)?),
                    None => None,
                };
                if rest.len() > usize::from(weight.is_some()) {
                    self.draft.note(NoteKind::Dropped, "label| or look of edges", "", at);
                }
                self.draft.edge(ends, [weight, None], Some(section == "arcs"), at)
            }
            "arcslist" | "edgeslist" => {
                let source = self.end(list[0])?;
                for word in &list[1..] {
                    let target = self.end(word)?;
                    self.draft.edge(
                        (source, target),
                        [None; 2],
                        Some(section == "arcslist"),
                        at,
                    )?;
                }
                Ok(())
            }
            _ => {
                self.row += 1;
                let source = self.end(&self.row.to_string())?;
                for (j, word) in list.iter().enumerate() {
                    let weight = number(word, "weight", None)?;
                    if weight != 0.0 {
                        let target = self.end(&(j + 1).to_string())?;
                        let weight = (weight != 1.0).then_some(weight);
                        self.draft.edge((source, target), [weight, None], Some(true), at)?;
                    }
                }
                Ok(())
            }
        }
    }
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    parse_nth(text, 1)
}

fn parse_nth(text: &str, wanted: usize) -> Result<GraphRead, FormatError> {
    let mut r = Reading { draft: Draft::new(), n: 0, row: 0 };
    let mut now = String::new();
    let mut n_networks = 0;
    for (at, line) in lines(text) {
        if line.starts_with('%') || line.starts_with("/*") {
            continue;
        }
        let Some(section) = section(line) else {
            let known = ["vertices", "arcs", "edges", "arcslist", "edgeslist", "matrix"];
            if known.contains(&now.as_str()) && n_networks == wanted {
                if let Err(error) = r.line(&now, line, at) {
                    r.draft.fault_of(at, error);
                }
            } else if n_networks == 0 {
                r.draft.fault(at, "Pajek begins with `*Vertices` and their number");
            }
            continue;
        };
        match section.as_str() {
            "vertices" => {
                n_networks += 1;
                if n_networks != wanted {
                    let place = super::FilePlace::Line(at);
                    r.draft.notes.drop_graphs(wanted, "network", 1, Some(place));
                } else {
                    let n = line.split_whitespace().nth(1).and_then(|n| n.parse().ok());
                    match n {
                        Some(n) => {
                            r.n = n;
                            r.draft
                                .numbered(1..n.saturating_add(1), text.len())
                                .map_err(|e| FormatError { line: Some(at), ..e })?;
                        }
                        None => r.draft.fault(at, "`*Vertices` has no number: give `*Vertices 3`"),
                    }
                }
            }
            "network" => {}
            "arcs" | "edges" | "arcslist" | "edgeslist" | "matrix" => {
                if n_networks == 0 {
                    n_networks = 1;
                }
                if line.contains(':') && n_networks == wanted {
                    r.draft.note(NoteKind::Dropped, "name| of relations", "", at);
                }
            }
            other => r.draft.note(NoteKind::Dropped, "section|", other, at),
        }
        now = section;
    }
    if n_networks == 0 {
        return Err(FormatError::new("there are no vertices: Pajek begins with `*Vertices 3`"));
    }
    if n_networks < wanted {
        return Err(too_few(wanted, n_networks));
    }
    let is_matrix = r.row > 0;
    if is_matrix && r.draft.is_symmetric() {
        r.draft.undirect();
    }
    r.draft.finish(Direction::Is(false))
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    if let Some(odd) = graph.names().find(|n| n.to_string().contains(['"', '\n', '\r'])) {
        return Err(FormatError::new(format!(
            "the name {odd:?} has a quotation mark or a line break, which Pajek cannot write: rename \
             the node"
        )));
    }
    let places: rustc_hash::FxHashMap<_, usize> =
        graph.indices().enumerate().map(|(i, node)| (node, i + 1)).collect();
    let mut text = format!("*Vertices {}\n", graph.n_nodes());
    for (i, name) in graph.names().enumerate() {
        text += &format!("{} \"{name}\"\n", i + 1);
    }
    text += if graph.is_directed() { "*Arcs\n" } else { "*Edges\n" };
    for e in graph.edges() {
        text += &format!("{} {}", places[&e.source_idx], places[&e.target_idx]);
        if let Some(weight) = e.weight {
            text += &format!(" {weight}");
        }
        text.push('\n');
    }
    Ok(text)
}
