//! A path through an undirected graph that visits every node once.

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::find_hamilton_path::{HamiltonOutcome, find_hamilton_path};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::cycle::{OPENING, ask_pairs, parse_pairs};
use super::{comma_list, construct_line, join, names, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::{nodes, yes_no};
use crate::parse::{Cursor, GraphText};
use crate::verify::hamilton as verify;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Whole, Wording};

/// Steps of the search; the benchmark's graphs need a few thousand at most.
const BUDGET: u64 = 2_000_000;

pub use crate::verify::hamilton::Answer;
/// What it asks beside the graph.
pub type Query = Whole;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Hamilton path",
    lede: "Is there a path that visits every node exactly once, and which?",
    group: TaskGroup::NlGraph,
    difficulties: &[Difficulty::Easy, Difficulty::Hard],
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &["visits every node exactly once"],
    asks: "visits every node exactly once",
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can start somewhere, go on to a neighbour that was not visited yet, and where \
                there is none, step back and try another one.",
    n_exemplars: 5,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| format!("exists {}", answer.exists.unwrap_or(!answer.path.is_empty())),
    ballot,
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |_| "The question asks for a path that visits every node exactly once.".into(),
        answering: &["find_hamilton_path"],
        similar: |_| ("find_longest_path", json!({})),
        result,
    },
};

/// A random graph with a path laid through it. Inferred from the raw graphs: density 0.45 or 0.59
/// easy, 0.41 or 0.60 hard.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Whole) {
    let (n, densities) = match difficulty {
        Difficulty::Hard => (random::between(rng, 11, 20), [0.41, 0.60]),
        _ => {
            let sizes = [(5, 4), (6, 8), (7, 16), (8, 24), (9, 42), (10, 56)];
            (random::weighted(rng, &sizes), [0.45, 0.59])
        }
    };
    let density = random::one_of(rng, &densities);
    let order = random::shuffled(rng, n);
    let mut edges: Vec<(usize, usize)> =
        order.windows(2).map(|w| (w[0].min(w[1]), w[0].max(w[1]))).collect();
    // The path has n - 1 of the n(n-1)/2 pairs; the others come with what is left of the density.
    let all = (n * (n - 1) / 2) as f64;
    let rest = all - edges.len() as f64;
    let p = ((density * all - edges.len() as f64) / rest).clamp(0.0, 1.0);
    for i in 0..n {
        for j in i + 1..n {
            if !edges.contains(&(i, j)) && rng.random_bool(p) {
                edges.push((i, j));
            }
        }
    }
    random::shuffle(rng, &mut edges);
    edges.sort_by_key(|(a, _)| *a);
    (random::plain(false, n, edges), Whole)
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Whole>, ParseError> {
    let builder = parse_pairs(cursor)?;
    cursor.want("Is there a path in this graph that visits every node exactly once")?;
    Ok(GraphText { graph: builder.finish(), query: Whole })
}

fn ask(problem: Asked<'_, Whole>, _: Wording, style: Style, out: &mut String) {
    ask_pairs(problem.graph, out);
    out.push('\n');
    construct_line(style, out);
    out.push_str(
        "Q: Is there a path in this graph that visits every node exactly once? If yes, give the \
         path. Note that in a path, adjacent nodes must be connected with edges.\nA:",
    );
}

fn solve(problem: Asked<'_, Whole>) -> Answer {
    match find_hamilton_path(problem.graph, BUDGET) {
        HamiltonOutcome::Found(path) => {
            Answer { exists: Some(true), path: names(problem.graph, &path) }
        }
        HamiltonOutcome::None { .. } => Answer { exists: Some(false), path: Vec::new() },
        HamiltonOutcome::Undecided { .. } => Answer { exists: None, path: Vec::new() },
    }
}

fn reference(_: Asked<'_, Whole>, answer: &Answer) -> String {
    match answer {
        Answer { path, .. } if !path.is_empty() => {
            format!("Yes. The path can be: {}", comma_list(path))
        }
        _ => "No. There is no path that visits every node exactly once.".into(),
    }
}

fn reasoned(problem: Asked<'_, Whole>, answer: &Answer) -> String {
    let mut text = String::new();
    let Answer { path, .. } = answer;
    for (i, node) in path.iter().enumerate() {
        if i == 0 {
            let _ = write!(text, "We can start at node {node}. ");
        } else {
            let _ = write!(text, "Then we can visit node {node}, a neighbour not yet visited. ");
        }
    }
    text + &reference(problem, answer) + "."
}

/// What `find_hamilton_path` gives.
fn result(result: &Value) -> Option<Answer> {
    let path = nodes(&result["path"]);
    Some(Answer { exists: result.get("exists")?.as_bool(), path })
}

/// The ends change places, and with them two steps that the graph has not; or the last is lost.
fn slip(problem: Asked<'_, Whole>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    let path = &mut answer.path;
    if let Some(last @ 3..) = path.len().checked_sub(1)
        && slip.kind != SlipKind::Total
    {
        path.swap(1, last);
        // In a dense graph the other way round may be a path, too.
        if path.windows(2).any(|step| problem.graph.edge(&step[0], &step[1]).is_none()) {
            return None;
        }
    }
    path.pop();
    None
}

fn ballot(answer: &Answer) -> String {
    answer.exists.map_or_else(|| join(&answer.path, ", ").to_string(), yes_no)
}
