//! All nodes that are joined with both of two.

use graph::Graph;
use graph::NodeName;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::words::{self, Told};
use super::{LEVELS, names, networks, size};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::nodes;
use crate::parse::{Cursor, GraphText};
use crate::random;
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;
use crate::{
    Couple, Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Wording,
};

const OPENING: &str =
    "Your task is to find the common neighbors of two nodes in an undirected academic network";

/// What it asks beside the graph.
pub type Query = Couple;

/// What is asked.
const ASKS: &str = "Please identify the common neighbors of";

/// What an answer looks like.
const FORM: &str = "[AuthorA, AuthorB, ...]";

const TOLD: Told = Told::Authors;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Common neighbours",
    lede: "Which nodes are joined with both of two given ones?",
    group: TaskGroup::GraphArena,
    difficulties: &LEVELS,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &["common neighbor"],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference: |_, answer| words::list(&answer.nodes),
    reasoned,
    algorithm: "We can list the neighbors of the one node and of the other, and keep those that are in both lists.",
    n_exemplars: 4,
    read: arena::read,
    judge: arena::sets::common_neighbors,
    unique: |_, answer| answer.nodes.len().to_string(),
    ballot: Answer::as_set,
    slip,
    speech: Speech { list: Listed::Nodes, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |query| {
            format!(
                "The question is which nodes are joined with both {} and {}.",
                query.first, query.second
            )
        },
        answering: &["common_neighbors"],
        similar: |query| ("get_neighbors", json!({ "node": query.first })),
        result,
    },
};

/// Sizes as published; the two authors have at least one neighbour in common.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 19) } else { (20, 50) };
    loop {
        let n = size(rng, low, high);
        let names = names::authors(rng, n);
        let graph = networks::collaborations(rng, &names);
        let order = random::shuffled(rng, n);
        let pairs = order
            .iter()
            .enumerate()
            .flat_map(|(i, a)| order[i + 1..].iter().map(move |b| (*a, *b)));
        for (a, b) in pairs {
            let query = Couple { first: names[a].clone(), second: names[b].clone() };
            if !shared(&graph, &query).is_empty() {
                return (graph, query);
            }
        }
    }
}

/// The nodes that are joined with both.
fn shared(graph: &Graph, query: &Query) -> Vec<NodeName> {
    let (Ok(a), Ok(b)) = (graph.index(&query.first), graph.index(&query.second)) else {
        return Vec::new();
    };
    let of_b = graph.neighbors(b);
    let common: Vec<_> =
        graph.neighbors(a).into_iter().filter(|v| *v != a && *v != b && of_b.contains(v)).collect();
    graph.names_of(&common)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let graph = words::read(cursor, "common neighbor")?;
    let (first, second) = words::asked_pair(cursor, &graph, "neighbors of ")?;
    Ok(GraphText { graph, query: Couple { first, second } })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    let Couple { first, second } = problem.query;
    words::begin(out, OPENING);
    TOLD.write(problem.graph, out);
    words::end(out, &format!("{ASKS} {first} and {second} in this network."), FORM, style);
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    Answer { nodes: shared(problem.graph, problem.query) }
}

fn reasoned(problem: Asked<'_, Query>, answer: &Answer) -> String {
    let Couple { first, second } = problem.query;
    let list = words::list(&answer.nodes);
    format!("These are joined with {first} as well as with {second}: {list}")
}

/// What the function gives.
fn result(result: &Value) -> Option<Answer> {
    Some(Answer { nodes: nodes(result.get("neighbors")?) })
}

/// A neighbour is left out, or one is named that is none: one of the two themselves.
fn slip(problem: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness => answer.nodes.push(problem.query.first.clone()),
        SlipKind::Total | SlipKind::DroppedNode => drop(answer.nodes.pop()),
    }
    None
}
