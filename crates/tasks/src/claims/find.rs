//! Walks over a text and collects what it claims.

use std::collections::{BTreeMap, BTreeSet};

use graph::{Graph, NodeName};

use super::Claim;
use super::check::{Said, check};
use super::scan::{self, Kind, Token, tokens};
use crate::Problem;
use crate::definition::Speech;
use crate::reading::{is_second_thought, is_supposed};

/// A text being searched. Positions are numbers of tokens.
pub(super) struct Finder<'a> {
    pub(super) problem: &'a Problem,
    pub(super) speech: Speech,
    pub(super) graph: &'a Graph,
    pub(super) tokens: Vec<Token>,
    /// The words in lower case; numbers and marks as they stand.
    words: Vec<String>,
    /// Nodes that have words for names, by these in lower case.
    named: BTreeMap<String, NodeName>,
    claims: Vec<Claim>,
    /// The sentences that only ask or suppose, in order.
    open: Vec<usize>,
}

/// The sentences that only ask or suppose, or are taken back by the next.
fn open_sentences(tokens: &[Token], words: &[String]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut before = None;
    let mut start = 0;
    for sentence in tokens.chunk_by(|a, b| a.sentence == b.sentence) {
        let said = &words[start..start + sentence.len()];
        start += sentence.len();
        let mut plain = String::from(" ");
        for word in said.iter().filter(|word| word.starts_with(char::is_alphanumeric)) {
            plain.push_str(word);
            plain.push(' ');
        }
        let Some(place) = sentence.first().map(|token| token.sentence) else { continue };
        // "The flow is 7. Wait, …": what is taken back is claimed no more.
        if is_second_thought(&plain)
            && let Some(before) = before
            && open.last() != Some(&before)
        {
            open.push(before);
        }
        if said.last().is_some_and(|word| word == "?") || is_supposed(&plain) {
            open.push(place);
        }
        before = Some(place);
    }
    open
}

/// What a list of nodes holds: each with the token behind it, and the number that it carries.
pub(super) struct Listed {
    pub(super) node: NodeName,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) number: Option<f64>,
}

/// The tokens with names of several words put together: `Hugo H. Lund` is one word, and its full stop ends
/// no sentence. Of two names that begin alike the longer one counts. Gives their words in lower case too.
fn whole_names(
    text: &str,
    tokens: Vec<Token>,
    named: &BTreeMap<String, NodeName>,
) -> (Vec<Token>, Vec<String>) {
    let lower = |t: &Token| text[t.start..t.end].to_lowercase();
    let mut words: Vec<String> = tokens.iter().map(lower).collect();
    // By their words, and by the first of these how many there may be.
    let mut long: BTreeMap<Vec<String>, &str> = BTreeMap::new();
    let mut lengths: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for name in named.keys() {
        let parts: Vec<String> =
            scan::tokens(name).iter().map(|t| name[t.start..t.end].to_owned()).collect();
        if let [first, _, ..] = &parts[..] {
            lengths.entry(first.clone()).or_default().insert(parts.len());
            long.insert(parts, name);
        }
    }
    if long.is_empty() {
        return (tokens, words);
    }
    let (mut out, mut out_words, mut at, mut ended_inside) = (Vec::new(), Vec::new(), 0, 0);
    while at < tokens.len() {
        let mut token = tokens[at];
        let named = lengths.get(&words[at]).and_then(|lengths| {
            let of = |n: &usize| Some((*n, *long.get(words.get(at..at + n)?)?));
            lengths.iter().rev().find_map(of)
        });
        token.sentence -= ended_inside;
        match named {
            Some((n, name)) => {
                let last = tokens[at + n - 1];
                ended_inside += last.sentence - tokens[at].sentence;
                (token.kind, token.end) = (Kind::Word, last.end);
                out_words.push(name.to_owned());
                at += n;
            }
            None => {
                out_words.push(std::mem::take(&mut words[at]));
                at += 1;
            }
        }
        out.push(token);
    }
    (out, out_words)
}

impl<'a> Finder<'a> {
    pub(super) fn new(problem: &'a Problem, text: &'a str) -> Self {
        let graph = &problem.graph;
        let named: BTreeMap<String, NodeName> = graph
            .names()
            .map(|n| (n.to_string().to_lowercase(), n))
            .filter(|(text, _)| text.starts_with(|c: char| c.is_alphabetic()))
            .map(|(text, n)| (text, n.clone()))
            .collect();
        let (tokens, words) = whole_names(text, tokens(text), &named);
        let speech = problem.task().speech();
        let open = open_sentences(&tokens, &words);
        Self { open, problem, speech, graph, tokens, words, named, claims: Vec::new() }
    }

    pub(super) fn find(mut self) -> Vec<Claim> {
        let mut at = 0;
        while at < self.tokens.len() {
            at = self.at(at).unwrap_or(at + 1).max(at + 1);
        }
        self.claims.sort_by_key(|c| (c.start, c.end));
        self.claims
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        self.words.get(at).is_some_and(|w| words.contains(&w.as_str()))
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
        match (self.tokens.get(a), self.tokens.get(b)) {
            (Some(a), Some(b)) => a.sentence == b.sentence,
            _ => false,
        }
    }

    pub(super) fn number(&self, at: usize) -> Option<f64> {
        match self.tokens.get(at)?.kind {
            Kind::Number => self.words[at].replace(',', "").parse().ok(),
            Kind::Word => {
                let words = [
                    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
                    "ten",
                ];
                words.iter().position(|w| *w == self.words[at]).map(|n| n as f64)
            }
            _ => None,
        }
    }

    pub(super) fn is_number(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind == Kind::Number)
    }

    pub(super) fn is_arrow(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind == Kind::Arrow)
    }

    /// A node: `node 3`, a name that the graph has, or, where `bare`, a number alone.
    pub(super) fn node(&self, at: usize, bare: bool) -> Option<(NodeName, usize)> {
        let at = self.skip(at, &["the", "`", "\"", "*"]);
        let word = self.words.get(at)?.as_str();
        let prefix = match word {
            "node" | "nodes" | "ndoe" | "city" | "cities" | "vertex" | "vertices" | "person" => "",
            "applicant" | "applicants" => "a",
            "job" | "jobs" => "j",
            _ if self.is_number(at) && bare && !word.contains(['.', ',']) => {
                return Some((self.numbered("", word), at + 1));
            }
            _ => {
                let node = self.named.get(word)?;
                return Some((node.clone(), at + 1));
            }
        };
        let next = self.skip(at + 1, &["#", "`", "\"", "*"]);
        let word = self.words.get(next)?;
        if self.is_number(next) && !word.contains(['.', ',']) {
            return Some((self.numbered(prefix, word), next + 1));
        }
        Some((self.named.get(word)?.clone(), next + 1))
    }

    fn numbered(&self, prefix: &str, digits: &str) -> NodeName {
        format!("{prefix}{digits}").as_str().into()
    }

    /// A list of nodes: commas, "and" and "or" between, each maybe with a number in brackets. A node
    /// that begins a statement of its own ends the list before it.
    pub(super) fn list(&self, at: usize) -> Option<(Vec<Listed>, usize)> {
        let (mut at, mut list) = (self.skip(at, &["[", "(", "{", "both", "either"]), Vec::new());
        let first_kind = self.words.get(at).cloned().unwrap_or_default();
        let mut end = at;
        while let Some((node, after)) = self.node(at, true) {
            if !list.is_empty() && self.begins_statement(after) {
                break;
            }
            // In a list of jobs a bare number is a job.
            let node = match first_kind.as_str() {
                "job" | "jobs" if self.is_number(at) => self.numbered("j", &self.words[at]),
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

    fn begins_statement(&self, after: usize) -> bool {
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

    /// Whether the sentence of a token only asks or supposes.
    pub(super) fn is_open(&self, at: usize) -> bool {
        self.open.binary_search(&self.tokens[at].sentence).is_ok()
    }

    /// Whether one of these words stands before a token in its sentence, at most so many tokens back.
    pub(super) fn before(&self, at: usize, words: &[&str], reach: usize) -> bool {
        (1..=reach.min(at)).any(|d| self.same_sentence(at - d, at) && self.is(at - d, words))
    }

    /// Keeps a claim that stands in the tokens from `start` to before `end`.
    pub(super) fn claim(&mut self, said: Said, start: usize, end: usize) {
        let last = end.max(start + 1) - 1;
        let (Some(from), Some(to)) = (self.tokens.get(start), self.tokens.get(last)) else {
            return;
        };
        self.claims.push(check(self.graph, said, from.start, to.end));
    }

    /// The text of some tokens, with single blanks.
    pub(super) fn words_between(&self, start: usize, end: usize) -> String {
        self.words[start..end.min(self.words.len())].join(" ")
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
            .or_else(|| self.reach_words(at))
            .or_else(|| self.cycle_words(at))
            .or_else(|| self.flow_words(at))
            .or_else(|| self.order_words(at))
            .or_else(|| self.degree_words(at))
            .or_else(|| self.node_statement(at))
            .or_else(|| self.walk(at))
            .or_else(|| self.pair(at))
    }
}
