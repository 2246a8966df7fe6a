//! Is there a cycle in a directed graph?

use graph::Graph;
use graph::functions::find_cycle::find_cycle;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{LEVELS, OPENINGS, read_graph, size};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::{join, nodes, yes_no};
use crate::parse::{Cursor, GraphText};
use crate::random;
use crate::verify::cycle as verify;
pub use crate::verify::cycle::Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, TaskGroup, Whole};

/// What it asks beside the graph.
pub type Query = Whole;

const ASKS: &str = "Does the graph have a cycle?";

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Directed cycle",
    lede: "Does a directed graph contain a cycle?",
    group: TaskGroup::GraphInstruct,
    difficulties: &LEVELS,
    is_directed: true,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENINGS[1]],
    question_words: &[ASKS],
    asks: ASKS,
    make,
    parse,
    ask: |problem, _, _, out| {
        let question = format!(
            "{ASKS} For a directed graph, a cycle is a closed path that follows the direction of its \
             edges and comes back to the node where it started."
        );
        super::ask(problem.graph, &question, "Yes or No", out);
    },
    fits: |_| Ok(()),
    solve,
    reference: |_, answer| if answer.has_cycle { "<<<Yes>>>" } else { "<<<No>>>" }.into(),
    reasoned,
    algorithm: "We can take off nodes that no edge leads to, again and again; what is left in the end \
                lies on cycles or behind them.",
    n_exemplars: 4,
    read: verify::read_marked,
    judge: verify::judge,
    unique: |_, answer| yes_no(answer.has_cycle),
    ballot: |answer| yes_no(answer.has_cycle),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question is whether the directed graph has a cycle.".into(),
        answering: &["find_cycle", "has_cycle", "is_dag"],
        similar: |_| ("is_bipartite", json!({})),
        result,
    },
};

/// Half of the graphs have no cycle: their edges go along an order of the nodes. Sizes and average
/// degrees as published.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let acyclic = rng.random_bool(0.5);
    loop {
        let n = size(difficulty, rng);
        let degree = random::between(rng, 2, n.div_ceil(3).max(2));
        let p = (degree as f64 / (n - 1) as f64).min(0.75);
        let mut edges = random::connected_pairs(rng, n, p);
        let label = random::shuffled(rng, n);
        for (a, b) in &mut edges {
            (*a, *b) = (label[*a], label[*b]);
        }
        if !acyclic {
            random::turn(rng, &mut edges);
        }
        random::shuffle(rng, &mut edges);
        let graph = random::plain(true, n, edges);
        if acyclic || find_cycle(&graph).is_some() {
            return (graph, Whole);
        }
    }
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let builder = read_graph(cursor, true)?;
    cursor.want(ASKS)?;
    Ok(GraphText { graph: builder.finish(), query: Whole })
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let cycle = find_cycle(problem.graph);
    Answer {
        has_cycle: cycle.is_some(),
        cycle: cycle.map(|nodes| problem.graph.names_of(&nodes)).unwrap_or_default(),
        edges: Vec::new(),
    }
}

fn reasoned(_: Asked<'_, Query>, answer: &Answer) -> String {
    match answer.cycle.first() {
        Some(first) => {
            format!("The cycle is {} -> {first}. <<<Yes>>>", join(&answer.cycle, " -> "))
        }
        None => "Every edge leads on to a node that comes later, never back. <<<No>>>".into(),
    }
}

/// What `find_cycle` gives.
fn result(result: &Value) -> Option<Answer> {
    let has_cycle = !result.get("cycle")?.is_null();
    Some(Answer { has_cycle, cycle: nodes(&result["cycle"]), edges: Vec::new() })
}

/// The decision turns round.
fn slip(_: Asked<'_, Query>, answer: &mut Answer, _: &Slip) -> Option<String> {
    *answer = Answer { has_cycle: !answer.has_cycle, cycle: Vec::new(), edges: Vec::new() };
    None
}
