//! Graph convolution: one row of numbers for each node.

use std::collections::BTreeMap;

use graph::{Graph, NodeName};
use serde::{Deserialize, Serialize};

use super::same;
use crate::definition::Asked;
use crate::judgement::{Evidence, MarkKind};
use crate::names::bracketed;
use crate::oracle;
use crate::reading::ReadingRule;
use crate::reading::{Kind, Reading};
use crate::{Judgement, Layers, Verdict};

/// The embeddings of all nodes after the layers, as a text gives them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// One row for each node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<(NodeName, Vec<f64>)>,
}

pub(crate) fn read(problem: Asked<'_, Layers>, reading: &Reading) -> Option<Answer> {
    let mut rows: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    let mut node = None;
    let mut at = 0;
    while at < reading.tokens.len() {
        if let Some((values, next)) = vector(reading, at) {
            if let Some(node) = node {
                // The last vector of a line is its result: `[0,1] + [1,1] = [1,2]`. The last line
                // about a node is the answer, whatever layers came before.
                rows.insert(node, values);
            }
            at = next;
            continue;
        }
        if reading.kind(at) == Some(Kind::Newline) && !continues(reading, at) {
            node = None;
        } else if let Some(number) = reading.integer(at)
            && opens_row(reading, at)
        {
            node = Some(number);
        }
        at += 1;
    }
    if rows.is_empty() {
        rows = rows_in_order(problem.graph, reading);
    }
    // Rows that break off within a sentence would have gone on.
    let breaks_off = || reading.is_cut_off() && rows.len() < problem.graph.n_nodes();
    let in_words = || reading.kind(reading.tokens.len() - 1) == Some(Kind::Word);
    if rows.is_empty() || breaks_off() && in_words() {
        return None;
    }
    reading.fire(ReadingRule::witness("rows", None));
    let rows = rows.into_iter().map(|(n, values)| (NodeName::Int(n), values)).collect();
    Some(Answer { rows })
}

/// The rows of an announced list that names no node, `[[1,0], [0,1]]` or `[1,0,0,1]`: those of all nodes, in
/// their order, or one number of each.
fn rows_in_order(graph: &Graph, reading: &Reading) -> BTreeMap<i64, Vec<f64>> {
    let nodes: Vec<i64> = graph.names().filter_map(NodeName::as_int).collect();
    let announced = ["answer", "answers", "embedding", "embeddings", "result"];
    let rows = reading.sentences.iter().rev().find_map(|sentence| {
        if sentence.is_question() || !sentence.has_any(&announced) {
            return None;
        }
        let (mut rows, mut at): (Vec<Vec<f64>>, usize) = (Vec::new(), sentence.start);
        while at < sentence.end {
            let found = vector(reading, at);
            at = found.as_ref().map_or(at + 1, |(_, next)| *next);
            rows.extend(found.map(|(values, _)| values));
        }
        if let [flat] = &rows[..]
            && !nodes.is_empty()
            && flat.len().is_multiple_of(nodes.len())
        {
            rows = flat.chunks(flat.len() / nodes.len()).map(<[f64]>::to_vec).collect();
        }
        (rows.len() == nodes.len()).then_some(rows)
    });
    nodes.into_iter().zip(rows.unwrap_or_default()).collect()
}

/// Whether the number is a member "node" of JSON, as in what `graph_convolution` gives.
fn is_member(reading: &Reading, at: usize) -> bool {
    at >= 4
        && reading.is_mark(at - 1, b':')
        && reading.is_mark(at - 2, b'"')
        && reading.word(at - 3) == "node"
        && reading.is_mark(at - 4, b'"')
}

/// The most tokens in brackets behind the node of a row.
const MOST_BESIDE: usize = 64;

/// Whether the number names the node that a row is about.
fn opens_row(reading: &Reading, at: usize) -> bool {
    if is_member(reading, at) {
        return true;
    }
    let mut next = at + 1;
    while reading.is_mark(next, b'"') || reading.is_mark(next, b'\'') || reading.is_mark(next, b')')
    {
        next += 1;
    }
    // `node 0 (neighbors: 1, 2):`
    if reading.is_mark(next, b'(') {
        let close = (next..next + MOST_BESIDE).find(|at| reading.is_mark(*at, b')'));
        let is_head = |close: &usize| {
            (next..*close).any(|at| matches!(reading.kind(at), Some(Kind::Word)))
                && !(next..*close).any(|at| reading.kind(at) == Some(Kind::Newline))
        };
        next = close.filter(is_head).map_or(next, |close| close + 1);
    }
    matches!(
        reading.kind(next),
        Some(Kind::Arrow | Kind::Mark(b':' | b'=' | b'|' | b'-') | Kind::Newline)
    ) || matches!(reading.word(next), "is" | "has" | "becomes")
        || matches!(reading.word(next), "'s")
}

/// A row may go on below its head: `node 0:` and then the vector.
fn continues(reading: &Reading, newline: usize) -> bool {
    newline > 0 && matches!(reading.kind(newline - 1), Some(Kind::Mark(b':' | b'=')))
}

/// `[1,0]`, `(1, 0)`, at a token.
fn vector(reading: &Reading, start: usize) -> Option<(Vec<f64>, usize)> {
    let close = match reading.kind(start)? {
        Kind::Mark(b'[') => b']',
        Kind::Mark(b'(') => b')',
        _ => return None,
    };
    let mut values = Vec::new();
    let mut at = start + 1;
    loop {
        let negative = reading.is_mark(at, b'-');
        at += usize::from(negative);
        // `[0+1, 1+1]` is a sum to be worked out, `[1+1=2, 3]` is worked out.
        let (value, next) = reading.value(at)?;
        values.push(if negative { -value } else { value });
        at = next;
        if reading.is_mark(at, b',') {
            at += 1;
        } else if reading.is_mark(at, close) {
            return (values.len() >= 2).then_some((values, at + 1));
        } else if !reading.is_number(at) && !reading.is_mark(at, b'-') {
            return None;
        }
    }
}

/// The most numbers of a row that stand beside a node of a drawing.
const MOST_SHOWN: usize = 4;

/// A row as it stands beside its node.
fn row_text(values: &[f64]) -> String {
    let rounded = |value: &f64| ((value * 1e3).round() / 1e3).to_string();
    let shown: Vec<String> = values.iter().take(MOST_SHOWN).map(rounded).collect();
    let more = if values.len() > MOST_SHOWN { ", …" } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

pub(crate) fn judge(
    problem: Asked<'_, Layers>,
    answer: &Answer,
    mut evidence: Evidence,
) -> Judgement {
    let Answer { rows } = answer;
    if rows.is_empty() {
        return Judgement::no_answer("No embeddings are given.");
    }
    let truth = oracle::convolve(problem.graph, problem.query.layers);
    let given: BTreeMap<&NodeName, &Vec<f64>> = rows.iter().map(|(n, v)| (n, v)).collect();
    let (mut wrong, mut missing) = (Vec::new(), Vec::new());
    for (node, values) in &truth {
        let kind = match given.get(node) {
            Some(claimed)
                if claimed.len() == values.len()
                    && claimed.iter().zip(values).all(|(a, b)| same(*a, *b)) =>
            {
                if evidence.is_wanted() {
                    evidence.check(true, format_args!("node {node}: {}", bracketed(values)));
                }
                MarkKind::True
            }
            Some(claimed) => {
                let text =
                    format!("node {node}: {}, should be {}", bracketed(claimed), bracketed(values));
                evidence.check(false, text);
                wrong.push(node);
                MarkKind::False
            }
            None => {
                evidence.check(
                    false,
                    format_args!("node {node}: missing, should be {}", bracketed(values)),
                );
                missing.push(node);
                MarkKind::False
            }
        };
        if evidence.is_wanted() {
            let row = given.get(node).map_or_else(|| "missing".to_owned(), |row| row_text(row));
            evidence.labelled_node(node, kind, Some(row));
        }
    }
    let unknown: Vec<&NodeName> =
        given.keys().filter(|n| !problem.graph.has_node(n)).copied().collect();
    for node in &unknown {
        evidence.check(false, format_args!("node {node} is not in the graph"));
    }
    if wrong.is_empty() && missing.is_empty() && unknown.is_empty() {
        let text = "Right: every embedding is as it should be.";
        return Judgement::new(Verdict::Correct, evidence, text);
    }
    let text = match (wrong.first(), missing.first()) {
        (Some(node), _) => {
            format!(
                "{} of {} embeddings are wrong, that of node {node} first.",
                wrong.len(),
                truth.len()
            )
        }
        (None, Some(node)) => {
            format!(
                "The embeddings given are right, but {} are missing, that of node {node} first.",
                missing.len()
            )
        }
        (None, None) => "It gives embeddings of nodes that the graph does not have.".to_owned(),
    };
    Judgement::new(Verdict::Incorrect, evidence, text)
}
