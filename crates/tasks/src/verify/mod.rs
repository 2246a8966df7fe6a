//! Judges answers: first reads what a text says, then holds that against the graph.
//!
//! Each task has a file with `read` (text to [`Answer`]) and `judge` (answer to [`Judgement`]).
//! How texts are read and verdicts decided is told in `docs/verifier.md`.

pub(crate) mod arena;
pub(crate) mod bipartite;
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
use crate::reading::{Names, Reading, ReadingRule};
use crate::{Answer, Judgement, Problem, Verdict, claims, official};

/// Judges what a person or a model wrote.
///
/// Reads plain prose, lists, tables, arrows, Markdown, LaTeX and JSON; where a text says several
/// things, its conclusion counts. Text after an invented follow-up question is not looked at.
///
/// # Complexity
/// O(length) to read, then what checking the answer takes.
pub fn verify(problem: &Problem, text: &str) -> Judgement {
    let mut judgement = judged(problem, text);
    if judgement.verdict == Verdict::Correct
        && let Some(claim) = claims::against_the_reason(problem, text).first()
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
    match read_parts(problem, text) {
        (Ok(answer), _) => verify_answer(problem, &answer),
        (Err(reason), _) => Judgement::no_answer(reason),
    }
}

/// What a text says or why it says nothing, and the rules that found it.
pub(crate) fn read_parts(
    problem: &Problem,
    text: &str,
) -> (Result<Answer, String>, Vec<ReadingRule>) {
    let nothing = |rule, reason: String| (Err(reason), vec![ReadingRule::nothing(rule)]);
    if text.trim().is_empty() {
        return nothing("empty text", "The text is empty.".into());
    }
    if let Some(names) = Names::of(problem) {
        let (answer, rules) = read_parts(&names.problem, &names.write(text));
        let nothing = "The text names nodes in a way that is not read.";
        let answer = answer.and_then(|answer| names.named(&answer).ok_or(nothing.to_owned()));
        return (answer, rules);
    }
    let reading = Reading::new(text);
    if let Some(answer) = problem.read(&reading) {
        return (Ok(answer), reading.fired());
    }
    if let Some(lists) = reading.elsewhere()
        && let Some(answer) = problem.read(&lists)
    {
        return (Ok(answer), lists.fired());
    }
    match reading.language {
        Some(language) => nothing(
            "other language",
            format!("Only English is read, and the text looks like {language}."),
        ),
        None if reading.only_thinks => {
            nothing("only thoughts", "The text breaks off in the middle of its thoughts.".into())
        }
        None if reading.is_cut_off() => {
            nothing("cut off", "The text breaks off before it gets to an answer.".into())
        }
        None => nothing("no answer", "The text never gets to an answer.".into()),
    }
}

/// The reading by which a text answers, with its answer.
pub(crate) fn read(problem: &Problem, text: &str) -> Option<(Reading, Answer)> {
    let reading = Reading::new(text);
    if let Some(answer) = problem.read(&reading) {
        return Some((reading, answer));
    }
    let lists = reading.elsewhere()?;
    let answer = problem.read(&lists)?;
    Some((lists, answer))
}

/// What a text says, if it answers.
pub(crate) fn read_answer(problem: &Problem, text: &str) -> Option<Answer> {
    read_parts(problem, text).0.ok()
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
