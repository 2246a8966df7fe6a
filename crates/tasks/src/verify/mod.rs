//! Judges answers: first reads what a text says, then holds that against the graph.
//!
//! Each task has a file with `read` (text to [`Answer`]) and `judge` (answer to [`Judgement`]).
//! How texts are read and verdicts decided is told in `docs/verifier.md`.

pub(crate) mod arena;
pub(crate) mod bipartite;
mod choice;
pub(crate) mod coloring;
pub(crate) mod connectivity;
pub(crate) mod cycle;
pub(crate) mod flow;
pub(crate) mod gnn;
pub(crate) mod hamilton;
pub(crate) mod matching;
pub(crate) mod named;
mod order;
mod ring;
pub(crate) mod shortest_path;
pub(crate) mod substructure;
pub(crate) mod topology;
pub(crate) mod traversal;
pub(crate) mod triplet;

use graph::{Graph, NodeName};

use crate::judgement::{CertLine, Evidence, MarkKind};
use crate::read_text::ReadText;
use crate::reading::Reading;
use crate::{Answer, Judgement, Problem, Verdict, claims, official};

/// Judges what a person or a model wrote.
///
/// Reads plain prose, lists, tables, arrows, Markdown, LaTeX and JSON; where a text says several
/// things, its conclusion counts. Text after an invented follow-up question is not looked at.
///
/// # Complexity
/// O(length) to read, then what checking the answer takes.
pub fn verify(problem: &Problem, text: &str) -> Judgement {
    let read = ReadText::new(problem, text);
    let answer = read.answer();
    let mut judgement = judge(problem, &answer);
    if judgement.verdict == Verdict::Correct
        && let Ok((_, reading)) = answer
        && let Some(claim) = claims::against_the_reason(problem, text, &read, reading).first()
    {
        judgement.verdict = Verdict::Partial;
        let text = format!("Its reason is false: {}.", claim.why);
        judgement.explanation = format!("{} {text}", judgement.explanation);
        judgement.certificate.lines.push(CertLine { text, holds: Some(false) });
    }
    // What the benchmark's own script says stands below, as a remark: it decides nothing here.
    if let Some(text) = official::remark(problem, text, judgement.verdict) {
        judgement.certificate.lines.push(CertLine { text, holds: None });
    }
    judgement
}

/// The judgement by our rules alone.
pub(crate) fn judged(problem: &Problem, text: &str) -> Judgement {
    judge(problem, &ReadText::new(problem, text).answer())
}

fn judge(problem: &Problem, answer: &Result<(Answer, &Reading), (&str, String)>) -> Judgement {
    match answer {
        Ok((answer, _)) => verify_answer(problem, answer),
        Err((_, reason)) => Judgement::no_answer(reason),
    }
}

/// What a text says, if it answers.
pub(crate) fn read_answer(problem: &Problem, text: &str) -> Option<Answer> {
    ReadText::new(problem, text).answer().ok().map(|(answer, _)| answer)
}

/// Judges an answer that needs no reading, such as one that a tool or our solver gave.
pub fn verify_answer(problem: &Problem, answer: &Answer) -> Judgement {
    problem.judge(answer, Evidence::write())
}

/// The verdict of [`verify_answer`] without its reasons.
pub(crate) fn decide(problem: &Problem, answer: &Answer) -> Verdict {
    problem.judge(answer, Evidence::skip()).verdict
}

/// Checks a walk edge by edge, and gives its total weight, or `None` if an edge is missing.
fn walk(graph: &Graph, nodes: &[NodeName], weights: bool, evidence: &mut Evidence) -> Option<f64> {
    let mut total = Some(0.0);
    for step in nodes.windows(2) {
        let (a, b) = (&step[0], &step[1]);
        match graph.edge(a, b) {
            Some(edge) => {
                let weight = edge.weight_or_one();
                total = total.map(|t| t + weight);
                if weights {
                    evidence.check(true, format_args!("{a} to {b}: weight {weight}"));
                } else {
                    evidence.check(true, format_args!("{a} to {b}: an edge"));
                }
                let label = weights.then_some(weight);
                evidence.edge(a, b, MarkKind::True, label);
            }
            None => {
                total = None;
                evidence.check(false, format_args!("{a} to {b}: no such edge"));
                evidence.edge(a, b, MarkKind::False, None);
            }
        }
    }
    total
}

/// Whether two nodes are joined; directions do not matter.
fn joined(graph: &Graph, a: &NodeName, b: &NodeName) -> bool {
    graph.edge(a, b).is_some() || graph.edge(b, a).is_some()
}

/// Each node of a ring with the next, and the last with the first.
fn ring_of(nodes: &[NodeName]) -> impl Iterator<Item = (&NodeName, &NodeName)> {
    nodes.iter().zip(nodes.iter().cycle().skip(1))
}

/// What is wrong with a list that is to have every node once; what is left out or unknown is marked.
fn listing_fault(graph: &Graph, nodes: &[NodeName], evidence: &mut Evidence) -> Option<String> {
    let (missing, unknown) = left_out(graph, nodes);
    let fault = if !unknown.is_empty() {
        format!("it names {}, which the graph does not have", listing(&unknown))
    } else if let Some(twice) = repeated(nodes) {
        format!("node {twice} comes twice")
    } else if !missing.is_empty() {
        format!("it leaves out {}", listing(&missing))
    } else {
        evidence.check(true, format_args!("all {} nodes come once", nodes.len()));
        return None;
    };
    evidence.check(false, fault.as_str());
    for node in missing.iter().chain(&unknown) {
        evidence.node(node, MarkKind::False);
    }
    Some(fault)
}

/// The first node that comes twice.
fn repeated(nodes: &[NodeName]) -> Option<&NodeName> {
    let mut sorted: Vec<(&NodeName, usize)> = nodes.iter().zip(0..).collect();
    sorted.sort_unstable();
    let again = sorted.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| w[1].1).min();
    again.map(|at| &nodes[at])
}

/// The nodes of the graph that a list leaves out, and those of the list that the graph has not.
fn left_out<'a>(graph: &'a Graph, nodes: &'a [NodeName]) -> (Vec<&'a NodeName>, Vec<&'a NodeName>) {
    let mut listed: Vec<&NodeName> = nodes.iter().collect();
    listed.sort_unstable();
    let missing = graph.names().filter(|name| listed.binary_search(name).is_err()).collect();
    let unknown = nodes.iter().filter(|name| !graph.has_node(name)).collect();
    (missing, unknown)
}

/// `3, 5 and 7`, at most six of them.
fn listing(nodes: &[&NodeName]) -> String {
    let mut shown: Vec<String> = nodes.iter().take(6).map(ToString::to_string).collect();
    if nodes.len() > shown.len() {
        return format!("{} and {} more", shown.join(", "), nodes.len() - shown.len());
    }
    match shown.pop() {
        Some(last) if !shown.is_empty() => format!("{} and {last}", shown.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}

/// Whether two numbers are the same but for rounding.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}
