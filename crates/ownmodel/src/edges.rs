//! The edges of a call as tokens, in the order in which the question mentions their ends.
//!
//! A group is one or more nodes of one role followed by nodes of the other: `A knows B, C and D` is
//! `(A B) C) D)`, and `A and B come before C` is `(A (B C)`. To copy a text, the model then steps from
//! mention to mention.

use crate::places::Mentions;
use crate::vocabulary::{BREAK, Kind, head, kind, tail};

/// What follows in a list of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgePiece {
    /// Ends a group that the next node would continue.
    Break,
    /// A node whose other end follows.
    First(u32),
    /// A node that completes one edge, or one edge for each first node.
    Last(u32),
}

/// The group of edges being written or read.
#[derive(Clone, Debug, Default)]
struct Group {
    /// Whether its first nodes are heads.
    is_head: bool,
    firsts: Vec<u32>,
    has_second: bool,
}

impl Group {
    fn is_open(&self) -> bool {
        !self.firsts.is_empty()
    }

    /// The one node that several edges share.
    fn shared(&self) -> Option<u32> {
        match self.firsts.as_slice() {
            [one] if self.has_second => Some(*one),
            _ => None,
        }
    }
}

/// Writes edges in the order of mentions.
pub(crate) struct EdgeOrder<'m> {
    mentions: &'m Mentions,
    is_undirected: bool,
    nodes: Vec<u32>,
    at: Option<usize>,
    group: Group,
}

/// A way to write one edge, or several that share their second node.
struct Plan {
    is_head: bool,
    firsts: Vec<u32>,
    second: u32,
    is_turned: bool,
    begun: usize,
    reached: usize,
}

impl<'m> EdgeOrder<'m> {
    pub(crate) fn new(mentions: &'m Mentions, is_undirected: bool, edges: &[(u32, u32)]) -> Self {
        let nodes = edges.iter().flat_map(|(a, b)| [*a, *b]).collect();
        Self { mentions, is_undirected, nodes, at: None, group: Group::default() }
    }

    fn find(&self, node: u32, is_head: bool, behind: Option<usize>) -> Option<usize> {
        self.mentions.next(node, u8::from(!is_head), behind)
    }

    /// An edge with the role of the node that is written first.
    fn turned(&self, (a, b): (u32, u32), is_turned: bool) -> (bool, u32, u32) {
        if is_turned { (self.is_undirected, b, a) } else { (true, a, b) }
    }

    /// A plan that names both ends of an edge, or of several that share the second.
    fn whole(&self, edges: &[(u32, u32)], is_turned: bool, joins: bool) -> Option<Plan> {
        let (is_head, first, second) = self.turned(*edges.first()?, is_turned);
        let mut at = self.find(first, is_head, self.at)?;
        let begun = at;
        let mut firsts = vec![first];
        let alone = self.find(second, !is_head, Some(at));
        for edge in edges.iter().skip(1).take_while(|_| joins) {
            let (_, next, other) = self.turned(*edge, is_turned);
            let Some(found) = self.find(next, is_head, Some(at)) else { break };
            if other != second || alone.is_none_or(|alone| found > alone) {
                break;
            }
            at = found;
            firsts.push(next);
        }
        let reached = self.find(second, !is_head, Some(at))?;
        Some(Plan { is_head, firsts, second, is_turned, begun, reached })
    }

    /// A plan that names only the other end of an edge of the group's node.
    fn shared(&self, edge: (u32, u32)) -> Option<Plan> {
        let shared = self.group.shared()?;
        let is_head = self.group.is_head;
        let (second, is_turned) = match edge {
            (a, b) if a == shared && (is_head || self.is_undirected) => (b, false),
            (a, b) if b == shared && (!is_head || self.is_undirected) => (a, true),
            _ => return None,
        };
        let reached = self.find(second, !is_head, self.at)?;
        Some(Plan { is_head, firsts: Vec::new(), second, is_turned, begun: reached, reached })
    }

    /// Whether the text names both ends together, so that the edge does not continue the group: in `A
    /// knows B, C knows A` the second edge has an A of its own.
    fn is_apart(&self, whole: &Plan, shared: &Plan, next: Option<&(u32, u32)>) -> bool {
        let goes_on = |next: &(u32, u32)| Some(next.0) == self.group.shared();
        let is_own = !whole.is_turned && shared.is_turned || !next.is_some_and(goes_on);
        let are_close = self.mentions.are_neighbours(whole.begun, whole.reached, &self.nodes);
        whole.begun == shared.reached && is_own && are_close
    }

    /// Writes the next of these edges, or several, and returns how many; with a weight, one.
    pub(crate) fn step(
        &mut self,
        edges: &[(u32, u32)],
        weight: Option<u32>,
        out: &mut Vec<EdgePiece>,
    ) -> usize {
        let Some(edge) = edges.first() else { return 0 };
        let joins = weight.is_none();
        let wholes = [self.whole(edges, false, joins), self.whole(edges, true, joins)];
        // Of plans that reach the same mention, the first skips the fewest.
        let whole = wholes.into_iter().flatten().min_by_key(|plan| plan.reached);
        let best = match (whole, self.shared(*edge)) {
            (Some(whole), Some(shared))
                if shared.reached < whole.reached
                    && !self.is_apart(&whole, &shared, edges.get(1)) =>
            {
                Some(shared)
            }
            (whole, shared) => whole.or(shared),
        };
        let found = best.as_ref().map(|plan| plan.reached);
        let plan = best.unwrap_or_else(|| Plan {
            is_head: true,
            firsts: vec![edge.0],
            second: edge.1,
            is_turned: false,
            begun: 0,
            reached: 0,
        });
        if !plan.firsts.is_empty() {
            if self.group.is_open() && self.group.is_head != plan.is_head {
                out.push(EdgePiece::Break);
            }
            self.group =
                Group { is_head: plan.is_head, firsts: plan.firsts.clone(), has_second: true };
        }
        out.extend(plan.firsts.iter().map(|node| EdgePiece::First(*node)));
        out.push(EdgePiece::Last(plan.second));
        self.at = self.at.max(found);
        if let Some(weight) = weight {
            self.mentions.copy(weight, 2, &mut self.at);
        }
        plan.firsts.len().max(1)
    }

    /// The token of a piece that was just written.
    pub(crate) fn token(&self, piece: EdgePiece) -> u32 {
        let of = |node: u32, is_head: bool| if is_head { head(node) } else { tail(node) };
        match piece {
            EdgePiece::Break => BREAK,
            EdgePiece::First(node) => of(node, self.group.is_head),
            EdgePiece::Last(node) => of(node, !self.group.is_head),
        }
    }
}

/// Reads groups of edges, token by token.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeReader {
    group: Group,
}

impl EdgeReader {
    /// The edges that a token ends, each from its first node to its second.
    pub(crate) fn push(&mut self, token: u32) -> Vec<(u32, u32)> {
        let (node, is_head) = match kind(token) {
            Kind::Head(node) => (node, true),
            Kind::Tail(node) => (node, false),
            _ if token == BREAK => {
                self.group = Group::default();
                return Vec::new();
            }
            _ => return Vec::new(),
        };
        let group = &mut self.group;
        if !group.is_open() || group.has_second && group.is_head == is_head {
            *group = Group { is_head, firsts: vec![node], has_second: false };
            return Vec::new();
        }
        if group.is_head == is_head {
            group.firsts.push(node);
            return Vec::new();
        }
        group.has_second = true;
        let edge = |first: &u32| if is_head { (node, *first) } else { (*first, node) };
        group.firsts.iter().map(edge).collect()
    }

    /// Whether the other end of a group is missing.
    pub(crate) fn is_waiting(&self) -> bool {
        self.group.is_open() && !self.group.has_second
    }

    /// Whether a node would join the first nodes of the group.
    pub(crate) fn would_join(&self, is_head: bool) -> bool {
        self.is_waiting() && self.group.is_head == is_head
    }

    /// Whether a group may end.
    pub(crate) fn is_whole(&self) -> bool {
        self.group.is_open() && self.group.has_second
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::calls::{decode_arguments, encode_call};
    use crate::codec::question_with;
    use crate::text::TalkNames;
    use crate::vocabulary::{
        ASK, DIRECTED, END_CALL, REPLY, UNDIRECTED, function, name_of, number_of,
    };

    /// The tokens of a call with the edges of a question, with names for numbers. Checks that they decode
    /// to the same graph.
    fn written(question: &str, is_directed: bool, arguments: &Value) -> String {
        let mut names = TalkNames::default();
        let mut tokens = vec![ASK];
        tokens.extend(question_with(question, &mut names).unwrap());
        tokens.extend([REPLY, if is_directed { DIRECTED } else { UNDIRECTED }, END_CALL]);
        let before = tokens.len();
        encode_call("add_edges", &arguments.to_string(), &mut names, &mut tokens);
        let call = function("add_edges").unwrap();
        assert_eq!(tokens[before], call);
        let within = &tokens[before + 1..tokens.len() - 1];
        let read = decode_arguments(call, within, &names);
        let read: Value = serde_json::from_str(&read).unwrap();
        let sorted = |edges: &Value| {
            let mut all: Vec<Vec<String>> = Vec::new();
            for edge in edges.as_array().unwrap() {
                let mut ends: Vec<String> =
                    edge.as_array().unwrap().iter().map(Value::to_string).collect();
                if !is_directed {
                    ends.sort();
                }
                all.push(ends);
            }
            all
        };
        assert_eq!(sorted(&read["edges"]), sorted(&arguments["edges"]));
        assert_eq!(read.get("weights"), arguments.get("weights"));
        // Encoding the decoded call gives the same tokens.
        let mut again = tokens[..before].to_vec();
        encode_call("add_edges", &read.to_string(), &mut names, &mut again);
        assert_eq!(again, tokens);
        let name = |token: &u32| match (number_of(*token), kind(*token)) {
            (Some(n), Kind::Head(_)) => format!("({}", plain(&names, n)),
            (Some(n), Kind::Tail(_)) => format!("{})", plain(&names, n)),
            _ => name_of(*token),
        };
        within[1..].iter().map(name).collect::<Vec<_>>().join(" ")
    }

    fn plain(names: &TalkNames, n: u32) -> String {
        names.text(n).map_or_else(|| n.to_string(), str::to_owned)
    }

    #[test]
    fn edges_are_written_from_mention_to_mention() {
        for (question, is_directed, arguments, wanted) in [
            (
                "Emma knows Noah, Mia and Ben. Mia knows Ida.",
                false,
                json!({"edges": [["Emma", "Noah"], ["Emma", "Mia"], ["Emma", "Ben"], ["Mia", "Ida"]]}),
                "(Emma Noah) Mia) Ben) (Mia Ida)",
            ),
            (
                "A bus goes from Ulm to Bonn, from Bonn to Kiel.",
                true,
                json!({"edges": [["Ulm", "Bonn"], ["Bonn", "Kiel"]]}),
                "(Ulm Bonn) (Bonn Kiel)",
            ),
            (
                "Emma and Noah come before Mia. Mia before Ida.",
                true,
                json!({"edges": [["Emma", "Mia"], ["Noah", "Mia"], ["Mia", "Ida"]]}),
                "(Emma (Noah Mia) (Mia Ida)",
            ),
            (
                "Emma needs Noah and Mia. Ida needs Emma.",
                true,
                json!({"edges": [["Noah", "Emma"], ["Mia", "Emma"], ["Emma", "Ida"]]}),
                "Emma) (Noah (Mia Ida) (Emma",
            ),
            (
                "Emma comes after Noah. Mia comes before Ida.",
                true,
                json!({"edges": [["Noah", "Emma"], ["Mia", "Ida"]]}),
                "Emma) (Noah ⟨break⟩ (Mia Ida)",
            ),
            (
                "Noah is one of Emma's friends, Mia is one of Emma's friends.",
                false,
                json!({"edges": [["Emma", "Noah"], ["Emma", "Mia"]]}),
                "(Noah Emma) (Mia Emma)",
            ),
            (
                "In a graph, the nodes are numbered from 0 to 3 and the edges are: (0,1) (0,2) (2,3).",
                false,
                json!({"edges": [[0, 1], [0, 2], [2, 3]]}),
                "(0 1) (0 2) (2 3)",
            ),
            (
                "It is 5 km from Ulm to Bonn, and 9 km from Ulm to Kiel; Kiel(3), Lund(4).",
                false,
                json!({"edges": [["Ulm", "Bonn"], ["Ulm", "Kiel"], ["Kiel", "Lund"]], "weights": [5, 9, 4]}),
                "(Ulm Bonn) 5 (Ulm Kiel) 9 (Kiel Lund) 4",
            ),
            (
                "Emma talks to Noah. Mia talks to Noah. Ben talks to Mia. Ida talks to Emma, Ida to Ben.",
                false,
                json!({"edges": [["Emma", "Noah"], ["Mia", "Noah"], ["Ben", "Mia"], ["Ida", "Emma"], ["Ida", "Ben"]]}),
                "(Emma Noah) (Mia Noah) (Ben Mia) (Ida Emma) (Ida Ben)",
            ),
            (
                "Is there a way from Noah to Ida? Emma knows Noah and Mia, Emma knows Ida. Ben knows Emma.",
                false,
                json!({"edges": [["Emma", "Noah"], ["Emma", "Mia"], ["Emma", "Ida"], ["Ben", "Emma"]]}),
                "(Emma Noah) Mia) (Emma Ida) (Ben Emma)",
            ),
            (
                "Emma comes before Noah, Mia comes after Emma. Can Emma be behind Mia?",
                true,
                json!({"edges": [["Emma", "Noah"], ["Emma", "Mia"]]}),
                "(Emma Noah) ⟨break⟩ Mia) (Emma",
            ),
            // An edge that the question does not name.
            (
                "Emma knows Noah.",
                true,
                json!({"edges": [["Noah", "Emma"], [7, 8]]}),
                "Emma) (Noah ⟨break⟩ (7 8)",
            ),
        ] {
            assert_eq!(written(question, is_directed, &arguments), wanted, "{question}");
        }
    }
}
