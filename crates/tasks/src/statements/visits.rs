//! Walks and searches of which a text gives one step a sentence.

use std::collections::BTreeSet;

use graph::NodeName;

use super::Said;
use super::find::{Finder, Way};
use crate::definition::Listed;
use crate::reading::{Phrases, phrases};

static STARTS: Phrases = Phrases::of("start, begin, starting, beginning");
static MOVES: Phrases = Phrases::of("move, go, travel, proceed, walk, return, come");
static VISITS: Phrases = Phrases::of("visit, process, dequeue, explore, pop, for");
/// Words before the verb of a step.
static BEFORE: Phrases = Phrases::of("-, then, next, finally, lastly, and, we, now");

/// How far back in its sentence the node is looked for whose neighbours follow.
const MOST_BEFORE: usize = 24;

impl Finder<'_> {
    /// Hears the sentence that begins at a place: `start at node 1`, `move to node 2`, `from node 2, move to
    /// node 3` are a walk, and `visit node 4` says where a search is.
    pub(super) fn hear_step(&mut self, at: usize) {
        let sentence = self.sentence(at);
        let follows = self.way.end > 0 && self.sentence(self.way.end - 1) + 1 == sentence;
        let verb = self.skip(at, &BEFORE);
        let from = if self.is(verb, &["from"]) { self.node(verb + 1, true) } else { None };
        let verb = from.as_ref().map_or(verb, |(_, end)| self.skip(*end, &[","]));
        let leads = ["at", "from", "with", "back", "to", "the", "on"];
        let moves = self.is(verb, &MOVES);
        let walks = moves || self.is(verb, &STARTS);
        let step = (walks || self.is(verb, &VISITS))
            .then(|| self.node(self.skip(verb + 1, &leads), true))
            .flatten()
            .filter(|(_, end)| {
                let behind = self.skip(*end, &[":", ".", "\"", "`"]);
                !self.same_sentence(at, behind)
            });
        if let Some((node, _)) = &step {
            self.visiting = Some((node.clone(), sentence));
        }
        let step = step.filter(|_| walks);
        let extends = match (&step, &from) {
            (None, _) => false,
            (_, Some((from, _))) => moves && follows && self.way.nodes.last() == Some(from),
            _ => moves && follows,
        };
        if !extends {
            self.end_walk();
            let nodes = from.into_iter().map(|(node, _)| node).collect();
            self.way = Way { nodes, start: at, end: at };
        }
        if let Some((node, end)) = step {
            self.way.nodes.push(node);
            self.way.end = end;
        }
    }

    /// Keeps a walk that has come to its end.
    pub(super) fn end_walk(&mut self) {
        let Way { nodes, start, end } = std::mem::take(&mut self.way);
        if self.speech.list != Listed::Path || self.is_open(start) {
            return;
        }
        match &nodes[..] {
            [u, v] => {
                let (u, v) = (u.clone(), v.clone());
                self.state(Said::Edge { u, v, holds: true }, start, end);
            }
            [_, _, ..] => self.state(Said::Path { nodes }, start, end),
            _ => {}
        }
    }

    /// The node that a search is at, as this sentence or the one before says.
    fn visited(&self, at: usize) -> Option<NodeName> {
        let sentence = self.sentence(at);
        let own = (0..at).rev().take_while(|back| self.same_sentence(*back, at));
        let own = own.take(MOST_BEFORE).find_map(|back| self.node(back, false));
        let above = || self.visiting.clone().filter(|(_, before)| before + 1 == sentence);
        own.or_else(above).map(|(node, _)| node)
    }

    /// `for node 2, add all its neighbors: 1, 8, 7`, `visit node 4: explore nodes 0, 1 and 7`.
    pub(super) fn explored(&mut self, at: usize) -> Option<usize> {
        let explores = self.is(at, phrases!("explore, explores, exploring"));
        let neighbours = self.is(at, phrases!("neighbors, neighbours"))
            && self.before(at, phrases!("its, their, explore, add, visit"), 2);
        if !explores && !neighbours {
            return None;
        }
        let from = self.skip(
            at + 1,
            phrases!("its, the, neighbors, neighbours, nodes, :, `, queue, =, are, all, of"),
        );
        let is_list = self.is(from, &["[", "("]) || self.is_number(from) || from > at + 1;
        let u = self.visited(at).filter(|_| is_list)?;
        let (mut list, end) = self.list(from)?;
        // A queue has the node itself, and may name others twice.
        let mut seen = BTreeSet::from([u.clone()]);
        list.retain(|item| seen.insert(item.node.clone()));
        self.edges(&u, list, true);
        Some(end)
    }
}
