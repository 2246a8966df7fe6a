//! Subgraph search: the decision, and the partners of the pattern's nodes where they are shown.

use std::collections::BTreeMap;

use graph::NodeName;
use serde::{Deserialize, Serialize};

use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::oracle::{Occurrence, occurrence};
use crate::reading::Phrases;
use crate::reading::ReadingRule;
use crate::reading::{Decision, Said, leads, marked, muses};
use crate::reading::{Kind, Reading, Sentence};
use crate::{Judgement, Pattern, Verdict};

/// Whether the pattern is a part of the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether it is there; `None` where a bounded search did not decide it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_present: Option<bool>,
    /// The partners shown for a yes: a node of the pattern, then one of the graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mapping: Vec<(NodeName, NodeName)>,
}

/// Words by which a sentence is about the question itself.
static ABOUT: Phrases = Phrases::of(
    "present, substructure, a subgraph, isomorphic, exact match, is contained, be found, \
     is found, embedded, g contains, graph contains, contains the subgraph, contains subgraph, \
     contain the subgraph, contain subgraph, exists within",
);

/// Words that deny it.
static DENIES: Phrases =
    Phrases::of("not, cannot, no, none, never, fails, unable, impossible, absent, false");

/// Sentences about what would have to hold, or about a single step.
static ASIDE: Phrases = Phrases::of(
    "edge, edges, arc, arcs, node, if, whether, must be, should be, would be, to be present, \
     means, so far, might, could be, each",
);

/// What a sentence says about the question, if anything.
fn says(sentence: &Sentence) -> Option<bool> {
    if !sentence.has_any(&ABOUT) || muses(sentence) || sentence.has_any(&ASIDE) {
        return None;
    }
    Some(!sentence.has_any(&DENIES))
}

/// Reads what stands behind `###`; else the last sentence that says yes or no.
pub(crate) fn read(problem: Asked<'_, Pattern>, reading: &Reading) -> Option<Answer> {
    let is_present = marked(reading, says).or_else(|| read_decision(reading))?;
    let mapping = if is_present { shown(*problem.query, reading) } else { Vec::new() };
    if !mapping.is_empty() {
        reading.fire(ReadingRule::witness("partners", None));
    }
    Some(Answer { is_present: Some(is_present), mapping })
}

fn read_decision(reading: &Reading) -> Option<bool> {
    let asks = |sentence: &Sentence| sentence.has_any(&ABOUT) && !sentence.has_any(&ASIDE[..5]);
    let decision = Decision::hear(reading, asks, |_, sentence, replies| {
        let present = |yes| Said::new(yes, "says that it is present", "present");
        let leads = || {
            let is_ours = replies && !sentence.has_any(&ASIDE[..4]);
            leads(reading, sentence).filter(|_| is_ours)
        };
        Some((says(sentence).map(present).or_else(leads)?, true))
    });
    decision.conclude(reading)
}

/// `a -> 3, b: 0, c maps to node 5`: the last partner of each node of the pattern, if all have one. A
/// letter and a number are no edge in this question, so whatever joins them pairs them.
fn shown(query: Pattern, reading: &Reading) -> Vec<(NodeName, NodeName)> {
    let mut partners: BTreeMap<NodeName, i64> = BTreeMap::new();
    for at in 0..reading.tokens.len() {
        if reading.kind(at) != Some(Kind::Word) || reading.word(at).len() != 1 {
            continue;
        }
        let mut next = at + 1;
        let mut is_joined = false;
        while next < at + 8 {
            is_joined |= match reading.kind(next) {
                Some(Kind::Arrow | Kind::Mark(b':' | b'=' | b'-' | b'|' | b',')) => true,
                Some(Kind::Mark(b'"' | b'\'' | b'(')) => false,
                Some(Kind::Word) => match reading.word(next) {
                    "to" | "is" | "as" | "with" | "by" | "matches" | "becomes" => true,
                    "maps" | "mapped" | "corresponds" | "corresponding" | "matched" | "node"
                    | "played" => false,
                    _ => break,
                },
                _ => break,
            };
            next += 1;
        }
        if let Some(node) = reading.integer(next).filter(|_| is_joined) {
            partners.insert(reading.word(at).into(), node);
        }
    }
    let pair = |letter: NodeName| partners.get(&letter).map(|node| (letter, NodeName::Int(*node)));
    query.letters().map(pair).collect::<Option<_>>().unwrap_or_default()
}

pub(crate) fn judge(
    problem: Asked<'_, Pattern>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Some(claim) = answer.is_present else {
        return Judgement::no_answer("There is no decision.");
    };
    let words = if claim { "it is present" } else { "it is not present" };
    let mut shown = None;
    if claim && !answer.mapping.is_empty() {
        let fault = fault(problem, &answer.mapping, &mut evidence);
        if fault.is_none() {
            let text = "Right: every edge of the pattern is an edge between the partners shown.";
            return Judgement::new(Verdict::Correct, evidence, text);
        }
        shown = fault;
    }
    let [graph, pattern] = problem.query.parts(problem.graph);
    let (truth, fact) = match occurrence(&graph, &pattern) {
        Occurrence::There(mapping) => {
            let pairs: Vec<String> = mapping.iter().map(|(a, b)| format!("{a} -> {b}")).collect();
            evidence.check(claim, format_args!("claimed: {words}"));
            evidence.check(true, format_args!("partners with all edges: {}", pairs.join(", ")));
            if shown.is_none() {
                for (letter, node) in &mapping {
                    evidence.labelled_node(node, MarkKind::Path, Some(letter.to_string()));
                    evidence.labelled_node(letter, MarkKind::Path, Some(node.to_string()));
                }
            }
            (true, "there are partners with all edges of the pattern".to_owned())
        }
        Occurrence::Absent(reason) => {
            evidence.check(!claim, format_args!("claimed: {words}"));
            evidence.check(true, reason.as_str());
            (false, reason)
        }
        Occurrence::Unknown => {
            evidence.note("the search for partners gave up before it knew");
            let text = "Without partners nothing shows that this is right.";
            return Judgement::new(Verdict::Partial, evidence, text);
        }
    };
    if claim != truth {
        let text = format_args!("The answer says that {words}, but {fact}.");
        return Judgement::new(Verdict::Incorrect, evidence, text);
    }
    match shown {
        Some(fault) => {
            let text = format_args!(
                "It is right that {words}, but the partners shown do not fit: {fault}."
            );
            Judgement::new(Verdict::Partial, evidence, text)
        }
        None => Judgement::new(Verdict::Correct, evidence, format_args!("Right: {fact}.")),
    }
}

/// What is wrong with the partners shown.
fn fault(
    problem: Asked<'_, Pattern>,
    mapping: &[(NodeName, NodeName)],
    evidence: &mut Evidence,
) -> Option<String> {
    let graph = problem.graph;
    let mut partners: BTreeMap<&NodeName, &NodeName> = BTreeMap::new();
    let mut fault = None;
    for (letter, node) in mapping {
        let is_free = partners.values().all(|other| *other != node);
        let is_there = graph.has_node(node) && node.as_int().is_some();
        let is_letter = problem.query.letters().any(|other| other == *letter);
        let kind = MarkKind::of(is_free && is_there);
        evidence.labelled_node(node, kind, Some(letter.to_string()));
        let holds = is_letter && is_there && is_free && !partners.contains_key(letter);
        if !holds && fault.is_none() {
            fault = Some(match (is_letter, is_there) {
                (false, _) => format!("the pattern has no node {letter}"),
                (_, false) => format!("the graph has no node {node}"),
                _ => format!("node {node} is the partner of two, or {letter} has two"),
            });
        }
        partners.insert(letter, node);
    }
    let without = problem.query.letters().find(|letter| !partners.contains_key(letter));
    if let Some(letter) = without {
        fault.get_or_insert_with(|| format!("{letter} has no partner"));
    }
    if let Some(fault) = &fault {
        evidence.check(false, fault.as_str());
    }
    for edge in graph.edges() {
        let (Some(a), Some(b)) = (partners.get(edge.source), partners.get(edge.target)) else {
            continue;
        };
        let holds = graph.edge(a, b).is_some();
        let kind = MarkKind::of(holds);
        evidence.edge(a, b, kind, None);
        let says = if holds { "an edge" } else { "no edge" };
        evidence
            .check(holds, format_args!("{} -> {}: {a} -> {b} is {says}", edge.source, edge.target));
        if !holds {
            fault.get_or_insert_with(|| {
                format!(
                    "the pattern has {} -> {}, the graph not {a} -> {b}",
                    edge.source, edge.target
                )
            });
        }
    }
    fault
}

#[cfg(test)]
mod tests {
    use crate::verify::{verify, verify_answer};
    use crate::{
        Answer, Difficulty, Problem, TaskId, Verdict, answers, parse_question, solve, task,
    };

    fn problem(edges: &str, pattern: &str) -> Problem {
        parse_question(&format!(
            "Determine if a smaller graph is present as an exact match within a larger graph. Q: The \
             nodes of graph G are numbered from 0 to 4, and the edges are: {edges}. The nodes of \
             subgraph G' are numbered from a to c, and the edges are: {pattern}. Is subgraph G' \
             present within graph G as a direct substructure?"
        ))
        .unwrap()
    }

    const YES: &[&str] = &[
        "### Yes",
        "### Yes.",
        "Yes",
        "The answer is yes.",
        "Subgraph G' is present within graph G as a direct substructure.",
        "So G' is a subgraph of G.",
        "The edge (c->a) is not needed. ### Yes",
        "{\"is_present\": true}",
        "Is subgraph G' present within graph G? Yes.",
        "Graph G contains the subgraph G'.",
    ];
    const NO: &[&str] = &[
        "### No",
        "No",
        "No, it is not.",
        "Subgraph G' is not present within graph G as a direct substructure.",
        "G' is not a subgraph of G.",
        "The pattern cannot be found in G.",
        "Graph G does not contain the subgraph G'. ### No",
        "{\"is_present\": false}",
    ];

    #[test]
    fn answers_in_words_are_read_and_judged() {
        use Verdict::{Correct, Incorrect, NoAnswer, Partial};
        let there = problem("(0->1) (0->2) (1->2) (3->4)", "(a->b) (c->b)");
        let absent = problem("(0->1) (1->2) (2->3) (3->4)", "(a->b) (c->b)");
        let check = |problem: &Problem, texts: &[&str], verdict: Verdict| {
            for text in texts {
                let judgement = verify(problem, text);
                assert_eq!(judgement.verdict, verdict, "{text}: {}", judgement.explanation);
            }
        };
        check(&there, YES, Correct);
        check(&there, NO, Incorrect);
        check(&absent, NO, Correct);
        check(&absent, YES, Incorrect);
        // The benchmark's own script finds a "no" in "node".
        check(&absent, &["### Yes, node 1 is b"], Incorrect);
        let none =
            ["", "I cannot say.", "Let us look at the nodes.", "The edge (a->b) is present in G."];
        check(&there, &none, NoAnswer);
        check(
            &there,
            &[
                "Take a -> 0, b -> 2, c -> 1. ### Yes",
                "Yes: a = 1, b = 2, c = 0.",
                "a maps to node 0, b maps to node 2 and c maps to node 1, so the answer is yes.",
                "{\"answer\": \"yes\", \"mapping\": {\"a\": 0, \"b\": 2, \"c\": 1}}",
            ],
            Correct,
        );
        check(
            &there,
            &[
                "Take a -> 0, b -> 1, c -> 2. ### Yes",
                "Yes: a = 0, b = 2, c = 0.",
                "Yes: a = 0, b = 2, c = 9.",
                "{\"answer\": \"yes\", \"mapping\": {\"a\": 0, \"b\": 4, \"c\": 1}}",
            ],
            Partial,
        );
        let judgement = verify(&absent, "### Yes");
        assert!(judgement.explanation.contains("no node of the graph has as many of both"));
    }

    #[test]
    fn every_wrong_witness_is_refused() {
        for level in Difficulty::ALL {
            let mut n_yes = 0;
            for seed in 0..40 {
                let problem = task(TaskId::Substructure).generate(level, seed);
                let Answer::Substructure(right) = solve(&problem) else { panic!("a search") };
                let verdict =
                    |answer| verify_answer(&problem, &Answer::Substructure(answer)).verdict;
                assert_eq!(verdict(right.clone()), Verdict::Correct);
                let is_present = right.is_present.map(|yes| !yes);
                let turned = answers::Substructure { is_present, mapping: Vec::new() };
                assert_eq!(verdict(turned), Verdict::Incorrect);
                n_yes += usize::from(right.is_present == Some(true));
                for i in 0..right.mapping.len() {
                    let mut fewer = right.clone();
                    fewer.mapping.remove(i);
                    assert_eq!(verdict(fewer), Verdict::Partial);
                    let mut twice = right.clone();
                    twice.mapping[i].1 = twice.mapping[(i + 1) % right.mapping.len()].1.clone();
                    assert_eq!(verdict(twice), Verdict::Partial);
                }
            }
            assert!((10..=36).contains(&n_yes), "{level}: {n_yes} of 40 are there");
        }
    }
}
