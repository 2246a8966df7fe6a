//! Cycle: the decision, and the cycle where one is shown.

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::named::wrapped;
use super::ring::shown;
use super::{repeated, ring_of, walk};
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::reading::ReadingRule;
use crate::reading::{Decision, Said, leads, muses};
use crate::reading::{Phrases, phrases};
use crate::reading::{Reading, Sentence, contains};
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

static NONE: Phrases = Phrases::of(
    "no cycle, no cycles, not a cycle, acyclic, cycle free, not contain a cycle, \
     not contain any cycle, not contain any cycles, not contain cycles, not have a cycle, \
     cannot contain a cycle, cannot have a cycle, not have any cycle, not have any cycles, \
     without a cycle, without cycles, not any cycle, not any cycles, is not cyclic, \
     cycle does not exist, no such cycle, not find a cycle, not find any cycle, \
     not find any cycles, graph is a tree, is a forest",
);

/// Denials of one of those.
static NOT_NONE: Phrases = Phrases::of(
    "not acyclic, not an acyclic, not be acyclic, not cycle free, not a forest, \
     not without a cycle",
);

static SOME: Phrases = Phrases::of(
    "there is a cycle, there are cycles, there exists a cycle, contains a cycle, has a cycle, \
     form a cycle, forms a cycle, formed a cycle, a cycle exists, creates a cycle, \
     create a cycle, is a cycle of length, at least one cycle, exactly one cycle, \
     there are multiple cycles, there are two cycles, found a cycle, cycle detected, cycle found, \
     is cyclic, forming a cycle, creating a cycle, contains cycles, there is one cycle, \
     there is indeed a cycle, completes a cycle, completing a cycle, the cycle is, have a cycle, \
     has cycles, cycle between, graph is a cycle, graph itself is a cycle",
);

/// Edges that are no cycle; others may be one.
static NO_RING: Phrases = Phrases::of(
    "not form a cycle, not form any cycle, not create a cycle, not form any cycles, \
     no edges that form a cycle, none of the edges form",
);

/// Words that make a sentence about something else than any cycle in the graph.
static ASIDE: Phrases = Phrases::of(
    "potential cycle, possible cycle, self cycle, self cycles, to itself, other cycle, \
     other cycles, more cycles, further cycles, additional cycles, not necessarily, \
     could be a cycle, might be a cycle",
);

pub(crate) fn read(problem: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    let asks = |sentence: &Sentence| {
        let ours = sentence.has_any(&["cycle", "cycles"]) && !sentence.has_any(&ASIDE);
        // A no to "is there a cycle of length 3?" settles nothing, a yes does.
        ours && !is_limited(reading, sentence)
    };
    let decision = Decision::hear(reading, asks, |i, sentence, replies| {
        let limited = is_limited(reading, sentence);
        let strong = |yes, rule, words| Some((Said::new(yes, rule, words), true));
        let mut found = leads(reading, sentence)
            .filter(|said| {
                replies
                    && !sentence.has_any(&ASIDE)
                    && (said.yes || !limited)
                    && !(i > 0 && is_about_an_edge(sentence))
            })
            .map(|said| (said, true));
        // `Cycle: [1, 4, 2, 1]`
        let numbers = || (sentence.start..sentence.end).filter(|at| reading.is_number(*at)).count();
        if reading.is_mark(sentence.start + 1, b':') && sentence.begins("cycle") && numbers() > 2 {
            found = strong(true, "a cycle", "cycle");
        }
        if muses(sentence) {
            return found;
        }
        // What comes after "so" or "therefore" is the conclusion of the sentence.
        let part = conclusion(sentence);
        let find = |words: &[&'static str]| {
            words.iter().copied().find(|w| sentence.may_have(w) && contains(part, w))
        };
        if find(&ASIDE).is_some()
            && find(&["there is no cycle in", "there is a cycle in", "a cycle in this graph"])
                .is_none()
        {
            return found;
        }
        if let Some(words) = find(&NOT_NONE) {
            return strong(true, "a cycle", words);
        }
        // "There is a path from node 0 to node 5, but it is not a cycle."
        let of_a_path = contains(part, "path") && !contains(part, "graph is not a cycle");
        if let Some(words) = find(&NONE).filter(|words| *words != "not a cycle" || !of_a_path) {
            return if limited { found } else { strong(false, "no cycle", words) };
        }
        if let Some(words) = find(&NO_RING) {
            let hint = Said::new(false, "edges without a cycle at the end", words);
            return found.or(Some((hint, false)));
        }
        match find(&SOME) {
            Some(words) => strong(true, "a cycle", words),
            None => found,
        }
    });
    let has_cycle = decision.conclude(reading)?;
    let (cycle, edges) = if has_cycle { shown(problem.graph, reading) } else { Default::default() };
    Some(Answer { has_cycle, ..named(cycle, edges) })
}

/// A cycle by its nodes' names.
fn named(cycle: Vec<i64>, edges: Vec<(i64, i64)>) -> Answer {
    let name = NodeName::Int;
    Answer {
        has_cycle: true,
        cycle: cycle.into_iter().map(name).collect(),
        edges: edges.into_iter().map(|(a, b)| (name(a), name(b))).collect(),
    }
}

/// As [`read`], where the decision stands between `<<<` and `>>>`.
pub(crate) fn read_marked(problem: Asked<'_, Whole>, reading: &Reading) -> Option<Answer> {
    let inside = wrapped(reading).and_then(|inside| read(problem, &Reading::new(inside)));
    let Some(inside) = inside else { return read(problem, reading) };
    reading.fire(ReadingRule { sentence: None, ..ReadingRule::decision("mark", "<<<", 0) });
    // A cycle may stand before the marks.
    let (cycle, edges) =
        if inside.has_cycle { shown(problem.graph, reading) } else { Default::default() };
    Some(Answer { has_cycle: inside.has_cycle, ..named(cycle, edges) })
}

/// Whether a sentence is about some cycles only: those of a length, with a node, or between two.
fn is_limited(reading: &Reading, sentence: &Sentence) -> bool {
    let some = sentence.has_any(phrases!(
        "of length, length 3, triangle, direct cycle, with node, with nodes, through node, \
         through nodes, containing node, containing nodes, involving node, involving nodes, \
         including node, including nodes"
    ));
    // "between nodes 3 and 7", but neither "between the nodes of this graph" nor "between any of the
    // nodes 0 to 7".
    let between = || {
        (sentence.start..sentence.end)
            .find(|at| reading.word(*at) == "between")
            .filter(|at| !matches!(reading.word(at + 1), "any" | "all"))
            .is_some_and(|at| (at + 1..sentence.end).any(|at| reading.is_number(at)))
    };
    some || sentence.has("between") && between()
}

/// Whether a yes or no is about an edge: an item of a list of pairs, and no word on cycles.
fn is_about_an_edge(sentence: &Sentence) -> bool {
    sentence.has_any(&[
        "there is an edge",
        "there is no edge",
        "there is not an edge",
        "is no edge",
    ]) && !sentence.has_any(&["cycle", "cycles", "cyclic", "acyclic"])
}

/// The part of a sentence that concludes.
fn conclusion(sentence: &Sentence) -> &str {
    let plain = sentence.plain.as_str();
    [" therefore ", " thus ", " hence ", " so there ", " so yes ", " so no ", " so it ", " so the "]
        .iter()
        .filter_map(|word| plain.rfind(word))
        .max()
        .map_or_else(|| past_reason(plain), |at| &plain[at..])
}

/// A sentence without its reason, if it says something before it: "yes, there is a cycle, because each
/// node has one edge and there are no cycles".
fn past_reason(plain: &str) -> &str {
    let before = plain.find(" because ").map(|at| &plain[..at]);
    let says =
        |part: &&str| [&NONE, &NOT_NONE, &SOME].iter().any(|l| l.iter().any(|w| contains(part, w)));
    before.filter(says).unwrap_or(plain)
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
    if !has_cycle && graph.is_directed() {
        if evidence.is_wanted()
            && let Some(order) = oracle::forward_order(graph)
        {
            let order = crate::names::join(&order, ", ");
            evidence.check(true, format_args!("every edge leads forward in the order {order}"));
        }
        return "the graph has no cycle";
    }
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
        for (a, b) in ring_of(&names) {
            evidence.edge(a, b, MarkKind::Path, None);
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
        let kind = MarkKind::of(there);
        evidence.edge(a, b, kind, None);
        let text = if there { "in the graph" } else { "not in the graph" };
        evidence.check(there, format_args!("({a},{b}): {text}"));
        if !there {
            fault.get_or_insert_with(|| format!("({a},{b}) is not in the graph"));
        }
        let key = if a <= b || graph.is_directed() { (a, b) } else { (b, a) };
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
    let starts: BTreeSet<&NodeName> = distinct.iter().map(|(a, _)| *a).collect();
    if graph.is_directed() && starts.len() < distinct.len() {
        evidence.check(false, "two of the edges leave one node");
        fault.get_or_insert("two of the edges leave one node".into());
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
