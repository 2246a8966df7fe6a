//! One node of each connected component.

use graph::Graph;
use graph::NodeIdx;
use graph::functions::connected_components::connected_components;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::words::{self, Told};
use super::{LEVELS, names, networks, size};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::nodes;
use crate::parse::{Cursor, GraphText};
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Whole, Wording};

const OPENING: &str = "You are required to identify all connected components in the given social network and output one representative node from each component";

/// What it asks beside the graph.
pub type Query = Whole;

/// What is asked.
const ASKS: &str = "Identify all connected components in this network. Note that for each connected component, you should only output one of its nodes.";

/// What an answer looks like.
const FORM: &str = "[UserA, UserB, UserC, ...]";

const TOLD: Told = Told::Names;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Connected components",
    lede: "Which nodes stand for the connected components, one for each?",
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
    algorithm: "We can start at a node, go along edges as far as we get, and start again at a node that was not met; each start is one component.",
    n_exemplars: 4,
    read: arena::read,
    judge: arena::sets::components,
    unique: |_, answer| answer.nodes.len().to_string(),
    ballot: Answer::as_set,
    slip,
    speech: Speech { list: Listed::Nodes, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |_| {
            "The question is which nodes stand for the connected components, one for each.".into()
        },
        answering: &["connected_components"],
        similar: |_| ("get_degrees", json!({})),
        result,
    },
};

/// Sizes as published; one to 1 + n/5 components.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 14) } else { (15, 30) };
    let n = size(rng, low, high);
    let names = names::users(rng, n);
    (networks::parted(rng, &names, 1 + n / 5), Whole)
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
    let graph = problem.graph;
    let first = |component: Vec<NodeIdx>| component.first().map(|v| graph.name(*v).clone());
    Answer { nodes: connected_components(graph).into_iter().filter_map(first).collect() }
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    let (n, list) = (answer.nodes.len(), words::list(&answer.nodes));
    format!("From each of these {n} nodes all of its component is met: {list}")
}

/// The first node of each component that the function gives.
fn result(result: &Value) -> Option<Answer> {
    let components = result.get("components")?.as_array()?;
    let first = |component: &Value| nodes(component).into_iter().next();
    Some(Answer { nodes: components.iter().filter_map(first).collect() })
}

/// A node is left out, or one is named that another stands for already.
fn slip(problem: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness => answer.nodes.extend(words::intruder(problem.graph, &answer.nodes)),
        SlipKind::Total | SlipKind::DroppedNode => drop(answer.nodes.pop()),
    }
    None
}
