//! What a text looks like, for the signs of formats.

use std::cell::OnceCell;

use serde_json::Value;

use super::{FormatError, unmarked};
use crate::tables;

/// How many lines the signs look at.
const LOOKED_AT: usize = 200;

/// The beginning of a text, split once for all signs.
pub(super) struct Peek<'a> {
    pub text: &'a str,
    /// The first lines that are neither empty nor comments.
    pub lines: Vec<&'a str>,
    /// The first lines that are comments, without their sign.
    pub comments: Vec<&'a str>,
    json: OnceCell<Option<Value>>,
    table: OnceCell<tables::TableText<'a>>,
}

impl<'a> Peek<'a> {
    pub fn new(text: &'a str) -> Self {
        let text = unmarked(text).trim();
        let (mut lines, mut comments) = (Vec::new(), Vec::new());
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            match comment(line) {
                Some(words) if comments.len() < LOOKED_AT => comments.push(words),
                Some(_) => {}
                None => lines.push(line),
            }
            if lines.len() == LOOKED_AT {
                break;
            }
        }
        Self { text, lines, comments, json: OnceCell::new(), table: OnceCell::new() }
    }

    pub fn first(&self) -> &'a str {
        self.lines.first().copied().unwrap_or_default()
    }

    /// The whole text as JSON, where it is some.
    pub fn json(&self) -> Option<&Value> {
        let read = || {
            let is_open = self.text.starts_with(['{', '[']);
            is_open.then(|| serde_json::from_str(self.text).ok()).flatten()
        };
        self.json.get_or_init(read).as_ref()
    }

    pub fn table(&self) -> &tables::TableText<'a> {
        self.table.get_or_init(|| tables::TableText::new(self.text))
    }

    /// The name of the root of XML, in small letters and without its prefix.
    pub fn root(&self) -> Option<String> {
        let mut rest = self.text;
        loop {
            rest = rest.trim_start().strip_prefix('<')?;
            let end = match rest {
                _ if rest.starts_with("!--") => rest.find("-->")? + 2,
                _ if rest.starts_with(['?', '!']) => {
                    if rest.get(..13).is_some_and(|d| d.eq_ignore_ascii_case("!doctype html")) {
                        return Some("html".to_owned());
                    }
                    rest.find('>')?
                }
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
                    let root = rest[..end].rsplit(':').next().unwrap_or_default();
                    return Some(root.to_ascii_lowercase());
                }
            };
            rest = &rest[end + 1..];
        }
    }
}

/// What a line says behind the sign of a comment, where it is one.
pub(super) fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let signs = ["#", "%", "//"];
    signs.iter().find_map(|sign| line.strip_prefix(sign)).map(str::trim)
}

/// Files of something else that people take for graphs.
pub(super) fn other(peek: &Peek<'_>) -> Option<FormatError> {
    let first = peek.first();
    let is =
        |form, message: &str| Some(FormatError { form: Some(form), ..FormatError::new(message) });
    if peek.text.is_empty() {
        return Some(FormatError::new(
            "the text is empty and has no node: give a graph, such as a line `A B`",
        ));
    }
    if peek.text.contains('\0') {
        return Some(FormatError::new(
            "this is no text (it has bytes of 0): unpack it, or save the graph as text first",
        ));
    }
    if let Some(root) = peek.root() {
        match root.as_str() {
            "html" => {
                return is(
                    "a web page",
                    "download the graph file itself, and not the page about it",
                );
            }
            "rdf" => return is("RDF", "it is a knowledge graph: open it with `graphground kg`"),
            "svg" => return is("a drawing (SVG)", "give the file that it was drawn from"),
            "graph" => return is("XGMML", "export the network as GraphML, SIF or a table"),
            "mxfile" | "mxgraphmodel" => {
                return is("a diagram of draw.io", "export it as CSV or Mermaid");
            }
            "gxl" => return is("GXL", "turn it into DOT first, with `gxl2gv`"),
            _ => {}
        }
    }
    if peek.text.starts_with("version https://git-lfs.github.com/") {
        return is("a pointer of Git LFS", "get the file itself with `git lfs pull`");
    }
    if peek.text.get(..3).is_some_and(|w| w.eq_ignore_ascii_case("dl ")) && peek.text.contains('=')
    {
        return is("UCINET DL", "save it as Pajek or as a table of edges");
    }
    let word = first.split_whitespace().next().unwrap_or_default();
    if matches!(word, "@prefix" | "@base" | "PREFIX" | "BASE")
        || (first.starts_with(['<', '_']) && first.ends_with(" ."))
    {
        return is("RDF", "it is a knowledge graph: open it with `graphground kg`");
    }
    let others =
        ["sequenceDiagram", "classDiagram", "erDiagram", "gantt", "pie", "gitGraph", "mindmap"];
    if word.starts_with("stateDiagram") || (others.contains(&word) && peek.lines.len() > 1) {
        return is("Mermaid", "only flowcharts are graphs: one begins with `flowchart LR`");
    }
    None
}
