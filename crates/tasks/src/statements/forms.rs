//! The forms in which texts make statements, one method each. Each looks at the tokens from a place on,
//! keeps what is stated there, and gives the place behind it.

use graph::NodeName;

use super::find::{Finder, Listed};
use super::{Asks, Said};
use crate::definition::Row;
use crate::reading::{Phrases, phrases};

static JOINED: Phrases = Phrases::of(
    "connected, adjacent, linked, joined, bound, bonded, connects, links, connect, collaborated, collaborates, \
     collaborator, coauthor, friend, friends, neighbor, neighbour",
);
/// What two nodes are to each other that an edge joins, in words for networks of people.
const MUTUAL: &[&str] = &["friends", "collaborators", "coauthors", "neighbors", "neighbours"];
static FILLERS: Phrases =
    Phrases::of("also, directly, only, further, each, both, is, are, be, then, all, an, a");

/// What stands between "connected" and "edge".
const BY: &[&str] =
    &["by", "with", "via", "a", "an", "the", "single", "direct", "undirected", "directed"];

/// The most nodes of a list of which something is said behind it.
const MOST_LISTED: usize = 256;

impl Finder<'_> {
    /// `there is no path between node 1 and node 4`.
    pub(super) fn reach_words(&mut self, at: usize) -> Option<usize> {
        let is_path = self.is(at, &["path", "paths", "route", "way"]);
        if !is_path {
            return None;
        }
        let from = self.skip(at + 1, &["exists", "exist", "is", "available", "possible"]);
        if !self.is(from, &["between", "from"]) {
            return None;
        }
        // "the shortest path from 0 to 4 is …" names two nodes and claims nothing yet.
        let claims =
            self.before(
                at,
                phrases!("no, not, a, any, another, exists, multiple, several, many"),
                3,
            ) && !self.before(at, &["shortest", "find", "whether", "all", "following", "give"], 5);
        let (u, mid) = self.node(from + 1, true)?;
        let to = self.skip(mid, &["and", "to"]);
        if to == mid {
            return None;
        }
        let (v, end) = self.node(to, true)?;
        let after_denied = self.phrase(end, &["does", "not", "exist"]).is_some();
        if claims || after_denied {
            let denied =
                self.before(at, &["no", "not", "isn't", "never", "cannot"], 4) || after_denied;
            let start = if self.is(at.wrapping_sub(1), &["no", "a", "any"]) { at - 1 } else { at };
            self.state(Said::Reach { u, v, holds: !denied }, start, end);
            return Some(end);
        }
        // "The path from node 5 to node 2 is a path of length 2", where no edge is longer than another.
        let long = self.skip(end, phrases!("is, has, a, path, of, the, with"));
        let value_at = self.skip(long + 1, &["of", "is", "="]);
        if !self.graph.is_weighted()
            && self.is(long, &["length"])
            && let Some(value) = self.number(value_at)
        {
            self.state(Said::Distance { u, v, value }, at, value_at + 1);
            return Some(value_at + 1);
        }
        Some(end)
    }

    /// `there is a cycle in this graph`.
    pub(super) fn cycle_words(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, &["cycle", "cycles", "loop", "loops"]) {
            return None;
        }
        let denied = self.before(at, &["no", "not", "isn't", "without", "any"], 4);
        // "Node 14 is a cycle" says of something else what it is.
        let is_there = || self.before(at, &["is", "are"], 5) && self.before(at, &["there"], 6);
        let stated = (self.before(at, &["exists", "has", "contains", "have"], 5) || is_there())
            && self.before(at, phrases!("a, no, any, one, cycle, multiple, several"), 2);
        // A cycle "between nodes 7 and 11" is not the question whether there is one.
        let about_more = self.is(at + 1, &["between", "from", "involving", "including"])
            || self.before(at, &["hamilton", "hamiltonian", "path", "the"], 2);
        if stated && !about_more {
            let start = if self.is(at.wrapping_sub(1), &["no", "a", "any"]) { at - 1 } else { at };
            self.state(Said::Cycle { holds: !denied }, start, at + 1);
            return Some(at + 1);
        }
        None
    }

    /// `visiting node 1 requires visiting node 0`, `no nodes are required to be visited before node 3`.
    pub(super) fn order_words(&mut self, at: usize) -> Option<usize> {
        let none = [
            &["no", "nodes", "are", "required", "to", "be", "visited", "before"][..],
            &["no", "node", "is", "required", "to", "be", "visited", "before"][..],
            &["no", "nodes", "need", "to", "be", "visited", "before"][..],
        ];
        if let Some(next) = none.iter().find_map(|p| self.phrase(at, p)) {
            let (mut list, mut end) = self.list(next)?;
            // "… before node 3 and node 4, node 3 and node 4 can be visited": the list runs on into
            // the next clause, which begins with its first node again.
            let again = (1..list.len()).find(|&i| list[i].node == list[0].node);
            if let Some(again) = again {
                list.truncate(again);
                end = list.last().map_or(end, |l| l.end);
            }
            for item in list {
                self.state(Said::NothingBefore { node: item.node }, item.start, item.end);
            }
            return Some(end);
        }
        if self.is(at, &["visiting", "visit"])
            && let Some((v, mid)) = self.node(at + 1, true)
            && self.is(mid, &["requires", "require"])
        {
            let (list, end) =
                self.list(self.skip(mid + 1, &["visiting", "to", "visit", "that"]))?;
            for item in list {
                self.state(
                    Said::Edge { u: item.node, v: v.clone(), holds: true },
                    item.start,
                    item.end,
                );
            }
            return Some(end);
        }
        None
    }

    /// `the degree of node 3 is 4`, `the weight of node 3 is 8`.
    pub(super) fn degree_words(&mut self, at: usize) -> Option<usize> {
        let of_weight = self.speech.row == Row::Weight && self.is(at, &["weight"]);
        if !(of_weight || self.is(at, &["degree"])) || !self.is(at + 1, &["of"]) {
            return None;
        }
        let (node, mid) = self.node(at + 2, true)?;
        let value_at = self.skip(mid, &["is", "=", ":", "equals"]);
        let value = self.number(value_at).filter(|_| value_at > mid)?;
        let said = match of_weight {
            true => Said::NodeWeight { node, value },
            false => Said::Degree { node, n: value as usize },
        };
        self.state(said, at, value_at + 1);
        Some(value_at + 1)
    }

    /// What is said of a node: `node 1 is connected to node 4 and 7`, `node 3 has 4 neighbours`,
    /// `node 0 has weight 2`, `node 0 (weight 2)`, `node 0 weighs 2`.
    fn weight(&mut self, at: usize, u: &NodeName, mid: usize) -> Option<usize> {
        let fillers =
            phrases!("(, has, with, a, the, of, at, is, :, =, highest, largest, lowest, maximum");
        let next = self.skip(mid, fillers);
        if !self.is(next, &["weight", "weights", "weighs", "weighing"]) {
            return None;
        }
        let mut next = self.skip(next + 1, &["of", "is", "=", ":"]);
        let mut end = None;
        // "… has weights 0 and 1" gives a node two.
        while let Some(value) = self.number(next).filter(|_| self.same_sentence(at, next)) {
            let behind = self.skip(next + 1, &[")"]);
            self.state(Said::NodeWeight { node: u.clone(), value }, at, behind);
            end = Some(behind);
            next = self.skip(behind, &["and"]);
            if next == behind {
                break;
            }
        }
        end
    }

    /// `nodes 6 and 7 have the weights 12 and 9`: as many weights as nodes.
    fn weights(&mut self, at: usize, end: usize, nodes: &[NodeName]) -> Option<usize> {
        let noun = self.skip(end, phrases!("have, has, the, highest, largest, lowest"));
        if self.speech.row != Row::Weight || noun == end || !self.is(noun, &["weights"]) {
            return None;
        }
        let mut next = self.skip(noun + 1, &["of", "are", "is", ":", "="]);
        let mut values = Vec::new();
        while let Some(value) = self.number(next).filter(|_| self.same_sentence(at, next)) {
            values.push(value);
            next = self.skip(next + 1, &[",", "and"]);
        }
        if values.len() != nodes.len() {
            return None;
        }
        for (node, value) in nodes.iter().cloned().zip(values) {
            self.state(Said::NodeWeight { node, value }, at, next);
        }
        Some(next)
    }

    /// `[3, 8]` among weights: a node and its weight.
    pub(super) fn weight_pair(&mut self, at: usize) -> Option<usize> {
        let is_listed = self.speech.row == Row::Weight
            && (self.before(at, &["weight", "weights"], 8) || self.before(at, &["]"], 2));
        if !is_listed || !self.is(at, &["["]) {
            return None;
        }
        let (node, mid) = self.node(at + 1, true).filter(|(_, mid)| self.is(*mid, &[","]))?;
        let value = self.number(mid + 1).filter(|_| self.is(mid + 2, &["]"]))?;
        self.state(Said::NodeWeight { node, value }, at, mid + 3);
        Some(mid + 3)
    }

    /// `applicant 0: job 8`, `node 9 can reach node 7`.
    pub(super) fn node_statement(&mut self, at: usize) -> Option<usize> {
        // A bare number speaks only where an arrow or a verb of joining follows.
        let (u, mid) = self.node(at, true)?;
        if self.is_number(at)
            && at > 0
            && (self.is_arrow(at - 1) || self.is(at - 1, &[",", "(", "["]))
        {
            // "Nodes 1 and 5 are connected, 5 and 8 are connected": not the middle of a list.
            let is_clause = self.is(at - 1, &[","]) && !self.is_number_or_name(at.wrapping_sub(2));
            return if is_clause { self.together(at, &u, mid) } else { None };
        }
        self.of_several(at)
            .or_else(|| self.joined(at, &u, mid))
            .or_else(|| self.together(at, &u, mid))
            .or_else(|| self.has(at, &u, mid))
            .or_else(|| self.before_another(at, &u, mid))
            .or_else(|| self.assigned(at, &u, mid))
            .or_else(|| self.leg(at, &u, mid))
    }

    /// What is said of a list of nodes.
    fn of_several(&mut self, at: usize) -> Option<usize> {
        // Not from the middle of a list, which would be read once for each of its nodes.
        // "Nodes 0 and 2 are red and nodes 1 and 4 are blue" are two lists.
        let is_next = self.is(at, &["nodes"]) && at > 0 && self.is(at - 1, &[",", "and"]);
        if at > 0 && self.is(at - 1, &[",", "and", "node", "nodes"]) && !is_next {
            return None;
        }
        let (nodes, end) = self.several(at);
        self.weights(at, end, &nodes)
            .or_else(|| self.colored(at, end, &nodes))
            .or_else(|| self.ring(at, end, nodes))
    }

    /// The nodes of a list, of which something is said behind it.
    fn several(&self, at: usize) -> (Vec<NodeName>, usize) {
        let (mut nodes, mut end, mut next) = (Vec::new(), at, at);
        while nodes.len() < MOST_LISTED
            && let Some((node, after)) = self.node(next, true)
        {
            nodes.push(node);
            end = after;
            next = self.skip(after, &[",", "and", "&"]);
            if next == after || !self.same_sentence(at, next) {
                break;
            }
        }
        (nodes, end)
    }

    /// `nodes 0 and 2 are colored red`: no two of them are joined.
    fn colored(&mut self, at: usize, end: usize, nodes: &[NodeName]) -> Option<usize> {
        let verb = self.skip(end, phrases!("are, is, can, be, both, all, will"));
        let color = self.skip(verb + 1, &["with", "color", "the", "in", "both"]);
        let is_colored = self.is(verb, phrases!("colored, coloured, painted"))
            && (self.is(color, phrases!("red, blue, green, yellow, black, white, a, b, c"))
                || self.is_number(color));
        if nodes.len() < 2 || verb == end || !is_colored {
            return None;
        }
        self.state(Said::Apart { nodes: nodes.to_vec() }, at, color + 1);
        Some(color + 1)
    }

    /// `node 0, node 1 and node 4 form a cycle`: each is joined with the next, and the last with the first.
    fn ring(&mut self, at: usize, end: usize, mut nodes: Vec<NodeName>) -> Option<usize> {
        let verb = self.skip(end, &["form", "forms", "make", "build"]);
        let noun = self.skip(verb, &["a", "an", "the"]);
        let is_ring = self.is(noun, &["cycle", "loop", "circle", "ring", "triangle"]);
        if nodes.len() < 3 || verb == end || !is_ring {
            return None;
        }
        nodes.extend(nodes.first().cloned());
        nodes.dedup();
        self.state(Said::Path { nodes }, at, noun + 1);
        Some(noun + 1)
    }

    fn joined(&mut self, at: usize, u: &NodeName, mid: usize) -> Option<usize> {
        // "Node 0: connected to node 1."
        let verb = self.skip(mid + usize::from(self.is(mid, &[":"])), &FILLERS);
        let denied = self.is(verb, &["not", "cannot", "never"]);
        let verb = self.skip(verb, &["not", "cannot", "never", "also", "directly", "able"]);
        let reaches =
            self.is(verb, &["reach", "reaches"]) || self.phrase(verb, &["can", "reach"]).is_some();
        if reaches || self.phrase(verb, &["can", "not", "reach"]).is_some() {
            let denied = denied || self.is(verb + 1, &["not"]);
            let skip = self.skip(verb, &["can", "not", "reach", "reaches"]);
            let (v, end) = self.node(skip, true)?;
            if let Some(end) = self.via(at, u, &v, end, denied) {
                return Some(end);
            }
            self.state(Said::Reach { u: u.clone(), v, holds: !denied }, at, end);
            return Some(end);
        }
        if self.is(verb, &["cannot"]) && self.is(verb + 1, &["reach"]) {
            let (v, end) = self.node(verb + 2, true)?;
            self.state(Said::Reach { u: u.clone(), v, holds: false }, at, end);
            return Some(end);
        }
        if self.is(verb, &["interested"]) {
            let (list, end) = self.list(self.skip(verb + 1, &["in", "only", "both", ":"]))?;
            self.edges(u, list, !denied);
            return Some(end);
        }
        if !self.is(verb, &JOINED) {
            return None;
        }
        let to = self.skip(
            verb + 1,
            &["directly", "to", "with", "of", ":", "only", "nodes", "via", "an", "edge"],
        );
        if to == verb + 1 && !self.is(verb, &["connects", "links"]) {
            return None;
        }
        if denied && self.is(to, &["any", "anything"]) {
            self.state(Said::Degree { node: u.clone(), n: 0 }, at, to + 1);
            return Some(self.skip(to, &["any", "anything", "other", "node", "nodes"]));
        }
        // "nodes 3, 4" loses its noun to the fillers; numbers alone are nodes in a list.
        let (list, end) = self.list(to)?;
        if let [only] = &list[..]
            && let Some(end) = self.via(at, u, &only.node, end, denied)
        {
            return Some(end);
        }
        if let [only] = &list[..]
            && only.number.is_none()
            && !(mid..to).any(|at| self.is(at, &["directly"]))
            && self.concludes(at, u, &only.node)
        {
            let v = only.node.clone();
            self.state(Said::Reach { u: u.clone(), v, holds: !denied }, at, end);
            return Some(end);
        }
        self.edges(u, list, !denied);
        Some(end)
    }

    /// `… to node 4 through nodes 2 and 3`: the way from one node to another by those between.
    fn via(
        &mut self,
        at: usize,
        u: &NodeName,
        v: &NodeName,
        mid: usize,
        denied: bool,
    ) -> Option<usize> {
        if denied || !self.is(mid, &["via", "through"]) {
            return None;
        }
        let (list, end) = self.list(mid + 1)?;
        let between = list.into_iter().map(|item| item.node);
        let nodes = [u.clone()].into_iter().chain(between).chain([v.clone()]).collect();
        self.state(Said::Path { nodes }, at, end);
        Some(end)
    }

    /// Whether "u is connected to v" answers the question, so that it means a path.
    fn concludes(&self, at: usize, u: &NodeName, v: &NodeName) -> bool {
        let Asks::Path(source, target) = self.asks else { return false };
        let is_asked = (u == source && v == target) || (u == target && v == source);
        is_asked
            && (self.graph.edge(u, v).is_none()
                || self.before(at, &["therefore", "so", "thus", "hence", "yes", "no", "that"], 6))
    }

    /// `node 5 and node 9 are in the same connected block`, `… are not connected`.
    fn together(&mut self, at: usize, u: &NodeName, mid: usize) -> Option<usize> {
        if self.is(mid, &["is", "are"]) {
            let block = self.skip(mid + 1, &["in", "part", "of", "the", "same", "a", "one"]);
            if self.is(block, &["connected"])
                && self.is(block + 1, &["block", "component", "subgraph"])
            {
                return self.block(u, block + 2);
            }
        }
        if !self.is(mid, &["and"]) {
            return None;
        }
        let (v, after) = self.node(mid + 1, true)?;
        let verb = self.skip(after, &["are", "is"]);
        if verb == after {
            return None;
        }
        let denied = self.is(verb, &["not", "n't"]) || self.is(after, &["aren't", "isn't"]);
        let what = self.skip(verb, &["not", "also", "both", "all"]);
        let direct = self.is(what, &["directly", "adjacent", "bound", "bonded"])
            || self.is(what, MUTUAL)
            || self.is(what, &["connected", "joined", "linked"])
                && self.is(self.skip(what + 1, BY), &["edge"]);
        let place = self.skip(what, &["in", "part", "of", "the", "same"]);
        let is_block = place > what
            && (self.is(place, &["block", "component", "group"])
                || (self.is(place, &["connected"])
                    && self.is(place + 1, &["block", "component", "subgraph"])));
        let is_joined = direct || self.is(what, &["connected", "linked", "joined"]);
        if !is_block && !is_joined {
            return None;
        }
        let end = if is_block {
            self.skip(place, &["connected", "block", "component", "subgraph", "group"])
        } else {
            what + 1
        };
        let u = u.clone();
        let said = if direct {
            Said::Edge { u, v, holds: !denied }
        } else {
            Said::Reach { u, v, holds: !denied }
        };
        self.state(said, at, end);
        Some(end)
    }

    /// `node 5 is in the connected block consisting of node 0, node 2, …`: a path to each.
    fn block(&mut self, u: &NodeName, at: usize) -> Option<usize> {
        let from = self.skip(
            at,
            phrases!(
                "consisting, consisted, consists, of, with, containing, that, contains, :, \
                 includes, including"
            ),
        );
        if from == at {
            return None;
        }
        let (list, end) = self.list(from)?;
        for item in list.into_iter().filter(|i| i.node != *u) {
            self.state(
                Said::Reach { u: u.clone(), v: item.node, holds: true },
                item.start,
                item.end,
            );
        }
        Some(end)
    }

    fn has(&mut self, at: usize, u: &NodeName, mid: usize) -> Option<usize> {
        // "Node 0's neighbors are 1 and 2."
        let noun = self.skip(mid, &["'", "s"]);
        if noun > mid && self.is(noun, phrases!("neighbors, neighbours")) {
            return self.neighbours(u, noun + 1);
        }
        if !self.is(mid, &["has", "have"]) {
            return None;
        }
        let next = self.skip(mid + 1, &["a", "an", "only", "exactly"]);
        let none_of = phrases!("neighbors, neighbours, edges, children, connections, links");
        if self.is(next, &["no"]) && self.is(next + 1, none_of) {
            let says_more = phrases!("to, that, which, with, in, left, between, connecting, other");
            let end = next + 2;
            if self.is(end, says_more) {
                return None;
            }
            self.state(Said::Degree { node: u.clone(), n: 0 }, at, end);
            return Some(end);
        }
        if self.is(next, phrases!("neighbors, neighbours, edges, connections, links")) {
            let from = self.skip(next + 1, &["to", "with", ":"]);
            let is_named = from > next + 1 || self.word(next).starts_with("neigh");
            let (list, end) = if is_named { self.list(from)? } else { return None };
            self.edges(u, list, true);
            return Some(end);
        }
        if self.is(next, &["degree"]) {
            let value_at = self.skip(next + 1, &["of", "=", ":"]);
            let n = self.number(value_at)?;
            self.state(Said::Degree { node: u.clone(), n: n as usize }, at, value_at + 1);
            return Some(value_at + 1);
        }
        let n = self.number(next)?;
        let what = self.skip(next + 1, &["direct", "adjacent", "incident", "outgoing", "incoming"]);
        if self.is(
            what,
            phrases!(
                "neighbors, neighbours, neighbor, neighbour, edges, edge, connections, friends, \
                 nodes"
            ),
        ) {
            self.state(Said::Degree { node: u.clone(), n: n as usize }, at, what + 1);
            return Some(what + 1);
        }
        None
    }

    /// `node 0 must be visited before node 4`.
    fn before_another(&mut self, _at: usize, u: &NodeName, mid: usize) -> Option<usize> {
        if !self.is(mid, &["must", "should", "needs", "has"]) {
            return None;
        }
        let next = self.skip(mid + 1, &["to", "be", "visited", "come"]);
        if next == mid + 1 || !self.is(next, &["before"]) {
            return None;
        }
        let (list, end) = self.list(next + 1)?;
        self.edges(u, list, true);
        Some(end)
    }

    /// `applicant 0: job 8`, `node 0: sum of embeddings of node 5, node 6`.
    fn assigned(&mut self, at: usize, u: &NodeName, mid: usize) -> Option<usize> {
        if self.speech.row == Row::Embedding && self.is(mid, &[":"]) {
            let next = self
                .phrase(mid + 1, &["sum", "of", "embeddings", "of"])
                .or_else(|| self.phrase(mid + 1, &["sum", "of", "the", "embeddings", "of"]))?;
            let (list, end) = self.embedded(next)?;
            self.edges(u, list, true);
            return Some(end);
        }
        if self.speech.row == Row::Weight {
            return self.weight(at, u, mid);
        }
        if self.speech.row != Row::Assignment {
            return None;
        }
        let next = self.skip(
            mid,
            &[
                ":", "-", "to", "gets", "is", "assigned", "can", "find", "takes", "with",
                "matched", "the",
            ],
        );
        let next = if self.is_arrow(next) { next + 1 } else { next };
        if next == mid || !self.is(next, &["job", "jobs", "applicant"]) {
            return None;
        }
        let (v, end) = self.node(next, false)?;
        self.state(Said::Edge { u: u.clone(), v, holds: true }, at, end);
        Some(end)
    }

    /// `city 14 to city 0: 3`: one leg of a way, with its weight.
    fn leg(&mut self, at: usize, u: &NodeName, mid: usize) -> Option<usize> {
        if !self.is(mid, &["to"]) || !self.graph.is_weighted() {
            return None;
        }
        let (v, end) = self.node(mid + 1, true)?;
        let value_at = self.skip(end, &[":", "=", "(", "weight", "distance", "length", "is", "of"]);
        let value = self.number(value_at).filter(|_| value_at > end && self.is_number(value_at))?;
        if self.is(value_at + 1, &["+"]) {
            return None;
        }
        self.state(Said::Weight { u: u.clone(), v, value }, at, value_at + 1);
        Some(value_at + 1)
    }

    /// A list of nodes that ends before the vectors begin.
    fn embedded(&self, at: usize) -> Option<(Vec<Listed>, usize)> {
        let (mut list, mut end, mut next) = (Vec::new(), at, at);
        while let Some((node, after)) = self.node(next, false) {
            list.push(Listed { node, start: next, end: after, number: None });
            end = after;
            next = self.skip(after, &[",", "and"]);
        }
        (!list.is_empty()).then_some((list, end))
    }

    /// `if we go to node 3, we can go to node 2, 6, or 7`: the only supposition that states edges.
    pub(super) fn supposed_steps(&mut self, at: usize) -> Option<usize> {
        let from = self
            .phrase(at, &["if", "we", "go", "to"])
            .or_else(|| self.phrase(at, &["if", "we", "start", "at"]))
            .or_else(|| self.phrase(at, &["if", "we", "start", "from"]))?;
        let (u, mid) = self.node(from, true)?;
        let next = self.skip(mid, &[",", "then", "we", "can", "only", "go", "to", "visit"]);
        if !self.before(next, &["to", "visit"], 1) {
            return None;
        }
        let (list, end) = self.list(next)?;
        self.edges(&u, list, true);
        Some(end)
    }
}
