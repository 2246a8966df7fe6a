//! An order of the nodes of a directed graph that respects every arc.

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::topological_sort::topological_sort;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{comma_list, construct_line, join, last, names, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::nodes;
use crate::parse::{Builder, Cursor, GraphText};
use crate::verify::topology as verify;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Whole, Wording};

const OPENING: &str = "In a directed graph with";

pub use crate::verify::topology::Answer;
/// What it asks beside the graph.
pub type Query = Whole;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Topological sort",
    lede: "In which order can the nodes be visited so that every constraint holds?",
    group: TaskGroup::NlGraph,
    difficulties: &Difficulty::ALL,
    is_directed: true,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &[],
    asks: "all the nodes be visited",
    make,
    parse,
    ask,
    fits: |problem| {
        if problem.graph.is_directed() {
            return Ok(());
        }
        Err("asks for a topological order, and the graph is undirected".into())
    },
    solve,
    reference,
    reasoned,
    algorithm: "We can take again and again a node before which no unvisited node must be \
                visited, visit it, and strike out its constraints.",
    n_exemplars: 5,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| format!("possible {}", answer.possible.unwrap_or(!answer.order.is_empty())),
    ballot: |answer| match answer.possible {
        Some(false) => "no order".into(),
        _ => join(&answer.order, ", ").to_string(),
    },
    slip,
    speech: Speech { list: Listed::Order, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |_| {
            "The question asks for an order of the nodes that respects every constraint.".into()
        },
        answering: &["topological_sort"],
        similar: |_| ("find_hamilton_path", json!({})),
        result,
    },
};

/// A random acyclic graph with shuffled labels. Inferred from the raw graphs: p in {0.3, 0.5, 0.7},
/// hard without 0.7.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Whole) {
    let (low, high, densities): (_, _, &[f64]) = match difficulty {
        Difficulty::Easy => (5, 10, &[0.3, 0.5, 0.7]),
        Difficulty::Medium => (11, 25, &[0.3, 0.5, 0.7]),
        Difficulty::Hard => (26, 34, &[0.3, 0.5]),
    };
    let n = random::between(rng, low, high);
    let p = random::one_of(rng, densities);
    let label = random::shuffled(rng, n);
    let mut edges = random::pairs(rng, n, p);
    for edge in &mut edges {
        *edge = (label[edge.0], label[edge.1]);
    }
    edges.sort_unstable();
    (random::plain(true, n, edges), Whole)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Whole>, ParseError> {
    cursor.want(OPENING)?;
    // How many there are is said again by their names; early runs of the benchmark wrote "n nodes".
    let mut builder = Builder::called(cursor, true, 39, ":")?;
    while cursor.eat("node") {
        let before = builder.node(cursor, "a node", &[" should be visited"])?;
        cursor.want("should be visited before node")?;
        let after = builder.node(cursor, "a node", &["\n", "."])?;
        let _ = cursor.eat(".");
        builder.link(before, after, None, None)?;
    }
    cursor.question_line("\"node 0 should be visited before node 1\"")?;
    cursor.want("Can all the nodes be visited")?;
    Ok(GraphText { graph: builder.finish(), query: Whole })
}

fn ask(problem: Asked<'_, Whole>, wording: Wording, style: Style, out: &mut String) {
    let n = problem.graph.n_nodes();
    let _ = writeln!(out, "{OPENING} {n} nodes numbered from 0 to {}:", last(n));
    for edge in problem.graph.edges() {
        let _ = writeln!(out, "node {} should be visited before node {}", edge.source, edge.target);
    }
    construct_line(style, out);
    out.push_str(match wording {
        Wording::Improved => {
            "Q: Can all the nodes be visited in a valid topological order that satisfies these \
             constraints? Give the solution.\nA:"
        }
        _ => "Q: Can all the nodes be visited? Give the solution.\nA:",
    });
}

fn solve(problem: Asked<'_, Whole>) -> Answer {
    match topological_sort(problem.graph) {
        Ok(order) => Answer { possible: Some(true), order: names(problem.graph, &order) },
        Err(_) => Answer { possible: Some(false), order: Vec::new() },
    }
}

fn reference(_: Asked<'_, Whole>, answer: &Answer) -> String {
    match answer {
        Answer { order, .. } if !order.is_empty() => {
            format!("The solution is: {}.", comma_list(order))
        }
        _ => "No, not all the nodes can be visited.".into(),
    }
}

fn reasoned(problem: Asked<'_, Whole>, answer: &Answer) -> String {
    let mut text = String::new();
    let Answer { order, .. } = answer;
    for node in order {
        let before: Vec<_> =
            problem.graph.edges().filter(|e| e.target == node).map(|e| e.source.clone()).collect();
        if before.is_empty() {
            let _ = write!(text, "Nothing must be visited before node {node}. ");
        } else {
            let _ = write!(text, "Node {node} can follow {}. ", comma_list(&before));
        }
    }
    text + "So " + &lower_first(&reference(problem, answer))
}

fn lower_first(text: &str) -> String {
    text.replacen("The ", "the ", 1)
}

/// What `topological_sort` gives.
fn result(result: &Value) -> Option<Answer> {
    // The Hamilton function, called by mistake, gives a path instead of an order.
    let order = result.get("order").or_else(|| result.get("path"))?;
    Some(Answer { possible: Some(!order.is_null()), order: nodes(order) })
}

/// The order loses its last node, or stands the wrong way round.
fn slip(_: Asked<'_, Whole>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness if answer.order.len() > 1 => answer.order.reverse(),
        _ => drop(answer.order.pop()),
    }
    None
}
