//! A place in a question of GraphWiz, and what can be read there.

use crate::{MAX_QUESTION_EDGES, ParseError};

/// What stands between the two nodes of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrow {
    /// A comma: undirected.
    Comma,
    /// `->`: directed.
    Forward,
}

/// An edge as it stands in the text.
pub(super) struct Edge {
    pub(super) at: usize,
    /// Where each node stands, and which it is.
    pub(super) ends: [(usize, usize); 2],
    pub(super) arrow: Arrow,
    pub(super) weight: Option<f64>,
}

pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

/// What opens a graph.
const GRAPH: &str = "The nodes are numbered from";

impl<'t> Scan<'t> {
    /// Behind the `Q:` and the first words of the last question.
    pub(super) fn last_question(text: &'t str) -> Result<Self, ParseError> {
        let mut found = None;
        for (at, _) in text.match_indices(GRAPH) {
            if text[..at].trim_end().ends_with("Q:") {
                found = Some(at + GRAPH.len());
            }
        }
        match found {
            Some(at) => Ok(Self { text, at }),
            None => {
                let line = text.trim_start().lines().next().unwrap_or_default();
                Err(ParseError::UnknownQuestion { found: excerpt(line) })
            }
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Reads the words if they are next, after blanks.
    pub(super) fn eat(&mut self, words: &str) -> bool {
        self.skip_blank();
        let found = self.rest().starts_with(words);
        if found {
            self.at += words.len();
        }
        found
    }

    pub(super) fn want(&mut self, words: &str) -> Result<(), ParseError> {
        if self.eat(words) { Ok(()) } else { Err(self.expected(&format!("{words:?}"))) }
    }

    fn number(&mut self, what: &str) -> Result<usize, ParseError> {
        self.skip_blank();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        // Nine digits are more than any limit here.
        match self.rest()[..digits].parse() {
            Ok(number) if digits <= 9 => {
                self.at += digits;
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn decimal(&mut self) -> Result<f64, ParseError> {
        self.skip_blank();
        let is_part = |b: &u8| b.is_ascii_digit() || *b == b'.';
        let length = self.rest().bytes().take_while(is_part).count();
        match self.rest()[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.at += length;
                Ok(number)
            }
            _ => Err(self.expected("a weight, such as 5")),
        }
    }

    /// Reads `0 to 9`: the number of nodes.
    pub(super) fn numbering(&mut self) -> Result<usize, ParseError> {
        self.want("0")?;
        self.want("to")?;
        Ok(self.number("the number of the last node")? + 1)
    }

    pub(super) fn node(&mut self, n: usize) -> Result<usize, ParseError> {
        self.skip_blank();
        let at = self.at;
        let id = self.number("a node")?;
        if id < n { Ok(id) } else { Err(self.unknown(at, id, n)) }
    }

    /// Reads edges for as long as there are any.
    pub(super) fn edges(&mut self) -> Result<Vec<Edge>, ParseError> {
        let mut edges = Vec::new();
        loop {
            let _ = self.eat(",");
            self.skip_blank();
            let at = self.at;
            if !self.eat("(") {
                return Ok(edges);
            }
            if edges.len() >= MAX_QUESTION_EDGES {
                let limit = MAX_QUESTION_EDGES;
                return Err(ParseError::TooLarge { what: "edges", found: limit + 1, limit });
            }
            let first = self.end()?;
            let arrow = if self.eat("->") {
                Arrow::Forward
            } else {
                self.want(",")?;
                Arrow::Comma
            };
            let second = self.end()?;
            let weight = if self.eat(",") { Some(self.decimal()?) } else { None };
            self.want(")")?;
            edges.push(Edge { at, ends: [first, second], arrow, weight });
        }
    }

    fn end(&mut self) -> Result<(usize, usize), ParseError> {
        self.skip_blank();
        let at = self.at;
        Ok((at, self.number("a node, as in \"(0, 1)\"")?))
    }

    /// The error for something else than what was expected here.
    pub(super) fn expected(&self, expected: &str) -> ParseError {
        self.expected_at(self.at, expected)
    }

    pub(super) fn expected_at(&self, at: usize, expected: &str) -> ParseError {
        let (rest, expected) = (&self.text[at..], expected.to_owned());
        let (line, column) = self.line_and_column(at);
        if rest.trim().is_empty() {
            return ParseError::Truncated { line, expected };
        }
        let found = excerpt(rest.lines().next().unwrap_or_default());
        ParseError::Expected { line, column, expected, found }
    }

    /// The error for a number that no node has.
    pub(super) fn unknown(&self, at: usize, id: usize, n: usize) -> ParseError {
        let (line, column) = self.line_and_column(at);
        let range = format!("0 to {}", n - 1);
        ParseError::UnknownNode { line, column, what: "node", id, n, range }
    }

    fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }
}

fn excerpt(line: &str) -> String {
    let mut short: String = line.chars().take(40).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}
