//! A shortest tour through all nodes.

use graph::Graph;
use graph::exact::tour::{Tour, find_shortest_tour};
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

const OPENING: &str = "You are required to solve the Travelling Salesman Problem for an undirected flight route network";

/// What it asks beside the graph.
pub type Query = Whole;

/// What is asked.
const ASKS: &str = "Please calculate the shortest tour";

/// What an answer looks like.
const FORM: &str = "[Airport A, Airport B, Airport C, ..., Airport A]";

const TOLD: Told = Told::Airports;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Shortest tour",
    lede: "Which tour visits every node once and comes back in the least distance?",
    group: TaskGroup::GraphArena,
    difficulties: &LEVELS,
    is_directed: false,
    edge_number: EdgeNumber::Weight,
    openings: &[OPENING],
    question_words: &[],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |problem| {
        // In 64 bits: in the browser a square of 70,000 nodes does not fit into a length.
        let (n, n_edges) = (problem.graph.n_nodes() as u64, problem.graph.n_edges() as u64);
        match n > 2 && 2 * n_edges == n * (n - 1) {
            true => Ok(()),
            false => {
                Err("asks for a tour, which needs three nodes or more, each two of them joined"
                    .into())
            }
        }
    },
    solve,
    reference: |_, answer| words::list(&answer.nodes),
    reasoned,
    algorithm: "We can begin with the way to the nearest node each time, and then swap pieces of the tour as long as it gets shorter.",
    n_exemplars: 4,
    read: arena::read,
    judge: arena::tour::judge,
    unique: |problem, _| unique(problem.graph),
    ballot: Answer::in_order,
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question is a shortest tour through all nodes and back.".into(),
        answering: &["find_shortest_tour"],
        similar: |_| ("minimum_spanning_tree", json!({})),
        result,
    },
};

/// Sizes as published.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 9) } else { (10, 20) };
    let n = size(rng, low, high);
    let names = names::airports(rng, n);
    (networks::flights(rng, &names), Whole)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let graph = TOLD.read(cursor)?;
    cursor.seek(ASKS)?;
    Ok(GraphText { graph, query: Whole })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    words::begin(out, OPENING);
    TOLD.write(problem.graph, out);
    words::end(
        out,
        &format!("{ASKS} that visits each airport exactly once and returns to its start."),
        FORM,
        style,
    );
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let nodes = match find_shortest_tour(problem.graph, BUDGET) {
        Tour::Found { nodes, .. } => problem.graph.names_of(&nodes),
        Tour::None | Tour::Undecided => Vec::new(),
    };
    Answer { nodes }
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    format!("No exchange makes this tour shorter: {}", words::list(&answer.nodes))
}

/// What the function gives.
fn result(result: &Value) -> Option<Answer> {
    Some(Answer { nodes: nodes(result.get("tour")?) })
}

/// A node is left out, or one is visited twice.
fn slip(_: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    let n = answer.nodes.len();
    match slip.kind {
        SlipKind::Witness if n > 2 => answer.nodes[1] = answer.nodes[2].clone(),
        _ if n > 1 => drop(answer.nodes.remove(1)),
        _ => answer.nodes.clear(),
    }
    None
}

/// The length of a shortest tour.
fn unique(graph: &Graph) -> String {
    match find_shortest_tour(graph, BUDGET) {
        Tour::Found { length, .. } => length.to_string(),
        Tour::None | Tour::Undecided => String::new(),
    }
}
