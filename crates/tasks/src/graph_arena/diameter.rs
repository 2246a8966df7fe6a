//! A shortest path between two nodes that are farthest apart.

use graph::Graph;
use graph::functions::find_shortest_path::find_shortest_path;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::words::{self, Told};
use super::{LEVELS, names, networks, size};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::nodes;
use crate::oracle;
use crate::parse::{Cursor, GraphText};
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Whole, Wording};

const OPENING: &str = "You are required to calculate the diameter of an undirected knowledge graph";

/// What it asks beside the graph.
pub type Query = Whole;

/// What is asked.
const ASKS: &str =
    "Please determine the diameter of this network and output the corresponding path";

/// What an answer looks like.
const FORM: &str = "[Entity1, Entity2, ..., EntityN]";

const TOLD: Told = Told::Entities;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Diameter by a path",
    lede: "Which shortest path joins two nodes that are farthest apart?",
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
    fits: |problem| match oracle::is_connected(problem.graph) {
        true => Ok(()),
        false => Err("asks for the diameter, and the graph is not connected".to_owned()),
    },
    solve,
    reference: |_, answer| words::list(&answer.nodes),
    reasoned,
    algorithm: "We can search breadth first from every node; the farthest pair that is met gives the path.",
    n_exemplars: 4,
    read: arena::read,
    judge: arena::paths::diameter,
    unique: |_, answer| answer.nodes.len().saturating_sub(1).to_string(),
    ballot: Answer::in_order,
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |_| {
            "The question is a shortest path between two nodes that are farthest apart.".into()
        },
        answering: &["diameter"],
        similar: |_| ("radius", json!({})),
        result,
    },
};

/// Sizes as published.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 14) } else { (15, 30) };
    let n = size(rng, low, high);
    let names = names::entities(rng, n);
    (networks::connected(rng, &names, (100, 150)), Whole)
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
        &format!("{ASKS} in the following way: each entity of it in order."),
        FORM,
        style,
    );
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let graph = problem.graph;
    let Some((a, b, _)) = arena::paths::farthest(graph) else { return Answer::default() };
    let (Ok(from), Ok(to)) = (graph.index(&a), graph.index(&b)) else { return Answer::default() };
    let path = find_shortest_path(graph, from, to).ok().flatten();
    Answer { nodes: path.map_or_else(Vec::new, |path| graph.names_of(&path.nodes)) }
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    let n = answer.nodes.len().saturating_sub(1);
    format!(
        "No two nodes are more than {n} steps apart, and these are: {}",
        words::list(&answer.nodes)
    )
}

/// What the function gives.
fn result(result: &Value) -> Option<Answer> {
    Some(Answer { nodes: nodes(result.get("path")?) })
}

/// The path ends too soon, or goes on to a node that is on it already.
fn slip(_: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness => answer.nodes.extend(answer.nodes.first().cloned()),
        SlipKind::Total | SlipKind::DroppedNode => drop(answer.nodes.pop()),
    }
    None
}
