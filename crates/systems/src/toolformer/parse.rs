//! Calls in what a model writes.
//!
//! The grammar, with spaces anywhere between tokens:
//!
//! ```text
//! bracket   = "[" call { "," call } [ tag ] "]"   | "<API>" … "</API>"
//! call      = ("GL" | "GR") "(" argument { "," argument } ")"
//! argument  = call | text | set | reference | number | name
//! set       = "{" [ element { "," element } ] "}"
//! element   = text | reference | number | words | "(" element { "," element } ")"
//! reference = kind "#" id
//! tag       = ("-->" | "->" | "→") ( "r" | value | name )
//! ```

use serde::{Deserialize, Serialize};

use super::lex::{Cursor, identifier_end};
use super::syntax::{Hint, SyntaxError};
use super::tree::{Api, Arrow, Bracket, BracketOutput, Call, Tag, Value, bare};

/// The most bytes of a text in which calls are looked for; what follows is text.
pub const MAX_TEXT: usize = 200_000;
/// The most brackets of a text that are read; what follows is text.
pub const MAX_BRACKETS: usize = 256;
/// How deeply calls may be nested.
pub const MAX_DEPTH: usize = 8;
/// The most calls of a bracket, arguments of a call and elements of a tuple.
pub const MAX_ITEMS: usize = 64;
/// The most elements of a set.
pub const MAX_ELEMENTS: usize = 2_000;

/// A part of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// Words that are no call.
    Text(String),
    /// A bracket with calls.
    Site(Site),
}

/// A place where something is called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// Where it begins, as a byte of the text.
    pub at: usize,
    /// As it was written, with its brackets.
    pub source: String,
    /// What was read, or why nothing could be.
    pub bracket: Result<Bracket, SyntaxError>,
}

/// Cuts a text at its calls. What is no call stays text, whatever brackets it has; a call that cannot
/// be read is a site with an error, and the rest of the text stands.
///
/// # Complexity
/// O(length of the text).
pub fn parse(text: &str) -> Vec<Segment> {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|i| text.is_char_boundary(*i));
    let searched = &text[..end.unwrap_or(0)];
    let mut cursor = Cursor::new(searched);
    let mut segments = Vec::new();
    let (mut written, mut n_sites) = (0, 0);
    let mut open = next_open(searched, 0);
    while let Some((start, token)) = open {
        if n_sites == MAX_BRACKETS {
            break;
        }
        n_sites += 1;
        cursor.go(start + token.len());
        let bracket = Parser { cursor: &mut cursor }.bracket(token);
        let end;
        match &bracket {
            Ok(_) => {
                end = cursor.at();
                open = next_open(searched, end);
            }
            Err(error) => {
                open = next_open(searched, cursor.resume.max(start + token.len()));
                end = end_of_fault(searched, error.at.max(start + token.len()), open);
            }
        }
        if start > written {
            segments.push(Segment::Text(text[written..start].to_owned()));
        }
        let source = text[start..end].to_owned();
        segments.push(Segment::Site(Site { at: start, source, bracket }));
        written = end;
    }
    if written < text.len() {
        segments.push(Segment::Text(text[written..].to_owned()));
    }
    segments
}

/// The calls of a text, without its words.
pub fn sites(text: &str) -> Vec<Site> {
    let site = |s| match s {
        Segment::Site(site) => Some(site),
        Segment::Text(_) => None,
    };
    parse(text).into_iter().filter_map(site).collect()
}

/// Where a bracket that could not be read ends: at the next closing one, the next call, or the line's
/// end.
fn end_of_fault(text: &str, from: usize, next: Option<(usize, &str)>) -> usize {
    let limit = next.map_or(text.len(), |(start, _)| start);
    if limit <= from {
        return limit;
    }
    let rest = &text[from..limit];
    match rest.find([']', '\n']) {
        Some(i) if rest[i..].starts_with(']') => from + i + 1,
        Some(i) => from + i,
        None => limit,
    }
}

/// The next place where a call seems to begin: a bracket, then a name, then a round bracket. Where
/// the name is not one of ours the round bracket has to follow at once, because prose has brackets
/// too.
fn next_open(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let rest = text.get(from..)?;
    for (i, c) in rest.match_indices(['[', '<']) {
        let token = match c {
            "[" => "[",
            _ if rest[i..].starts_with("<API>") => "<API>",
            _ => continue,
        };
        let inside = rest[i + token.len()..].trim_start();
        let name = &inside[..identifier_end(inside)];
        let behind = &inside[name.len()..];
        let is_ours = api(name).is_some() && behind.trim_start().starts_with('(');
        if is_ours || (!name.is_empty() && behind.starts_with('(')) {
            return Some((from + i, token));
        }
    }
    None
}

fn api(name: &str) -> Option<Api> {
    Api::ALL.into_iter().find(|a| a.name().eq_ignore_ascii_case(name))
}

struct Parser<'c, 't> {
    cursor: &'c mut Cursor<'t>,
}

impl Parser<'_, '_> {
    /// Calls, tag and end; the cursor stands behind the opening token.
    fn bracket(&mut self, token: &str) -> Result<Bracket, SyntaxError> {
        let mut calls = vec![self.call(0)?];
        while self.cursor.eat(',') {
            self.room(calls.len(), MAX_ITEMS)?;
            calls.push(self.call(0)?);
        }
        let tag = self.tag(calls.last().is_some_and(|c| c.api == Api::Load))?;
        let is_closed = match token {
            "[" => self.cursor.eat(']'),
            _ => self.cursor.eat_words("</API>") || self.cursor.eat_words("<API>"),
        };
        if is_closed {
            return Ok(Bracket { calls, tag });
        }
        let expected = match (token, &tag) {
            ("[", None) => "\"]\", \"-->r]\" or \",\"",
            ("[", Some(_)) => "\"]\"",
            _ => "\"</API>\"",
        };
        let mut error = self.cursor.wrong(expected, Some(Hint::Close));
        error.insert = (token == "[").then_some(']');
        Err(error)
    }

    fn tag(&mut self, is_load: bool) -> Result<Option<Tag>, SyntaxError> {
        let all = [Arrow::Long, Arrow::Short, Arrow::Sign];
        let Some(arrow) = all.into_iter().find(|a| self.cursor.eat_words(a.text())) else {
            return Ok(None);
        };
        let words = self.cursor.until_close();
        let output = match words {
            "" => return Err(self.cursor.wrong("\"r\"", Some(Hint::Close))),
            "r" => BracketOutput::Result,
            name if is_load && identifier_end(name) == name.len() => {
                BracketOutput::Name(name.to_owned())
            }
            value => BracketOutput::Value(value.to_owned()),
        };
        Ok(Some(Tag { arrow, output }))
    }

    fn call(&mut self, depth: usize) -> Result<Call, SyntaxError> {
        self.cursor.skip_space();
        let start = self.cursor.at();
        let name = self.cursor.identifier();
        let Some(api) = api(name) else {
            return Err(self.wrong_at(start, "\"GL\" or \"GR\"", Hint::Api));
        };
        if depth >= MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} calls within each other");
            return Err(self.cursor.wrong(&expected, Some(Hint::Deep)));
        }
        if !self.cursor.eat('(') {
            return Err(self.cursor.wrong("\"(\"", Some(Hint::Api)));
        }
        let mut arguments = Vec::new();
        loop {
            self.room(arguments.len(), MAX_ITEMS)?;
            if api == Api::Load && arguments.is_empty() {
                // Table 1 of the paper names this one argument.
                let _ = ["file-path:", "file_path:"].iter().any(|n| self.cursor.eat_words(n));
            }
            arguments.push(self.argument(depth)?);
            if self.cursor.eat(')') {
                break;
            }
            if !self.cursor.eat(',') {
                let mut error = self.cursor.wrong("\",\" or \")\"", Some(Hint::Separator));
                let is_over = matches!(self.cursor.peek(), None | Some('-' | '→' | ']'));
                error.insert = Some(if is_over { ')' } else { ',' });
                return Err(error);
            }
        }
        let is_graph = matches!(arguments.first(), Some(Value::Call(_) | Value::Name(_)));
        if api == Api::Reason && !is_graph {
            return Err(self.wrong_at(start, "GR with a graph first", Hint::Graph));
        }
        Ok(Call { api, arguments })
    }

    fn argument(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        match self.cursor.peek() {
            Some('"' | '“' | '”' | '\'' | '‘') => {
                Ok(Value::Text(self.cursor.quoted()?.to_owned()))
            }
            Some('{') => self.set(),
            _ if self.is_call() => Ok(Value::Call(self.call(depth + 1)?)),
            _ => {
                let start = self.cursor.at();
                let word = self.cursor.bare();
                if let Some(value) = bare(word) {
                    return Ok(value);
                }
                if is_name(word) {
                    return Ok(Value::Name(word.to_owned()));
                }
                let (expected, hint) = match word.split_once('#') {
                    Some((_, "")) => ("an id behind the \"#\"", Hint::Id),
                    Some(_) => ("a reference such as paper#1", Hint::Id),
                    None => ("an argument", Hint::Bare),
                };
                Err(self.wrong_at(start, expected, hint))
            }
        }
    }

    /// Whether a name and a round bracket follow.
    fn is_call(&mut self) -> bool {
        self.cursor.skip_space();
        let rest = self.cursor.rest();
        let end = identifier_end(rest);
        end > 0 && rest[end..].trim_start().starts_with('(')
    }

    fn set(&mut self) -> Result<Value, SyntaxError> {
        self.cursor.eat('{');
        let mut all = Vec::new();
        if self.cursor.eat('}') {
            return Ok(Value::Set(all));
        }
        loop {
            self.room(all.len(), MAX_ELEMENTS)?;
            if self.cursor.eat('(') {
                let mut items = vec![self.element()?];
                while self.cursor.eat(',') {
                    self.room(items.len(), MAX_ITEMS)?;
                    items.push(self.element()?);
                }
                self.must(')', "\",\" or \")\"")?;
                all.push(Value::Tuple(items));
            } else {
                all.push(self.element()?);
            }
            if !self.cursor.eat(',') {
                self.must('}', "\",\" or \"}\"")?;
                return Ok(Value::Set(all));
            }
        }
    }

    fn element(&mut self) -> Result<Value, SyntaxError> {
        if let Some('"' | '“' | '”' | '\'' | '‘') = self.cursor.peek() {
            return Ok(Value::Text(self.cursor.quoted()?.to_owned()));
        }
        let word = self.cursor.bare();
        match bare(word) {
            Some(value) => Ok(value),
            None if word.is_empty() => Err(self.cursor.wrong("an element", Some(Hint::Set))),
            None => Ok(Value::Name(word.to_owned())),
        }
    }

    /// An error about what stands at an earlier place.
    fn wrong_at(&mut self, at: usize, expected: &str, hint: Hint) -> SyntaxError {
        let resume = self.cursor.resume;
        self.cursor.go(at);
        let error = self.cursor.wrong(expected, Some(hint));
        self.cursor.resume = resume;
        error
    }

    fn must(&mut self, close: char, expected: &str) -> Result<(), SyntaxError> {
        if self.cursor.eat(close) {
            return Ok(());
        }
        let mut error = self.cursor.wrong(expected, Some(Hint::Separator));
        error.insert = Some(close);
        Err(error)
    }

    fn room(&mut self, n: usize, limit: usize) -> Result<(), SyntaxError> {
        if n < limit {
            return Ok(());
        }
        Err(self.cursor.wrong(&format!("at most {limit} in one place"), Some(Hint::Many)))
    }
}

/// Whether a bare word may be an argument: `G_l`, `is-directed`.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}
