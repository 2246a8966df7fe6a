//! Cycle: the decision, and the cycle where one is shown.

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::decision::{Decision, answer_is, muses};
use super::reading::{Reading, Sentence, contains};
use super::{repeated, walk};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::{Judgement, Verdict, Whole};

/// Whether there is a cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the text says that there is a cycle.
    pub has_cycle: bool,
    /// The cycle shown for it as nodes in order; the first is not repeated at the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<NodeName>,
    /// The cycle shown for it as a list of edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<(NodeName, NodeName)>,
}

const NONE: [&str; 34] = [
    "no cycle",
    "no cycles",
    "no loop",
    "no loops",
    "not a cycle",
    "not a loop",
    "isn't a cycle",
    "isn't a loop",
    "acyclic",
    "not contain a cycle",
    "not contain any cycle",
    "not contain any cycles",
    "not contain a loop",
    "not contain any loops",
    "not contain any loop",
    "not have a cycle",
    "not have any cycles",
    "not have a loop",
    "not have any loops",
    "not have any cycle",
    "without a cycle",
    "without cycles",
    "not any cycles",
    "not any loops",
    "not any cycle",
    "is not cyclic",
    "cycle does not exist",
    "no such cycle",
    "cannot find a cycle",
    "not find a cycle",
    "not find any cycle",
    "not find any cycles",
    "not exist a cycle",
    "graph is a tree",
];

const SOME: [&str; 47] = [
    "there is a cycle",
    "there is a loop",
    "there are cycles",
    "there are loops",
    "there exists a cycle",
    "there exists a loop",
    "contains a cycle",
    "contains a loop",
    "has a cycle",
    "has a loop",
    "form a cycle",
    "forms a cycle",
    "form a loop",
    "forms a loop",
    "formed a cycle",
    "a cycle exists",
    "creates a cycle",
    "creates a loop",
    "create a cycle",
    "create a loop",
    "is a cycle of length",
    "there is at least one cycle",
    "there is at least one loop",
    "there are multiple cycles",
    "there are multiple loops",
    "there are two cycles",
    "found a cycle",
    "found a loop",
    "is cyclic",
    "forming a cycle",
    "forming a loop",
    "creating a cycle",
    "creating a loop",
    "contains cycles",
    "there is one cycle",
    "there is indeed a cycle",
    "completes a cycle",
    "completing a cycle",
    "the cycle is",
    "the loop is",
    "there's a cycle",
    "contains at least one cycle",
    "have a cycle",
    "have a loop",
    "has cycles",
    "has loops",
    "has at least one cycle",
];

/// Words that make a sentence about something else than any cycle in the graph.
const ASIDE: [&str; 18] = [
    "potential cycle",
    "possible cycle",
    "potential loop",
    "possible loop",
    "self loop",
    "self loops",
    "to itself",
    "other cycle",
    "other cycles",
    "more cycles",
    "other loops",
    "further cycles",
    "additional cycles",
    "other loop",
    "not necessarily",
    "could be a cycle",
    "might be a cycle",
    "may be a cycle",
];

pub(crate) fn read(_: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    let mut decision = Decision::default();
    let mut asked: Option<bool> = None;
    for (i, sentence) in reading.sentences.iter().enumerate() {
        let limited = sentence.has_any(&[
            "of length",
            "length 3",
            "triangle",
            "direct cycle",
            "with node",
            "through node",
            "containing node",
            "involving node",
            "including node",
        ]);
        if sentence.is_question() {
            let ours = sentence.has_any(&["cycle", "loop", "cycles", "loops"])
                && !sentence.has_any(&ASIDE);
            // A no to "is there a cycle of length 3?" settles nothing, a yes does.
            asked = Some(ours && !limited);
            continue;
        }
        let replies = asked.take();
        if let Some(yes) = answer_is(sentence) {
            decision.say(yes);
            continue;
        }
        if let Some(yes) = reading.leading(sentence)
            && replies.unwrap_or(true)
            && !sentence.has_any(&ASIDE)
            && (yes || !limited)
        {
            decision.say(yes);
        }
        if muses(sentence) || sentence.begins("a loop is") || sentence.begins("a cycle is") {
            continue;
        }
        // What comes after "so" or "therefore" is the conclusion of the sentence.
        let part = conclusion(sentence);
        let any = |words: &[&str]| words.iter().any(|w| sentence.may_have(w) && contains(part, w));
        if any(&ASIDE)
            && !any(&[
                "there is no cycle in",
                "there is no loop in",
                "there is a cycle in",
                "there is a loop in",
                "a cycle in this graph",
                "a loop in this graph",
            ])
        {
            continue;
        }
        if any(&NONE) {
            if !limited {
                decision.say(false);
            }
        } else if any(&[
            "not form a cycle",
            "not form a loop",
            "not form any cycle",
            "not form any loop",
            "not create a cycle",
            "not form any cycles",
            "no edges that form a loop",
            "no edges that form a cycle",
            "none of the edges form",
        ]) {
            decision.hint(false, i);
        } else if any(&SOME) || part.contains(" cycle between ") {
            decision.say(true);
        }
    }
    let last = reading.sentences.len().checked_sub(1);
    let last = last.filter(|_| !reading.is_cut_off() || reading.sentences.len() <= 2);
    let has_cycle = decision.conclude(last)?;
    let (cycle, edges) = if has_cycle { shown(reading) } else { Default::default() };
    let name = |n: i64| NodeName::Int(n);
    Some(Answer {
        has_cycle,
        cycle: cycle.into_iter().map(name).collect(),
        edges: edges.into_iter().map(|(a, b)| (name(a), name(b))).collect(),
    })
}

/// The part of a sentence that concludes.
fn conclusion(sentence: &Sentence) -> &str {
    let plain = sentence.plain.as_str();
    [" therefore ", " thus ", " hence ", " so there ", " so yes ", " so no ", " so it ", " so the "]
        .iter()
        .filter_map(|word| plain.rfind(word))
        .max()
        .map_or(plain, |at| &plain[at..])
}

/// The cycle that the text shows, as nodes or as edges.
fn shown(reading: &Reading) -> (Vec<i64>, Vec<(i64, i64)>) {
    let speaks = |plain: &str| contains(plain, "cycle") || contains(plain, "loop");
    // `the edges (0,1), (1,2), (2,0) form a cycle`: the last sentence of that kind.
    for (i, sentence) in reading.sentences.iter().enumerate().rev() {
        let pairs = reading.pairs(sentence.start, sentence.end);
        let before = i > 0
            && reading.sentences[i - 1].plain.len() < 200
            && !reading.sentences[i - 1].is_question()
            && speaks(&reading.sentences[i - 1].plain);
        let after = reading.sentences.get(i + 1).is_some_and(|s| {
            s.has_any(&[
                "this forms",
                "these form",
                "form a cycle",
                "forms a cycle",
                "form a loop",
                "forms a loop",
            ])
        });
        if pairs.len() >= 2
            && (speaks(&sentence.plain) && claims(&sentence.plain)
                || before && claims(&reading.sentences[i - 1].plain)
                || after)
        {
            return (Vec::new(), pairs);
        }
    }
    // `the cycle is 0-1-2-0`, `cycle: 0 -> 1 -> 2 -> 0`, `the nodes 0, 1, 2 form a cycle`.
    for run in reading.runs().iter().rev() {
        let plain = &reading.sentences[run.sentence].plain;
        let lead = reading.lead(run.sentence, run.start);
        let named = speaks(&lead) && (run.drawn || run.numbers.len() >= 3)
            || run.drawn && run.numbers.len() >= 3 && claims(plain)
            || run.drawn
                && run.numbers.len() >= 4
                && run.numbers.split_last().is_some_and(|(last, before)| before.contains(last));
        // `a cycle of length 3` and `cycle 1:` are no nodes.
        let length = lead.ends_with("length ");
        if run.numbers.len() >= 2
            && named
            && !length
            && !(run.loose && run.numbers.len() == 2 && !lead.ends_with("between nodes "))
        {
            let mut nodes = run.numbers.clone();
            // `30 -> 16 -> 2 -> 31 -> 1 -> 2` walks into the cycle first.
            if let Some(last) = nodes.pop() {
                match nodes.iter().position(|node| *node == last) {
                    Some(place) if run.drawn && nodes.len() - place >= 3 => {
                        nodes.drain(..place);
                    }
                    Some(0) => {}
                    _ => nodes.push(last),
                }
            }
            return (nodes, Vec::new());
        }
    }
    (read_chain(reading), Vec::new())
}

/// A cycle told in words: `node 0 is connected to node 2, which is connected to node 1, which is
/// connected to node 0`, or the same in steps; also `node 4 is connected to itself`.
fn read_chain(reading: &Reading) -> Vec<i64> {
    let mut chain: Vec<i64> = Vec::new();
    let mut found = Vec::new();
    for sentence in &reading.sentences {
        let concludes = sentence.has_any(&["there is a cycle", "there is a loop", "again"])
            && !sentence.has_any(&["potential", "possible"]);
        for at in sentence.start..sentence.end {
            if reading.word(at) != "connected" || reading.word(at + 1) != "to" {
                continue;
            }
            let mut from = at;
            while from > sentence.start
                && matches!(
                    reading.word(from - 1),
                    "is" | "are" | "also" | "then" | "directly" | "turn" | "in"
                )
            {
                from -= 1;
            }
            let source = reading.integer(from.wrapping_sub(1));
            let relative = from > sentence.start && reading.word(from - 1) == "which";
            let next = at + 2 + usize::from(reading.word(at + 2) == "node");
            if reading.word(at + 2) == "itself" {
                if let Some(source) = source {
                    found = vec![source];
                }
                continue;
            }
            let lists = reading.word(at + 2) == "nodes" || lists_on(reading, next);
            let (Some(source), Some(target), false) = (
                source.or(if relative { chain.last().copied() } else { None }),
                reading.integer(next),
                lists,
            ) else {
                chain.clear();
                continue;
            };
            if chain.last() != Some(&source) {
                chain = vec![source];
            }
            if let Some(place) = chain.iter().position(|node| *node == target) {
                let ring = chain[place..].to_vec();
                // Back and forth over one edge is claimed as a cycle only where it says so.
                if ring.len() >= 3 || relative || concludes {
                    found = ring;
                }
            }
            chain.push(target);
        }
    }
    found
}

/// Whether the number at `at` begins a list: `node 1, node 2 and node 3`.
fn lists_on(reading: &Reading, at: usize) -> bool {
    let mut next = at + 1;
    if !matches!(reading.word(next), "," | "and") {
        return false;
    }
    while matches!(reading.word(next), "," | "and" | "node") {
        next += 1;
    }
    reading.is_number(next) && !matches!(reading.word(next + 1), "is" | "are" | "in")
}

fn claims(plain: &str) -> bool {
    ["form", "forms", "formed", "cycle is", "loop is", "a cycle", "a loop", "cycle", "loop"]
        .iter()
        .any(|w| contains(plain, w))
        && !contains(plain, "the edges are")
}

pub(crate) fn judge(
    problem: Asked<'_, Whole>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Answer { has_cycle, cycle, edges } = answer;
    let graph = problem.graph;
    let truth =
        if graph.is_directed() { !oracle::is_acyclic(graph) } else { oracle::has_cycle(graph) };
    let claim = if *has_cycle { "there is a cycle" } else { "there is no cycle" };
    evidence.check(*has_cycle == truth, format_args!("claimed: {claim}"));
    if *has_cycle != truth {
        let fact = prove(graph, truth, &mut evidence);
        let text = format_args!("The answer says that {claim}, but {fact}.");
        return Judgement::new(Verdict::Incorrect, evidence, text);
    }
    if !truth {
        let fact = prove(graph, truth, &mut evidence);
        let text = format_args!("Right: {fact}.");
        return Judgement::new(Verdict::Correct, evidence, text);
    }
    if cycle.is_empty() && edges.is_empty() {
        prove(graph, truth, &mut evidence);
        let text = "Right: there is a cycle.";
        return Judgement::new(Verdict::Correct, evidence, text);
    }
    let fault = if edges.is_empty() {
        node_fault(graph, cycle, &mut evidence)
    } else {
        edge_fault(graph, edges, &mut evidence)
    };
    match fault {
        None => Judgement::new(
            Verdict::Correct,
            evidence,
            "Right: there is a cycle, and the one shown is one.",
        ),
        Some(fault) => Judgement::new(
            Verdict::Partial,
            evidence,
            format!("There is a cycle, but what is shown is not one: {fault}."),
        ),
    }
}

/// Proves that there is a cycle, or that there is none, and says so.
fn prove(graph: &Graph, has_cycle: bool, evidence: &mut Evidence) -> &'static str {
    if !has_cycle {
        evidence.check(
            true,
            format_args!(
                "{} nodes and {} edges: every component has one edge less than nodes",
                graph.n_nodes(),
                graph.n_edges()
            ),
        );
        return "the graph has no cycle";
    }
    if evidence.is_wanted()
        && let Some(names) = oracle::cycle(graph)
    {
        evidence.check(true, format_args!("a cycle: {}", crate::names::join(&names, " - ")));
        for (i, node) in names.iter().enumerate() {
            evidence.edge(node, &names[(i + 1) % names.len()], MarkKind::Path, None);
        }
    }
    "the graph has one"
}

/// What is wrong with a cycle given as nodes.
fn node_fault(graph: &Graph, cycle: &[NodeName], evidence: &mut Evidence) -> Option<String> {
    if cycle.len() < 3 && !graph.is_directed() {
        evidence.check(false, "a cycle needs three nodes at least");
        return Some("it has fewer than three nodes".into());
    }
    let mut closed = cycle.to_vec();
    closed.extend(cycle.first().cloned());
    let whole = walk(graph, &closed, false, evidence).is_some();
    if let Some(twice) = repeated(cycle) {
        evidence.check(false, format_args!("node {twice} comes twice"));
        return Some(format!("node {twice} comes twice"));
    }
    (!whole).then(|| "it uses an edge that is not in the graph".to_owned())
}

/// What is wrong with a cycle given as edges: they must be exactly the edges of one cycle, in
/// whatever order.
fn edge_fault(
    graph: &Graph,
    edges: &[(NodeName, NodeName)],
    evidence: &mut Evidence,
) -> Option<String> {
    use std::collections::{BTreeMap, BTreeSet};
    let mut fault = None;
    let mut distinct = BTreeSet::new();
    for (a, b) in edges {
        let there = graph.edge(a, b).is_some();
        let kind = if there { MarkKind::True } else { MarkKind::False };
        evidence.edge(a, b, kind, None);
        let text = if there { "in the graph" } else { "not in the graph" };
        evidence.check(there, format_args!("({a},{b}): {text}"));
        if !there {
            fault.get_or_insert_with(|| format!("({a},{b}) is not in the graph"));
        }
        let key = if a <= b { (a, b) } else { (b, a) };
        if !distinct.insert(key) {
            evidence.check(false, format_args!("({a},{b}) is listed twice"));
            fault.get_or_insert_with(|| format!("({a},{b}) is listed twice"));
        }
    }
    let mut neighbours: BTreeMap<&NodeName, Vec<&NodeName>> = BTreeMap::new();
    for (a, b) in &distinct {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    let odd = neighbours.iter().find(|(_, others)| others.len() != 2);
    if let Some((node, others)) = odd {
        let text =
            format!("node {node} is in {} of these edges; in a cycle it is in two", others.len());
        evidence.check(false, text.as_str());
        fault.get_or_insert(text);
        return fault;
    }
    // Every node has two neighbours, so this is one cycle or several: walk one round.
    let start = neighbours.keys().next().copied()?;
    let (mut before, mut at, mut length) = (start, neighbours[start][0], 1);
    while at != start {
        let next = if neighbours[at][0] == before { neighbours[at][1] } else { neighbours[at][0] };
        (before, at) = (at, next);
        length += 1;
    }
    if length != neighbours.len() {
        evidence.check(false, "the edges form more than one ring");
        fault.get_or_insert("the edges form more than one ring".into());
    }
    fault
}
