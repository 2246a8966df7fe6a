//! Whether a path visits every node of an undirected graph once: the decision alone.

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::find_hamilton_path::{HamiltonOutcome, find_hamilton_path};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::{join, nodes, yes_no};
use crate::parse::{Builder, Cursor, GraphText};
use crate::random;
use crate::verify::hamilton as verify;
pub use crate::verify::hamilton::Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, Style, TaskGroup, Wording, YesOrNo};

/// Steps of the search; graphs of these sizes need a few thousand at most.
const BUDGET: u64 = 2_000_000;

/// The sentences before the graph.
pub(crate) const OPENING: &str = "Determine whether or not there is a Hamiltonian path in an \
    undirected graph. In an undirected graph, (i,j) means that node i and node j are connected with \
    an undirected edge. Given a graph, you need to output Yes or No, indicating whether there is a \
    Hamiltonian path in the graph.";

/// What a question ends with.
pub(crate) const ASKS: &str = "Is there a Hamiltonian path in this graph";

/// What it asks beside the graph.
pub type Query = YesOrNo;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Hamilton path check",
    lede: "Is there a path that visits every node exactly once?",
    group: TaskGroup::GraphWiz,
    difficulties: &Difficulty::ALL,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &["Determine whether or not there is a Hamiltonian path"],
    question_words: &[],
    asks: ASKS,
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can look for reasons against a path first: parts that do not hang together, or three \
                nodes with one neighbour each. If there are none, we go from node to node and step \
                back where no new neighbour is left.",
    n_exemplars: 4,
    read: verify::read_decision,
    judge: verify::judge_decision,
    unique: |_, answer| yes_no(answer.says_yes()),
    ballot: |answer| yes_no(answer.says_yes()),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question is whether a path visits every node exactly once.".into(),
        answering: &["find_hamilton_path"],
        similar: |_| ("find_longest_path", json!({})),
        result,
    },
};

/// Sizes and densities as published.
///
/// `// Departs from GraphWiz:` its five bands of 2 to 50 nodes are three levels here, and half of our
/// graphs have no such path, where its random graphs of more than ten nodes always have one: so many
/// nodes without edges between them that the others cannot part them, or three dead ends.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high, sparse, dense) = match difficulty {
        Difficulty::Easy => (5, 10, 50, 80),
        Difficulty::Medium => (11, 25, 30, 60),
        Difficulty::Hard => (26, 50, 20, 40),
    };
    let n = random::between(rng, low, high);
    let p = random::between(rng, sparse, dense) as f64 / 100.0;
    let mut edges = random::pairs(rng, n, p);
    if rng.random_bool(0.5) {
        let order = random::shuffled(rng, n);
        if difficulty == Difficulty::Easy {
            let apart = &order[..n / 2 + 2];
            edges.retain(|(a, b)| !(apart.contains(a) && apart.contains(b)));
        } else {
            let ends = &order[..3];
            edges.retain(|(a, b)| !ends.contains(a) && !ends.contains(b));
            edges.extend(ends.iter().zip(&order[3..]).map(|(a, b)| (*a.min(b), *a.max(b))));
        }
    }
    random::shuffle(rng, &mut edges);
    (random::plain(false, n, edges), YesOrNo)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let mut builder = Builder::called(cursor, false, 6, ", and the edges are:")?;
    builder.pairs(cursor, ",")?;
    cursor.asked(&["Hamilton"])?;
    Ok(GraphText { graph: builder.finish(), query: YesOrNo })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    let last = problem.graph.n_nodes().saturating_sub(1);
    let _ = write!(out, "{OPENING} Q: The nodes are numbered from 0 to {last}, and the edges are:");
    for edge in problem.graph.edges() {
        let _ = write!(out, " ({}, {})", edge.source, edge.target);
    }
    let _ = write!(out, ". {ASKS}?");
    if style.has_exemplars() {
        out.push_str("\nA:");
    }
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    match find_hamilton_path(problem.graph, BUDGET) {
        HamiltonOutcome::Found(path) => {
            Answer { exists: Some(true), path: problem.graph.names_of(&path) }
        }
        HamiltonOutcome::None { .. } => Answer { exists: Some(false), path: Vec::new() },
        HamiltonOutcome::Undecided { .. } => Answer { exists: None, path: Vec::new() },
    }
}

fn reference(_: Asked<'_, Query>, answer: &Answer) -> String {
    if answer.says_yes() { "### Yes" } else { "### No" }.into()
}

fn reasoned(problem: Asked<'_, Query>, answer: &Answer) -> String {
    let lead = if answer.path.is_empty() {
        "No path can visit every node once. ".to_owned()
    } else {
        format!("The path {} visits every node once. ", join(&answer.path, " -> "))
    };
    lead + &reference(problem, answer)
}

/// What `find_hamilton_path` gives.
fn result(result: &Value) -> Option<Answer> {
    let exists = result.get("exists")?.as_bool();
    Some(Answer { exists, path: nodes(&result["path"]) })
}

/// The decision turns round.
fn slip(_: Asked<'_, Query>, answer: &mut Answer, _: &Slip) -> Option<String> {
    *answer = Answer { exists: Some(!answer.says_yes()), path: Vec::new() };
    None
}
