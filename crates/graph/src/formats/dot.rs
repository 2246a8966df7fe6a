//! DOT, the language of Graphviz: nodes, edges and chains of edges, with `weight` and `capacity`.
//!
//! Other attributes are skipped, and the braces of a subgraph too, so that its nodes and edges
//! belong to the whole. An edge to a group (`a -> {b c}`) is refused with its line.

use super::{Format, FormatError, add_edge, name, number, short};
use crate::{Graph, NodeName};

pub(super) const FORMAT: Format = Format {
    id: "dot",
    title: "DOT (Graphviz)",
    extensions: &["dot", "gv"],
    keeps: "nodes, edges, weights, capacities",
    parse,
    write: Some(write),
};

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// A quoted word, which is never a keyword.
    Quoted(String),
    Mark(char),
    Edge {
        directed: bool,
    },
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, FormatError> {
    let mut list = Vec::new();
    let mut line = 1;
    let mut at_line_start = true;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let fresh = std::mem::replace(&mut at_line_start, false);
        match c {
            '\n' => {
                line += 1;
                at_line_start = true;
            }
            c if c.is_whitespace() || c == '\u{feff}' => at_line_start = fresh,
            '#' if fresh => while chars.next_if(|&c| c != '\n').is_some() {},
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|&c| c != '\n').is_some() {},
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                let mut last = ' ';
                loop {
                    let Some(c) = chars.next() else {
                        return Err(FormatError::at(
                            line,
                            "a comment does not end: close it with */",
                        ));
                    };
                    line += usize::from(c == '\n');
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            '"' => {
                let (first, mut word) = (line, String::new());
                loop {
                    match chars.next() {
                        None => {
                            let message = "a quoted name does not end: close it with \"";
                            return Err(FormatError::at(first, message));
                        }
                        Some('"') => break,
                        Some('\\') if matches!(chars.peek(), Some('"' | '\\')) => {
                            word.extend(chars.next());
                        }
                        Some(c) => {
                            line += usize::from(c == '\n');
                            word.push(c);
                        }
                    }
                }
                list.push((line, Token::Quoted(word)));
            }
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => list.push((line, Token::Mark(c))),
            '-' if matches!(chars.peek(), Some('-' | '>')) => {
                list.push((line, Token::Edge { directed: chars.next() == Some('>') }));
            }
            c if c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '+') => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|&c| c.is_alphanumeric() || "_.".contains(c)) {
                    word.push(c);
                }
                list.push((line, Token::Word(word)));
            }
            other => {
                let message = format!("unexpected {other:?}: put a name with it in double quotes");
                return Err(FormatError::at(line, message));
            }
        }
    }
    Ok(list)
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<(usize, Token)>>,
    line: usize,
}

impl Parser {
    fn next(&mut self) -> Option<Token> {
        let (line, token) = self.tokens.next()?;
        self.line = line;
        Some(token)
    }

    fn peek(&mut self) -> Option<&Token> {
        self.tokens.peek().map(|t| &t.1)
    }

    fn take(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        if found {
            self.next();
        }
        found
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, FormatError> {
        Err(FormatError::at(self.line, message))
    }

    fn word(&mut self, what: &str) -> Result<String, FormatError> {
        match self.next() {
            Some(Token::Word(word) | Token::Quoted(word)) => Ok(word),
            Some(Token::Mark('{')) => self.error("an edge to a group: write one edge for each"),
            Some(other) => self.error(format!("{other:?} found, {what} expected")),
            None => self.error(format!("the text ends, {what} expected")),
        }
    }

    /// `[key = value, …]`, any number of times: the weight and capacity in it.
    fn attributes(&mut self) -> Result<[Option<f64>; 2], FormatError> {
        let mut found = [None; 2];
        while self.take('[') {
            while !self.take(']') {
                let key = self.word("an attribute or ]")?;
                let value = if self.take('=') { self.word("a value")? } else { "true".into() };
                if let Some(i) = ["weight", "capacity"].iter().position(|k| *k == key) {
                    found[i] = Some(number(&value, &key, Some(self.line))?);
                }
                let _ = self.take(',') || self.take(';');
            }
        }
        Ok(found)
    }
}

fn parse(text: &str) -> Result<Graph, FormatError> {
    let mut p = Parser { tokens: tokens(text)?.into_iter().peekable(), line: 1 };
    let mut kind = p.word("`graph` or `digraph`")?;
    if kind.eq_ignore_ascii_case("strict") {
        kind = p.word("`graph` or `digraph`")?;
    }
    let directed = kind.eq_ignore_ascii_case("digraph");
    if !directed && !kind.eq_ignore_ascii_case("graph") {
        return p.error(format!("`{}` found, `graph` or `digraph` expected", short(&kind)));
    }
    let mut graph = if directed { Graph::directed() } else { Graph::undirected() };
    if matches!(p.peek(), Some(Token::Word(_) | Token::Quoted(_))) {
        p.next();
    }
    if !p.take('{') {
        return p.error("{ expected");
    }
    let mut depth = 1;
    while depth > 0 {
        let keyword = match p.next() {
            None => return p.error("the text ends before the last }"),
            Some(Token::Mark('}')) => {
                depth -= 1;
                if depth > 0 && matches!(p.peek(), Some(Token::Edge { .. })) {
                    return p.error("an edge from a group: write one edge for each");
                }
                continue;
            }
            Some(Token::Mark('{')) => {
                depth += 1;
                continue;
            }
            Some(Token::Mark(';' | ',')) => continue,
            Some(Token::Word(word)) => (word, true),
            Some(Token::Quoted(word)) => (word, false),
            Some(other) => return p.error(format!("{other:?} found, a node expected")),
        };
        let (first, plain) = keyword;
        if p.take('=') {
            p.word("a value")?;
            continue;
        }
        let is = |word: &str| plain && first.eq_ignore_ascii_case(word);
        if is("subgraph") {
            if matches!(p.peek(), Some(Token::Word(_) | Token::Quoted(_))) {
                p.next();
            }
            continue;
        }
        if is("node") || is("edge") || is("graph") {
            p.attributes()?;
            continue;
        }
        let mut chain: Vec<NodeName> = vec![name(&first, Some(p.line))?];
        loop {
            while p.take(':') {
                p.word("a port")?;
            }
            let Some(&Token::Edge { directed: arrow }) = p.peek() else { break };
            p.next();
            if arrow != directed {
                let right = if directed { "->" } else { "--" };
                return p.error(format!("the edges of this {kind} are written {right}"));
            }
            let node = p.word("a node")?;
            chain.push(name(&node, Some(p.line))?);
        }
        let [weight, capacity] = p.attributes()?;
        graph.ensure_node(chain[0].clone())?;
        for ends in chain.windows(2) {
            add_edge(&mut graph, (ends[0].clone(), ends[1].clone()), weight, capacity)?;
        }
    }
    match p.next() {
        None => Ok(graph),
        Some(other) => p.error(format!("{other:?} found after the last }}: one graph a text")),
    }
}

fn word(node: &NodeName) -> String {
    match node {
        NodeName::Int(i) => i.to_string(),
        NodeName::Text(text) => {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
    }
}

fn write(graph: &Graph) -> Result<String, FormatError> {
    let (kind, arrow) = if graph.is_directed() { ("digraph", "->") } else { ("graph", "--") };
    let mut text = format!("{kind} {{\n");
    for node in graph.names() {
        text += &format!("  {};\n", word(node));
    }
    for e in graph.edges() {
        text += &format!("  {} {arrow} {}", word(e.source), word(e.target));
        let values: Vec<String> = [("weight", e.weight), ("capacity", e.capacity)]
            .iter()
            .filter_map(|(key, value)| value.map(|v| format!("{key}=\"{v}\"")))
            .collect();
        if !values.is_empty() {
            text += &format!(" [{}]", values.join(", "));
        }
        text += ";\n";
    }
    Ok(text + "}\n")
}
