//! Edges in words and in lists: behind a noun, below a heading, and each node with its neighbours.

use graph::NodeName;

use super::Said;
use super::find::{Finder, Heading, Listed};
use crate::definition::Row;
use crate::reading::{Phrases, phrases};

pub(super) static NUMBERS: Phrases =
    Phrases::of("weight, weights, capacity, length, distance, cost");
/// What an edge is called.
static NOUNS: Phrases = Phrases::of(
    "edge, edges, bond, bonds, road, roads, arc, arcs, link, links, connections, friendships, collaborations, \
     flights",
);
/// Words that lead from the noun to the nodes.
static LEADS: Phrases = Phrases::of("between, from, connecting, joining, that, connect, both");
/// Words that lead from the noun to a list in which each edge shows by itself that it is one.
static COPULAS: Phrases = Phrases::of(
    "are, is, include, includes, in, the, of, this, given, following, graph, network, as, follows, \
     :, =, }, listed, nodes",
);
/// What the rows below a heading give each node of.
static NEIGHBOURS: Phrases = Phrases::of("adjacency, neighbors, neighbours");

/// How far back two nodes are looked for that are called "these two".
const MOST_BEFORE: usize = 24;

/// An edge in a list.
struct Pair {
    u: NodeName,
    v: NodeName,
    /// Its number, in brackets with its nodes: `(0, 1, 5)`.
    number: Option<f64>,
    end: usize,
    /// "To" leads from the one node to the other, and may lead to others.
    goes_to: bool,
    /// It shows by itself that it is one: `(0,1)`, `0-1`, `0 to 1`.
    is_plain: bool,
}

impl Finder<'_> {
    /// `an edge between node 0 and node 4 with weight 3`, `the capacity of the edge from …`,
    /// `the edges are: (0,1), (1,2)`, `no edges connecting nodes 0 and 11, 0 and 15`.
    pub(super) fn edge_words(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &NOUNS) {
            return None;
        }
        let denied = self.before(at, &["no", "not"], 3);
        let is_numbered = self.before(at, &NUMBERS, 3);
        let lead = self.skip(at + 1, &COPULAS);
        let lead = self.skip(self.past_molecule(lead), &COPULAS);
        let from = self.skip(lead, &LEADS);
        let from = if from > lead { self.skip(from, &["(", ":"]) } else { from };
        if !self.same_sentence(at, from) {
            return None;
        }
        // `[(0,1), (1,2)]` and `[0-1, 1-2]`.
        let inside = || self.pair_at(from + usize::from(self.is(from, &["[", "{", "("])));
        let pair = self.pair_at(from).or_else(inside);
        // "Edges: (0,1)" shows edges, and "edges: 3 and 4" may count them.
        let pair = pair.or_else(|| self.these_two(at, from));
        let pair = pair.filter(|pair| pair.is_plain || from > lead)?;
        // "Following the edges from node 0 to node 3" goes a way.
        let goes_along = pair.goes_to
            && self.before(at, &["the"], 1)
            && self.before(at, phrases!("following, follow, along, traverse, traversing"), 2);
        if goes_along {
            return Some(pair.end);
        }
        let first = from;
        let Pair { u, v, number, end, goes_to, .. } = pair;
        let is_listed = self.word(at).ends_with('s');
        let end = match number {
            Some(value) => {
                self.state(Said::Weight { u: u.clone(), v, value }, first, end);
                end
            }
            None => {
                let end = self.skip(end, &[")"]);
                self.edge_end(u.clone(), v, at, end, denied, is_numbered)
            }
        };
        if !is_listed || !self.same_sentence(at, end) {
            return Some(end);
        }
        Some(self.more_edges(u, end, goes_to, !denied))
    }

    /// `a direct edge between these two nodes`: the last two that were named before.
    fn these_two(&self, at: usize, from: usize) -> Option<Pair> {
        let end = self.skip(from, phrases!("these, the, two, nodes, them"));
        if !self.is(from, &["these", "the", "them"]) || !self.is(end - 1, &["nodes", "them"]) {
            return None;
        }
        let before = (at.saturating_sub(MOST_BEFORE)..at).rev();
        let mut nodes = before
            .take_while(|back| self.same_sentence(*back, at))
            .filter_map(|back| Some(self.node(back, false)?.0));
        let v = nodes.next()?;
        let u = nodes.find(|node| *node != v)?;
        Some(Pair { u, v, number: None, end, goes_to: false, is_plain: true })
    }

    /// `they do not connect the nodes 0 and 5`, `(0,1) connects node 0 and node 1`.
    pub(super) fn connect_words(&mut self, at: usize) -> Option<usize> {
        let connects = self.is(at, phrases!("connect, connects, connecting"));
        let of_path = || self.before(at, phrases!("path, paths, route, way, if, that"), 4);
        if !connects || of_path() {
            return None;
        }
        let (list, end) = self.list(self.skip(at + 1, &["the", "both"]))?;
        let [u, v] = &list[..] else { return None };
        if self.is(end, &["to", "with", "through", "via"]) {
            return None;
        }
        let (u, v) = (u.node.clone(), v.node.clone());
        let holds = !self.before(at, &["not", "no", "never"], 2);
        // "The edge (0,1) connects nodes 0 and 1" says one thing.
        if !holds || !self.is_stated(at, &u, &v) {
            self.state(Said::Edge { u, v, holds }, at, end);
        }
        Some(end)
    }

    /// One edge: `node 0 and node 4`, `0 to 4`, `0 -> 4`, `0-4`, `(0,4)`, `[0, 4, 5]`.
    fn pair_at(&self, at: usize) -> Option<Pair> {
        let at = self.skip(at, &["and"]);
        let is_open = self.is(at, &["(", "[", "{"]);
        let from = self.skip(at + usize::from(is_open), &["from", "between", "nodes"]);
        let (u, mid) = self.node(from, true)?;
        let is_arrow = self.is_arrow(mid) || self.is(mid, &["-"]);
        let goes_to = self.is(mid, &["to"]);
        let shows = is_arrow || goes_to;
        if !(shows || self.is(mid, &["and"]) || self.is(mid, &[","]) && is_open) {
            return None;
        }
        let (v, mut end) = self.node(mid + 1, true)?;
        let mut number = None;
        if is_open {
            if self.is(end, &[","]) && self.is_number(end + 1) && self.graph.is_weighted() {
                number = self.number(end + 1);
                end += 2;
            }
            if !self.is(end, &[")", "]", "}"]) {
                return None;
            }
            end += 1;
        }
        let (u, v) = if is_arrow && self.is_back(mid) { (v, u) } else { (u, v) };
        Some(Pair { u, v, number, end, goes_to, is_plain: is_open || shows })
    }

    /// The edges behind one of a list: `edges connecting node 0 to node 3, node 3 to node 5 and node 5 to node
    /// 0`; in `node 0 to node 3, 4 and 5` all are of node 0.
    fn more_edges(
        &mut self,
        mut u: NodeName,
        mut end: usize,
        mut goes_to: bool,
        holds: bool,
    ) -> usize {
        loop {
            let next = self.skip(end, &[",", "and", ";"]);
            let is_next = next > end || self.is(next, &["("]);
            if !is_next || !self.same_sentence(end - 1, next) {
                return end;
            }
            let own = self
                .pair_at(next)
                .filter(|pair| pair.is_plain || !goes_to)
                .filter(|pair| self.is(next, &["(", "["]) || !self.begins_statement(pair.end));
            let (v, number, behind) = match own {
                Some(pair) => {
                    (u, goes_to) = (pair.u, pair.goes_to);
                    (pair.v, pair.number, pair.end)
                }
                None => match self.node(next, true) {
                    Some((v, behind)) if goes_to && !self.begins_statement(behind) => {
                        (v, None, behind)
                    }
                    _ => return end,
                },
            };
            end = match number {
                Some(value) => {
                    self.state(Said::Weight { u: u.clone(), v, value }, next, behind);
                    behind
                }
                None => self.edge_end(u.clone(), v, next, behind, !holds, false),
            };
        }
    }

    /// Whether a weight stands behind an edge without a word for it: `0-1: 4`, `0 -> 1 (4)`.
    pub(super) fn has_bare_weight(&self, end: usize) -> bool {
        let in_brackets = self.is(end, &["("]) && self.is(end + 2, &[")"]);
        self.graph.is_weighted() && (in_brackets || self.is(end, &[":"])) && self.is_number(end + 1)
    }

    /// An edge with what stands behind it: a weight, or that it does not exist.
    pub(super) fn edge_end(
        &mut self,
        u: NodeName,
        v: NodeName,
        start: usize,
        end: usize,
        denied: bool,
        is_numbered: bool,
    ) -> usize {
        let fillers = ["with", "has", "have", "a", "an", "the", "of", ",", "which", "(", ":"];
        let mut at = self.skip(end, &fillers);
        let mut named = is_numbered || self.has_bare_weight(end);
        while self.is(at, &NUMBERS) || (named && self.is(at, &["is", "=", "of", "being", "only"])) {
            named = true;
            at = self.skip(at + 1, &["of", "is", "=", ":", "only", "being"]);
        }
        if named
            && self.is_number(at)
            && self.same_sentence(start, at)
            && let Some(value) = self.number(at)
        {
            self.state(Said::Weight { u, v, value }, start, at + 1);
            return at + 1;
        }
        let denied = denied
            || self.phrase(end, &["does", "not", "exist"]).is_some()
            || self.phrase(end, &["is", "not"]).is_some();
        self.state(Said::Edge { u, v, holds: !denied }, start, end);
        end
    }

    /// Edges of one node to those of a list.
    pub(super) fn edges(&mut self, u: &NodeName, list: Vec<Listed>, holds: bool) {
        for item in list {
            let (u, v) = (u.clone(), item.node);
            match item.number {
                Some(value) => self.state(Said::Weight { u, v, value }, item.start, item.end),
                None => self.state(Said::Edge { u, v, holds }, item.start, item.end),
            }
        }
    }

    /// What a sentence that ends in a colon says of the rows below it.
    pub(super) fn heading(&self, start: usize, end: usize) -> Option<Heading> {
        if end <= start || !self.is(end - 1, &[":"]) {
            return None;
        }
        let has = |words: &[&str]| (start..end).any(|at| self.is(at, words));
        if has(phrases!("no, not, missing, if, whether, example, remove, delete, add, need"))
            || self.speech.row == Row::Assignment
        {
            return None;
        }
        let of_nodes = self.speech.row == Row::Weight && has(&["weight", "weights"]);
        match (has(&NEIGHBOURS), has(&NOUNS)) {
            (true, _) => Some(Heading::Neighbours),
            (false, true) => Some(Heading::Edges),
            _ => of_nodes.then_some(Heading::Weights),
        }
    }

    /// A row below a heading: `0-1, 0-2` or `0: 1, 2`; gives the place behind it.
    pub(super) fn row(&mut self, heading: Heading, at: usize) -> Option<usize> {
        let at = self.skip(at, &["-", "edge"]);
        match heading {
            Heading::Edges => {
                let Pair { u, v, number, end, goes_to, .. } =
                    self.pair_at(at).filter(|pair| pair.is_plain)?;
                // "(0, 3): 5" gives the edge a weight, also where edges have none.
                let alone = self.is(end, &[":"]) && !self.same_sentence(at, end + 2);
                let behind = if alone { self.number(end + 1) } else { None };
                let end = if number.is_none() && behind.is_some() { end + 2 } else { end };
                let end = match number.or(behind) {
                    Some(value) => {
                        self.state(Said::Weight { u: u.clone(), v, value }, at, end);
                        end
                    }
                    None => self.edge_end(u.clone(), v, at, end, false, false),
                };
                Some(self.more_edges(u, end, goes_to, true))
            }
            Heading::Neighbours => {
                let (u, mid) = self.node(at, true)?;
                let from = self.skip(mid, &[":", "-", ">", "{"]);
                let from = if self.is_arrow(from) { from + 1 } else { from };
                let (list, end) = if from > mid { self.list(from)? } else { return None };
                self.edges(&u, list, true);
                Some(end)
            }
            Heading::Weights => {
                let (node, mid) = self.node(at, true)?;
                let value = self.number(mid + 1).filter(|_| self.is(mid, &[":", "="]))?;
                self.state(Said::NodeWeight { node, value }, at, mid + 2);
                Some(mid + 2)
            }
        }
    }

    /// `the neighbors of node 0 are 1 and 2`.
    pub(super) fn neighbour_words(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, phrases!("neighbors, neighbours")) || !self.is(at + 1, &["of"]) {
            return None;
        }
        let (u, mid) = self.node(at + 2, true)?;
        self.neighbours(&u, mid)
    }

    /// What stands behind "the neighbors of a node".
    pub(super) fn neighbours(&mut self, u: &NodeName, mid: usize) -> Option<usize> {
        let from = self.skip(mid, &["are", "is", "include", "=", ":", "only", "nodes", "node"]);
        let (list, end) = if from > mid { self.list(from)? } else { return None };
        self.edges(u, list, true);
        Some(end)
    }
}
