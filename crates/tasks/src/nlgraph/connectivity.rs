//! Is there a path between two nodes?

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::find_shortest_path::find_shortest_path;
use graph::functions::has_path::has_path;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{construct_line, ends, join, names, push_pairs, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::{nodes, yes_no};
use crate::parse::{Builder, Cursor, GraphText};
use crate::verify::connectivity as verify;
use crate::{Difficulty, EdgeNumber, Ends, ParseError, Slip, Style, TaskGroup, Wording};

const OPENING: &str = "Determine if there is a path between two nodes in the graph";

pub use crate::verify::connectivity::Answer;
/// What it asks beside the graph.
pub type Query = Ends;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Connectivity",
    lede: "Is there a path between two nodes of an undirected graph?",
    group: TaskGroup::NlGraph,
    difficulties: &Difficulty::ALL,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &[],
    asks: "path between node",
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can use breadth-first search: start at the first node, visit all its \
                neighbours, then theirs, until the second node is met or nothing new is left.",
    n_exemplars: 4,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| yes_no(answer.connected),
    ballot: |answer| yes_no(answer.connected),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Nothing },
    functions: Functions {
        goal: |q| {
            format!(
                "The question is whether node {} can be reached from node {}.",
                q.target, q.source
            )
        },
        answering: &[
            "has_path",
            "find_shortest_path",
            "find_shortest_distance",
            "shortest_path_lengths",
            "all_pairs_shortest_distances",
            "bfs_order",
            "dfs_order",
            "connected_components",
        ],
        similar: |q| ("bfs_order", json!({ "start": q.source })),
        result,
    },
};

/// Several components, each dense. Levels as published: n, and p in {0.3, 0.7, 1.0}, hard without
/// 1.0. Inferred from the raw graphs: the number of components.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Ends) {
    let (low, high, densities): (_, _, &[f64]) = match difficulty {
        Difficulty::Easy => (5, 10, &[0.3, 0.7, 1.0]),
        Difficulty::Medium => (11, 25, &[0.3, 0.7, 1.0]),
        Difficulty::Hard => (26, 35, &[0.3, 0.7]),
    };
    loop {
        let n = random::between(rng, low, high);
        let p = random::one_of(rng, densities);
        let label = random::shuffled(rng, n);
        let blocks = random::between(rng, 2, (n / 3).clamp(2, 6));
        // The borders between blocks, at random but never two in one place.
        let mut borders = random::shuffled(rng, n - 1);
        borders.truncate(blocks - 1);
        borders.push(n - 1);
        borders.sort_unstable();
        let mut edges = Vec::new();
        let mut start = 0;
        for border in borders {
            for (a, b) in random::pairs(rng, border + 1 - start, p) {
                let (a, b) = (label[start + a], label[start + b]);
                edges.push((a.min(b), a.max(b)));
            }
            start = border + 1;
        }
        edges.sort_unstable();
        let component = random::components(n, &edges);
        let wanted = rng.random_bool(0.5);
        let mut candidates = Vec::new();
        for a in 0..n {
            for b in 0..n {
                if a != b && (component[a] == component[b]) == wanted {
                    candidates.push((a, b));
                }
            }
        }
        if candidates.is_empty() {
            continue;
        }
        let (source, target) = random::one_of(rng, &candidates);
        // The question never says how many nodes there are, so there are those it names.
        let mentioned = edges.iter().map(|(_, b)| *b).chain([source, target]).max().unwrap_or(0);
        let query = Ends { source: source.into(), target: target.into() };
        return (random::plain(false, mentioned + 1, edges), query);
    }
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Ends>, ParseError> {
    cursor.seek("Graph:")?;
    // How many nodes there are is not said: 0 up to the highest number, or those that are named.
    let mut ahead = cursor.clone();
    let numbers = highest(&mut ahead);
    let mut builder = match &numbers {
        Ok(highest) => Builder::new(false, highest + 1, cursor.room(6))?,
        Err(_) => Builder::open(false),
    };
    // Where it cannot be read by names either, what is wrong with the numbers says more.
    let text = read(cursor, &mut builder).map_err(|error| numbers.err().unwrap_or(error))?;
    Ok(GraphText { graph: builder.finish(), query: text })
}

/// The highest number that the edges and the question name.
fn highest(cursor: &mut Cursor<'_>) -> Result<usize, ParseError> {
    let mut highest = 0;
    let mut number = |cursor: &mut Cursor<'_>, what: &str| {
        highest = cursor.number(what)?.max(highest);
        Ok::<_, ParseError>(())
    };
    let example = "a node, as in \"(0,1)\"";
    while cursor.opens_pair().is_some() {
        number(cursor, example)?;
        cursor.want(",")?;
        number(cursor, example)?;
        cursor.want(")")?;
    }
    cursor.question_line("an edge such as (0,1)")?;
    cursor.want("Is there a path between node")?;
    number(cursor, "a node")?;
    cursor.want("and node")?;
    number(cursor, "a node")?;
    Ok(highest)
}

fn read(cursor: &mut Cursor<'_>, builder: &mut Builder) -> Result<Ends, ParseError> {
    builder.pairs(cursor, ",")?;
    cursor.question_line("an edge such as (0,1)")?;
    cursor.want("Is there a path between node")?;
    let source = builder.name(cursor, &[" and node"])?;
    cursor.want("and node")?;
    let target = builder.name(cursor, &["?", "\n"])?;
    Ok(Ends { source, target })
}

fn ask(problem: Asked<'_, Ends>, _: Wording, style: Style, out: &mut String) {
    let Ends { source, target } = problem.query;
    out.push_str(OPENING);
    out.push_str(". Note that (i,j) means that node i and node j are connected with an undirected edge.\nGraph:");
    push_pairs(problem.graph, out);
    out.push('\n');
    construct_line(style, out);
    let _ = write!(out, "Q: Is there a path between node {source} and node {target}?\nA:");
}

fn solve(problem: Asked<'_, Ends>) -> Answer {
    let Ends { source, target } = problem.query;
    let connected =
        ends(problem.graph, source, target).is_some_and(|(s, t)| has_path(problem.graph, s, t));
    Answer { connected, path: Vec::new(), edges: Vec::new() }
}

fn reference(_: Asked<'_, Ends>, answer: &Answer) -> String {
    match answer {
        Answer { connected: true, .. } => "The answer is yes.".into(),
        _ => "The answer is no.".into(),
    }
}

fn reasoned(problem: Asked<'_, Ends>, answer: &Answer) -> String {
    let Ends { source, target } = problem.query;
    let path = ends(problem.graph, source, target)
        .and_then(|(s, t)| find_shortest_path(problem.graph, s, t).ok().flatten());
    match path {
        Some(path) => format!(
            "There is a path from node {source} to node {target}: {}. {}",
            join(&names(problem.graph, &path.nodes), "->"),
            reference(problem, answer)
        ),
        None => format!(
            "Following all edges from node {source} never leads to node {target}. {}",
            reference(problem, answer)
        ),
    }
}

/// What `has_path` gives.
fn result(result: &Value) -> Option<Answer> {
    let connected = result.get("has_path")?.as_bool()?;
    Some(Answer { connected, path: nodes(&result["path"]), edges: Vec::new() })
}

/// The decision turns round. Whoever invented an edge tells of it.
fn slip(problem: Asked<'_, Ends>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    *answer = Answer { connected: !answer.connected, path: Vec::new(), edges: Vec::new() };
    let Ends { source, target } = problem.query;
    let told = answer.connected && slip.invented.is_some();
    told.then(|| {
        format!(
            "Node {source} is joined to node {target} by the edge ({source},{target}), so they are \
             connected."
        )
    })
}
