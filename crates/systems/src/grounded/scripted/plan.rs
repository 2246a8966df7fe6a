//! What a script does next: build the graph, ask it, answer from what came back.

use graph::NodeName;
use llm::Message;
use serde_json::{Value, json};
use tasks::{Problem, TaskId, reference_text};

use super::{Mistake, call, guess, last_result};

/// The stages of a script; each is one turn, unless an error sends it back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Create,
    Fill,
    Ask,
    Answer,
}

/// The next message, from the conversation alone.
pub(super) fn next(
    problem: &Problem,
    errs: Option<(Mistake, bool)>,
    is_attached: bool,
    messages: &[Message],
) -> Message {
    let (mistake, stubborn) = errs.map_or((None, false), |(m, s)| (Some(m), s));
    let failed = matches!(last_result(messages), Some(Err(_)));
    let mut stage = stage(messages, stubborn, is_attached);
    // Whoever noticed an error does it right this time.
    let retry = failed && !stubborn;
    if retry && !is_attached && mistake == Some(Mistake::DroppedNode) {
        stage = Stage::Fill;
    }
    let mistake = if retry { None } else { mistake };
    match stage {
        Stage::Create => create(problem, messages),
        Stage::Fill => fill(problem, mistake, retry, messages),
        Stage::Ask => ask(problem, mistake, retry, messages),
        Stage::Answer => answer(problem, mistake, messages),
    }
}

/// Where the conversation stands: one stage further for each turn whose calls all succeeded (or, for
/// a stubborn script, for each turn).
fn stage(messages: &[Message], stubborn: bool, is_attached: bool) -> Stage {
    let first = if is_attached { Stage::Ask } else { Stage::Create };
    let mut done = first;
    let mut started = false;
    for (i, message) in messages.iter().enumerate() {
        if message.tool_calls.is_empty() {
            continue;
        }
        let answers = &messages[i + 1..];
        let ok = answers
            .iter()
            .take(message.tool_calls.len())
            .all(|m| !m.content.starts_with("{\"error\""));
        let names = || message.tool_calls.iter().map(|c| c.name.as_str());
        let of = if names().any(|n| n == "create_graph") {
            Stage::Fill
        } else if names().any(|n| n == "add_edges" || n == "add_nodes") {
            Stage::Ask
        } else {
            Stage::Answer
        };
        if ok || stubborn {
            done = of;
        } else if !started {
            done = first;
        }
        started = true;
    }
    done
}

fn turn(messages: &[Message], say: &str, calls: Vec<(&str, String)>) -> Message {
    let mut message = Message::assistant(say);
    message.tool_calls = calls
        .into_iter()
        .enumerate()
        .map(|(i, (name, args))| call(messages, i, name, args))
        .collect();
    message
}

fn create(problem: &Problem, messages: &[Message]) -> Message {
    let graph = &problem.graph;
    let kind = match (graph.is_directed(), graph.is_weighted()) {
        (true, true) => "directed, weighted",
        (true, false) => "directed",
        (false, true) => "weighted",
        (false, false) => "plain",
    };
    let say = format!(
        "{} I will build the {kind} graph from the text, call {}, and answer from its result.",
        problem.query.goal(),
        problem.query.function().0,
    );
    let arguments =
        json!({ "directed": graph.is_directed(), "weighted": graph.is_weighted() }).to_string();
    turn(messages, &say, vec![("create_graph", arguments)])
}

fn fill(problem: &Problem, mistake: Option<Mistake>, retry: bool, messages: &[Message]) -> Message {
    let graph = &problem.graph;
    let dropped =
        (mistake == Some(Mistake::DroppedNode)).then(|| guess::dropped(problem)).flatten();
    let kept = |name: &NodeName| dropped.as_ref() != Some(name);
    let nodes: Vec<&NodeName> = graph.names().filter(|n| kept(n)).collect();
    let mut edges: Vec<Value> = Vec::new();
    let (mut weights, mut capacities) = (Vec::new(), Vec::new());
    for edge in graph.edges().filter(|e| kept(e.source) && kept(e.target)) {
        edges.push(json!([edge.source, edge.target]));
        weights.extend(edge.weight);
        capacities.extend(edge.capacity);
    }
    if mistake == Some(Mistake::InventedEdge)
        && let Some((source, target)) = problem.missing_edge()
    {
        edges.push(json!([source, target]));
        if graph.is_weighted() {
            weights.push(1.0);
        }
        if !capacities.is_empty() {
            capacities.push(20.0);
        }
    }
    let mut arguments = json!({ "edges": edges });
    if !weights.is_empty() {
        arguments["weights"] = json!(weights);
    }
    if !capacities.is_empty() {
        arguments["capacities"] = json!(capacities);
    }
    let mut calls = vec![("add_nodes", json!({ "nodes": nodes }).to_string())];
    if retry {
        // What is there already stays; adding it again changes nothing. The node that was left out
        // may have no edge that would bring it in.
        calls = guess::dropped(problem)
            .map(|node| ("add_nodes", json!({ "nodes": [node] }).to_string()))
            .into_iter()
            .collect();
    }
    if !edges.is_empty() || retry {
        calls.push(("add_edges", arguments.to_string()));
    }
    let embeddings: Vec<(&NodeName, &[f64])> = graph
        .indices()
        .filter_map(|i| Some((graph.name(i), graph.embedding(i)?)))
        .filter(|(name, _)| kept(name))
        .collect();
    if !embeddings.is_empty() {
        let names: Vec<&NodeName> = embeddings.iter().map(|(name, _)| *name).collect();
        let rows: Vec<&[f64]> = embeddings.iter().map(|(_, values)| *values).collect();
        calls.push((
            "set_node_embeddings",
            json!({ "nodes": names, "embeddings": rows }).to_string(),
        ));
    }
    let say = if retry {
        "The graph is missing something that the text has; I add its edges again."
    } else {
        "Now the nodes and edges of the text."
    };
    turn(messages, say, calls)
}

fn ask(problem: &Problem, mistake: Option<Mistake>, retry: bool, messages: &[Message]) -> Message {
    let (name, arguments) = problem.query.function();
    let good = arguments.to_string();
    let (name, arguments) = match mistake {
        Some(Mistake::BadJson) => (name, good.replace('"', "'").trim_end_matches('}').to_owned()),
        Some(Mistake::UnknownFunction) => ("solve_graph_problem", good),
        Some(Mistake::WrongArguments) => {
            (name, json!({ "from_node": 0, "to_node": 1 }).to_string())
        }
        Some(Mistake::WrongFunction) => {
            let (name, arguments) = problem.query.similar_function();
            (name, arguments.to_string())
        }
        _ => (name, good),
    };
    let say = if retry {
        "That call was wrong; the error says how to put it right."
    } else {
        "The graph stands. Now the question itself."
    };
    turn(messages, say, vec![(name, arguments)])
}

/// The answer where a long result came as a summary: its handle stands for it.
fn by_handle(problem: &Problem, result: &Value) -> Option<String> {
    let handle = |member: &str| result[member]["handle"].as_str();
    match problem.task() {
        TaskId::Topology => {
            let order = handle("order")?;
            Some(format!("Yes, all the nodes can be visited. The solution is: {order}"))
        }
        TaskId::Hamilton => handle("path").map(|path| format!("Yes. The path can be: {path}")),
        TaskId::Matching => {
            let (pairs, size) = (handle("matching")?, &result["size"]);
            Some(format!(
                "The assignment is {pairs}. {size} applicants can find the job they are interested in."
            ))
        }
        TaskId::Gnn => handle("embeddings").map(|rows| format!("The new embeddings are {rows}")),
        _ => None,
    }
}

fn answer(problem: &Problem, mistake: Option<Mistake>, messages: &[Message]) -> Message {
    let text = match last_result(messages) {
        Some(Ok(result)) => by_handle(problem, &result)
            .or_else(|| {
                let mut answer = problem.query.answer_of(&result)?;
                if mistake == Some(Mistake::WrongTotal) {
                    guess::spoil_total(problem, &mut answer);
                }
                Some(reference_text(problem, &answer))
            })
            // The function gave something else than was asked.
            .unwrap_or_else(|| guess::mistaken(problem, mistake.unwrap_or(Mistake::WrongFunction))),
        // A stubborn script falls back on what it would have said without tools.
        _ => format!(
            "The function did not help, so I work it out by hand. {}",
            guess::mistaken(problem, mistake.unwrap_or(Mistake::InventedEdge))
        ),
    };
    Message::assistant(text)
}
