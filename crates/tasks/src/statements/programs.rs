//! The graph that a program in an answer writes down: the answer states that it is the graph.

use graph::NodeName;

use super::find::Finder;
use super::{Said, Statement};
use crate::definition::Row;
use crate::reading::{Phrases, phrases};

/// What a variable with edges is called.
static EDGES: Phrases = Phrases::of("edge, edges, connections, friendships, links, roads, flights");
static GRAPHS: Phrases =
    Phrases::of("graph, g, adj, adjacency, list, neighbors, network, from, nodes");
/// What a variable is called whose numbers are no nodes.
static OTHERS: Phrases = Phrases::of(
    "embedding, embeddings, feature, features, vector, vectors, weight, weights, color, colors, matrix, \
     distances",
);

impl Finder<'_> {
    /// The edges that programs write down. A graph of other nodes, or one that is called an example and has
    /// mostly other edges, is not the one that the question is about.
    pub(super) fn find_in_programs(mut self) -> Vec<Statement> {
        let (mut at, mut is_example) = (0, false);
        while at < self.len() {
            is_example |= self.is(at, &["example", "sample"]);
            let found = self
                .adjacency(at)
                .or_else(|| self.added_edge(at))
                .or_else(|| self.edge_array(at))
                .or_else(|| self.indexed(at));
            at = found.unwrap_or(at + 1).max(at + 1);
        }
        let graph = self.graph;
        let stated = self.stated();
        let is_edge = |said: &Said| match said {
            Said::Edge { u, v, .. } | Said::Weight { u, v, .. } => {
                graph.edge(u, v).is_some() || graph.edge(v, u).is_some()
            }
            _ => false,
        };
        let n_edges = stated.iter().filter(|statement| is_edge(&statement.said)).count();
        let is_it = if is_example { 2 * n_edges > stated.len() } else { n_edges > 0 };
        if is_it { stated } else { Vec::new() }
    }

    /// `{0: [1, 2], 1: {0: 5}}`: each node with those that it is joined to.
    pub(super) fn adjacency(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &["{"]) || self.before(at, &OTHERS, 6) {
            return None;
        }
        let (mut next, mut end) = (at + 1, None);
        while let Some((u, mid)) = self.literal(next, "a") {
            let open = mid + 1;
            if !self.is(mid, &[":"]) || !self.is(open, &["[", "{", "("]) {
                break;
            }
            let behind = self.literals(&u, open + 1);
            end = Some(behind);
            next = self.skip(behind, &["]", "}", ")", ","]);
        }
        end
    }

    /// The nodes of a list that a node is joined to; the place behind the last.
    fn literals(&mut self, u: &NodeName, at: usize) -> usize {
        let mut end = at;
        let mut next = at;
        loop {
            // `(1, 4)` is a node with the weight of the edge.
            let is_open = self.is(next, &["(", "["]);
            let Some((v, mut behind)) = self.literal(next + usize::from(is_open), "j") else {
                return end;
            };
            // The last number or name of a text that breaks off may have lost its end.
            if behind >= self.len() || self.is(behind, &["-"]) {
                return end;
            }
            let mut number = None;
            if self.is(behind, &[":"]) || is_open && self.is(behind, &[","]) {
                let value = self.skip(behind + 1, &["{", "weight", "\"", "'", ":"]);
                number = self.number(value).filter(|_| self.graph.is_weighted());
                behind = value + 1;
            }
            let u = u.clone();
            let said = match number {
                Some(value) => Said::Weight { u, v, value },
                None => Said::Edge { u, v, holds: true },
            };
            self.state(said, next, behind);
            end = behind;
            let closed = if is_open { self.skip(behind, &[")", "]"]) } else { behind };
            next = self.skip(closed, &[","]);
            if next == closed {
                return end;
            }
        }
    }

    /// A node in a program, with or without quotes.
    fn literal(&self, at: usize, letter: &str) -> Option<(NodeName, usize)> {
        let at = self.skip(at, &["\"", "'"]);
        let (node, end) = match self.speech.row {
            Row::Assignment => (self.numbered(at, letter)?, at + 1),
            _ => self.node(at, true)?,
        };
        Some((node, self.skip(end, &["\"", "'"])))
    }

    /// `add_edge(0, 1, weight=5)`.
    fn added_edge(&mut self, at: usize) -> Option<usize> {
        let open = self
            .phrase(at, &["add", "edge"])
            .or_else(|| self.phrase(at, &["addedge"]))
            .filter(|open| self.is(*open, &["("]))?;
        self.literal_edge(open, open)
    }

    /// `(0, 1)` or `(0, 1, 5)`, from its bracket.
    fn literal_edge(&mut self, start: usize, open: usize) -> Option<usize> {
        let (u, mid) = self.literal(open + 1, "a").filter(|(_, mid)| self.is(*mid, &[","]))?;
        let (v, end) = self.literal(mid + 1, "j").filter(|(_, end)| *end < self.len())?;
        let value_at = self.skip(end, &[",", "weight", "capacity", "=", "{", "\"", "'", ":"]);
        let is_weighted = value_at > end && self.graph.is_weighted();
        let (said, end) = match self.number(value_at).filter(|_| is_weighted) {
            Some(value) => (Said::Weight { u, v, value }, value_at + 1),
            None => (Said::Edge { u, v, holds: true }, end),
        };
        let end = self.skip(end, &["}"]);
        if !self.is(end, &[")", "]", "}"]) {
            return None;
        }
        self.state(said, start, end + 1);
        Some(end + 1)
    }

    /// `edges = [(0, 1), (1, 2)]`.
    fn edge_array(&mut self, at: usize) -> Option<usize> {
        let names_edges = self.before(at, &EDGES, 6);
        let opens = self.is(at, &["[", "{"])
            && (self.is(at + 1, &["("]) || names_edges && self.is(at + 1, &["[", "{"]));
        if !opens || !(names_edges || self.before(at, &GRAPHS, 6)) || self.before(at, &OTHERS, 6) {
            return None;
        }
        let (mut end, mut next) = (None, at + 1);
        while self.is(next, &["(", "[", "{"])
            && let Some(behind) = self.literal_edge(next, next)
        {
            end = Some(behind);
            next = self.skip(behind, &[","]);
        }
        end
    }

    /// `graph[0] = [1, 2]` and `graph[0].append(1)`.
    fn indexed(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &GRAPHS) || !self.is(at + 1, &["["]) || self.before(at, &OTHERS, 3) {
            return None;
        }
        let (u, mid) = self.literal(at + 2, "a").filter(|(_, mid)| self.is(*mid, &["]"]))?;
        let adds = phrases!("append, push, add, back, pushback, insert");
        let open = match self.skip(mid + 1, &["."]) {
            dot if dot > mid + 1 => self.skip(dot, adds),
            _ => self.phrase(mid + 1, &["="])?,
        };
        let is_list = self.is(open, &["[", "(", "{"]);
        is_list.then(|| self.literals(&u, open + 1))
    }
}
