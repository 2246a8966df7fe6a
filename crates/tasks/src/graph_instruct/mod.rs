//! Tasks of GraphInstruct (arXiv 2403.04483), one file each.
//!
//! Its questions name no form of the graph: an edge list, a dictionary and sentences stand beside them in
//! its files. Ours have the edge list before the question. An answer stands between `<<<` and `>>>`.

pub(crate) mod bfs_order;
pub(crate) mod dfs_order;
pub(crate) mod directed_cycle;

use std::fmt::Write as _;

use graph::{Graph, NodeName};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::definition::{Asked, Slip, SlipKind};
use crate::names::{comma_list, nodes};
use crate::parse::{Builder, Cursor, GraphText};
use crate::query::Shape;
use crate::random;
use crate::verify::named::NodeList;
use crate::{Difficulty, ParseError};

/// The levels of GraphInstruct: mini, with 5 to 7 nodes, and small, with 8 to 15.
const LEVELS: [Difficulty; 2] = [Difficulty::Easy, Difficulty::Hard];

/// A number of nodes.
fn size(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> usize {
    let (low, high) = if difficulty == Difficulty::Easy { (5, 7) } else { (8, 15) };
    random::between(rng, low, high)
}

/// A question about what follows from one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The node where it starts.
    pub start: NodeName,
}

impl Shape for Start {
    fn ends(&self) -> Option<(&NodeName, &NodeName)> {
        Some((&self.start, &self.start))
    }

    fn with_ends(&self, start: NodeName, _: NodeName) -> Self {
        Self { start }
    }

    fn between(_: &Graph, start: NodeName, _: NodeName) -> Option<Self> {
        Some(Self { start })
    }

    fn in_words(words: &str) -> Option<Self> {
        let (_, after) = words.split_once(START)?;
        let (start, _) = after.split_once(',')?;
        Some(Self { start: start.trim().trim_matches(['<', '>']).into() })
    }

    fn logged(query: &Value, _: (usize, usize)) -> Result<Self, String> {
        let start = query.get("source").and_then(Value::as_u64);
        let start = start.ok_or("the query needs \"source\", a node")?;
        Ok(Self { start: NodeName::from(start as usize) })
    }

    fn check(&self, graph: &Graph) -> Result<(), String> {
        if graph.has_node(&self.start) {
            return Ok(());
        }
        Err(format!("names \"{}\", which is no node of the graph", self.start))
    }

    fn arguments(&self) -> Value {
        json!({ "start": self.start })
    }
}

/// What stands before the first node of a traversal.
const START: &str = "Start from node";

/// How a question about a graph with directions, or without, begins.
const OPENINGS: [&str; 2] =
    ["Given an undirected graph whose nodes are", "Given a directed graph whose nodes are"];

/// Writes the graph, the question, and how the answer is to look.
fn ask(graph: &Graph, question: &str, form: &str, out: &mut String) {
    let opening = OPENINGS[usize::from(graph.is_directed())];
    let last = graph.n_nodes().saturating_sub(1);
    let _ = write!(out, "{opening} numbered from 0 to {last}, with the edges: [");
    for (i, edge) in graph.edges().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        let _ = write!(out, "{comma}({}, {})", edge.source, edge.target);
    }
    let _ = write!(out, "].\nQ: {question} Put {form} between <<< and >>>.\nA:");
}

/// Reads a graph of that kind; the cursor stands at its opening, and then behind the `Q:`.
fn read_graph(cursor: &mut Cursor<'_>, directed: bool) -> Result<Builder, ParseError> {
    let mut builder = Builder::called(cursor, directed, 8, ", with the edges: [")?;
    builder.pairs(cursor, ",")?;
    cursor.want("]")?;
    let _ = cursor.eat(".");
    cursor.question_line("an edge such as (0, 1)")?;
    Ok(builder)
}

/// Reads a question about a traversal.
fn read_traversal(cursor: &mut Cursor<'_>) -> Result<GraphText<Start>, ParseError> {
    let mut builder = read_graph(cursor, false)?;
    cursor.want(START)?;
    let start = builder.name(cursor, &[", output"])?;
    cursor.want(", output a sequence of traversal in")?;
    Ok(GraphText { graph: builder.finish(), query: Start { start } })
}

/// Writes one.
fn ask_traversal(problem: Asked<'_, Start>, kind: &str, out: &mut String) {
    let start = &problem.query.start;
    let question = format!("{START} {start}, output a sequence of traversal in {kind} order.");
    ask(problem.graph, &question, "the nodes, with commas,", out);
}

/// A graph that hangs together, of the published sizes and average degrees, in which the order that
/// `is_plain` finds does not answer by chance: a path, for one, has the same order either way.
///
/// `// Departs from GraphInstruct:` all are random graphs that hang together; a half of its own have a few
/// nodes of many edges, or a ring with short cuts.
fn traversal(
    difficulty: Difficulty,
    rng: &mut ChaCha8Rng,
    is_plain: fn(&Graph, &NodeName) -> bool,
) -> (Graph, Start) {
    loop {
        let n = size(difficulty, rng);
        let degree = random::between(rng, 2, n.div_ceil(3).max(2));
        let p = (degree as f64 / (n - 1) as f64).min(0.75);
        let mut edges = random::connected_pairs(rng, n, p);
        let label = random::shuffled(rng, n);
        for (a, b) in &mut edges {
            (*a, *b) = (label[*a], label[*b]);
        }
        random::shuffle(rng, &mut edges);
        let graph = random::plain(false, n, edges);
        let start = NodeName::from(random::between(rng, 0, n - 1));
        if !is_plain(&graph, &start) {
            return (graph, Start { start });
        }
    }
}

/// An order as it is asked for.
fn marked_list(answer: &NodeList) -> String {
    format!("<<<{}>>>", comma_list(&answer.nodes))
}

/// What a function that gives an order gives.
fn order_of(result: &Value) -> Option<NodeList> {
    Some(NodeList { nodes: nodes(result.get("order")?) })
}

/// The last node is left out, or one comes twice.
fn slip_order(_: Asked<'_, Start>, answer: &mut NodeList, slip: &Slip) -> Option<String> {
    match slip.kind {
        SlipKind::Witness if answer.nodes.len() > 1 => answer.nodes[1] = answer.nodes[0].clone(),
        _ => drop(answer.nodes.pop()),
    }
    None
}
