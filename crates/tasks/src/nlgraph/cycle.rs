//! Is there a cycle in an undirected graph?

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::find_cycle::find_cycle;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{CONSTRUCT, last, names, push_pairs, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::{nodes, yes_no};
use crate::parse::{Builder, Cursor, GraphText};
use crate::verify::cycle as verify;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, Style, TaskGroup, Whole, Wording};

pub(super) const OPENING: &str = "In an undirected graph, (i,j) means that";

pub use crate::verify::cycle::Answer;
/// What it asks beside the graph.
pub type Query = Whole;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Cycle",
    lede: "Does an undirected graph contain a cycle?",
    group: TaskGroup::NlGraph,
    difficulties: &Difficulty::ALL,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &["Is there a cycle", "Is there a loop", "is there a cycle", "is there a loop"],
    asks: "cycle",
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can use depth-first search: walk along edges that were not used yet; a node \
                that is met a second time closes a cycle.",
    n_exemplars: 4,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| yes_no(answer.has_cycle),
    ballot: |answer| yes_no(answer.has_cycle),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question is whether the graph has a cycle.".into(),
        answering: &["find_cycle", "has_cycle", "is_tree", "is_dag"],
        similar: |_| ("is_bipartite", json!({})),
        result,
    },
};

/// Half the graphs are random trees, the others a tree with 1 to 4 more edges; always connected.
/// Inferred from the raw graphs.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Whole) {
    let n = match difficulty {
        Difficulty::Easy => {
            random::weighted(rng, &[(5, 2), (6, 4), (7, 8), (8, 12), (9, 21), (10, 28)])
        }
        Difficulty::Medium => random::between(rng, 11, 25),
        Difficulty::Hard => random::between(rng, 26, 35),
    };
    let mut edges = random::tree(rng, n);
    if rng.random_bool(0.5) {
        let mut more = random::between(rng, 1, 4);
        while more > 0 {
            let (a, b) = (random::between(rng, 0, n - 1), random::between(rng, 0, n - 1));
            if a != b && !edges.contains(&(a, b)) && !edges.contains(&(b, a)) {
                edges.push((a, b));
                more -= 1;
            }
        }
        random::shuffle(rng, &mut edges);
    }
    random::turn(rng, &mut edges);
    (random::plain(false, n, edges), Whole)
}

/// The two lines that cycle and hamilton share.
pub(super) fn parse_pairs(cursor: &mut Cursor<'_>) -> Result<Builder, ParseError> {
    let mut builder = Builder::called(cursor, false, 6, ", and the edges are:")?;
    builder.pairs(cursor, ",")?;
    cursor.question_line("an edge such as (0,1)")?;
    Ok(builder)
}

/// As [`parse_pairs`], written.
pub(super) fn ask_pairs(graph: &Graph, out: &mut String) {
    let _ = write!(
        out,
        "{OPENING} node i and node j are connected with an undirected edge.\n\
         The nodes are numbered from 0 to {}, and the edges are:",
        last(graph.n_nodes())
    );
    push_pairs(graph, out);
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Whole>, ParseError> {
    let builder = parse_pairs(cursor)?;
    if !cursor.eat("Is there a cycle") && !cursor.eat("Is there a loop") {
        return Err(cursor.expected("\"Is there a cycle in this graph?\""));
    }
    Ok(GraphText { graph: builder.finish(), query: Whole })
}

fn ask(problem: Asked<'_, Whole>, _: Wording, style: Style, out: &mut String) {
    ask_pairs(problem.graph, out);
    if style.constructs() {
        let _ = write!(out, ". {CONSTRUCT}");
    }
    out.push_str("\nQ: Is there a cycle in this graph?\nA:");
}

fn solve(problem: Asked<'_, Whole>) -> Answer {
    let cycle = find_cycle(problem.graph);
    Answer {
        has_cycle: cycle.is_some(),
        cycle: cycle.map(|nodes| names(problem.graph, &nodes)).unwrap_or_default(),
        edges: Vec::new(),
    }
}

fn reference(_: Asked<'_, Whole>, answer: &Answer) -> String {
    match answer {
        Answer { has_cycle: true, .. } => "Yes, there is a cycle in this graph.".into(),
        _ => "No, there is no cycle in this graph.".into(),
    }
}

fn reasoned(problem: Asked<'_, Whole>, answer: &Answer) -> String {
    let mut text = String::new();
    match answer {
        Answer { cycle, .. } if !cycle.is_empty() => {
            text.push_str("The edges ");
            for (i, node) in cycle.iter().enumerate() {
                let next = &cycle[(i + 1) % cycle.len()];
                let _ = write!(text, "{}({node},{next})", if i > 0 { ", " } else { "" });
            }
            text.push_str(" form a cycle. ");
        }
        _ => text.push_str("Walking along the edges never leads back to a node seen before. "),
    }
    text + &reference(problem, answer)
}

/// What `find_cycle` gives.
fn result(result: &Value) -> Option<Answer> {
    let has_cycle = !result.get("cycle")?.is_null();
    Some(Answer { has_cycle, cycle: nodes(&result["cycle"]), edges: Vec::new() })
}

/// The decision turns round.
fn slip(_: Asked<'_, Whole>, answer: &mut Answer, _: &Slip) -> Option<String> {
    *answer = Answer { has_cycle: !answer.has_cycle, cycle: Vec::new(), edges: Vec::new() };
    None
}
