//! Reading a question in the benchmark's wording.
//!
//! Each task parses its own body; here is the cursor they share, and the finding of the question in
//! a prompt. The scanners read each byte a few times at most and copy nothing, because the whole
//! benchmark is parsed in a browser tab.

use graph::{Delta, Graph, NodeName};

use crate::{ParseError, Problem, TaskId};

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
    let Some((start, candidates)) = find_opening(text) else {
        // GraphWiz words six of NLGraph's tasks in its own way.
        return crate::official::questions::read(text)
            .map(|found| found.problem)
            .map_err(|_| ParseError::UnknownQuestion { found: excerpt(text.trim_start()) });
    };
    let mut cursor = Cursor { text, pos: start, number_at: start };
    let Some(task) = choose(&candidates, &text[start..]) else {
        cursor.pos = text.len();
        return Err(
            cursor.expected("the question itself, such as \"Q: Is there a cycle in this graph?\"")
        );
    };
    let (graph, query) = task.parse(&mut cursor)?;
    Ok(Problem { difficulty: None, seed: None, graph, query })
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
            task.openings().iter().any(|opening| starts_with(&text[line..], opening))
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
    let opens =
        |task: &TaskId| task.openings().iter().any(|opening| starts_with(&text[line..], opening));
    Some((line, TaskId::ALL.into_iter().filter(opens).collect()))
}

fn choose(candidates: &[TaskId], text: &str) -> Option<TaskId> {
    candidates.iter().copied().find(|task| {
        let words = task.question_words();
        words.is_empty() || words.iter().any(|word| text.contains(word))
    })
}

fn starts_with(text: &str, literal: &str) -> bool {
    let (text, literal) = (text.as_bytes(), literal.as_bytes());
    // Nearly all are spelled as they should be, and that is seen many bytes at a time.
    text.get(..literal.len())
        .is_some_and(|start| start == literal || start.eq_ignore_ascii_case(literal))
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
    fn rest(&self) -> &'t str {
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
        let found = starts_with(self.rest(), literal);
        if found {
            self.pos += literal.len();
        }
        found
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
        match self.rest().find(literal) {
            Some(at) => {
                self.pos += at + literal.len();
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
        self.seek(literal)?;
        Ok(self.text[start..self.pos - literal.len()].trim())
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

    /// Reads `numbered from 0 to 9`, wherever it comes next: the number of nodes.
    pub(crate) fn numbering(&mut self) -> Result<usize, ParseError> {
        self.seek("numbered from")?;
        self.number("0")?;
        self.want("to")?;
        Ok(self.number("the number of the last node")? + 1)
    }

    /// Reads `(i,j)` pairs for as long as there are any.
    pub(crate) fn pairs(
        &mut self,
        mut add: impl FnMut(&mut Self, usize, usize) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        loop {
            self.skip_blank();
            if self.peek() == Some(b',') {
                self.pos += 1;
                self.skip_blank();
            }
            if self.peek() != Some(b'(') {
                return Ok(());
            }
            self.pos += 1;
            let a = self.number("a node, as in \"(0,1)\"")?;
            self.want_byte(b',')?;
            let b = self.number("a node, as in \"(0,1)\"")?;
            self.want_byte(b')')?;
            add(self, a, b)?;
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

/// Builds a graph whose nodes are `0..n`.
pub(crate) struct Builder {
    graph: Graph,
    n: usize,
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
        Ok(Self { graph, n })
    }

    /// No nodes yet, and room for so many and so many edges.
    pub(crate) fn empty(nodes: usize, edges: usize) -> Self {
        Self { graph: Graph::with_capacity(false, nodes, edges), n: 0 }
    }

    /// Adds an edge; the ends were read just now by the cursor, which places the error.
    pub(crate) fn edge(
        &mut self,
        cursor: &Cursor<'_>,
        (a, b): (usize, usize),
        weight: Option<f64>,
        capacity: Option<f64>,
    ) -> Result<(), ParseError> {
        if let Some(id) = [a, b].into_iter().find(|id| *id >= self.n) {
            return Err(cursor.unknown("node", id, self.n));
        }
        self.link(a, b, weight, capacity)
    }

    /// Adds an edge between the a-th and the b-th node, which are there.
    pub(crate) fn link(
        &mut self,
        a: usize,
        b: usize,
        weight: Option<f64>,
        capacity: Option<f64>,
    ) -> Result<(), ParseError> {
        if self.graph.n_edges() >= MAX_QUESTION_EDGES {
            let limit = MAX_QUESTION_EDGES;
            return Err(ParseError::TooLarge { what: "edges", found: limit + 1, limit });
        }
        // Both ends are there and the values are finite, so this cannot fail. No node was ever
        // removed, so the places are the numbers.
        let _ = self.graph.link_places((a as u32).into(), (b as u32).into(), weight, capacity);
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
        let limit = MAX_QUESTION_EDGES;
        if self.graph.n_edges() >= limit {
            return Err(ParseError::TooLarge { what: "edges", found: limit + 1, limit });
        }
        if self.graph.edge(&a, &b).is_none() {
            // Both ends are there and the weight is finite, so this cannot fail.
            let _ = match weight {
                Some(weight) => self.graph.link_weighted(a, b, weight),
                None => self.graph.link(a, b),
            };
        }
        Ok(())
    }

    /// Whether a node has that name.
    pub(crate) fn has(&self, name: &NodeName) -> bool {
        self.graph.has_node(name)
    }

    pub(crate) fn embedding(&mut self, node: usize, values: Vec<f64>) {
        // The node is there and the values are finite, so this cannot fail.
        let _ = self.graph.apply(&Delta::SetEmbedding { node: node.into(), values });
    }

    /// The node that the cursor read just now, if there is one of that number.
    pub(crate) fn known(&self, cursor: &Cursor<'_>, id: usize) -> Result<NodeName, ParseError> {
        if id < self.n { Ok(id.into()) } else { Err(cursor.unknown("node", id, self.n)) }
    }

    pub(crate) fn finish(self) -> Graph {
        self.graph
    }
}
