//! The path of least weight between two nodes of an undirected graph.

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::find_shortest_path::find_shortest_path;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{comma_list, construct_line, ends, join, last, names, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::nodes;
use crate::parse::{Builder, Cursor, GraphText};
use crate::verify::shortest_path as verify;
use crate::{Difficulty, EdgeNumber, Ends, ParseError, Slip, SlipKind, Style, TaskGroup, Wording};

pub(super) const OPENING: &str = "In an undirected graph, the nodes are";
const CITY_OPENING: &str = "In a country, the cities are";

pub use crate::verify::shortest_path::Answer;
/// What it asks beside the graph.
pub type Query = Ends;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Shortest path",
    lede: "Which path between two nodes of a weighted graph has the least total weight?",
    group: TaskGroup::NlGraph,
    difficulties: &[Difficulty::Easy, Difficulty::Hard],
    is_directed: false,
    edge_number: EdgeNumber::Weight,
    openings: &[OPENING, CITY_OPENING],
    question_words: &["shortest path"],
    asks: "shortest path",
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can use Dijkstra's algorithm: settle again and again the unsettled node that \
                is nearest to the start, and see whether its neighbours are nearer through it.",
    n_exemplars: 5,
    read: verify::read,
    judge: verify::judge,
    unique,
    ballot: |answer| match answer.total {
        Some(total) => format!("length {total}"),
        None => join(&answer.path, ", ").to_string(),
    },
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |q| {
            format!(
                "The question asks for the path of least weight from {} to {}.",
                q.source, q.target
            )
        },
        answering: &[
            "find_shortest_path",
            "find_shortest_distance",
            "all_pairs_shortest_distances",
        ],
        similar: |q| ("bfs_order", json!({ "start": q.source })),
        result,
    },
};

/// G(n, p), drawn again until connected, with a pair that is not adjacent. Levels as published:
/// easy n 5 to 10, p in {0.5, 0.7, 0.9}, weights 1 to 4; hard n 11 to 20, p in {0.2, 0.25}, weights
/// 1 to 10.
///
/// `// Departs from §6:` the least number of hops is 2, which is what the easy problems show; for
/// hard ones it is drawn from 2 to 4, because larger values never end on some graphs.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Ends) {
    let (low, high, densities, heaviest, hops): (_, _, &[f64], _, _) = match difficulty {
        Difficulty::Hard => (11, 20, &[0.2, 0.25], 10, random::between(rng, 2, 4)),
        _ => (5, 10, &[0.5, 0.7, 0.9], 4, 2),
    };
    let n = random::between(rng, low, high);
    let p = random::one_of(rng, densities);
    loop {
        let mut edges = random::connected_pairs(rng, n, p);
        let far = pairs_at_least(n, &edges, hops);
        if far.is_empty() {
            continue;
        }
        let (source, target) = random::one_of(rng, &far);
        random::turn(rng, &mut edges);
        edges.sort_by_key(|(a, b)| (*a.min(b), *a.max(b)));
        let weighted: Vec<_> = edges
            .into_iter()
            .map(|(a, b)| (a, b, Some(random::between(rng, 1, heaviest) as f64)))
            .collect();
        let query = Ends { source: source.into(), target: target.into() };
        return (random::graph(false, n, weighted), query);
    }
}

fn pairs_at_least(n: usize, edges: &[(usize, usize)], hops: usize) -> Vec<(usize, usize)> {
    let mut far = Vec::new();
    for source in 0..n {
        let mut distance = vec![usize::MAX; n];
        distance[source] = 0;
        // As many rounds as nodes: the graphs have at most 20.
        for _ in 0..n {
            for (a, b) in edges {
                let (da, db) = (distance[*a], distance[*b]);
                distance[*b] = db.min(da.saturating_add(1));
                distance[*a] = da.min(db.saturating_add(1));
            }
        }
        far.extend((0..n).filter(|t| distance[*t] >= hops).map(|t| (source, t)));
    }
    far
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Ends>, ParseError> {
    let city = cursor.clone().eat(CITY_OPENING);
    let (end, edge, between, with, node, example) = if city {
        let end = ". There are roads between the cities, and the roads are:";
        let example = "\"a road between city 0 and city 1 with length 3\"";
        (end, "a road between city", " and city", " with length", "city", example)
    } else {
        let end = ", and the edges are:";
        let example = "\"an edge between node 0 and node 1 with weight 3\"";
        (end, "an edge between node", " and node", " with weight", "node", example)
    };
    let mut builder = Builder::called(cursor, false, 40, end)?;
    while cursor.eat(edge) {
        let a = builder.node(cursor, "a node", &[between])?;
        cursor.want(between.trim_start())?;
        let b = builder.node(cursor, "a node", &[with])?;
        cursor.want(with.trim_start())?;
        let weight = cursor.decimal("a weight")?;
        builder.link(a, b, Some(weight), None)?;
        let _ = cursor.eat(",") || cursor.eat(".");
    }
    cursor.question_line(example)?;
    cursor.want("Give the shortest path from")?;
    cursor.want(node)?;
    let to = format!(" to {node}");
    let source = builder.name(cursor, &[to.as_str()])?;
    cursor.want(to.trim_start())?;
    let target = builder.name(cursor, &[".", "\n"])?;
    Ok(GraphText { graph: builder.finish(), query: Ends { source, target } })
}

fn ask(problem: Asked<'_, Ends>, wording: Wording, style: Style, out: &mut String) {
    let Ends { source, target } = problem.query;
    let graph = problem.graph;
    let last = last(graph.n_nodes());
    let (edge, node, weight) = if wording == Wording::City {
        let _ = writeln!(
            out,
            "{CITY_OPENING} numbered from 0 to {last}. There are roads between the cities, and the roads are:"
        );
        ("a road", "city", "length")
    } else {
        let _ = writeln!(out, "{OPENING} numbered from 0 to {last}, and the edges are:");
        ("an edge", "node", "weight")
    };
    let m = graph.n_edges();
    for (i, e) in graph.edges().enumerate() {
        let end = if i + 1 < m { ',' } else { '.' };
        let _ = writeln!(
            out,
            "{edge} between {node} {} and {node} {} with {weight} {}{end}",
            e.source,
            e.target,
            e.weight_or_one()
        );
    }
    construct_line(style, out);
    let _ = write!(out, "Q: Give the shortest path from {node} {source} to {node} {target}.\nA:");
}

fn solve(problem: Asked<'_, Ends>) -> Answer {
    let Ends { source, target } = problem.query;
    let path = ends(problem.graph, source, target)
        .and_then(|(s, t)| find_shortest_path(problem.graph, s, t).ok().flatten());
    Answer {
        total: path.as_ref().map(|p| p.weight),
        path: path.map(|p| names(problem.graph, &p.nodes)).unwrap_or_default(),
        others: Vec::new(),
        is_marked: false,
    }
}

fn reference(problem: Asked<'_, Ends>, answer: &Answer) -> String {
    let Ends { source, target } = problem.query;
    match answer {
        Answer { path, total, .. } if !path.is_empty() => format!(
            "The shortest path from node {source} to node {target} is {} with a total weight of {}",
            comma_list(path),
            total.unwrap_or_default()
        ),
        _ => format!("There is no path from node {source} to node {target}."),
    }
}

fn reasoned(problem: Asked<'_, Ends>, answer: &Answer) -> String {
    let mut text = String::new();
    if let Answer { path, total: Some(total), .. } = answer {
        let _ = write!(text, "The path {} has a total weight of ", comma_list(path));
        for (i, step) in path.windows(2).enumerate() {
            let weight = problem.graph.edge(&step[0], &step[1]).map_or(0.0, |e| e.weight_or_one());
            let _ = write!(text, "{}{weight}", if i > 0 { " + " } else { "" });
        }
        let _ = write!(text, " = {total}, and no other path is lighter. So ");
    }
    text + &reference(problem, answer).replacen("The", "the", 1) + "."
}

/// What `find_shortest_path` gives.
fn result(result: &Value) -> Option<Answer> {
    let total = result.get("length")?.as_f64();
    Some(Answer { path: nodes(&result["path"]), others: Vec::new(), total, is_marked: false })
}

/// By an edge that is not there, straight to the end; else the total is too small.
fn slip(problem: Asked<'_, Ends>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    let straight = slip.kind != SlipKind::Total
        && slip
            .invented
            .as_ref()
            .is_some_and(|(a, b)| (answer.path.first(), answer.path.last()) == (Some(a), Some(b)));
    if straight {
        answer.path = vec![problem.query.source.clone(), problem.query.target.clone()];
        answer.total = Some(1.0);
    } else {
        answer.total = answer.total.map(|total| total - 1.0);
    }
    None
}

/// The weight that is stated, or else that of the path.
fn unique(problem: Asked<'_, Ends>, answer: &Answer) -> String {
    let along: Option<f64> = answer
        .path
        .windows(2)
        .map(|s| problem.graph.edge(&s[0], &s[1]).map(|e| e.weight_or_one()))
        .sum();
    format!("weight {:?}", answer.total.or(along.filter(|_| !answer.path.is_empty())))
}
