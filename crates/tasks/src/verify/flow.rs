//! Maximum flow: the value, and the flow where one is told that can be read for certain.

use std::collections::BTreeMap;

use graph::NodeName;
use serde::{Deserialize, Serialize};

use super::same;
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle;
use crate::reading::Phrases;
use crate::reading::ReadingRule;
use crate::reading::{Reading, Sentence, muses, takes_back};
use crate::statements::{self, Asks, Said, Statement, Subject};
use crate::{Judgement, TaskId, Terminals, Verdict};

/// A maximum flow, as a text gives it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The total flow from source to sink, where the text says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What flows along which arc, where that is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<FlowClaim>,
}

/// So much flows along one arc.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowClaim {
    /// Where the arc starts.
    pub source: NodeName,
    /// The node that the flow reaches.
    pub target: NodeName,
    /// The flow along the edge, 0 or more.
    pub amount: f64,
}

static NAMED: Phrases = Phrases::of(
    "maximum flow, max flow, maximal flow, maximum possible flow, maxflow, maximum amount, \
     maximum value, maximum total flow",
);

const ANSWERS: [&str; 5] =
    ["answer", "flow value", "total flow", "value of the flow", "total unit"];

/// The longest name of a flow, in words, that is looked for in other sentences.
const MOST_WORDS: usize = 12;

pub(crate) fn read(problem: Asked<'_, Terminals>, reading: &Reading) -> Option<Answer> {
    let Terminals { source, sink } = problem.query;
    let (s, t) = (source.as_int()?, sink.as_int()?);
    let stated = |words: &[&'static str]| {
        (0..reading.sentences.len())
            .rev()
            .filter(|i| reading.sentences[*i].has_any(words))
            .find_map(|i| Some((value_in(reading, i, words, s, t)?, i)))
    };
    let found = stated(&["final answer", "answer is"])
        .map(|(value, at)| (value, "the answer is", Some(at)))
        .or_else(|| stated(&NAMED).map(|(value, at)| (value, "maximum flow", Some(at))))
        .or_else(|| stated(&ANSWERS).map(|(value, at)| (value, "total flow", Some(at))))
        .or_else(|| bare(reading).map(|value| (value, "a number alone", None)))
        .or_else(|| carried(reading, s, t).map(|(value, at)| (value, "units that flow", Some(at))))
        .or_else(|| stated(&["flow"]).map(|(value, at)| (value, "flow", Some(at))))
        .or_else(|| stated(&["total"]).map(|(value, at)| (value, "total", Some(at))))
        .or_else(|| named(reading, s, t).map(|(value, at)| (value, "another name", Some(at))));
    let (value, rule, sentence) = found.filter(|_| !reading.lists_alone)?;
    let again = sentence.and_then(|at| corrected(reading, at));
    let (value, rule, sentence) =
        again.map_or((value, rule, sentence), |(value, at)| (value, "taken back", Some(at)));
    reading.fire(ReadingRule::number(rule, sentence));
    let flows = flows(problem, reading);
    if !flows.is_empty() {
        reading.fire(ReadingRule::witness("told flows", None));
    }
    Some(Answer { value: Some(value), flows })
}

/// The value that a sentence states after the words, if it is about the two nodes.
fn value_in(reading: &Reading, index: usize, words: &[&str], s: i64, t: i64) -> Option<f64> {
    let sentence = &reading.sentences[index];
    if sentence.is_question() || muses(sentence) && !sentence.has("is therefore") {
        return None;
    }
    let start = last_cue(reading, sentence, words)?;
    // Whose flow: numbers behind "node" before the value.
    let mut named = Vec::new();
    let mut is = None;
    let mut after_node = false;
    for at in start..sentence.end {
        let word = reading.word(at);
        if reading.is_number(at) {
            let joined = matches!(
                reading.word(at.wrapping_sub(1)),
                "node" | "nodes" | "from" | "to" | "source" | "sink" | "("
            ) || after_node
                && matches!(reading.word(at.wrapping_sub(1)), "and" | "->" | "," | "-");
            if joined && is.is_none() {
                named.push(reading.integer(at)?);
                after_node = true;
                continue;
            }
            // "is not 7 but 6".
            if reading.word(at.wrapping_sub(1)) == "not" {
                continue;
            }
            if let Some(is) = is {
                let gap = reading.plain(is, at);
                // "is limited by the edge from node 8": the number is a node or a capacity of it.
                let far = [
                    "edge",
                    "edges",
                    "node",
                    "capacity",
                    "capacities",
                    "path",
                    "minimum of",
                    "limited",
                ]
                .iter()
                .any(|w| crate::reading::contains(&gap, w));
                if far || matches!(reading.word(at.wrapping_sub(1)), "node" | "step" | "steps") {
                    break;
                }
                if named.len() >= 2 && (named[0], named[1]) != (s, t) {
                    return None;
                }
                let (value, next) = reading.value(at)?;
                // "is 15 from node 0 to node 1, 7 from …": parts, and the sum comes later.
                if matches!(reading.word(next), "from" | "along" | "through") {
                    break;
                }
                return Some(value);
            }
        } else if matches!(
            word,
            "is" | ":"
                | "="
                | "of"
                | "be"
                | "equals"
                | "equal"
                | "becomes"
                | "totals"
                | "are"
                | "was"
                | "->"
        ) {
            // "of flow from node 1": that `of` leads to no value, the later `is` does.
            if !(word == "of" && matches!(reading.word(at + 1), "flow" | "the" | "units")) {
                is = Some(at);
                after_node = false;
            }
        }
    }
    if named.len() >= 2 && (named[0], named[1]) != (s, t) {
        return None;
    }
    // "is the minimum of those, which is 6", "so it is 6": the last such number.
    let which = (start..sentence.end).rev().find(|at| {
        matches!(reading.word(*at), "is" | "=" | ":" | "of" | "be" | "equals")
            && (reading.is_number(at + 1))
            && !(reading.word(*at) == "of" && reading.word(at.wrapping_sub(1)) == "capacity")
    });
    if let Some(at) = which {
        return reading.value(at + 1).map(|(value, _)| value);
    }
    // "is seven".
    let worded = (start..sentence.end).rev().find_map(|at| {
        let states = matches!(reading.word(at), "is" | "be" | "equals" | ":");
        let counts = states && !matches!(reading.word(at + 2), "of" | "path" | "edge");
        reading.count(at + 1).filter(|_| counts)
    });
    if let Some(value) = worded {
        return Some(value as f64);
    }
    // The number on the next line: "the maximum flow is:\n7".
    let next = reading.sentences.get(index + 1)?;
    let ends = is.is_some_and(|is| is + 1 >= sentence.end);
    let alone = (next.start..next.end).filter(|i| reading.is_number(*i)).count() == 1
        || next.end - next.start <= 3;
    (ends && alone)
        .then(|| {
            (next.start..next.end).find(|i| reading.is_number(*i)).and_then(|i| reading.value(i))
        })?
        .map(|(value, _)| value)
}

/// The value that is said behind a second thought: "wait, … so it's actually 2 + 4 = 6".
fn corrected(reading: &Reading, said: usize) -> Option<(f64, usize)> {
    let from = (said + 1..reading.sentences.len()).find(|i| takes_back(&reading.sentences[*i]))?;
    (from..reading.sentences.len()).rev().find_map(|i| {
        let sentence = &reading.sentences[i];
        let mut ends = (sentence.start..sentence.end).rev();
        let is = ends.find(|at| {
            let says =
                matches!(reading.word(*at), "it's" | "is" | "be" | "flow" | "answer" | "value");
            says && reading.is_number(at + 1)
                || says
                    && matches!(reading.word(at + 1), "actually" | "really" | "only" | "is")
                    && reading.is_number(at + 2)
        })?;
        let at = (is + 1..is + 3).find(|at| reading.is_number(*at))?;
        let (value, next) = reading.value(at)?;
        (next >= sentence.end || !sentence.is_question()).then_some((value, i))
    })
}

/// The value of a flow that a text calls by another name and gives a number for that: "the maximum
/// capacity of an edge is 4. The maximum flow from node 0 to node 2 is the maximum capacity of an edge."
fn named(reading: &Reading, s: i64, t: i64) -> Option<(f64, usize)> {
    let flow = format!(" maximum flow from node {s} to node {t} is the ");
    let is_said = |sentence: &&Sentence| !sentence.is_question() && !muses(sentence);
    let (_, name) = reading
        .sentences
        .iter()
        .rev()
        .filter(is_said)
        .find_map(|sentence| sentence.plain.split_once(flow.as_str()))?;
    let words: Vec<&str> = name.split_whitespace().take(MOST_WORDS).collect();
    // As much of the name as another sentence has before its number.
    (2..=words.len()).rev().find_map(|n| {
        let says = format!(" the {} is ", words[..n].join(" "));
        reading.sentences.iter().enumerate().rev().filter(|(_, of)| is_said(of)).find_map(
            |(i, sentence)| {
                let (_, value) = sentence.plain.split_once(says.as_str())?;
                let value: f64 = value.split_whitespace().next()?.parse().ok()?;
                value.is_finite().then_some((value, i))
            },
        )
    })
}

/// `six units can flow from node 0 to node 5`: the value comes before what it counts.
fn carried(reading: &Reading, s: i64, t: i64) -> Option<(f64, usize)> {
    let can = ["can flow", "could flow", "can be sent", "can be pushed", "can reach", "can get"];
    // Through an edge or along a path flows a part.
    let part =
        ["edge", "edges", "path", "paths", "along", "through", "via", "each", "more", "another"];
    reading.sentences.iter().enumerate().rev().find_map(|(i, sentence)| {
        let is_whole = sentence.has_any(&can) && !sentence.has_any(&part);
        if !is_whole || sentence.is_question() || muses(sentence) {
            return None;
        }
        let counts = |at: &usize| matches!(reading.word(at + 1), "unit" | "units");
        let at = (sentence.start..sentence.end).rev().find(counts)?;
        let value = reading.number(at).or_else(|| reading.count(at).map(|count| count as f64))?;
        let others = (sentence.start..sentence.end).filter(|other| *other != at);
        let named: Vec<i64> = others.filter_map(|at| reading.integer(at)).collect();
        (named.is_empty() || named == [s, t]).then_some((value, i))
    })
}

/// Just behind the last place in the sentence where one of the words stands.
fn last_cue(reading: &Reading, sentence: &Sentence, words: &[&str]) -> Option<usize> {
    words
        .iter()
        .filter_map(|words| {
            let parts: Vec<&str> = words.split(' ').collect();
            (sentence.start..sentence.end)
                .rev()
                .find(|at| parts.iter().enumerate().all(|(k, part)| reading.word(at + k) == *part))
                .map(|at| at + parts.len())
        })
        .max()
}

/// A text that is a number and little else.
fn bare(reading: &Reading) -> Option<f64> {
    let numbers: Vec<usize> = (0..reading.tokens.len()).filter(|i| reading.is_number(*i)).collect();
    if reading.tokens.len() > 12 + 2 * numbers.len() {
        return None;
    }
    let first = *numbers.first()?;
    let (value, next) = reading.value(first)?;
    // Nothing numeric is left behind the sum.
    (!numbers.iter().any(|i| *i >= next)).then_some(value)
}

/// What is stated to flow along edges, where the text says what is sent: `send 7 units of flow from node 5 to
/// node 2, and 8 units of flow from node 5 to node 1`.
fn flows(problem: Asked<'_, Terminals>, reading: &Reading) -> Vec<FlowClaim> {
    let Asked { graph, query: Terminals { source, sink } } = problem;
    if !reading.sentences.iter().any(|sentence| sentence.has("send")) {
        return Vec::new();
    }
    let (speech, asks) = (TaskId::Flow.speech(), Asks::Flow(source, sink));
    let subject = Subject { graph, speech, asks, names: None };
    let is_sent = |i: usize| reading.sentences.get(i).is_some_and(|sentence| sentence.has("send"));
    let flow = |statement: Statement| match statement.said {
        Said::Flow { u: source, v: target, value: amount } if is_sent(statement.sentence) => {
            Some(FlowClaim { source, target, amount })
        }
        _ => None,
    };
    statements::read(subject, reading).into_iter().filter_map(flow).collect()
}

pub(crate) fn judge(
    problem: Asked<'_, Terminals>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Terminals { source: s, sink: t } = problem.query;
    let Answer { value, flows } = answer;
    let Some(value) = *value else {
        return Judgement::no_answer("No value of a flow is stated.");
    };
    evidence.node(s, MarkKind::Path);
    evidence.node(t, MarkKind::Path);
    let Some(cut) = oracle::min_cut(problem.graph, s, t) else {
        let text = format_args!("{s} and {t} are not a source and a sink in this graph.");
        return Judgement::new(Verdict::Incorrect, evidence, text);
    };
    for (a, b, capacity) in &cut.edges {
        evidence.edge(a, b, MarkKind::Cut, Some(*capacity));
    }
    // Beside the flow that an answer tells, another would confuse.
    if flows.is_empty() {
        for (a, b, amount) in &cut.flow {
            evidence.edge(a, b, MarkKind::Flow, Some(*amount));
        }
    }
    for node in &cut.source_side {
        evidence.node(node, MarkKind::Side(0));
    }
    if evidence.is_wanted() {
        let sum: Vec<String> = cut.edges.iter().map(|(_, _, c)| c.to_string()).collect();
        evidence.check(
            true,
            format_args!(
                "all flow must cross a cut of capacity {} = {}, and so much can flow",
                if sum.is_empty() { "0".to_owned() } else { sum.join(" + ") },
                cut.value
            ),
        );
    }
    if !evidence.check(same(value, cut.value), format_args!("stated value {value}")) {
        let text = format_args!("The maximum flow is {}, not {value}.", cut.value);
        return Judgement::new(Verdict::Incorrect, evidence, text);
    }
    match flow_fault(problem, flows, s, t, value, &mut evidence) {
        None => {
            let text = format_args!("Right: the maximum flow is {value}.");
            Judgement::new(Verdict::Correct, evidence, text)
        }
        Some(fault) => {
            let text = format_args!(
                "The maximum flow is {value}, as it says, but the flow told does not work: {fault}."
            );
            Judgement::new(Verdict::Partial, evidence, text)
        }
    }
}

/// What is wrong with a flow that is told.
fn flow_fault(
    problem: Asked<'_, Terminals>,
    flows: &[FlowClaim],
    s: &NodeName,
    t: &NodeName,
    value: f64,
    evidence: &mut Evidence,
) -> Option<String> {
    if flows.is_empty() {
        return None;
    }
    let mut fault: Option<String> = None;
    let mut on_edge: BTreeMap<(&NodeName, &NodeName), f64> = BTreeMap::new();
    for claim in flows {
        *on_edge.entry((&claim.source, &claim.target)).or_default() += claim.amount;
    }
    let mut balance: BTreeMap<&NodeName, f64> = BTreeMap::new();
    for ((a, b), amount) in on_edge {
        let capacity = problem.graph.edge(a, b).map(|e| e.capacity_or_weight());
        let (holds, text) = match capacity {
            None => (false, format!("{a} to {b}: no such edge")),
            Some(c) if amount > c + 1e-9 => {
                (false, format!("{a} to {b}: {amount} of {c}, too much"))
            }
            Some(c) => (true, format!("{a} to {b}: {amount} of {c}")),
        };
        evidence.check(holds, text.as_str());
        let kind = MarkKind::of(holds);
        evidence.edge(a, b, kind, Some(amount));
        if holds {
            evidence.edge(a, b, MarkKind::Flow, Some(amount));
        }
        if !holds {
            fault.get_or_insert(text);
        }
        *balance.entry(a).or_default() -= amount;
        *balance.entry(b).or_default() += amount;
    }
    for (node, left) in &balance {
        if *node != s && *node != t && *left < -1e-9 {
            let text = format!("node {node} sends {} more than reaches it", -left);
            evidence.check(false, text.as_str());
            fault.get_or_insert(text);
        }
    }
    let arrives = balance.get(t).copied().unwrap_or_default();
    if !same(arrives, value) {
        let text = format!("{arrives} arrives at node {t}, not {value}");
        evidence.check(false, text.as_str());
        fault.get_or_insert(text);
    }
    fault
}
