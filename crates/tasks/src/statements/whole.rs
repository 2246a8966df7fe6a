//! What a text says of the graph as a whole, and how long it calls a path.

use graph::NodeName;

use super::find::{Finder, Length};
use super::{Part, Property, Said};
use crate::definition::Row;
use crate::reading::{Phrases, phrases};

/// What nodes are called, also where they are people, places or jobs.
static NODES: Phrases = Phrases::of(
    "node, nodes, users, authors, airports, cities, entities, people, applicants, jobs",
);
static EDGES: Phrases = Phrases::of("edge, edges, connections, friendships, flights, roads, links");
static GRAPHS: Phrases = Phrases::of("graph, network");
/// What has nodes and edges of its own, so that a number of them is not that of the graph.
static PARTS: Phrases = Phrases::of(
    "path, paths, cycle, cycles, component, components, clique, cover, set, subgraph, tree, triangle, side, \
     sides, order, list, color, colors, molecule, between, only, least, most, up, more, other, of, any, each",
);
static PATHS: Phrases = Phrases::of("path, cycle, route, way, it, tour, loop, which");

/// Words between a number and what it counts.
static ADJECTIVES: Phrases =
    Phrases::of("job, different, distinct, directed, undirected, weighted, unique");

/// How far back the beginning of a sentence is looked for.
const MOST_BEFORE: usize = 24;

impl Finder<'_> {
    /// What is said of the whole graph: `the graph is connected`, `with 5 nodes and 7 edges`.
    pub(super) fn whole_words(&mut self, at: usize) -> Option<usize> {
        self.counted(at)
            .or_else(|| self.kind_of_graph(at))
            .or_else(|| self.every_node(at))
            .or_else(|| self.diameter(at))
    }

    /// Whether a number counts nodes or edges.
    pub(super) fn counts(&self, at: usize) -> bool {
        let noun = self.skip(at + 1, &ADJECTIVES);
        self.is(noun, &NODES) || self.is(noun, &EDGES)
    }

    /// `each node has 9 edges`, `every node is connected to exactly 8 other nodes`.
    fn every_node(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &["each", "every"]) || !self.is(at + 1, &["node"]) {
            return None;
        }
        let verb = self.skip(at + 2, &["in", "the", "this", "given", "graph", "network"]);
        let behind = match self.word(verb) {
            "has" => verb + 1,
            _ => self.phrase(verb, &["is", "connected", "to"])?,
        };
        let number = self.skip(behind, &["exactly", "a", "degree", "of"]);
        let n = self.number(number).filter(|n| n.fract() == 0.0)? as usize;
        let noun = self.skip(number + 1, &["other", "adjacent", "direct", "distinct"]);
        let nouns = phrases!("nodes, node, edges, edge, neighbors, neighbours, connections");
        let end = match (self.is(noun, nouns), self.before(number, &["degree"], 2)) {
            (true, _) => noun + 1,
            (_, true) => number + 1,
            _ => return None,
        };
        self.state(Said::Whole { is: Property::Regular(n), holds: true }, at, end);
        Some(end)
    }

    /// `a graph with 5 nodes`, `there are 4 job applicants`, `… and 7 edges`.
    fn counted(&mut self, at: usize) -> Option<usize> {
        let n = self.number(at).filter(|n| n.fract() == 0.0)? as usize;
        let noun = self.skip(at + 1, &ADJECTIVES);
        let of_nodes = self.is(noun, &NODES);
        let names_whole = || {
            self.before(at, &["are", "have"], 1) && self.before(at, &["there", "we"], 2)
                || self.before(at, &GRAPHS, 9)
                    && self.before(at, &["with", "has", "contains", "of", "have", "and"], 2)
                || self.is(noun + 1, &["numbered", "labeled", "labelled"])
        };
        // What follows may say of which part of the graph the number is.
        let ends = |at: usize| {
            !self.same_sentence(noun, at)
                || self.is(
                    at,
                    &[".", ",", "and", "numbered", "labeled", "labelled", ":", ";", ")", "("],
                )
                // "25 edges connecting these nodes"
                || self.is(at, &["connecting", "linking", "joining"])
                    && self.is(at + 1, &["them", "these", "the"])
                    && !self.is_number_or_name(at + 3)
                || self.is(at, &["in"])
                    && self.is(self.skip(at + 1, &["the", "this", "given"]), &GRAPHS)
        };
        // A "cycle graph" is a graph.
        let names_part = |at: usize| self.is(at, &PARTS) && !self.is(at + 1, &GRAPHS);
        let is_part = (1..=at.min(8)).any(|d| self.same_sentence(at - d, at) && names_part(at - d))
            && !self.before(at, &["consists"], 2);
        // "A tree is a graph with 4 edges" says what such a graph is, and "(0, 6): we have 2 nodes" is a row.
        let first = (0..=at.min(MOST_BEFORE)).map(|back| at - back);
        let first = first.take_while(|place| self.same_sentence(*place, at)).last();
        let is_part = is_part || first.is_some_and(|first| self.is(first, &["a", "an", "("]));
        if !(of_nodes || self.is(noun, &EDGES)) || !names_whole() || is_part || !ends(noun + 1) {
            return None;
        }
        let part = |letter, what| Property::Part(n, Part { letter, what, is_edges: false });
        let is = match self.word(noun) {
            "applicants" if self.speech.row == Row::Assignment => part('a', "applicants"),
            "jobs" if self.speech.row == Row::Assignment => part('j', "jobs"),
            _ if of_nodes => Property::Nodes(n),
            _ => Property::Edges(n),
        };
        self.state(Said::Whole { is, holds: true }, at, noun + 1);
        Some(noun + 1)
    }

    /// `the graph is undirected`, `the given graph is not a directed acyclic graph`, `the graph is a tree, which
    /// means it is connected`.
    fn kind_of_graph(&mut self, at: usize) -> Option<usize> {
        let is_named =
            self.is(at, &GRAPHS) && !self.before(at, &["a", "an", "any", "if", "sub"], 2);
        let is_meant = || {
            self.is(at, &["it"])
                && self.before(at, &GRAPHS, 16)
                && !self.before(at, phrases!("path, cycle, route, way, walk, edge, node"), 16)
        };
        let verb = self.skip(at + 1, &["is", "also", "itself"]);
        if verb == at + 1 || !(is_named || is_meant()) {
            return None;
        }
        let fillers = phrases!("not, a, an, the, given, indeed, actually, simple, single, finite");
        let (mut start, mut end, mut next) = (at, None, self.skip(verb, fillers));
        let denied = (verb..next).any(|at| self.is(at, &["not"]));
        while self.same_sentence(at, next)
            && let Some((said, behind)) = self.adjective(next, denied)
        {
            self.state(said, start, behind);
            (start, end, next) = (behind, Some(behind), self.skip(behind, fillers));
        }
        end
    }

    /// What a graph is called, with the place behind it.
    fn adjective(&self, at: usize, denied: bool) -> Option<(Said, usize)> {
        let (is, holds) = match self.word(at) {
            "directed" => (Property::Directed, true),
            "undirected" => (Property::Directed, false),
            "connected" => (Property::Connected, true),
            "disconnected" => (Property::Connected, false),
            "tree" => (Property::Tree, true),
            "cycle" => (Property::Ring, true),
            "complete" => (Property::Complete, true),
            "acyclic" => return Some((Said::Cycle { holds: denied }, at + 1)),
            "cyclic" => return Some((Said::Cycle { holds: !denied }, at + 1)),
            _ => return None,
        };
        // "… is connected in a cycle", "is connected to" and "is complete with" say something else.
        let says_more = matches!(is, Property::Connected | Property::Complete)
            && self.same_sentence(at, at + 1)
            && self.is(
                at + 1,
                phrases!("to, in, with, by, via, through, component, components, if, bipartite"),
            );
        (!says_more).then_some((Said::Whole { is, holds: holds != denied }, at + 1))
    }

    /// `the diameter of this network is 5`.
    fn diameter(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &["diameter"]) {
            return None;
        }
        let next = self.skip(at + 1, &["of", "the", "this", "given", "graph", "network"]);
        let value = self.skip(next, &["is", "=", ":", "equals"]);
        let n = self.number(value).filter(|n| value > next && n.fract() == 0.0)? as usize;
        self.state(Said::Whole { is: Property::Diameter(n), holds: true }, at, value + 1);
        Some(value + 1)
    }

    /// `4 edges long`, `the path has three edges`: of the path named just before, or named next.
    pub(super) fn length_words(&mut self, at: usize) -> Option<usize> {
        let n = self.number(at).filter(|n| n.fract() == 0.0)? as usize;
        let noun = self.skip(at + 1, &["edge", "edges", "steps", "hops"]);
        let is_long = self.is(noun, &["long"]);
        let has = || {
            self.before(at, &["has", "of", "with", "uses", "takes", "exactly"], 2)
                && self.before(at, &PATHS, 12)
        };
        if noun == at + 1 || !(is_long || has()) {
            return None;
        }
        let end = noun + usize::from(is_long);
        match self.last_path(at).map(<[NodeName]>::to_vec) {
            Some(nodes) => self.state(Said::Length { nodes, n }, at, end),
            None => self.length = Some(Length { n, at: at..end }),
        }
        Some(end)
    }

    /// The length that was given for a path before it was named.
    pub(super) fn measured(&mut self, nodes: &[NodeName], at: usize) {
        let Some(Length { n, at: words }) = self.length.take() else { return };
        if self.sentence(words.start) + 1 >= self.sentence(at) {
            self.state(Said::Length { nodes: nodes.to_vec(), n }, words.start, words.end);
        }
    }

    /// `the distance from node 0 to node 3 is 5`.
    pub(super) fn distance_words(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &["distance"]) || !self.is(at + 1, &["from", "between"]) {
            return None;
        }
        let (u, mid) = self.node(at + 2, true)?;
        let (v, end) = self.node(mid + 1, true).filter(|_| self.is(mid, &["to", "and"]))?;
        let value_at = self.skip(end, &["is", "=", ":", "also"]);
        let value = self.number(value_at).filter(|_| value_at > end)?;
        // A number that is added to others is no distance.
        if self.is(value_at + 1, &["+"]) {
            return None;
        }
        self.state(Said::Distance { u, v, value }, at, value_at + 1);
        Some(value_at + 1)
    }

    /// `by moving to nodes 5, 7 and 3`: each is joined with the next.
    pub(super) fn moves(&mut self, at: usize) -> Option<usize> {
        let verbs = phrases!("moving, going, passing, traveling, travelling");
        let from = self.skip(at + 1, &["to", "through", "via", "along"]);
        if !self.is(at, verbs) || from == at + 1 || !self.is(from, &["nodes", "node"]) {
            return None;
        }
        let (list, end) = self.list(from)?;
        let nodes: Vec<NodeName> = list.into_iter().map(|item| item.node).collect();
        if nodes.len() > 1 {
            self.state(Said::Path { nodes }, from, end);
        }
        Some(end)
    }
}
