//! The maximum flow from a source to a sink of a directed graph.

use std::fmt::Write as _;

use graph::functions::max_flow::{MaxFlow, max_flow};
use graph::{Graph, NodeName};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{construct_line, ends, last, random};
use crate::definition::{Asked, Definition, Functions, Listed, Row, Speech};
use crate::parse::{Builder, Cursor, GraphText};
use crate::verify::flow::{self as verify, FlowClaim};
use crate::{Difficulty, EdgeNumber, ParseError, Slip, Style, TaskGroup, Terminals, Wording};

const OPENING: &str = "In a directed graph, the nodes are";

pub use crate::verify::flow::Answer;
/// What it asks beside the graph.
pub type Query = Terminals;

pub(crate) const TASK: Definition<Query, Answer> = Definition {
    title: "Maximum flow",
    lede: "How much can flow from one node of a directed graph to another?",
    group: TaskGroup::NlGraph,
    difficulties: &[Difficulty::Easy, Difficulty::Hard],
    is_directed: true,
    edge_number: EdgeNumber::Capacity,
    openings: &[OPENING],
    question_words: &[],
    asks: "maximum flow",
    make,
    parse,
    ask,
    fits: |problem| {
        if problem.query.source != problem.query.sink {
            return Ok(());
        }
        Err(format!("has node \"{}\" as source and as sink", problem.query.source))
    },
    solve,
    reference,
    reasoned,
    algorithm: "We can look again and again for a path from the source to the sink on which every \
                edge has capacity left, and send as much along it as its narrowest edge allows.",
    n_exemplars: 5,
    read: verify::read,
    judge: verify::judge,
    unique: |_, answer| format!("value {:?}", answer.value),
    ballot: |answer| answer.value.map_or_else(String::new, |v| format!("flow {v}")),
    slip,
    speech: Speech { list: Listed::Path, pair_is_edge: false, row: Row::Nothing },
    functions: Functions {
        goal: |q| {
            format!(
                "The question asks how much can flow from node {} to node {}.",
                q.source, q.sink
            )
        },
        answering: &["max_flow", "min_cut"],
        similar: |q| ("find_shortest_path", json!({ "start": q.source, "end": q.sink })),
        result,
    },
};

/// Directed G(n, p) and a pair with some flow. Inferred from the raw graphs: density 0.28 easy and
/// 0.25 hard, capacities 1 to 10 and 1 to 20.
fn make(difficulty: Difficulty, rng: &mut ChaCha8Rng) -> (Graph, Terminals) {
    let (low, high, p, widest) = match difficulty {
        Difficulty::Hard => (11, 20, 0.25, 20),
        _ => (5, 10, 0.28, 10),
    };
    let n = random::between(rng, low, high);
    loop {
        let mut edges = Vec::new();
        for a in 0..n {
            for b in 0..n {
                if a != b && rng.random_bool(p) {
                    edges.push((a, b, Some(random::between(rng, 1, widest) as f64)));
                }
            }
        }
        let (source, sink) = (random::between(rng, 0, n - 1), random::between(rng, 0, n - 1));
        let graph = random::graph(true, n, edges);
        let flows = source != sink
            && flow(&graph, &source.into(), &sink.into()).is_some_and(|f| f.value >= 1.0);
        if flows {
            return (graph, Terminals { source: source.into(), sink: sink.into() });
        }
    }
}

fn flow(graph: &Graph, source: &NodeName, sink: &NodeName) -> Option<MaxFlow> {
    let (s, t) = ends(graph, source, sink)?;
    max_flow(graph, s, t).ok()
}

fn parse(cursor: &mut Cursor<'_>) -> Result<GraphText<Terminals>, ParseError> {
    let mut builder = Builder::called(cursor, true, 40, ", and the edges are:")?;
    while cursor.eat("an edge from node") {
        let a = builder.node(cursor, "a node", &[" to node"])?;
        cursor.want("to node")?;
        let b = builder.node(cursor, "a node", &[" with capacity"])?;
        cursor.want("with capacity")?;
        let capacity = cursor.decimal("a capacity")?;
        builder.link(a, b, None, Some(capacity))?;
        let _ = cursor.eat(",") || cursor.eat(".");
    }
    cursor.question_line("\"an edge from node 0 to node 1 with capacity 3\"")?;
    cursor.want("What is the maximum flow from node")?;
    let source = builder.name(cursor, &[" to node"])?;
    cursor.want("to node")?;
    let sink = builder.name(cursor, &["?", "\n"])?;
    Ok(GraphText { graph: builder.finish(), query: Terminals { source, sink } })
}

fn ask(problem: Asked<'_, Terminals>, _: Wording, style: Style, out: &mut String) {
    let Terminals { source, sink } = problem.query;
    let graph = problem.graph;
    let _ =
        writeln!(out, "{OPENING} numbered from 0 to {}, and the edges are:", last(graph.n_nodes()));
    let m = graph.n_edges();
    for (i, e) in graph.edges().enumerate() {
        let end = if i + 1 < m { ',' } else { '.' };
        let _ = writeln!(
            out,
            "an edge from node {} to node {} with capacity {}{end}",
            e.source,
            e.target,
            e.capacity_or_weight()
        );
    }
    construct_line(style, out);
    let _ = write!(out, "Q: What is the maximum flow from node {source} to node {sink}?\nA:");
}

fn solve(problem: Asked<'_, Terminals>) -> Answer {
    let Terminals { source, sink } = problem.query;
    match flow(problem.graph, source, sink) {
        Some(found) => Answer {
            value: Some(found.value),
            flows: found
                .flow
                .iter()
                .map(|(a, b, amount)| FlowClaim {
                    source: problem.graph.name(*a).clone(),
                    target: problem.graph.name(*b).clone(),
                    amount: *amount,
                })
                .collect(),
        },
        None => Answer { value: None, flows: Vec::new() },
    }
}

fn reference(problem: Asked<'_, Terminals>, answer: &Answer) -> String {
    let Terminals { source, sink } = problem.query;
    let value = match answer {
        Answer { value: Some(value), .. } => *value,
        _ => 0.0,
    };
    format!("The maximum flow from node {source} to node {sink} is {value}.")
}

fn reasoned(problem: Asked<'_, Terminals>, answer: &Answer) -> String {
    let mut text = String::new();
    let Answer { flows, .. } = answer;
    for claim in flows {
        let FlowClaim { source, target, amount } = claim;
        let _ = writeln!(text, "We can send {amount} from node {source} to node {target}.");
    }
    text + "No more can arrive. So " + &reference(problem, answer).replacen("The", "the", 1)
}

/// What `max_flow` gives.
fn result(result: &Value) -> Option<Answer> {
    let value = result.get("max_flow")?.as_f64();
    let claim = |f: &Value| {
        Some(FlowClaim {
            source: serde_json::from_value(f["source"].clone()).ok()?,
            target: serde_json::from_value(f["target"].clone()).ok()?,
            amount: f["flow"].as_f64()?,
        })
    };
    Some(Answer { value, flows: result["flow"].as_array()?.iter().filter_map(claim).collect() })
}

/// More is said to flow than can, and nothing of how.
fn slip(_: Asked<'_, Terminals>, answer: &mut Answer, _: &Slip) -> Option<String> {
    *answer = Answer { value: answer.value.map(|value| value + 2.0), flows: Vec::new() };
    None
}
