//! Node embeddings after layers of summing over neighbours.

use std::fmt::Write as _;

use graph::Graph;
use graph::functions::graph_convolution::graph_convolution;
use rand_chacha::ChaCha8Rng;

use super::shortest_path::OPENING;
use super::{construct_line, last, push_pairs, random};
use crate::parse::{Builder, Cursor, GraphText};
use crate::verify::gnn as verify;
use crate::{Answer, Difficulty, ParseError, Problem, Query, Style, Task, TaskId, Wording};

pub(crate) const TASK: Task = Task {
    id: TaskId::Gnn,
    title: "Graph convolution",
    lede: "What is the embedding of each node after layers that sum over its neighbours?",
    difficulties: &[Difficulty::Easy, Difficulty::Hard],
    openings: &[OPENING],
    question_words: &["every node has an embedding"],
    make,
    parse,
    ask,
    solve,
    reference,
    reasoned,
    algorithm: "We can go through the nodes layer by layer and add up the embeddings that their \
                neighbours had in the layer before.",
    read: verify::read,
    judge: verify::judge,
};

const MAX_DIMENSIONS: usize = 64;
const NUMBERS: [&str; 6] = ["zero", "one", "two", "three", "four", "five"];

/// A connected random graph with embeddings of two bits. Inferred from the raw graphs: density 0.45
/// easy, 0.25 hard.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Query) {
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
    (graph, Query::Convolution { layers: 2 })
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText, ParseError> {
    cursor.want(OPENING)?;
    cursor.number("0")?;
    cursor.want("to")?;
    let last = cursor.number("the number of the last node")?;
    cursor.seek("Embeddings:")?;
    let mut builder = Builder::new(false, last + 1, cursor.room(6))?;
    while cursor.eat("node") {
        let node = cursor.number("a node")?;
        builder.known(cursor, node)?;
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
    cursor.pairs(|cursor, a, b| builder.edge(cursor, (a, b), None, None))?;
    cursor.question_line("an edge such as (0,1)")?;
    cursor.want("What's the embedding of each node after")?;
    let spelt = NUMBERS.iter().position(|word| cursor.eat(word));
    let layers = match spelt {
        Some(layers) => layers as u32,
        None => cursor.number("a number of layers, such as \"two\"")?.min(1000) as u32,
    };
    Ok(GraphText { graph: builder.finish(), query: Query::Convolution { layers } })
}

pub(crate) fn layers(problem: &Problem) -> u32 {
    match problem.query {
        Query::Convolution { layers } => layers,
        _ => 1,
    }
}

/// `[1,0]`.
pub(crate) fn row(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("[{}]", values.join(","))
}

fn ask(problem: &Problem, _: Wording, style: Style, out: &mut String) {
    let graph = &problem.graph;
    let _ = writeln!(
        out,
        "{OPENING} 0 to {}, and every node has an embedding. (i,j) means that node i and node j \
         are connected with an undirected edge.\nEmbeddings:",
        last(graph.n_nodes())
    );
    for idx in graph.indices() {
        let values = graph.embedding(idx).unwrap_or_default();
        let _ = writeln!(out, "node {}: {}", graph.name(idx), row(values));
    }
    out.push_str("The edges are:");
    push_pairs(graph, out);
    out.push_str(
        "\nIn a simple graph convolution layer, each node's embedding is updated by the sum of \
         its neighbors' embeddings.\n",
    );
    construct_line(style, out);
    let layers = layers(problem);
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

fn solve(problem: &Problem) -> Answer {
    let graph = &problem.graph;
    let rows = graph_convolution(graph, layers(problem) as usize)
        .unwrap_or_default()
        .into_iter()
        .map(|(idx, values)| (graph.name(idx).clone(), values))
        .collect();
    Answer::Convolution { rows }
}

fn reference(_: &Problem, answer: &Answer) -> String {
    let mut text = String::from("The answer is:\n");
    if let Answer::Convolution { rows } = answer {
        for (node, values) in rows {
            let _ = writeln!(text, "node {node}: {}", row(values));
        }
    }
    text
}

fn reasoned(problem: &Problem, answer: &Answer) -> String {
    let graph = &problem.graph;
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
