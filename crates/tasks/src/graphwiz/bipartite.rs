//! Whether the nodes of a graph split into two sides with edges only between them.

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::is_bipartite::is_bipartite;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::{join, nodes, yes_no};
use crate::parse::{Builder, Cursor, GraphText};
use crate::random;
use crate::verify::bipartite as verify;
pub use crate::verify::bipartite::Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, Style, TaskGroup, Whole, Wording};

const OPENING: &str = "Determine whether or not a graph is bipartite";

/// What it asks beside the graph.
pub type Query = Whole;

/// What a question ends with. By itself, because a reference to a field of [`TASK`] keeps all of it, with
/// what reads answers, in the module of a page that only asks.
const ASKS: &str = "Is this graph bipartite";

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Bipartite check",
    lede: "Do the nodes split into two sides with edges only between them?",
    group: TaskGroup::GraphWiz,
    difficulties: &Difficulty::ALL,
    is_directed: true,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &[],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can give the first node one colour, its neighbours the other, theirs the first \
                again; if an edge ever joins two nodes of one colour, there are no two sides.",
    n_exemplars: 4,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| yes_no(answer.is_bipartite),
    ballot: |answer| yes_no(answer.is_bipartite),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question is whether the graph is bipartite.".into(),
        answering: &["is_bipartite", "color_graph"],
        similar: |_| ("find_cycle", json!({})),
        result,
    },
};

/// Half of the graphs have edges only from one side to the other, the rest from every node to later
/// ones. Sizes and densities as published.
///
/// `// Departs from GraphWiz:` its five bands of 2 to 100 nodes are three levels here.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high, sparse, dense) = match difficulty {
        Difficulty::Easy => (3, 10, 35, 70),
        Difficulty::Medium => (11, 40, 15, 40),
        Difficulty::Hard => (41, 100, 5, 15),
    };
    let n = random::between(rng, low, high);
    let p = random::between(rng, sparse, dense) as f64 / 100.0;
    let mut edges = if rng.random_bool(0.5) {
        let label = random::shuffled(rng, n);
        let (left, right) = label.split_at(random::between(rng, 1, n - 1));
        let mut edges = Vec::new();
        for a in left {
            for b in right {
                if rng.random_bool(p) {
                    edges.push((*a, *b));
                }
            }
        }
        edges
    } else {
        random::pairs(rng, n, p)
    };
    random::shuffle(rng, &mut edges);
    (random::plain(true, n, edges), Whole)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let mut builder = Builder::called(cursor, true, 7, ", and the edges are:")?;
    builder.pairs(cursor, "->")?;
    cursor.asked(&["bipartite"])?;
    Ok(GraphText { graph: builder.finish(), query: Whole })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    let graph = problem.graph;
    // "an directed edge" is how its files have it.
    let _ = write!(
        out,
        "{OPENING}. In a directed graph, (i->j) means that node i and node j are connected with an \
         directed edge from node i to node j. Given a graph, you need to output Yes or No, \
         indicating whether the graph is bipartite. Q: The nodes are numbered from 0 to {}, and \
         the edges are:",
        graph.n_nodes().saturating_sub(1)
    );
    for edge in graph.edges() {
        let _ = write!(out, " ({}->{})", edge.source, edge.target);
    }
    let _ = write!(out, ". {}?", ASKS);
    if style.has_exemplars() {
        out.push_str("\nA:");
    }
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let graph = problem.graph;
    match is_bipartite(graph) {
        Ok(sides) => Answer {
            is_bipartite: true,
            sides: vec![graph.names_of(&sides.left), graph.names_of(&sides.right)],
            cycle: Vec::new(),
        },
        Err(cycle) => {
            Answer { is_bipartite: false, sides: Vec::new(), cycle: graph.names_of(&cycle) }
        }
    }
}

fn reference(_: Asked<'_, Query>, answer: &Answer) -> String {
    if answer.is_bipartite { "### Yes" } else { "### No" }.into()
}

fn reasoned(problem: Asked<'_, Query>, answer: &Answer) -> String {
    let mut text = String::new();
    if let [left, right] = &answer.sides[..] {
        let _ = write!(
            text,
            "Every edge joins a node of the set {{{}}} with one of the set {{{}}}. ",
            join(left, ", "),
            join(right, ", ")
        );
    }
    if !answer.cycle.is_empty() {
        let _ = write!(
            text,
            "The nodes {} form a cycle of odd length, {}, so two neighbours on it are always on \
             one side. ",
            join(&answer.cycle, "-"),
            answer.cycle.len()
        );
    }
    text + &reference(problem, answer)
}

/// What `is_bipartite` gives.
fn result(result: &Value) -> Option<Answer> {
    let is_bipartite = result.get("is_bipartite")?.as_bool()?;
    let sides = vec![nodes(&result["left"]), nodes(&result["right"])];
    Some(Answer {
        is_bipartite,
        sides: if is_bipartite { sides } else { Vec::new() },
        cycle: nodes(&result["odd_cycle"]),
    })
}

/// The decision turns round. Whoever invented an edge blames it.
fn slip(_: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    let is_bipartite = !answer.is_bipartite;
    *answer = Answer { is_bipartite, sides: Vec::new(), cycle: Vec::new() };
    let (a, b) = slip.invented.as_ref().filter(|_| !is_bipartite)?;
    Some(format!("The edge ({a}->{b}) joins two nodes of one side."))
}
