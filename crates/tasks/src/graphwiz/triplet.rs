//! The heaviest triangle of a graph whose nodes have weights.

use std::fmt::Write as _;

use graph::functions::find_heaviest_triangle::find_heaviest_triangle;
use graph::{Delta, Graph};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::{join, nodes};
use crate::parse::{Builder, Cursor, GraphText};
use crate::random;
use crate::verify::triplet as verify;
pub use crate::verify::triplet::Answer;
use crate::{Difficulty, EdgeNumber, ParseError, Slip, SlipKind, Style, TaskGroup, Whole, Wording};

const OPENING: &str = "Find the maximum sum of the weights of three interconnected nodes";

/// What it asks beside the graph.
pub type Query = Whole;

/// What a question ends with. By itself, because a reference to a field of [`TASK`] keeps all of it, with
/// what reads answers, in the module of a page that only asks.
const ASKS: &str = "What is the maximum sum of the weights of three";

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Maximum triangle sum",
    lede: "Which three nodes that are all joined have the largest sum of weights?",
    group: TaskGroup::GraphWiz,
    difficulties: &Difficulty::ALL,
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &[],
    asks: ASKS,
    make,
    parse,
    ask,
    fits,
    solve,
    reference,
    reasoned,
    algorithm: "We can go through the edges; for each, every node that is joined to both of its \
                ends makes a triangle, and the heaviest triangle so far is kept.",
    n_exemplars: 4,
    read: verify::read,
    judge: verify::judge,
    unique: |problem, answer| {
        let total = answer.total.or_else(|| verify::sum(problem.graph, &answer.nodes));
        total.map_or("no triangle".into(), |total| format!("sum {total}"))
    },
    ballot: |answer| answer.total.map_or_else(String::new, |total| format!("sum {total}")),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: true, row: Row::Weight },
    functions: Functions {
        goal: |_| "The question asks for the heaviest triangle by the weights of its nodes.".into(),
        answering: &["find_heaviest_triangle"],
        similar: |_| ("max_clique", json!({})),
        result,
    },
};

/// G(n, p), drawn again until it has a triangle; weights of nodes 1 to 10. Sizes and densities as
/// published.
///
/// `// Departs from GraphWiz:` its five bands of 2 to 25 nodes are three levels here.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
    let (low, high, sparse, dense) = match difficulty {
        Difficulty::Easy => (4, 8, 30, 60),
        Difficulty::Medium => (9, 15, 15, 35),
        Difficulty::Hard => (16, 25, 10, 20),
    };
    loop {
        let n = random::between(rng, low, high);
        let p = random::between(rng, sparse, dense) as f64 / 100.0;
        let edges = random::pairs(rng, n, p);
        let mut graph = random::plain(false, n, edges);
        for node in 0..n {
            let values = vec![random::between(rng, 1, 10) as f64];
            // The node is there and the number finite, so this cannot fail.
            let _ = graph.apply(&Delta::SetEmbedding { node: node.into(), values });
        }
        if find_heaviest_triangle(&graph).is_ok_and(|found| found.count > 0) {
            return (graph, Whole);
        }
    }
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Query>, ParseError> {
    let mut builder = Builder::called(cursor, false, 7, ", weights of nodes are:")?;
    while cursor.eat("[") {
        let node = builder.node(cursor, "a node, as in \"[0, 2]\"", &[","])?;
        cursor.want(",")?;
        let weight = cursor.decimal("a weight, as in \"[0, 2]\"")?;
        cursor.want("]")?;
        builder.embedding(node, vec![weight]);
    }
    cursor.want(", and the edges are:")?;
    builder.pairs(cursor, ",")?;
    cursor.asked(&["three", "triangle"])?;
    let graph = builder.finish();
    fits(Asked { graph: &graph, query: &Whole })
        .map_err(|_| cursor.expected("a weight for every node, such as \"[0, 2]\""))?;
    Ok(GraphText { graph, query: Whole })
}

fn ask(problem: Asked<'_, Query>, _: Wording, style: Style, out: &mut String) {
    let graph = problem.graph;
    let _ = write!(
        out,
        "{OPENING}. In an undirected graph, [i, k] means that node i has the weight k. (i,j) means \
         that node i and node j are connected with an undirected edge. Given a graph, you need to \
         output the maximum sum of the weights of three interconnected nodes. Q: The nodes are \
         numbered from 0 to {}, weights of nodes are:",
        graph.n_nodes().saturating_sub(1)
    );
    for place in graph.indices() {
        let weight = graph.embedding(place).and_then(<[f64]>::first).copied().unwrap_or_default();
        let _ = write!(out, " [{}, {weight}]", graph.name(place));
    }
    out.push_str(", and the edges are:");
    for edge in graph.edges() {
        let _ = write!(out, " ({}, {})", edge.source, edge.target);
    }
    let _ = write!(out, ". {} nodes?", ASKS);
    if style.has_exemplars() {
        out.push_str("\nA:");
    }
}

fn fits(problem: Asked<'_, Query>) -> Result<(), String> {
    let graph = problem.graph;
    let bare = graph.indices().find(|place| !matches!(graph.embedding(*place), Some([_])));
    match bare {
        None => Ok(()),
        Some(place) => Err(format!(
            "is about weights of nodes, and node \"{}\" has none: a weight is an embedding of one \
             number",
            graph.name(place)
        )),
    }
}

fn solve(problem: Asked<'_, Query>) -> Answer {
    let found = find_heaviest_triangle(problem.graph).ok().and_then(|found| found.heaviest);
    match found {
        Some((places, total)) => {
            Answer { total: Some(total), nodes: problem.graph.names_of(&places) }
        }
        None => Answer { total: None, nodes: Vec::new() },
    }
}

fn reference(_: Asked<'_, Query>, answer: &Answer) -> String {
    match answer.total {
        Some(total) => format!("### {total}"),
        None => "There are no three interconnected nodes. ### None".into(),
    }
}

fn reasoned(problem: Asked<'_, Query>, answer: &Answer) -> String {
    let mut text = String::new();
    if !answer.nodes.is_empty() {
        let terms: Vec<String> = answer
            .nodes
            .iter()
            .map(|name| verify::weight(problem.graph, name).unwrap_or_default().to_string())
            .collect();
        let _ = write!(
            text,
            "The nodes {} are all joined, with the weights {} = {}, and no other three joined \
             nodes are heavier. ",
            join(&answer.nodes, ", "),
            terms.join(" + "),
            answer.total.unwrap_or_default()
        );
    }
    text + &reference(problem, answer)
}

/// What `find_heaviest_triangle` gives.
fn result(result: &Value) -> Option<Answer> {
    let triangle = result.get("triangle")?;
    Some(Answer { total: result.get("total")?.as_f64(), nodes: nodes(triangle) })
}

/// Three nodes that are not all joined look heavier; or the sum is wrong.
fn slip(problem: Asked<'_, Query>, answer: &mut Answer, slip: &Slip) -> Option<String> {
    let most = answer.total.unwrap_or_default();
    answer.total = Some(most + 1.0);
    let (Some((a, b)), SlipKind::Witness) = (&slip.invented, slip.kind) else {
        answer.nodes.clear();
        return None;
    };
    let graph = problem.graph;
    let third = graph.names().filter(|name| *name != a && *name != b).max_by(|x, y| {
        let weight = |name| verify::weight(graph, name).unwrap_or_default();
        weight(x).total_cmp(&weight(y))
    })?;
    answer.nodes = vec![a.clone(), b.clone(), third.clone()];
    let total = verify::sum_of_weights(graph, &answer.nodes).filter(|total| *total != most);
    answer.total = total.or(answer.total);
    Some(format!("The nodes {} are all joined.", join(&answer.nodes, ", ")))
}
