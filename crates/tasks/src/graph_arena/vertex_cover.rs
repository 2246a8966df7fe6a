//! The fewest nodes such that every edge has one of them.

use graph::Graph;
use graph::exact::independent_set::min_vertex_cover;
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
    "Your task is to solve the Minimum Vertex Cover problem in the given social network";

/// What it asks beside the graph.
pub type Query = Whole;

/// What is asked.
const ASKS: &str = "Identify the Minimum Vertex Cover of this network.";

/// What an answer looks like.
const FORM: &str = "[UserA, UserB, ...]";

const TOLD: Told = Told::Users;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Smallest vertex cover",
    lede: "Which are the fewest nodes such that every edge has one of them?",
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
    algorithm: "We can take nodes with many edges until every edge has one of its ends taken, and check whether one of them can be left out.",
    n_exemplars: 4,
    read: arena::read,
    judge: arena::sets::vertex_cover,
    unique: |_, answer| answer.nodes.len().to_string(),
    ballot: Answer::as_set,
    slip,
    speech: Speech { list: Listed::Nodes, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |_| {
            "The question is a smallest vertex cover: the fewest nodes such that every edge has one of them.".into()
        },
        answering: &["min_vertex_cover"],
        similar: |_| ("max_independent_set", json!({})),
        result,
    },
};

/// Sizes as published.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 14) } else { (15, 30) };
    let n = size(rng, low, high);
    let names = names::users(rng, n);
    (networks::connected(rng, &names, (120, 220)), Whole)
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
    Answer { nodes: problem.graph.names_of(&min_vertex_cover(problem.graph, BUDGET).nodes) }
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    format!(
        "Every edge has one of these, and no smaller set is like that: {}",
        words::list(&answer.nodes)
    )
}

/// What the function gives.
fn result(result: &Value) -> Option<Answer> {
    Some(Answer { nodes: nodes(result.get("nodes")?) })
}

/// A node is left out, or one is named that it does not need.
fn slip(problem: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness => answer.nodes.extend(words::intruder(problem.graph, &answer.nodes)),
        SlipKind::Total | SlipKind::DroppedNode => drop(answer.nodes.pop()),
    }
    None
}
