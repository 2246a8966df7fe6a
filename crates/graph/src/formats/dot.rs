//! DOT, the language of Graphviz, with its whole grammar: defaults, subgraphs as ends of edges, ports,
//! labels in HTML, words put together with `+`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Direction, Draft, Format, FormatError, GraphRead, Labels, NoteKind, Values, number, short,
    too_few,
};
use crate::{Graph, NodeName};

pub(super) const FORMAT: Format = Format {
    id: "dot",
    title: "DOT (Graphviz)",
    extensions: &["dot", "gv"],
    reads: "nodes by their ids (by their labels where all ids are numbers), edges and chains, \
            `weight` and `capacity` with their defaults, labels of edges that are numbers as weights, \
            subgraphs as ends, `strict`",
    loses: "other attributes, ports, subgraphs, graphs after the first",
    keeps: "nodes, edges, weights, capacities",
    is_it: |peek| is_begun(peek.text),
    parse,
    nth: Some(parse_nth),
    write: Some(write),
};

/// Whether a text begins as DOT does, behind its comments: `strict digraph name {`.
fn is_begun(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        let behind = match rest.as_bytes() {
            [b'#', ..] | [b'/', b'/', ..] => rest.split_once('\n'),
            [b'/', b'*', ..] => rest.split_once("*/"),
            _ => break,
        };
        rest = behind.map_or("", |(_, behind)| behind.trim_start());
    }
    let mut keyword = |words: &[&str]| {
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let is_it = words.iter().any(|w| w.eq_ignore_ascii_case(&rest[..end]));
        if is_it {
            rest = rest[end..].trim_start();
        }
        is_it
    };
    keyword(&["strict"]);
    if !keyword(&["graph", "digraph"]) {
        return false;
    }
    let behind = match rest.strip_prefix('"') {
        Some(name) => name.split_once('"').map_or("", |(_, behind)| behind),
        None => rest.trim_start_matches(|c: char| c.is_alphanumeric() || "_.-".contains(c)),
    };
    behind.trim_start().starts_with('{')
}

/// How deep subgraphs may lie in one another.
const MAX_DEPTH: usize = 60;
/// How many edges those between groups may be.
const MAX_GROUPED: usize = 1_000_000;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// A word between quotation marks, which is never a keyword.
    Quoted(String),
    /// A label in HTML, without its outer angle brackets.
    Html,
    Mark(char),
    Edge {
        directed: bool,
    },
    /// A character that no token has.
    Odd(char),
}

impl Token {
    fn shown(&self) -> String {
        match self {
            Self::Word(word) | Self::Quoted(word) => format!("`{}`", short(word)),
            Self::Html => "a label in HTML".to_owned(),
            Self::Mark(mark) => format!("`{mark}`"),
            Self::Edge { directed } => (if *directed { "`->`" } else { "`--`" }).to_owned(),
            Self::Odd(c) => format!("{c:?} (put a name with it between quotation marks)"),
        }
    }
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
                let first = line;
                chars.next();
                let mut last = ' ';
                loop {
                    let Some(c) = chars.next() else {
                        let message = "a comment does not end: close it with */";
                        return Err(FormatError::at(first, message));
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
                        // A backslash at a line's end joins the next line.
                        Some('\\') if chars.peek() == Some(&'\n') => {
                            chars.next();
                            line += 1;
                        }
                        Some(c) => {
                            line += usize::from(c == '\n');
                            word.push(c);
                        }
                    }
                }
                // `"a" + "b"` is one word.
                if let [.., (_, Token::Quoted(_)), (_, Token::Mark('+'))] = &list[..] {
                    list.pop();
                    if let Some((_, Token::Quoted(before))) = list.last_mut() {
                        before.push_str(&word);
                    }
                } else {
                    list.push((first, Token::Quoted(word)));
                }
            }
            '<' => {
                let (first, mut depth) = (line, 1);
                while depth > 0 {
                    match chars.next() {
                        None => {
                            let message = "a label in HTML does not end: close it with >";
                            return Err(FormatError::at(first, message));
                        }
                        Some('<') => depth += 1,
                        Some('>') => depth -= 1,
                        Some(c) => line += usize::from(c == '\n'),
                    }
                }
                list.push((first, Token::Html));
            }
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => list.push((line, Token::Mark(c))),
            '+' if matches!(list.last(), Some((_, Token::Quoted(_)))) => {
                list.push((line, Token::Mark('+')));
            }
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
            other => list.push((line, Token::Odd(other))),
        }
    }
    Ok(list)
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<(usize, Token)>>,
    line: usize,
    draft: Draft,
    is_directed: bool,
    /// The nodes of named subgraphs.
    groups: FxHashMap<String, Vec<u32>>,
    n_grouped: usize,
}

/// What holds in a subgraph: values of edges that say none, and the nodes met so far.
#[derive(Clone, Default)]
struct Scope {
    values: Values,
    nodes: Vec<u32>,
    seen: FxHashSet<u32>,
}

impl Scope {
    fn add(&mut self, node: u32) {
        if self.seen.insert(node) {
            self.nodes.push(node);
        }
    }
}

/// What attributes say.
#[derive(Default)]
struct Said {
    values: Values,
    label: Option<String>,
    others: Vec<(String, usize)>,
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

    fn is_word(&mut self) -> bool {
        matches!(self.peek(), Some(Token::Word(_) | Token::Quoted(_)))
    }

    fn is_keyword(&mut self, keyword: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(word)) if word.eq_ignore_ascii_case(keyword))
    }

    fn word(&mut self, what: &str) -> Result<String, FormatError> {
        // A mark that closes something still closes it.
        if matches!(self.peek(), Some(Token::Mark('}' | ']' | ';'))) {
            let found = self.peek().map(Token::shown).unwrap_or_default();
            return self.error(format!("{found} found, {what} expected"));
        }
        match self.next() {
            Some(Token::Word(word) | Token::Quoted(word)) => Ok(word),
            Some(Token::Html) => Ok(String::new()),
            Some(other) => self.error(format!("{} found, {what} expected", other.shown())),
            None => self.error(format!("the text ends, {what} expected")),
        }
    }

    /// `[key = value, …]`, any number of times.
    fn attributes(&mut self) -> Result<Said, FormatError> {
        let mut said = Said::default();
        while self.take('[') {
            while !self.take(']') {
                let key = self.word("an attribute or ]")?;
                let value = if self.take('=') { self.word("a value")? } else { "true".into() };
                if let Some(i) = ["weight", "capacity"].iter().position(|k| *k == key) {
                    said.values[i] = Some(number(&value, &key, Some(self.line))?);
                } else if key == "label" && !value.is_empty() {
                    said.label = Some(value);
                } else {
                    said.others.push((key, self.line));
                }
                let _ = self.take(',') || self.take(';');
            }
        }
        Ok(said)
    }

    /// Statements to the closing brace.
    fn statements(&mut self, scope: &mut Scope, depth: usize) -> Result<(), FormatError> {
        loop {
            if self.take('}') {
                return Ok(());
            }
            if self.take(';') || self.take(',') {
                continue;
            }
            if self.peek().is_none() {
                return self.error("the text ends before the last }");
            }
            let n_left = self.tokens.len();
            if let Err(error) = self.statement(scope, depth) {
                if depth >= MAX_DEPTH || self.peek().is_none() {
                    return Err(error);
                }
                let line = error.line.unwrap_or(self.line);
                self.draft.fault(line, error.message);
                // The next line is another statement, and so is what comes behind a semicolon.
                let mut is_stuck = self.tokens.len() == n_left;
                while let Some((next, token)) = self.tokens.peek() {
                    let is_end = matches!(token, Token::Mark(';' | '}'));
                    if is_end || (!is_stuck && *next > self.line.max(line)) {
                        break;
                    }
                    self.next();
                    is_stuck = false;
                }
            }
        }
    }

    fn statement(&mut self, scope: &mut Scope, depth: usize) -> Result<(), FormatError> {
        for keyword in ["node", "edge", "graph"] {
            if self.is_keyword(keyword) {
                self.next();
                if self.take('=') {
                    self.word("a value")?;
                    return Ok(());
                }
                let said = self.attributes()?;
                if keyword == "edge" {
                    for (slot, value) in scope.values.iter_mut().zip(said.values) {
                        *slot = value.or(*slot);
                    }
                }
                return Ok(());
            }
        }
        let mut ends = vec![self.end(scope, depth)?];
        if self.take('=') {
            // It was an attribute of the graph: no node has come of it.
            self.word("a value")?;
            return Ok(());
        }
        while let Some(&Token::Edge { directed }) = self.peek() {
            self.next();
            if directed != self.is_directed {
                let (kind, right) =
                    if self.is_directed { ("digraph", "->") } else { ("graph", "--") };
                return self.error(format!("the edges of this {kind} are written {right}"));
            }
            ends.push(self.end(scope, depth)?);
        }
        let line = self.line;
        let said = self.attributes()?;
        let is_edge = ends.len() > 1;
        let mut groups = Vec::with_capacity(ends.len());
        for end in ends {
            let nodes = match end {
                End::Node(name) => vec![self.draft.node(&name)?],
                End::Group(nodes) => nodes,
            };
            nodes.iter().for_each(|&node| scope.add(node));
            groups.push(nodes);
        }
        for (key, line) in &said.others {
            if is_edge {
                self.draft.drop_edge_value(key, *line);
            } else {
                self.draft.drop_node_value(key, *line);
            }
        }
        if let ([nodes], Some(label)) = (&groups[..], &said.label) {
            nodes.iter().for_each(|&node| self.draft.label(node, label));
        }
        let mut values = said.values;
        for (slot, default) in values.iter_mut().zip(scope.values) {
            *slot = slot.or(default);
        }
        for pair in groups.windows(2) {
            if pair[0].len() > 1 || pair[1].len() > 1 {
                self.n_grouped += pair[0].len() * pair[1].len();
                if self.n_grouped > MAX_GROUPED {
                    return self.error(format!("more than {MAX_GROUPED} edges between groups"));
                }
            }
            for &a in &pair[0] {
                for &b in &pair[1] {
                    self.draft
                        .edge((a, b), values, None, line)
                        .map_err(|e| FormatError { line: Some(line), ..e })?;
                    if let Some(label) = &said.label {
                        self.draft.edge_label(label);
                    }
                }
            }
        }
        Ok(())
    }

    /// A node with its port, or the nodes of a group.
    fn end(&mut self, scope: &Scope, depth: usize) -> Result<End, FormatError> {
        let mut called = None;
        let is_group = self.is_keyword("subgraph");
        if is_group {
            self.next();
            if self.is_word() {
                called = Some(self.word("a name")?);
            }
        }
        if self.take('{') {
            if depth >= MAX_DEPTH {
                return self.error(format!("more than {MAX_DEPTH} subgraphs in one another"));
            }
            let mut inner = Scope { values: scope.values, ..Scope::default() };
            if let Some(name) = &called {
                inner.nodes = self.groups.remove(name).unwrap_or_default();
                inner.seen = inner.nodes.iter().copied().collect();
            }
            self.statements(&mut inner, depth + 1)?;
            if let Some(name) = called {
                self.groups.insert(name, inner.nodes.clone());
            }
            return Ok(End::Group(inner.nodes));
        }
        if is_group {
            let nodes = called.and_then(|name| self.groups.get(&name)).cloned();
            return Ok(End::Group(nodes.unwrap_or_default()));
        }
        let name = self.word("a node")?;
        while self.take(':') {
            self.word("a port")?;
            let line = self.line;
            self.draft.note(NoteKind::Dropped, "port|", "", line);
        }
        Ok(End::Node(name))
    }
}

enum End {
    Node(String),
    Group(Vec<u32>),
}

fn parse(text: &str) -> Result<GraphRead, FormatError> {
    parse_nth(text, 1)
}

fn parse_nth(text: &str, wanted: usize) -> Result<GraphRead, FormatError> {
    let mut draft = Draft::new();
    draft.label_use = Labels::ForNumbers;
    let mut tokens = tokens(text)?;
    let starts = graphs(&tokens);
    if wanted > 1 {
        let start = starts.get(wanted - 1).ok_or_else(|| too_few(wanted, starts.len()))?;
        tokens.drain(..start.0);
    }
    for (_, (_, line)) in starts.iter().enumerate().filter(|(i, _)| i + 1 != wanted) {
        draft.drop_graph(wanted, *line);
    }
    let mut p = Parser {
        tokens: tokens.into_iter().peekable(),
        line: 1,
        draft,
        is_directed: false,
        groups: FxHashMap::default(),
        n_grouped: 0,
    };
    let mut kind = p.word("`graph` or `digraph`")?;
    if kind.eq_ignore_ascii_case("strict") {
        p.draft.replaces = true;
        kind = p.word("`graph` or `digraph`")?;
    }
    p.is_directed = kind.eq_ignore_ascii_case("digraph");
    if !p.is_directed && !kind.eq_ignore_ascii_case("graph") {
        return p.error(format!("`{}` found, `graph` or `digraph` expected", short(&kind)));
    }
    if matches!(p.peek(), Some(Token::Word(_) | Token::Quoted(_) | Token::Html)) {
        p.next();
    }
    if !p.take('{') {
        return p.error("{ expected");
    }
    if let Err(error) = p.statements(&mut Scope::default(), 0) {
        // What breaks off has what came before.
        if p.draft.n_edges() == 0 {
            return Err(error);
        }
        p.draft.notes.fault(error);
    }
    let is_directed = p.is_directed;
    p.draft.finish(Direction::Is(is_directed))
}

/// Where each graph of the text begins, among its tokens, with its line.
fn graphs(tokens: &[(usize, Token)]) -> Vec<(usize, usize)> {
    let is = |token: &Token, words: &[&str]| matches!(token, Token::Word(word) if words.iter().any(|w| w.eq_ignore_ascii_case(word)));
    let (mut starts, mut depth) = (Vec::new(), 0_usize);
    for (i, (line, token)) in tokens.iter().enumerate() {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => depth = depth.saturating_sub(1),
            token if depth == 0 && is(token, &["graph", "digraph"]) => {
                let is_strict = i > 0 && is(&tokens[i - 1].1, &["strict"]);
                starts.push((i - usize::from(is_strict), *line));
            }
            _ => {}
        }
    }
    starts
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
