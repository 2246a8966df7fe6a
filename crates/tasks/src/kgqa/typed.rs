//! Questions about any graph, made from its types and edges.
//!
//! Each is put together from names of types, edges and nodes, and says so by the family that it is of
//! ([`is_typed`]). Nobody asks like this; but each has its plan and its right answers, so that any graph
//! can be tried and measured.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use kg::find::{FindOptions, Finder};
use kg::plan::{CommonEntry, Plan, PlanStep, Semantics, execute, verify};
use kg::{Direction, EdgeTypeIx, Kg, NodeIx, NodeTypeIx, fold};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::KgQuestion;
use crate::Difficulty;

/// The most answers of a question that lists them.
const MAX_ANSWERS: usize = 20;
/// The most that a question counts.
const MAX_COUNT: usize = 200;
/// The most edges that are followed from one node; nodes with more are passed over.
const MAX_DEGREE: usize = 500;
/// The most nodes between two hops.
const MAX_BETWEEN: usize = 60;
/// How often a question is tried for each that is wanted: types without names or edges give none.
const TRIES: usize = 200;
/// The longest name of a node, type or edge that a question is made of, in bytes.
const MAX_NAME: usize = 120;

/// The families, in turn: their ids, and how many hops lead to the answer.
const FAMILIES: [(&str, u32); 5] = [
    ("typed_1_hop", 1),
    ("typed_2_hops", 2),
    ("typed_3_hops", 3),
    ("typed_common", 2),
    ("typed_count", 1),
];

/// Whether a question was made from the types and edges of its graph.
pub fn is_typed(question: &KgQuestion) -> bool {
    FAMILIES.iter().any(|(id, _)| *id == question.template)
}

/// Edges of a type from one node on: the type, and what the nodes at the other end are called.
struct Hop {
    edge: EdgeTypeIx,
    to: NodeTypeIx,
}

/// What is looked for while questions are made.
struct Maker<'a> {
    kg: &'a Kg,
    rng: ChaCha8Rng,
}

/// A way that was walked: the node that it starts at, its hops, and the nodes at its end.
struct Way {
    start: NodeIx,
    hops: Vec<Hop>,
    ends: BTreeSet<NodeIx>,
}

impl Maker<'_> {
    /// Whether a word can stand in a question between quotation marks, and in a list of answers.
    fn is_plain(word: &str) -> bool {
        let is_odd = |c: char| matches!(c, '"' | ';') || c.is_control();
        !word.trim().is_empty() && word.len() <= MAX_NAME && !word.contains(is_odd)
    }

    /// Whether the name of a node means it alone among the nodes of its type.
    fn is_clear(&self, node: NodeIx) -> bool {
        let (kg, name) = (self.kg, self.kg.name(node));
        let of = kg.node_type(node);
        let same = kg.named(name).into_iter().filter(|other| kg.node_type(*other) == of);
        let is_other_id = kg.find_id(name.trim()).is_some_and(|other| other != node);
        Self::is_plain(name) && !is_other_id && same.take(2).count() == 1
    }

    /// The edge types by which nodes of a type lead to nodes of one type and no other, both ways.
    fn hops_from(&self, of: NodeTypeIx) -> Vec<Hop> {
        let schema = self.kg.schema();
        let edges = schema.edges_at(of).into_iter();
        let hops = edges.filter_map(|(edge, _)| {
            let ends = schema.ends_of(of, edge, Direction::Both);
            let to = *ends.first().filter(|_| ends.len() == 1)?;
            let names = [&schema.edge_type(edge).name, &schema.node_type(to).name];
            names.iter().all(|name| Self::is_plain(name)).then_some(Hop { edge, to })
        });
        hops.collect()
    }

    /// The neighbours of some nodes; none where they are too many to be looked at.
    fn follow(&self, from: &BTreeSet<NodeIx>, edge: EdgeTypeIx) -> Option<BTreeSet<NodeIx>> {
        if from.len() > MAX_BETWEEN {
            return None;
        }
        let is_small = |n: &NodeIx| self.kg.degree(*n, edge, Direction::Both) <= MAX_DEGREE;
        let mut found = BTreeSet::new();
        for node in from {
            if !is_small(node) {
                return None;
            }
            found.extend(self.kg.neighbors(*node, edge, Direction::Both));
        }
        Some(found)
    }

    /// A node of a type that has edges, drawn type by type so that seldom types come too.
    fn start(&mut self) -> Option<NodeIx> {
        let schema = self.kg.schema();
        let types: Vec<NodeTypeIx> =
            schema.node_type_ixs().filter(|t| !self.hops_from(*t).is_empty()).collect();
        let of = *types.choose(&mut self.rng)?;
        if !Self::is_plain(&schema.node_type(of).name) {
            return None;
        }
        let node = *self.kg.nodes_of_type(of).choose(&mut self.rng)?;
        self.is_clear(node).then_some(node)
    }

    /// A walk of so many hops that finds something at each, never back over the edges by which it came.
    fn way(&mut self, n_hops: u32) -> Option<Way> {
        let start = self.start()?;
        let mut of = self.kg.node_type(start);
        let mut ends = BTreeSet::from([start]);
        let mut hops: Vec<Hop> = Vec::new();
        for _ in 0..n_hops {
            let last = hops.last().map(|hop| hop.edge);
            let mut may = self.hops_from(of);
            may.retain(|hop| Some(hop.edge) != last);
            // Of those that this node has, so that a try is seldom in vain.
            may.retain(|hop| {
                ends.iter().any(|n| self.kg.degree(*n, hop.edge, Direction::Both) > 0)
            });
            let place = self.rng.random_range(0..may.len().max(1));
            let hop = may.into_iter().nth(place)?;
            ends = self.follow(&ends, hop.edge)?;
            of = hop.to;
            hops.push(hop);
        }
        Some(Way { start, hops, ends })
    }

    fn name_of(&self, of: NodeTypeIx) -> &str {
        &self.kg.schema().node_type(of).name
    }

    fn edge_of(&self, edge: EdgeTypeIx) -> &str {
        &self.kg.schema().edge_type(edge).name
    }

    /// `the Line "Amber Line"`.
    fn the(&self, node: NodeIx) -> String {
        format!("the {} \"{}\"", self.name_of(self.kg.node_type(node)), self.kg.name(node))
    }

    fn chain(&mut self, n_hops: u32, counts: bool) -> Option<String> {
        let way = self.way(n_hops)?;
        let max = if counts { MAX_COUNT } else { MAX_ANSWERS };
        if way.ends.is_empty() || way.ends.len() > max {
            return None;
        }
        let mut words = self.the(way.start);
        for (i, hop) in way.hops.iter().enumerate() {
            let (of, edge) = (self.name_of(hop.to), self.edge_of(hop.edge));
            words = if i + 1 < way.hops.len() {
                format!("any {of} joined by \"{edge}\" to {words}")
            } else {
                format!("{of} is joined by \"{edge}\" to {words}")
            };
        }
        Some(match counts {
            // "How many Station" would be no sentence.
            true => {
                format!("How many of this type: {}?", words.replacen(" is joined", " joined", 1))
            }
            false => format!("Which {words}?"),
        })
    }

    /// Two neighbours of one node, and what they share.
    fn common(&mut self) -> Option<String> {
        let shared = self.start()?;
        let of = self.kg.node_type(shared);
        let hops = self.hops_from(of);
        let mut pick = |other: Option<(EdgeTypeIx, NodeIx)>| {
            let place = self.rng.random_range(0..hops.len().max(1));
            let hop = hops.get(place)?;
            if self.kg.degree(shared, hop.edge, Direction::Both) > MAX_DEGREE {
                return None;
            }
            let mut nodes = self.kg.neighbors(shared, hop.edge, Direction::Both);
            nodes.retain(|n| Some((hop.edge, *n)) != other && *n != shared);
            Some((hop.edge, *nodes.choose(&mut self.rng)?))
        };
        let first = pick(None)?;
        let second = pick(Some(first))?;
        let mut found: Option<BTreeSet<NodeIx>> = None;
        for (edge, node) in [first, second] {
            let back = self.kg.schema().ends_of(self.kg.node_type(node), edge, Direction::Both);
            // What they share is of one type, which the question names.
            if back.len() != 1 || !back.contains(&of) || !self.is_clear(node) {
                return None;
            }
            let near = self.follow(&BTreeSet::from([node]), edge)?;
            found = Some(match found {
                None => near,
                Some(before) => before.intersection(&near).copied().collect(),
            });
        }
        if !(1..=MAX_ANSWERS).contains(&found?.len()) || first.1 == second.1 {
            return None;
        }
        let part = |(edge, node): (EdgeTypeIx, NodeIx)| {
            format!("by \"{}\" to {}", self.edge_of(edge), self.the(node))
        };
        Some(format!("Which {} is joined {} and {}?", self.name_of(of), part(first), part(second)))
    }
}

/// `n` questions about any graph: one to three hops, what two nodes share, and counts, in turn; the
/// same seed asks the same. Edges are followed both ways. There may be fewer where the graph gives no
/// more; none where no node has a name of its own or no edge type leads to one type of nodes.
///
/// The answers come from running the plan; the tests find them by other means.
///
/// O(n · 200 tries · edges at 60 nodes, of which nodes with more than 500 are passed over), whatever the
/// size of the graph.
pub fn generate_typed(kg: &Arc<Kg>, n: usize, seed: u64) -> Vec<KgQuestion> {
    let finder = Finder::new(kg.clone(), Rc::new(text::NGrams));
    let mut maker = Maker { kg, rng: ChaCha8Rng::seed_from_u64(seed) };
    let mut questions: Vec<KgQuestion> = Vec::new();
    let mut seen = BTreeSet::new();
    for attempt in 0..n.saturating_mul(TRIES) {
        if questions.len() >= n {
            break;
        }
        let (template, hops) = FAMILIES[attempt % FAMILIES.len()];
        let words = match template {
            "typed_common" => maker.common(),
            "typed_count" => maker.chain(1, true),
            _ => maker.chain(hops, false),
        };
        let Some(question) = words else { continue };
        let Some(made) = solved_typed(&finder, &question) else { continue };
        if seen.insert(question) {
            let id = format!("typed-{seed}-{}", questions.len() + 1);
            questions.push(KgQuestion { id, template: template.to_owned(), ..made });
        }
    }
    questions
}

/// A question in these words about a graph, with its answers by running its plan; none where it is of
/// other words, or where nothing answers it.
pub(super) fn solved_typed(finder: &Finder, question: &str) -> Option<KgQuestion> {
    let kg = finder.kg();
    let (plan, hops, counts) = read(question)?;
    let verified = verify(&plan, kg.schema(), Semantics::default(), question);
    let ready = verified.ready.filter(|_| verified.findings.is_empty())?;
    let executed = execute(&ready, finder, FindOptions::default());
    let found = executed.answer();
    let names = found.texts(kg);
    let folded: BTreeSet<String> = names.iter().map(|name| fold(name)).collect();
    // Two answers of one name could not be told apart.
    let are_clear = folded.len() == names.len() && names.iter().all(|n| Maker::is_plain(n));
    if found.is_empty() || !(counts || are_clear) {
        return None;
    }
    let answers = if counts { vec![names.len().to_string()] } else { names };
    let level = match hops {
        1 => Difficulty::Easy,
        2 => Difficulty::Medium,
        _ => Difficulty::Hard,
    };
    Some(KgQuestion {
        id: "own".to_owned(),
        question: question.to_owned(),
        answers,
        level: Some(level),
        hops,
        template: if counts { "typed_count" } else { "typed" }.to_owned(),
        plan: Some(plan),
    })
}

/// The plan of a question in these words; none where it is of other words. O(length).
pub fn read_typed(question: &str) -> Option<Plan> {
    read(question).map(|(plan, _, _)| plan)
}

/// The plan, the hops, and whether a number is asked for.
fn read(question: &str) -> Option<(Plan, u32, bool)> {
    let text = question.trim().strip_suffix('?')?;
    let (rest, counts) = match text.strip_prefix("How many of this type: ") {
        Some(rest) => (rest, true),
        None => (text.strip_prefix("Which ")?, false),
    };
    // Words and quoted names in turn; nothing stands behind the last name.
    let parts: Vec<&str> = rest.split('"').collect();
    let (words, quoted): (Vec<&str>, Vec<&str>) = {
        let of = |first: usize| parts.iter().skip(first).step_by(2).copied().collect();
        (of(0), of(1))
    };
    if parts.len().is_multiple_of(2)
        || !words.last()?.is_empty()
        || quoted.iter().any(|q| q.is_empty())
    {
        return None;
    }
    let step = |i: usize, action: &str| PlanStep {
        id: format!("s{i}"),
        action: action.to_owned(),
        ..PlanStep::default()
    };
    let find = |i: usize, of: &str, name: &str| PlanStep {
        hint: Some(name.to_owned()),
        node_type: Some(of.to_owned()),
        ..step(i, "Find_Node")
    };
    let is_joined = |text: &str| {
        let of = text.strip_suffix(" joined by ")?;
        let of = if counts { of } else { of.strip_suffix(" is")? };
        (!of.is_empty() && (!counts || !of.ends_with(" is"))).then_some(())
    };
    is_joined(words.first()?)?;
    if let [_, to_a, and_by, to_b, _] = words.as_slice()
        && and_by.trim() == "and by"
        && !counts
    {
        let [edge_a, a, edge_b, b] = quoted.as_slice() else { return None };
        let of = |text: &&str| {
            let of = text.strip_prefix(" to the ")?.strip_suffix(' ')?;
            (!of.is_empty()).then(|| of.to_owned())
        };
        let entry = |i: usize, edge: &str| CommonEntry {
            from: format!("s{i}"),
            edge_type: Some(edge.to_owned()),
            ..CommonEntry::default()
        };
        let common = PlanStep {
            of: vec![entry(1, edge_a), entry(2, edge_b)],
            ..step(3, "Find_Common_Nodes")
        };
        let steps = vec![find(1, &of(to_a)?, a), find(2, &of(to_b)?, b), common];
        return Some((Plan { steps, answer_from: None }, 2, false));
    }
    let (name, edges) = quoted.split_last()?;
    let (start, between) = words.get(1..words.len() - 1)?.split_last()?;
    let of = start.strip_prefix(" to the ")?.strip_suffix(' ').filter(|of| !of.is_empty())?;
    let is_between = |text: &&str| text.starts_with(" to any ") && text.ends_with(" joined by ");
    if !between.iter().all(is_between) || !(1..=3).contains(&edges.len()) {
        return None;
    }
    let mut steps = vec![find(1, of, name)];
    for edge in edges.iter().rev() {
        let i = steps.len();
        steps.push(PlanStep {
            from: Some(format!("s{i}")),
            edge_type: Some((*edge).to_owned()),
            ..step(i + 1, "Fetch_Neighbors")
        });
    }
    Some((Plan { steps, answer_from: None }, edges.len() as u32, counts))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_read_back_or_they_are_of_somebody_else() {
        let one = read("Which Station is joined by \"stops_at\" to the Line \"Amber Line\"?");
        let (plan, hops, counts) = one.unwrap_or_default();
        assert_eq!((plan.steps.len(), hops, counts), (2, 1, false));
        assert_eq!(plan.steps[0].hint.as_deref(), Some("Amber Line"));
        assert_eq!(plan.steps[1].edge_type.as_deref(), Some("stops_at"));
        for other in [
            "",
            "Which?",
            "Which Station is joined by \"\" to the Line \"a\"?",
            "Which Station is joined by \"e\" to the Line a?",
            "Which Station is joined by \"e\" to the Line \"a\" today?",
            "Which Station is joined by \"e\" to the  \"a\"",
            "How many of this type: Station is joined by \"e\" to the Line \"a\"?",
            "Which stations does the Amber Line stop at?",
        ] {
            assert!(read(other).is_none(), "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_fail(
            text in "(Which |How many of this type: )?([a-z\"? ]|is joined by|joined by| to the | to any |and by){0,30}[?]?",
        ) {
            let _ = read(&text);
        }
    }
}
