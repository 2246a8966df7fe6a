//! The most nodes that are all joined.

use graph::Graph;
use graph::functions::max_clique::max_clique;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::words::{self, Told};
use super::{BUDGET, LEVELS, names, networks, size};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::nodes;
use crate::parse::{Cursor, GraphText};
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Whole, Wording};

const OPENING: &str =
    "You are required to solve the Maximum Clique Problem for an undirected academic network";

/// What it asks beside the graph.
pub type Query = Whole;

/// What is asked.
const ASKS: &str = "Identify the clique with the maximum number of authors in this network.";

/// What an answer looks like.
const FORM: &str = "[AuthorA, AuthorB, ...]";

const TOLD: Told = Told::Authors;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Largest clique",
    lede: "Which are the most nodes that are all joined to each other?",
    group: TaskGroup::GraphArena,
    difficulties: &LEVELS,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &[],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference: |_, answer| words::list(&answer.nodes),
    reasoned,
    algorithm: "We can grow cliques: start with each node, add nodes that are joined with all so far, and keep the largest.",
    n_exemplars: 4,
    read: arena::read,
    judge: arena::sets::clique,
    unique: |_, answer| answer.nodes.len().to_string(),
    ballot: Answer::as_set,
    slip,
    speech: Speech { list: Listed::Nodes, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question is a largest clique: the most nodes that are all joined.".into(),
        answering: &["max_clique"],
        similar: |_| ("find_cliques", json!({})),
        result,
    },
};

/// Sizes as published.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 14) } else { (15, 30) };
    let n = size(rng, low, high);
    let names = names::authors(rng, n);
    (networks::collaborations(rng, &names), Whole)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let graph = TOLD.read(cursor)?;
    cursor.seek(ASKS)?;
    Ok(GraphText { graph, query: Whole })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    words::begin(out, OPENING);
    TOLD.write(problem.graph, out);
    words::end(out, ASKS, FORM, style);
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    Answer { nodes: problem.graph.names_of(&max_clique(problem.graph, BUDGET).nodes) }
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    format!(
        "All of these are joined with each other, and no more are: {}",
        words::list(&answer.nodes)
    )
}

/// What the function gives.
fn result(result: &Value) -> Option<Answer> {
    Some(Answer { nodes: nodes(result.get("clique")?) })
}

/// A node is left out, or one is named that is not joined with all of them.
fn slip(problem: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness => answer.nodes.extend(words::intruder(problem.graph, &answer.nodes)),
        SlipKind::Total | SlipKind::DroppedNode => drop(answer.nodes.pop()),
    }
    None
}
