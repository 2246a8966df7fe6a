//! Topological sort: an order of all nodes, each after those that must be visited before it.

use std::collections::BTreeSet;

use graph::NodeName;
use serde::{Deserialize, Serialize};

use super::order::{Announced, STEPS, is_beginning, is_broken_off, list, list_alone};
use super::{left_out, listing_fault, repeated};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::reading::Phrases;
use crate::reading::ReadingRule;
use crate::reading::{Decision, Said, leads, supposes};
use crate::reading::{Reading, Sentence, Stop};
use crate::{Judgement, Verdict, Whole};

/// An order of all nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the text says that all nodes can be visited, where it says so in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<bool>,
    /// The nodes in the order that the text gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<NodeName>,
}

static BY: Phrases = Phrases::of(
    "solution, order, ordering, sequence, sort, sorted, answer, visited as follows, topological, \
     path, following the, result, visited in this",
);

static POSSIBLE: Phrases = Phrases::of(
    "all the nodes can be visited, all nodes can be visited, all of the nodes can be visited, \
     it is possible to visit all, all nodes can indeed be visited, we can visit all, \
     possible to visit all the nodes",
);

static IMPOSSIBLE: Phrases = Phrases::of(
    "not all the nodes can be visited, not all nodes can be visited, not all of the nodes can, \
     nodes cannot be visited, nodes can not be visited, nodes cannot all be visited, \
     it is not possible to visit all, not possible to visit all, impossible to visit all, \
     no valid order, no valid topological, contains a cycle, no solution",
);

pub(crate) fn read(problem: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    let n = problem.graph.n_nodes();
    if reading.lists_alone {
        let possible = reading.sentences.first().and_then(|sentence| leads(reading, sentence));
        let possible = possible.map(|said| said.yes);
        let order = list_alone(reading, n).filter(|_| possible != Some(false)).unwrap_or_default();
        let order: Vec<NodeName> = order.into_iter().map(NodeName::Int).collect();
        return (possible.is_some() || !order.is_empty()).then_some(Answer { possible, order });
    }
    // "can node 3 be visited first?" is about a step.
    let asks =
        |sentence: &Sentence| !(sentence.start..sentence.end).any(|at| reading.is_number(at));
    let decision = Decision::hear(reading, asks, |_, sentence, replies| {
        let conditional = supposes(sentence)
            || sentence.has_any(&["whether", "so that", "how", "only way", "only if", "is if"]);
        if let Some(words) = sentence.find(&IMPOSSIBLE) {
            let said = Said::new(false, "not all can be visited", words);
            return (!conditional).then_some((said, true));
        }
        let about_a_step = || sentence.has_any(&["this is possible", "this is allowed"]);
        let leads = leads(reading, sentence).filter(|_| replies && !about_a_step());
        let possible = || {
            let words = sentence.find(&POSSIBLE).filter(|_| !conditional)?;
            Some(Said::new(true, "all can be visited", words))
        };
        Some((leads.or_else(possible)?, true))
    });
    let possible = decision.conclude(reading);
    let announced = Announced { by: &BY, full: n };
    let (mut order, mut rule) = list(reading, &announced);
    // An order told to its end beats a list that says it again and was cut off.
    let told = told_order(reading);
    if told.len() >= n && is_beginning(reading, &rule, &order, &told) {
        order = told;
        rule = ReadingRule::witness("told visits", None);
    }
    // Steps that break off were thoughts on the way to an order, and a list that breaks off behind
    // a comma is none yet, unless it is wrong whatever would follow.
    let unfinished = possible.is_none()
        && (rule.rule == STEPS && reading.is_cut_off()
            || order.len() < n && !has_twice(&order) && is_broken_off(reading, &rule));
    if possible == Some(false) || unfinished {
        order.clear();
    }
    if possible.is_none() && order.is_empty() && !unfinished && n > 1 {
        let (number, at) = one_number(reading)?;
        order.push(number);
        rule = ReadingRule::witness("one number", Some(at));
    }
    if possible.is_none() && order.is_empty() {
        return None;
    }
    if !order.is_empty() {
        reading.fire(rule);
    }
    let order = order.into_iter().map(NodeName::Int).collect();
    Some(Answer { possible, order })
}

/// The number of the last sentence that ends in "the answer is 7", and that sentence: an answer, though
/// none to a question for an order.
fn one_number(reading: &Reading) -> Option<(i64, usize)> {
    let told = |(i, sentence): (usize, &Sentence)| {
        let words = sentence.plain.trim_end();
        let (before, number) = words.rsplit_once(' ')?;
        let says = ["the answer is", "the solution is"].iter().any(|says| before.ends_with(says));
        let is_whole = matches!(sentence.stop, Stop::Period | Stop::Line);
        (says && is_whole && !supposes(sentence)).then_some((number.parse().ok()?, i))
    };
    reading.sentences.iter().enumerate().rev().find_map(told)
}

/// Nodes in the order in which they are first said to be visited: `node 2 and node 5 can be visited
/// first. after node 2 is visited, node 0 can be visited.`
fn told_order(reading: &Reading) -> Vec<i64> {
    let mut told = Vec::new();
    let mut seen = BTreeSet::new();
    for run in reading.runs() {
        let mut at = run.end + 1;
        while matches!(reading.word(at), "can" | "then" | "now" | "be" | "also" | "next") {
            at += 1;
        }
        if at > run.end + 1 && reading.word(at) == "visited" {
            told.extend(run.numbers.into_iter().filter(|node| seen.insert(*node)));
        }
    }
    told
}

fn has_twice(order: &[i64]) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|two| two[0] == two[1])
}

pub(crate) fn judge(
    problem: Asked<'_, Whole>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Answer { possible, order } = answer;
    let graph = problem.graph;
    if order.is_empty() {
        let truth = oracle::is_acyclic(graph);
        let Some(claim) = *possible else {
            return Judgement::no_answer("There is neither an order nor a decision.");
        };
        let text = if truth { "an order exists" } else { "the constraints contain a cycle" };
        evidence.check(claim == truth, text);
        let (verdict, text) = match (claim, truth) {
            (true, true) => (
                Verdict::Partial,
                "All nodes can be visited, as it says, but the order that was asked for is missing.",
            ),
            (false, false) => (Verdict::Correct, "Right: the constraints contain a cycle."),
            (false, true) => (
                Verdict::Incorrect,
                "It says that not all nodes can be visited, but an order exists.",
            ),
            (true, false) => (
                Verdict::Incorrect,
                "It says that all nodes can be visited, but the constraints contain a cycle.",
            ),
        };
        return Judgement::new(verdict, evidence, text);
    }
    let mut fault = listing_fault(graph, order, &mut evidence);
    // By the place of a node in the graph, its place in the order.
    let mut place = vec![usize::MAX; graph.indices().last().map_or(0, |i| i.index() + 1)];
    for (i, node) in order.iter().enumerate() {
        if let Ok(idx) = graph.index(node) {
            place[idx.index()] = place[idx.index()].min(i);
        }
        evidence.node(node, MarkKind::Order(i));
    }
    let mut broken = 0;
    for edge in graph.edges() {
        let (a, b) = (place[edge.source_idx.index()], place[edge.target_idx.index()]);
        if a >= b && a != usize::MAX {
            let text = format!(
                "node {} must come before node {}, but comes after it",
                edge.source, edge.target
            );
            if broken < 20 {
                evidence.check(false, text.as_str());
            }
            evidence.edge(edge.source, edge.target, MarkKind::False, None);
            fault.get_or_insert(text);
            broken += 1;
        }
    }
    if broken == 0 {
        evidence.check(true, "no constraint is broken between the nodes listed");
    } else if broken > 20 {
        evidence.note(format_args!("{broken} constraints are broken in all"));
    }
    // What no constraint names may stand anywhere: the order is right as far as it goes.
    let (missing, unknown) = left_out(graph, order);
    let names_no_constraint =
        |name: &&NodeName| graph.edges().all(|edge| edge.source != *name && edge.target != *name);
    let only_free_ones_missing = !missing.is_empty()
        && unknown.is_empty()
        && broken == 0
        && repeated(order).is_none()
        && missing.iter().all(names_no_constraint);
    match fault {
        None => Judgement::new(
            Verdict::Correct,
            evidence,
            "Right: the order lists every node once and keeps every constraint.",
        ),
        Some(fault) if only_free_ones_missing => Judgement::new(
            Verdict::Partial,
            evidence,
            format!(
                "The order keeps every constraint, but {fault}; no constraint names what is missing."
            ),
        ),
        Some(fault) if *possible == Some(true) && oracle::is_acyclic(graph) => Judgement::new(
            Verdict::Partial,
            evidence,
            format!("All nodes can be visited, as it says, but the order is wrong: {fault}."),
        ),
        Some(fault) => {
            Judgement::new(Verdict::Incorrect, evidence, format!("The order is wrong: {fault}."))
        }
    }
}
