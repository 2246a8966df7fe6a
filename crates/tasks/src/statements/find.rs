//! Walks over a text and collects what it states.

use std::ops::Range;

use graph::{Graph, NodeName};

use super::{Asks, Said, Statement, Subject};
use crate::definition::{Row, Speech};
use crate::reading::{Kind, Names, Reading, asserted};

/// A text being searched. Positions are numbers of pieces.
pub(super) struct Finder<'a> {
    pub(super) asks: Asks<'a>,
    pub(super) speech: Speech,
    pub(super) graph: &'a Graph,
    reading: &'a Reading,
    names: Option<&'a Names>,
    pieces: Vec<Piece>,
    stated: Vec<Statement>,
    /// The pieces that say that something is so; the others ask or suppose.
    asserted: Vec<bool>,
    /// What the line above says of the rows that follow it.
    heading: Option<Heading>,
    /// How long a path is called that has not been named yet.
    pub(super) length: Option<Length>,
    /// The steps so far of a walk.
    pub(super) way: Way,
    /// Where a search is, and the sentence that says so.
    pub(super) visiting: Option<(NodeName, usize)>,
    /// The letter of the molecule that each piece is about; empty where the graph is none.
    letters: Vec<Option<char>>,
}

/// How many edges a path has, in words that stand before it.
pub(super) struct Length {
    pub(super) n: usize,
    /// The pieces of the words.
    pub(super) at: Range<usize>,
}

/// What rows below a heading are.
#[derive(Clone, Copy)]
pub(super) enum Heading {
    /// `0-1`, one or more a row.
    Edges,
    /// `0: 1, 2`, a node with those that it is joined to.
    Neighbours,
    /// `0: 5`, a node with its weight.
    Weights,
}

/// A word, a number with its groups of digits, a mark, or a line of dashes.
#[derive(Clone, Copy)]
struct Piece {
    /// Its first token, and the one behind its last.
    first: usize,
    end: usize,
    kind: Kind,
    sentence: usize,
}

/// The pieces of a text; the ends of lines are none.
fn pieces(reading: &Reading) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(reading.tokens.len());
    let (mut at, mut sentence) = (0, 0);
    while let Some(token) = reading.tokens.get(at) {
        let touches = |at: usize| at > 0 && reading.tokens[at - 1].end == reading.tokens[at].start;
        // The full stop of a sentence is the last of it.
        while reading.sentences.get(sentence).is_some_and(|of| of.end < at) {
            sentence += 1;
        }
        let mut end = at + 1;
        match token.kind {
            Kind::Newline => {
                at += 1;
                continue;
            }
            // `1,200`, but not the lists `1,200,3` and `99,100,101`.
            Kind::Number => {
                let behind = reading.grouped(at).map_or(end, |(_, behind)| behind);
                let is_followed = reading.is_mark(behind, b',') && touches(behind);
                let has_begun = touches(at) && reading.is_mark(at - 1, b',') && touches(at - 1);
                let is_list = is_followed || has_begun;
                if !is_list && (at + 1..behind).all(touches) {
                    end = behind;
                }
            }
            Kind::Mark(b'-') => {
                while reading.is_mark(end, b'-') && touches(end) {
                    end += 1;
                }
            }
            _ => {}
        }
        pieces.push(Piece { first: at, end, kind: token.kind, sentence });
        at = end;
    }
    pieces
}

/// Which pieces stand in a sentence that says that something is so, and not behind its "if".
fn said(pieces: &[Piece], reading: &Reading) -> Vec<bool> {
    let sentences = asserted(reading);
    let (mut supposes, mut sentence) = (false, usize::MAX);
    let is_said = |piece: &Piece| {
        supposes &= piece.sentence == sentence;
        sentence = piece.sentence;
        supposes |= matches!(reading.word(piece.first), "if" | "whether" | "unless")
            || reading.disclaims(piece.first);
        !supposes && sentences.get(sentence) != Some(&false)
    };
    pieces.iter().map(is_said).collect()
}

/// What a list of nodes holds: each with the token behind it, and the number that it carries.
pub(super) struct Listed {
    pub(super) node: NodeName,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) number: Option<f64>,
}

/// The steps so far of a walk.
#[derive(Default)]
pub(super) struct Way {
    pub(super) nodes: Vec<NodeName>,
    /// Its first piece, and the one behind its last.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'a> Finder<'a> {
    pub(super) fn new(subject: Subject<'a>, reading: &'a Reading) -> Self {
        let Subject { graph, speech, asks, names } = subject;
        let pieces = pieces(reading);
        let asserted = said(&pieces, reading);
        let mut finder = Self {
            asks,
            speech,
            graph,
            reading,
            names,
            pieces,
            stated: Vec::new(),
            asserted,
            heading: None,
            length: None,
            way: Way::default(),
            visiting: None,
            letters: Vec::new(),
        };
        if matches!(asks, Asks::Molecules) {
            finder.letters = finder.letters();
        }
        finder
    }

    /// The letter of the molecule that a piece is about.
    pub(super) fn letter(&self, at: usize) -> Option<char> {
        self.letters.get(at).copied().flatten()
    }

    pub(super) fn find(mut self) -> Vec<Statement> {
        let mut at = 0;
        while at < self.pieces.len() {
            let opens = at == 0 || !self.same_sentence(at - 1, at);
            let row = if opens { self.opening(at) } else { None };
            at = row.or_else(|| self.at(at)).unwrap_or(at + 1).max(at + 1);
        }
        self.end_walk();
        self.stated
    }

    /// The first piece of a sentence: a row below a heading, or the heading of the next ones.
    fn opening(&mut self, at: usize) -> Option<usize> {
        self.hear_step(at);
        let sentence = self.pieces[at].sentence;
        let n = self.pieces[at..].iter().take_while(|piece| piece.sentence == sentence).count();
        let row = self.heading.filter(|_| !self.is_open(at));
        if let Some(end) = row.and_then(|heading| self.row(heading, at)) {
            return Some(end);
        }
        self.heading = self.heading(at, at + n);
        None
    }

    /// How many pieces there are.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// How many statements there are.
    pub(super) fn n_stated(&self) -> usize {
        self.stated.len()
    }

    /// What was stated.
    pub(super) fn stated(self) -> Vec<Statement> {
        self.stated
    }

    /// The word at a place, in plain spelling.
    pub(super) fn word(&self, at: usize) -> &'a str {
        let Some(piece) = self.pieces.get(at) else { return "" };
        if piece.end == piece.first + 1 {
            return self.reading.word(piece.first);
        }
        let tokens = &self.reading.tokens;
        &self.reading.text()[tokens[piece.first].start as usize..tokens[piece.end - 1].end as usize]
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.pieces.get(at).map(|piece| piece.kind)
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        let word = self.word(at);
        !word.is_empty() && words.contains(&word)
    }

    /// The place behind a phrase, if it stands there.
    pub(super) fn phrase(&self, at: usize, phrase: &[&str]) -> Option<usize> {
        let fits = phrase.iter().enumerate().all(|(i, w)| self.is(at + i, &[w]));
        fits.then_some(at + phrase.len())
    }

    /// The place behind words of which none means anything here.
    pub(super) fn skip(&self, mut at: usize, words: &[&str]) -> usize {
        while self.is(at, words) {
            at += 1;
        }
        at
    }

    pub(super) fn same_sentence(&self, a: usize, b: usize) -> bool {
        match (self.pieces.get(a), self.pieces.get(b)) {
            (Some(a), Some(b)) => a.sentence == b.sentence,
            _ => false,
        }
    }

    /// A number in digits or as a word.
    pub(super) fn number(&self, at: usize) -> Option<f64> {
        let piece = self.pieces.get(at)?;
        match piece.kind {
            Kind::Number if piece.end == piece.first + 1 => self.reading.number(piece.first),
            Kind::Number => self.reading.grouped(piece.first).map(|(value, _)| value),
            _ => self.reading.count(piece.first).map(|count| count as f64),
        }
    }

    pub(super) fn is_number(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Number) && self.named(at).is_none()
    }

    /// An arrow, or the dash of `0-1-2`.
    pub(super) fn is_arrow(&self, at: usize) -> bool {
        let is_number = |at: usize| self.kind(at) == Some(Kind::Number);
        self.kind(at) == Some(Kind::Arrow)
            || self.kind(at) == Some(Kind::Mark(b'-'))
                && at > 0
                && is_number(at - 1)
                && is_number(at + 1)
                && self.same_sentence(at - 1, at + 1)
    }

    /// Whether an arrow points back.
    pub(super) fn is_back(&self, at: usize) -> bool {
        self.word(at).starts_with('<') && !self.word(at).ends_with('>')
    }

    /// Whether a place has a node's name, or a number.
    pub(super) fn is_number_or_name(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Number)
    }

    /// The node named at a place.
    fn named(&self, at: usize) -> Option<NodeName> {
        self.names?.node(self.reading.integer(self.pieces.get(at)?.first)?)
    }

    /// A node: `node 3`, a name that the graph has, or, where `bare`, a number alone.
    pub(super) fn node(&self, at: usize, bare: bool) -> Option<(NodeName, usize)> {
        let at = self.skip(at, &["the", "\""]);
        let is_row = self.speech.row == Row::Assignment;
        if !self.letters.is_empty() {
            // Atoms have numbers of their own in each molecule.
            let is_named = self.is(at, &["atom", "atoms", "node", "nodes"]);
            let next = at + usize::from(is_named);
            let own = || self.numbered(next, self.letter(at)?.encode_utf8(&mut [0; 4]));
            let atom = self.named(next).or_else(own);
            return Some((atom.filter(|_| is_named || bare)?, next + 1));
        }
        let prefix = match self.word(at) {
            "node" | "nodes" | "city" | "cities" | "person" => "",
            "applicant" | "applicants" => "a",
            "job" | "jobs" => "j",
            // `a0` and `j3`.
            "a" if is_row => "a",
            "j" if is_row => "j",
            _ if bare => return Some((self.named(at).or_else(|| self.numbered(at, ""))?, at + 1)),
            _ => return Some((self.named(at)?, at + 1)),
        };
        let next = self.skip(at + 1, &["#", "\""]);
        Some((self.named(next).or_else(|| self.numbered(next, prefix))?, next + 1))
    }

    /// The node of a whole number, with a letter before it.
    pub(super) fn numbered(&self, at: usize, prefix: &str) -> Option<NodeName> {
        let digits = self.word(at);
        let is_whole = self.is_number(at) && digits.bytes().all(|b| b.is_ascii_digit());
        is_whole.then(|| format!("{prefix}{digits}").as_str().into())
    }

    /// A list of nodes: commas, "and" and "or" between, each maybe with a number in brackets. A node
    /// that begins a statement of its own ends the list before it.
    pub(super) fn list(&self, at: usize) -> Option<(Vec<Listed>, usize)> {
        let (mut at, mut list) = (self.skip(at, &["[", "(", "{", "both", "either"]), Vec::new());
        let first_kind = self.word(at);
        let mut end = at;
        while let Some((node, after)) = self.node(at, true) {
            if !list.is_empty() && self.begins_statement(after) {
                break;
            }
            // In a list of jobs a bare number is a job.
            let node = match first_kind {
                "job" | "jobs" => self.numbered(at, "j").unwrap_or(node),
                _ => node,
            };
            let (number, after) = self.carried(after);
            list.push(Listed { node, start: at, end: after, number });
            end = after;
            let separated = self.skip(after, &[",", "and", "or", "&", ";"]);
            if separated == after || !self.same_sentence(at, separated) {
                break;
            }
            at = separated;
        }
        let end = self.skip(end, &["]", ")", "}"]);
        (!list.is_empty()).then_some((list, end))
    }

    pub(super) fn begins_statement(&self, after: usize) -> bool {
        self.is(after, &["is", "are", "has", "have", "can", "cannot", "connects", "->", ":", "was"])
            || self.is_arrow(after)
    }

    /// The number behind a node of a list: `3 (weight 5)`, `3 with weight 5`.
    fn carried(&self, at: usize) -> (Option<f64>, usize) {
        let fillers = [
            "(", "with", "a", "an", "of", "weight", "weighing", "distance", "capacity", "cost",
            ":", "=",
        ];
        if !self.is(at, &["(", "with"]) {
            return (None, at);
        }
        let value = self.skip(at, &fillers);
        match self.number(value).filter(|_| self.is_number(value)) {
            // Without a word for it, a number in brackets may be anything.
            Some(n)
                if (at..value).any(|i| {
                    self.is(i, &["weight", "distance", "capacity", "cost", "weighing"])
                }) =>
            {
                (Some(n), self.skip(value + 1, &[")"]))
            }
            _ => (None, at),
        }
    }

    /// Whether a piece stands in what only asks or supposes.
    pub(super) fn is_open(&self, at: usize) -> bool {
        self.asserted.get(at) != Some(&true)
    }

    /// Whether one of these words stands before a token in its sentence, at most so many tokens back.
    pub(super) fn before(&self, at: usize, words: &[&str], reach: usize) -> bool {
        (1..=reach.min(at)).any(|d| self.same_sentence(at - d, at) && self.is(at - d, words))
    }

    /// Keeps a statement made by the pieces from `start` to before `end`.
    pub(super) fn state(&mut self, said: Said, start: usize, end: usize) {
        let last = end.max(start + 1) - 1;
        if let (Some(from), Some(to)) = (self.pieces.get(start), self.pieces.get(last)) {
            let (tokens, sentence) = (from.first..to.end, from.sentence);
            self.stated.push(Statement { said, tokens, sentence });
        }
    }

    /// Whether an edge was the last thing that the sentence of a piece stated.
    pub(super) fn is_stated(&self, at: usize, u: &NodeName, v: &NodeName) -> bool {
        let is_it = |said: &Said| matches!(said, Said::Edge { u: a, v: b, .. } if (a, b) == (u, v) || (a, b) == (v, u));
        let last = self.stated.last();
        last.is_some_and(|last| last.sentence == self.sentence(at) && is_it(&last.said))
    }

    /// The last path that was stated in the sentence of a piece or in the one before.
    pub(super) fn last_path(&self, at: usize) -> Option<&[NodeName]> {
        let sentence = self.pieces.get(at)?.sentence;
        self.stated.iter().rev().take_while(|said| said.sentence + 1 >= sentence).find_map(|said| {
            match &said.said {
                Said::Path { nodes } => Some(&nodes[..]),
                _ => None,
            }
        })
    }

    /// The sentence of a piece.
    pub(super) fn sentence(&self, at: usize) -> usize {
        self.pieces.get(at).map_or(usize::MAX, |piece| piece.sentence)
    }

    /// The text of some pieces, with single blanks.
    pub(super) fn words_between(&self, start: usize, end: usize) -> String {
        (start..end).map(|at| self.word(at)).collect::<Vec<_>>().join(" ")
    }

    /// What begins at a token; the token behind it.
    fn at(&mut self, at: usize) -> Option<usize> {
        if let Some(end) = self.sum(at) {
            return Some(end);
        }
        if self.is_open(at) {
            return self.supposed_steps(at);
        }
        self.edge_words(at)
            .or_else(|| self.explored(at))
            .or_else(|| self.counted_of_molecule(at))
            .or_else(|| self.connect_words(at))
            .or_else(|| self.adjacency(at))
            .or_else(|| self.neighbour_words(at))
            .or_else(|| self.reach_words(at))
            .or_else(|| self.moves(at))
            .or_else(|| self.cycle_words(at))
            .or_else(|| self.flow_words(at))
            .or_else(|| self.order_words(at))
            .or_else(|| self.degree_words(at))
            .or_else(|| self.distance_words(at))
            .or_else(|| self.length_words(at))
            .or_else(|| self.whole_words(at))
            .or_else(|| self.total_words(at))
            .or_else(|| self.weight_pair(at))
            .or_else(|| self.node_statement(at))
            .or_else(|| self.walk(at))
            .or_else(|| self.pair(at))
    }
}
