//! Reading a question in the benchmark's wording.
//!
//! Each task parses its own body; here is the cursor they share, and the finding of the question in
//! a prompt. The scanners read each byte a few times at most and copy nothing, because the whole
//! benchmark is parsed in a browser tab.

use graph::{Delta, Graph, NodeIdx, NodeName};

use crate::{ParseError, Problem, TaskId, graph_arena, official};

/// The longest question that is read, in bytes.
pub const MAX_QUESTION_BYTES: usize = 5_000_000;
/// The most nodes that a question may have.
pub const MAX_QUESTION_NODES: usize = 20_000;
/// The most edges that a question may have.
pub const MAX_QUESTION_EDGES: usize = 200_000;

/// The graph and the query of a question.
pub(crate) struct GraphText<Q> {
    pub(crate) graph: Graph,
    pub(crate) query: Q,
}

/// Reads a question in the benchmark's wording; in a prompt with exemplars, the last one.
///
/// All wordings and prompting styles that NLGraph's logs have are read, and those of
/// [`Problem::question`]. An edge that is given twice counts once.
///
/// # Errors
/// What is wrong, where, and what would be right.
///
/// # Complexity
/// O(length).
pub fn parse_question(text: &str) -> Result<Problem, ParseError> {
    if text.len() > MAX_QUESTION_BYTES {
        let (found, limit) = (text.len(), MAX_QUESTION_BYTES);
        return Err(ParseError::TooLarge { what: "bytes", found, limit });
    }
    // A graph behind the mark of the question is GraphWiz's form, whatever stands before it.
    if official::questions::is_asked(text) {
        return official::questions::read_any(text);
    }
    if graph_arena::is_asked(text) {
        return graph_arena::read(Cursor::at(text, 0));
    }
    let Some((start, candidates)) = find_opening(text) else {
        return Err(ParseError::UnknownQuestion { found: excerpt(text.trim_start()) });
    };
    let mut cursor = Cursor::at(text, start);
    let Some(task) = choose(&candidates, &text[start..]) else {
        cursor.pos = text.len();
        return Err(
            cursor.expected("the question itself, such as \"Q: Is there a cycle in this graph?\"")
        );
    };
    cursor.problem(task)
}

/// The last line that opens a question, and the tasks that open so.
fn find_opening(text: &str) -> Option<(usize, Vec<TaskId>)> {
    let mut found = None;
    let mut start = 0;
    while start < text.len() {
        // NLGraph's `dot2` style puts dots before the first line.
        let indent = text[start..].bytes().take_while(|b| matches!(b, b' ' | b'\t' | b'.')).count();
        let line = start + indent;
        let opens = |task: &TaskId| {
            task.openings().iter().any(|opening| matched(&text[line..], opening).is_some())
        };
        if text.as_bytes().get(line).is_some_and(u8::is_ascii_alphabetic)
            && TaskId::ALL.iter().any(opens)
        {
            found = Some(line);
        }
        start = match text[line..].find('\n') {
            Some(length) => line + length + 1,
            None => break,
        };
    }
    let line = found?;
    let opens = |task: &TaskId| {
        task.openings().iter().any(|opening| matched(&text[line..], opening).is_some())
    };
    Some((line, TaskId::ALL.into_iter().filter(opens).collect()))
}

fn choose(candidates: &[TaskId], text: &str) -> Option<TaskId> {
    candidates.iter().copied().find(|task| {
        let words = task.question_words();
        words.is_empty() || words.iter().any(|word| find(text, word).is_some())
    })
}

/// How many bytes of the text the words take that it begins with, whatever their case; where the words
/// have a blank, the text may have a line break or several.
fn matched(text: &str, words: &str) -> Option<usize> {
    let (text, words) = (text.as_bytes(), words.as_bytes());
    // Nearly all are spelled as they should be, and that is seen many bytes at a time.
    let start = text.get(..words.len());
    if start.is_some_and(|start| start == words || start.eq_ignore_ascii_case(words)) {
        return Some(words.len());
    }
    let mut at = 0;
    for byte in words {
        let here = text.get(at)?;
        if *byte == b' ' && here.is_ascii_whitespace() {
            at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        } else if here.eq_ignore_ascii_case(byte) {
            at += 1;
        } else {
            return None;
        }
    }
    Some(at)
}

/// Where the words come first, and how many bytes they take there.
fn find(text: &str, words: &str) -> Option<(usize, usize)> {
    if let Some(at) = text.find(words) {
        return Some((at, words.len()));
    }
    let first = words.as_bytes().first()?;
    let mut starts = text.bytes().enumerate().filter(|(_, byte)| byte.eq_ignore_ascii_case(first));
    // A byte of ASCII begins a character.
    starts.find_map(|(at, _)| Some((at, matched(&text[at..], words)?)))
}

/// Whether the text has the words, whatever their case and their line breaks.
pub(crate) fn has(text: &str, words: &str) -> bool {
    find(text, words).is_some()
}

fn excerpt(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(40).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

/// A place in a text, and what can be read there.
#[derive(Clone)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    pos: usize,
    /// Where the last number began, for errors about it.
    number_at: usize,
}

impl<'t> Cursor<'t> {
    /// At a place in a text.
    pub(crate) fn at(text: &'t str, pos: usize) -> Self {
        Self { text, pos, number_at: pos }
    }

    /// Reads a question of a task.
    pub(crate) fn problem(&mut self, task: TaskId) -> Result<Problem, ParseError> {
        let (graph, query) = task.parse(self)?;
        Ok(Problem { difficulty: None, seed: None, graph, query })
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    /// Skips blanks and line ends.
    pub(crate) fn skip_blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.pos += 1;
        }
    }

    /// Reads the literal (whatever its case) if it is next, after blanks.
    pub(crate) fn eat(&mut self, literal: &str) -> bool {
        self.skip_blank();
        let found = matched(self.rest(), literal);
        self.pos += found.unwrap_or_default();
        found.is_some()
    }

    /// Reads the literal, which must be next.
    pub(crate) fn want(&mut self, literal: &str) -> Result<(), ParseError> {
        if self.eat(literal) { Ok(()) } else { Err(self.expected(&format!("{literal:?}"))) }
    }

    /// As [`Cursor::want`] for one byte, which is no letter.
    fn want_byte(&mut self, byte: u8) -> Result<(), ParseError> {
        self.skip_blank();
        if self.peek() == Some(byte) {
            self.pos += 1;
            return Ok(());
        }
        Err(self.expected(&format!("{:?}", char::from(byte).to_string())))
    }

    /// Goes to just after the literal, wherever it comes next.
    pub(crate) fn seek(&mut self, literal: &str) -> Result<(), ParseError> {
        match find(self.rest(), literal) {
            Some((at, length)) => {
                self.pos += at + length;
                Ok(())
            }
            None => {
                self.pos = self.text.len();
                Err(self.expected(&format!("{literal:?}")))
            }
        }
    }

    /// Goes to just after the last such literal, if there is one.
    pub(crate) fn seek_last(&mut self, literal: &str) {
        if let Some(at) = self.rest().rfind(literal) {
            self.pos += at + literal.len();
        }
    }

    /// The rest of the line, without blanks around it; the cursor goes behind it.
    pub(crate) fn line(&mut self) -> &'t str {
        let rest = self.rest();
        let length = rest.find('\n').unwrap_or(rest.len());
        self.pos += length;
        rest[..length].trim()
    }

    /// What stands before a literal, without blanks around it; the cursor goes behind the literal.
    pub(crate) fn until(&mut self, literal: &str) -> Result<&'t str, ParseError> {
        let start = self.pos;
        let length = find(self.rest(), literal).map_or(0, |(at, _)| at);
        self.seek(literal)?;
        Ok(self.text[start..start + length].trim())
    }

    /// How many edges may still come, if each takes so many bytes at least; for reserving room.
    pub(crate) fn room(&self, bytes_per_edge: usize) -> usize {
        (self.rest().len() / bytes_per_edge).min(1000)
    }

    /// Reads a whole number.
    pub(crate) fn number(&mut self, what: &str) -> Result<usize, ParseError> {
        self.skip_blank();
        self.number_at = self.pos;
        let mut number = 0;
        let mut digits = 0;
        for byte in self.text.as_bytes()[self.pos..].iter().take_while(|b| b.is_ascii_digit()) {
            digits += 1;
            // Nine digits are more than any limit here.
            if digits > 9 {
                return Err(self.expected(what));
            }
            number = number * 10 + usize::from(byte - b'0');
        }
        if digits == 0 {
            return Err(self.expected(what));
        }
        self.pos += digits;
        Ok(number)
    }

    /// Reads a number that may have a fraction.
    pub(crate) fn decimal(&mut self, what: &str) -> Result<f64, ParseError> {
        self.skip_blank();
        let bytes = self.rest().as_bytes();
        let mut length = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
        if bytes.get(length) == Some(&b'.') {
            let fraction = bytes[length + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
            length += if fraction > 0 { fraction + 1 } else { 0 };
        }
        match self.rest()[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.pos += length;
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Reads the bracket that opens a pair, and a comma before it; gives the place of the bracket.
    pub(crate) fn opens_pair(&mut self) -> Option<Self> {
        let before = self.pos;
        self.skip_blank();
        let _ = self.peek() == Some(b',') && self.eat(",");
        self.skip_blank();
        let bracket = self.clone();
        if self.peek() == Some(b'(') {
            self.pos += 1;
            return Some(bracket);
        }
        self.pos = before;
        None
    }

    /// Goes past a full stop to the question, whose sentence has one of the words.
    pub(crate) fn asked(&mut self, words: &[&str]) -> Result<(), ParseError> {
        let _ = self.eat(".");
        self.skip_blank();
        let end = self.rest().find(['?', '(']).unwrap_or(self.rest().len());
        let sentence = &self.rest()[..end];
        match words.iter().any(|word| has(sentence, word)) {
            true => Ok(()),
            false => Err(self.expected(&format!("an edge, or the question, with {:?}", words[0]))),
        }
    }

    /// Goes past instructions to just after `Q:`. Anything with a number in it that stands before
    /// must have been part of the graph, so it is an error that says what an edge looks like.
    pub(crate) fn question_line(&mut self, edge: &str) -> Result<(), ParseError> {
        loop {
            if self.eat("Q:") {
                return Ok(());
            }
            let line = self.rest().lines().next().unwrap_or_default();
            if line.is_empty() {
                return Err(self.expected("the question line, beginning with \"Q:\""));
            }
            let bytes = line.as_bytes();
            // The style Recitation asks and answers `Q1:`, `A1:` first.
            let recited = matches!(bytes[0], b'Q' | b'A' | b'q' | b'a')
                && bytes.get(1).is_some_and(u8::is_ascii_digit);
            if !recited && bytes.iter().any(u8::is_ascii_digit) {
                return Err(self.expected(&format!("{edge} or the question line, \"Q: …\"")));
            }
            self.pos += line.len();
        }
    }

    /// The error for something else than what was expected here.
    pub(crate) fn expected(&self, expected: &str) -> ParseError {
        let expected = expected.to_owned();
        if self.rest().trim().is_empty() {
            let line = self.text.trim_end().lines().count().max(1);
            return ParseError::Truncated { line, expected };
        }
        let (line, column) = self.line_and_column(self.pos);
        ParseError::Expected { line, column, expected, found: excerpt(self.rest()) }
    }

    /// The error for the last number read, which names something that is not there.
    pub(crate) fn unknown(&self, what: &'static str, id: usize, n: usize) -> ParseError {
        let (line, column) = self.line_and_column(self.number_at);
        let range = if n == 0 { "none".to_owned() } else { format!("0 to {}", n - 1) };
        ParseError::UnknownNode { line, column, what, id, n, range }
    }

    fn line_and_column(&self, pos: usize) -> (usize, usize) {
        let before = &self.text[..pos];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.bytes().filter(|b| *b == b'\n').count() + 1, before[start..].chars().count() + 1)
    }
}

/// The longest name with what stands around it, in bytes.
const MAX_NAME: usize = NodeName::MAX_LEN + 40;
/// How many nodes of a list of names are shown in an error.
const SHOWN: usize = 5;

/// Builds a graph whose nodes are `0..n`, or have the names that the question lists.
pub(crate) struct Builder {
    graph: Graph,
    /// How many nodes there are, called by their numbers; nothing where they have names.
    n: Option<usize>,
    /// Whether a name that is new is a node too.
    is_open: bool,
}

impl Builder {
    /// Nodes `0..n`, and room for so many edges.
    pub(crate) fn new(directed: bool, n: usize, room: usize) -> Result<Self, ParseError> {
        if n > MAX_QUESTION_NODES {
            let limit = MAX_QUESTION_NODES;
            return Err(ParseError::TooLarge { what: "nodes", found: n, limit });
        }
        let mut graph = Graph::with_capacity(directed, n, room);
        for i in 0..n {
            // Cannot be full: the limit here is far below the graph's.
            let _ = graph.ensure_node(i);
        }
        Ok(Self { graph, n: Some(n), is_open: false })
    }

    /// No nodes yet, and room for so many and so many edges.
    pub(crate) fn empty(nodes: usize, edges: usize) -> Self {
        let graph = Graph::with_capacity(false, nodes, edges);
        Self { graph, n: None, is_open: false }
    }

    /// Nodes that the edges name.
    pub(crate) fn open(directed: bool) -> Self {
        let graph = Graph::with_capacity(directed, 16, 32);
        Self { graph, n: None, is_open: true }
    }

    /// Reads how the nodes are called, wherever that comes next, up to these words: `numbered from 0 to
    /// 9`, or `called Ann, Bo and Cy`.
    pub(crate) fn called(
        cursor: &mut Cursor<'_>,
        directed: bool,
        bytes_per_edge: usize,
        end: &str,
    ) -> Result<Self, ParseError> {
        const NAMED: [&str; 5] =
            ["are called", "nodes called", "are named", "are labeled", "are labelled"];
        let rest = cursor.rest();
        let named = NAMED.iter().filter_map(|words| find(rest, words)).min();
        let numbered = find(rest, "numbered from");
        let Some((at, length)) = named.filter(|named| numbered.is_none_or(|at| *named < at)) else {
            cursor.seek("numbered from")?;
            let first = cursor.number("the number of the first node")?;
            cursor.want("to")?;
            let last = cursor.number("the number of the last node")?;
            cursor.want(end.trim_end())?;
            let room = cursor.room(bytes_per_edge);
            if first == 0 {
                return Self::new(directed, last + 1, room);
            }
            let n = (last + 1).saturating_sub(first);
            let builder = Self { n: None, ..Self::new(directed, 0, room)? };
            return builder.add_names(cursor, n, (first..=last).map(NodeName::from));
        };
        cursor.pos += at + length;
        let list = cursor.until(end)?;
        let (list, is_open) = match list.strip_suffix("and so on") {
            Some(list) => (list, true),
            None => (list, false),
        };
        let mut names: Vec<String> =
            list.trim().trim_end_matches(':').split(',').map(bare).collect();
        // "and" stands before the last name, or in it: then an edge has it too.
        if let Some(last) = names.pop() {
            let last = last.strip_prefix("and ").unwrap_or(&last);
            match last.split_once(" and ").filter(|_| cursor.text.matches(last).nth(1).is_none()) {
                Some((a, b)) => names.extend([bare(a), bare(b)]),
                None => names.push(last.to_owned()),
            }
        }
        names.retain(|name| !name.is_empty());
        let names: Vec<NodeName> = names.iter().map(|name| name.as_str().into()).collect();
        let mut builder = Self::open(directed);
        builder.is_open = is_open;
        builder.add_names(cursor, names.len(), names.into_iter())
    }

    fn add_names(
        mut self,
        cursor: &Cursor<'_>,
        n: usize,
        names: impl Iterator<Item = NodeName>,
    ) -> Result<Self, ParseError> {
        if n > MAX_QUESTION_NODES {
            let limit = MAX_QUESTION_NODES;
            return Err(ParseError::TooLarge { what: "nodes", found: n, limit });
        }
        for name in names {
            let added = self.graph.ensure_node(name);
            added.map_err(|error| cursor.expected(&format!("a name of a node ({error})")))?;
        }
        Ok(self)
    }

    /// Reads a node that ends where one of these words begins, and stays before them.
    pub(crate) fn node(
        &mut self,
        cursor: &mut Cursor<'_>,
        what: &str,
        ends: &[&str],
    ) -> Result<NodeIdx, ParseError> {
        if let Some(n) = self.n {
            let id = cursor.number(what)?;
            if id >= n {
                return Err(cursor.unknown("node", id, n));
            }
            // No node was ever removed, so the places are the numbers.
            return Ok((id as u32).into());
        }
        cursor.skip_blank();
        let mut length = cursor.rest().len().min(MAX_NAME);
        while !cursor.rest().is_char_boundary(length) {
            length -= 1;
        }
        let text = &cursor.rest()[..length];
        let mut cuts: Vec<usize> = ends
            .iter()
            .flat_map(|end| text.match_indices(end).map(|(at, _)| at))
            .filter(|at| *at > 0)
            .collect();
        cuts.sort_unstable();
        // The words may stand in a name too: the first that makes one counts.
        let known = |at: &&usize| self.graph.has_node(&bare(&text[..**at]).as_str().into());
        let cut = cuts.iter().find(known).or_else(|| cuts.first().filter(|_| self.is_open));
        let Some(cut) = cut else {
            let names: Vec<String> =
                self.graph.names().take(SHOWN).map(|n| n.to_string()).collect();
            let more = if self.graph.n_nodes() > SHOWN { ", …" } else { "" };
            let expected = match cuts.is_empty() {
                true => format!("{what}, and {:?} behind it", ends[0].trim()),
                false => format!("one of the nodes: {}{more}", names.join(", ")),
            };
            return Err(cursor.expected(&expected));
        };
        let name = bare(&text[..*cut]);
        if self.graph.n_nodes() >= MAX_QUESTION_NODES && !self.graph.has_node(&name.as_str().into())
        {
            let limit = MAX_QUESTION_NODES;
            return Err(ParseError::TooLarge { what: "nodes", found: limit + 1, limit });
        }
        let node = self.graph.ensure_node(name);
        let node = node.map_err(|error| cursor.expected(&format!("{what} ({error})")))?;
        cursor.pos += cut;
        Ok(node)
    }

    /// Reads a node, and gives its name.
    pub(crate) fn name(
        &mut self,
        cursor: &mut Cursor<'_>,
        ends: &[&str],
    ) -> Result<NodeName, ParseError> {
        let node = self.node(cursor, "a node", ends)?;
        Ok(self.graph.name(node).clone())
    }

    /// Reads `(i,j)` or `(i->j)` pairs for as long as there are any.
    pub(crate) fn pairs(&mut self, cursor: &mut Cursor<'_>, arrow: &str) -> Result<(), ParseError> {
        let example = format!("a node, as in \"(0{arrow}1)\"");
        while cursor.opens_pair().is_some() {
            let a = self.node(cursor, &example, &[arrow])?;
            cursor.want(arrow)?;
            let b = self.node(cursor, &example, &[")"])?;
            cursor.want_byte(b')')?;
            self.link(a, b, None, None)?;
        }
        Ok(())
    }

    /// Adds an edge.
    pub(crate) fn link(
        &mut self,
        a: NodeIdx,
        b: NodeIdx,
        weight: Option<f64>,
        capacity: Option<f64>,
    ) -> Result<(), ParseError> {
        if self.graph.n_edges() >= MAX_QUESTION_EDGES {
            let limit = MAX_QUESTION_EDGES;
            return Err(ParseError::TooLarge { what: "edges", found: limit + 1, limit });
        }
        // Both ends are there and the values are finite, so this cannot fail.
        let _ = self.graph.link_places(a, b, weight, capacity);
        Ok(())
    }

    pub(crate) fn node_named(&mut self, name: NodeName) {
        let _ = self.graph.ensure_node(name);
    }

    /// Adds an edge between two nodes that are there, unless it is there too.
    pub(crate) fn link_named(
        &mut self,
        a: NodeName,
        b: NodeName,
        weight: Option<f64>,
    ) -> Result<(), ParseError> {
        match (self.graph.index(&a), self.graph.index(&b)) {
            (Ok(_), Ok(_)) if self.graph.edge(&a, &b).is_some() => Ok(()),
            (Ok(a), Ok(b)) => self.link(a, b, weight, None),
            _ => Ok(()),
        }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.graph.n_nodes()
    }

    /// Whether a node has that name.
    pub(crate) fn has(&self, name: &NodeName) -> bool {
        self.graph.has_node(name)
    }

    pub(crate) fn embedding(&mut self, node: NodeIdx, values: Vec<f64>) {
        let node = self.graph.name(node).clone();
        // The node is there and the values are finite, so this cannot fail.
        let _ = self.graph.apply(&Delta::SetEmbedding { node, values });
    }

    pub(crate) fn finish(self) -> Graph {
        self.graph
    }
}

/// A name without the quotes around it, with a blank where a line break is.
fn bare(name: &str) -> String {
    let name = name.trim().trim_matches(['"', '\'', '`']);
    let lines: Vec<&str> = name.lines().map(str::trim).collect();
    lines.join(" ")
}
