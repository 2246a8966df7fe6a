//! Node embeddings after layers of summing over neighbours.

use std::fmt::Write as _;

use graph::functions::graph_convolution::graph_convolution;
use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::shortest_path::OPENING;
use super::{construct_line, last, push_pairs, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::names::bracketed;
use crate::parse::{Builder, Cursor, GraphText};
use crate::verify::gnn as verify;
use crate::{Difficulty, EdgeNumber, Layers, ParseError, Slip, Style, TaskGroup, Wording};

pub use crate::verify::gnn::Answer;
/// What it asks beside the graph.
pub type Query = Layers;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Graph convolution",
    lede: "What is the embedding of each node after layers that sum over its neighbours?",
    group: TaskGroup::NlGraph,
    difficulties: &[Difficulty::Easy, Difficulty::Hard],
    is_directed: false,
    edge_number: EdgeNumber::Unused,
    openings: &[OPENING],
    question_words: &["every node has an embedding"],
    asks: "embedding",
    make,
    parse,
    ask,
    fits: |_| Ok(()),
    solve,
    reference,
    reasoned,
    algorithm: "We can go through the nodes layer by layer and add up the embeddings that their \
                neighbours had in the layer before.",
    n_exemplars: 1,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| format!("{:?}", answer.rows),
    ballot,
    slip,
    speech: Speech { list: Listed::Nodes, pair_is_edge: false, row: Row::Embedding },
    functions: Functions {
        goal: |q| {
            format!("The question asks for the embeddings after {} layers of summing.", q.layers)
        },
        answering: &["graph_convolution"],
        similar: |_| ("get_degrees", json!({})),
        result,
    },
};

const MAX_DIMENSIONS: usize = 64;
const NUMBERS: [&str; 6] = ["zero", "one", "two", "three", "four", "five"];

/// A connected random graph with embeddings of two bits. Inferred from the raw graphs: density 0.45
/// easy, 0.25 hard.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Layers) {
    let (low, high, p) = match difficulty {
        Difficulty::Hard => (9, 15, 0.25),
        _ => (5, 8, 0.45),
    };
    let n = random::between(rng, low, high);
    let edges = random::connected_pairs(rng, n, p);
    let mut graph = random::plain(false, n, edges);
    for node in 0..n {
        let values = (0..2).map(|_| random::between(rng, 0, 1) as f64).collect();
        // The node is there and the values are finite, so this cannot fail.
        let _ = graph.apply(&graph::Delta::SetEmbedding { node: node.into(), values });
    }
    (graph, Layers { layers: 2 })
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Layers>, ParseError> {
    let mut builder = Builder::called(cursor, false, 6, ", and every node has an embedding")?;
    cursor.seek("Embeddings:")?;
    while cursor.eat("node") {
        let node = builder.node(cursor, "a node", &[": ["])?;
        cursor.want(": [")?;
        let mut values = Vec::new();
        while values.len() < MAX_DIMENSIONS {
            let negative = cursor.eat("-");
            let value = cursor.decimal("a number, as in \"[1,0]\"")?;
            values.push(if negative { -value } else { value });
            if !cursor.eat(",") {
                break;
            }
        }
        cursor.want("]")?;
        builder.embedding(node, values);
    }
    cursor.want("The edges are:")?;
    builder.pairs(cursor, ",")?;
    cursor.question_line("an edge such as (0,1)")?;
    cursor.want("What's the embedding of each node after")?;
    let spelt = NUMBERS.iter().position(|word| cursor.eat(word));
    let layers = match spelt {
        Some(layers) => layers as u32,
        None => cursor.number("a number of layers, such as \"two\"")?.min(1000) as u32,
    };
    Ok(GraphText { graph: builder.finish(), query: Layers { layers } })
}

fn ask(problem: Asked<'_, Layers>, _: Wording, style: Style, out: &mut String) {
    let graph = problem.graph;
    let _ = writeln!(
        out,
        "{OPENING} numbered from 0 to {}, and every node has an embedding. (i,j) means that node i and node j \
         are connected with an undirected edge.\nEmbeddings:",
        last(graph.n_nodes())
    );
    for idx in graph.indices() {
        let values = graph.embedding(idx).unwrap_or_default();
        let _ = writeln!(out, "node {}: {}", graph.name(idx), bracketed(values));
    }
    out.push_str("The edges are:");
    push_pairs(graph, out);
    out.push_str(
        "\nIn a simple graph convolution layer, each node's embedding is updated by the sum of \
         its neighbors' embeddings.\n",
    );
    construct_line(style, out);
    let layers = problem.query.layers;
    let count = match NUMBERS.get(layers as usize) {
        Some(word) => (*word).to_owned(),
        None => layers.to_string(),
    };
    let plural = if layers == 1 { "layer" } else { "layers" };
    let _ = write!(
        out,
        "Q: What's the embedding of each node after {count} {plural} of simple graph convolution \
         layer?\nA:"
    );
}

fn solve(problem: Asked<'_, Layers>) -> Answer {
    let graph = problem.graph;
    let rows = graph_convolution(graph, problem.query.layers as usize)
        .unwrap_or_default()
        .into_iter()
        .map(|(idx, values)| (graph.name(idx).clone(), values))
        .collect();
    Answer { rows }
}

fn reference(_: Asked<'_, Layers>, answer: &Answer) -> String {
    let mut text = String::from("The answer is:\n");
    let Answer { rows } = answer;
    for (node, values) in rows {
        let _ = writeln!(text, "node {node}: {}", bracketed(values));
    }
    text
}

fn reasoned(problem: Asked<'_, Layers>, answer: &Answer) -> String {
    let graph = problem.graph;
    let mut text = String::new();
    for idx in graph.indices() {
        let name = graph.name(idx);
        let neighbours: Vec<String> = graph
            .edges()
            .filter_map(|e| match (e.source == name, e.target == name) {
                (true, _) => Some(e.target.to_string()),
                (_, true) => Some(e.source.to_string()),
                _ => None,
            })
            .collect();
        let _ = writeln!(text, "In each layer, node {name} adds up {}.", neighbours.join(", "));
    }
    text + &reference(problem, answer)
}

/// What `graph_convolution` gives.
fn result(result: &Value) -> Option<Answer> {
    let row = |row: &Value| {
        let node = serde_json::from_value(row["node"].clone()).ok()?;
        Some((node, serde_json::from_value(row["embedding"].clone()).ok()?))
    };
    Some(Answer { rows: result.get("embeddings")?.as_array()?.iter().filter_map(row).collect() })
}

/// One number of the last row is wrong.
fn slip(_: Asked<'_, Layers>, answer: &mut Answer, _: &Slip) -> Option<String> {
    if let Some(value) = answer.rows.last_mut().and_then(|(_, values)| values.first_mut()) {
        *value += 1.0;
    }
    None
}

fn ballot(answer: &Answer) -> String {
    let row = |(node, values): &(NodeName, Vec<f64>)| format!("{node}: {values:?}");
    answer.rows.iter().map(row).collect::<Vec<_>>().join("; ")
}
