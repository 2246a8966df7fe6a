//! Paths, orders and pairs: nodes in a row, and what their edges add up to.

use graph::NodeName;

use super::Said;
use super::edges::NUMBERS;
use super::find::Finder;
use crate::definition::{Listed, Row};

impl Finder<'_> {
    /// `0 -> 2 -> 4`, `0,2,4 with a total weight of 5`, `the solution is: 0, 2, 4`.
    pub(super) fn walk(&mut self, at: usize) -> Option<usize> {
        let (first, mut end) = self.node(at, true)?;
        let mut nodes = vec![first];
        let mut is_back = false;
        while self.is_arrow(end)
            && let Some((node, after)) = self.node(end + 1, true)
        {
            is_back |= self.is_back(end);
            nodes.push(node);
            end = after;
        }
        if is_back {
            nodes.reverse();
        }
        if nodes.len() == 1 {
            // Behind a comma stands the middle of a list; but a line that ends in one ends a list.
            let is_inside = at > 0 && self.is(at - 1, &[","]) && self.same_sentence(at - 1, at);
            // Names with commas between them are a list of anything; in brackets they are the answer.
            let in_brackets = at > 0 && self.is(at - 1, &["["]);
            if !(self.is_number(at) || in_brackets) || !self.is(end, &[","]) || is_inside {
                return None;
            }
            // "5, 8, 2, and 0" has four.
            while self.is(end, &[","])
                && let next = self.skip(end + 1, &["and"])
                && (in_brackets || self.is_number(next))
                && self.same_sentence(at, next)
                && !self.counts(next)
            {
                // A name that breaks off, or is none, ends the list.
                let Some((node, after)) = self.node(next, true) else { break };
                nodes.push(node);
                end = after;
            }
            // "Nodes 1, 2 and 3" are no walk.
            let next = self.skip(end, &["and", "then", "finally", "lastly"]);
            if next > end && self.is_number(next) {
                return Some(end);
            }
            // Numbers with commas are a path where the words around say so.
            let lead = self.before(
                at,
                &[
                    "path", "paths", "route", "cycle", "loop", "order", "solution", "sequence",
                    "visit", "answer",
                ],
                14,
            );
            let total = self.is(self.skip(end, &["with", "has", "a", "the"]), &["total"]);
            let opens_line = at == 0 || !self.same_sentence(at - 1, at);
            let closed = nodes.len() > 3 && nodes.first() == nodes.last();
            if nodes.len() < 2
                || !(lead || total || in_brackets || (opens_line && nodes.len() > 3) || closed)
            {
                return Some(end);
            }
        }
        // "Steps 3-4" are no nodes, and a queue is no path.
        if self.before(at, &["step", "steps"], 1) || self.before(at, &["queue", "stack"], 6) {
            return Some(end);
        }
        // Lines of two numbers are pairs of an assignment, whose nodes have other names.
        let is_assignment = self.speech.row == Row::Assignment && self.is_number(at);
        if self.speech.list == Listed::Nodes || is_assignment {
            return Some(end);
        }
        if self.speech.list == Listed::Order {
            if nodes.len() > 2 {
                self.state(Said::Order { nodes }, at, end);
            }
            return Some(end);
        }
        if nodes.len() == 2 {
            let (u, v) = (nodes[0].clone(), nodes[1].clone());
            if self.has_bare_weight(end) {
                return Some(self.edge_end(u, v, at, end, false, false));
            }
            self.state(Said::Edge { u, v, holds: true }, at, end);
        } else {
            let names_cycle = self.before(at, &["cycle", "loop"], 8);
            if names_cycle && nodes.first() != nodes.last() {
                nodes.push(nodes[0].clone());
            }
            self.state(Said::Path { nodes: nodes.clone() }, at, end);
            self.measured(&nodes, at);
        }
        self.total(nodes, end);
        Some(end)
    }

    /// `with a total weight of 3 + 4 = 7` behind a path.
    fn total(&mut self, nodes: Vec<NodeName>, at: usize) {
        let start =
            self.skip(at, &["]", ")", ",", "with", "and", "has", "which", "its", "a", "the", "is"]);
        let is_named = self.is(start, &["total"])
            || self.is(start, &NUMBERS)
            || self.is(start, &["costs", "weighs", "takes"]);
        if !is_named || !self.same_sentence(at.saturating_sub(1), start) {
            return;
        }
        let mut next = self.skip(
            start,
            &[
                "total", "weight", "length", "distance", "cost", "costs", "weighs", "takes", "of",
                "is", "=", ":",
            ],
        );
        let mut value = None;
        while self.is_number(next) {
            value = self.number(next);
            if !self.is(next + 1, &["+", "="]) {
                break;
            }
            next += 2;
        }
        if let Some(value) = value {
            self.state(Said::Total { nodes, value }, start, next + 1);
        }
    }

    /// `the total weight of this path is 7`, of the path that was named before.
    pub(super) fn total_words(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &["total"]) || !self.is(at + 1, &NUMBERS) {
            return None;
        }
        let next = self.skip(at + 2, &["of", "the", "this", "path", "route"]);
        let value_at = self.skip(next, &["is", "=", ":"]);
        let nodes = self.last_path(at).filter(|_| value_at > next)?.to_vec();
        let n = self.n_stated();
        self.total(nodes, at);
        (self.n_stated() > n).then_some(value_at)
    }

    /// `(0,4)` by itself: an edge, as the benchmark writes them.
    pub(super) fn pair(&mut self, at: usize) -> Option<usize> {
        // "Nodes: (b, c)" is a list of nodes.
        let lists_nodes = self.before(at, &[":"], 1)
            && self.before(at, &["nodes"], 8)
            && !self.before(at, &["edge", "edges"], 8);
        if !self.is(at, &["("]) || !self.speech.pair_is_edge || lists_nodes {
            return None;
        }
        let (u, mid) = self.node(at + 1, true)?;
        if !self.is(mid, &[","]) {
            return None;
        }
        let (v, end) = self.node(mid + 1, true)?;
        if !self.is(end, &[")"]) {
            return None;
        }
        let denied = self.phrase(end + 1, &["is", "not"]).is_some()
            || self.phrase(end + 1, &["does", "not"]).is_some();
        self.state(Said::Edge { u, v, holds: !denied }, at, end + 1);
        Some(end + 1)
    }
}
