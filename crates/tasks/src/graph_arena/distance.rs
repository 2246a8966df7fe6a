//! A path with the fewest edges between two nodes.

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
use crate::random;
use crate::verify::arena;
pub use crate::verify::named::NodeList as Answer;
use crate::{
    Between, Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Wording,
};

const OPENING: &str = "Your task is to identify the shortest path between two specified entities in an undirected knowledge graph";

/// What it asks beside the graph.
pub type Query = Between;

/// What is asked.
const ASKS: &str = "Please determine the shortest path between";

/// What an answer looks like.
const FORM: &str = "[Entity1, Entity2, ..., EntityN]";

const TOLD: Told = Told::Entities;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Shortest path by names",
    lede: "Which path between two entities has the fewest edges?",
    group: TaskGroup::GraphArena,
    difficulties: &LEVELS,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &["shortest path between"],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |problem| {
        let Between { source, target } = problem.query;
        match source != target && oracle::are_connected(problem.graph, source, target) {
            true => Ok(()),
            false => {
                Err(format!("asks for a path between {source} and {target}, and there is none"))
            }
        }
    },
    solve,
    reference: |_, answer| words::list(&answer.nodes),
    reasoned,
    algorithm: "We can search breadth first: from the start to its neighbors, then to theirs, until the end is met.",
    n_exemplars: 4,
    read: arena::read,
    judge: arena::paths::shortest,
    unique: |_, answer| answer.nodes.len().saturating_sub(1).to_string(),
    ballot: Answer::in_order,
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |query| {
            format!("The question is a shortest path from {} to {}.", query.source, query.target)
        },
        answering: &["find_shortest_path"],
        similar: |query| {
            ("find_shortest_distance", json!({ "start": query.source, "end": query.target }))
        },
        result,
    },
};

/// Sizes as published.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high) = if difficulty == Difficulty::Easy { (4, 19) } else { (20, 50) };
    let n = size(rng, low, high);
    let names = names::entities(rng, n);
    let graph = networks::connected(rng, &names, (100, 150));
    let order = random::shuffled(rng, n);
    let query = Between { source: names[order[0]].clone(), target: names[order[1]].clone() };
    (graph, query)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let graph = words::read(cursor, "shortest path")?;
    let (source, target) = words::asked_pair(cursor, &graph, "path between ")?;
    Ok(GraphText { graph, query: Between { source, target } })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    let Between { source, target } = problem.query;
    words::begin(out, OPENING);
    TOLD.write(problem.graph, out);
    words::end(out, &format!("{ASKS} {source} and {target} in this network."), FORM, style);
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let (graph, Between { source, target }) = (problem.graph, problem.query);
    let (Ok(from), Ok(to)) = (graph.index(source), graph.index(target)) else {
        return Answer::default();
    };
    let path = find_shortest_path(graph, from, to).ok().flatten();
    Answer { nodes: path.map_or_else(Vec::new, |path| graph.names_of(&path.nodes)) }
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    let n = answer.nodes.len().saturating_sub(1);
    format!("Breadth first, the end is met after {n} steps: {}", words::list(&answer.nodes))
}

/// What the function gives.
fn result(result: &Value) -> Option<Answer> {
    Some(Answer { nodes: nodes(result.get("path")?) })
}

/// The last node is left out, or the path goes over an edge that is not there.
fn slip(problem: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    let Between { source, target } = problem.query;
    match (slip.kind, &slip.invented) {
        (SlipKind::Witness, Some((a, b))) if a == source && b == target => {
            answer.nodes = vec![a.clone(), b.clone()];
        }
        (SlipKind::Witness, _) => answer.nodes.push(source.clone()),
        (SlipKind::Total | SlipKind::DroppedNode, _) => drop(answer.nodes.pop()),
    }
    None
}
