//! The conversation that answers a question: the calls that build its graph, the one that computes, and
//! what is said from the result.

use serde_json::{Value, json};

use super::Talked;
use super::graphs::{Lack, Scene, Way};
use crate::train::lm::lessons::Talk;

/// What is said where there is no answer.
fn declines(scene: &Scene, lack: Lack) -> String {
    match lack {
        Lack::NoGraph => "I cannot answer this: it is not a question about a graph.".to_owned(),
        Lack::NoQuestion => "What do you want to know? There is no question here.".to_owned(),
        Lack::TooLittle | Lack::NoNumbers => "I cannot tell: not enough is given.".to_owned(),
        Lack::Absent => {
            let absent = scene.handles.last().map_or("", String::as_str);
            format!("I cannot tell: the text says nothing about {absent}.")
        }
    }
}

fn node(handle: &str) -> Value {
    handle.parse::<u32>().map_or_else(|_| handle.into(), Value::from)
}

/// A node of a result.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn list(values: &[Value], between: &str) -> String {
    values.iter().map(text).collect::<Vec<_>>().join(between)
}

fn number(value: &Value) -> Option<String> {
    Some(value.as_f64()?.to_string())
}

fn these(values: &[Value]) -> String {
    match values {
        [] => "None.".to_owned(),
        values => format!("These: {}.", list(values, ", ")),
    }
}

/// The calls that build the graph as it is written.
fn building(scene: &Scene) -> Vec<(&'static str, Value)> {
    let handle = |i: usize| node(&scene.handles[i]);
    let mut edges = Vec::new();
    let mut numbers = Vec::new();
    for (a, b, n) in &scene.written {
        let (a, b) = if scene.leads_back() { (*b, *a) } else { (*a, *b) };
        edges.push(json!([handle(a), handle(b)]));
        numbers.extend(*n);
    }
    let has_numbers = numbers.len() == edges.len();
    let is_capacity = scene.way == Way::Capacity;
    let kind = json!({ "directed": scene.is_directed(), "weighted": has_numbers && !is_capacity });
    let mut calls = vec![("create_graph", kind)];
    if !scene.alone.is_empty() {
        let nodes: Vec<Value> = scene.alone.iter().map(|i| handle(*i)).collect();
        calls.push(("add_nodes", json!({ "nodes": nodes })));
    }
    let mut arguments = json!({ "edges": edges });
    if has_numbers {
        arguments[if is_capacity { "capacities" } else { "weights" }] = numbers.into();
    }
    calls.push(("add_edges", arguments));
    calls
}

/// The function that answers, with its arguments.
fn asking(scene: &Scene) -> (&'static str, Value) {
    let at = |i: usize| node(scene.handles.get(i).map_or("", String::as_str));
    let (a, b) = (at(scene.ends.0), at(scene.ends.1));
    // Where the first needs the second, a path leads the other way.
    let (from, to) =
        if scene.leads_back() { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) };
    match scene.kind {
        "path" => ("has_path", json!({ "start": from, "end": to })),
        "hops" | "short" => ("find_shortest_path", json!({ "start": from, "end": to })),
        "cycle" => ("find_cycle", json!({})),
        "order" => ("topological_sort", json!({})),
        "match" => ("max_bipartite_matching", json!({})),
        "flow" => ("max_flow", json!({ "source": a, "sink": b })),
        "tour" => ("find_hamilton_path", json!({})),
        "common" => ("common_neighbors", json!({ "first": a, "second": b })),
        "groups" => ("connected_components", json!({})),
        "reach" => ("bfs_order", json!({ "start": a })),
        "bridge" => ("find_bridges", json!({})),
        "cutnode" => ("find_articulation_points", json!({})),
        _ => ("get_degrees", json!({})),
    }
}

/// What is said from a result; none where it is not one.
fn says(scene: &Scene, result: &Value) -> Option<String> {
    let walk = |value: &Value| value.as_array().map(|nodes| list(nodes, "->"));
    let at = |i: usize| scene.handles.get(i).map_or("", String::as_str);
    let (a, b) = (at(scene.ends.0), at(scene.ends.1));
    Some(match scene.kind {
        "path" => match walk(&result["path"]) {
            Some(walk) if result["has_path"] == true => format!("Yes: {walk}."),
            _ => format!("No, there is no way from {a} to {b}."),
        },
        "hops" | "short" => match walk(&result["path"]) {
            Some(walk) => {
                let length = number(&result["length"])?;
                let unit = if scene.kind == "hops" { "steps" } else { "in all" };
                format!("{walk}, {length} {unit}.")
            }
            None => format!("There is no way from {a} to {b}."),
        },
        "cycle" => match result["cycle"].as_array() {
            Some(nodes) => format!("There is a cycle: {}.", list(nodes, "->")),
            None => "There is no cycle.".to_owned(),
        },
        "order" => match result["order"].as_array() {
            Some(nodes) => format!("{}.", list(nodes, ", ")),
            None => "There is no such order.".to_owned(),
        },
        "match" => {
            let pairs = result["matching"].as_array()?;
            let pair =
                |pair: &Value| Some(format!("{}-{}", text(pair.get(0)?), text(pair.get(1)?)));
            let pairs: Vec<String> = pairs.iter().map(pair).collect::<Option<_>>()?;
            format!("{} at most: {}.", number(&result["size"])?, pairs.join(", "))
        }
        "flow" => format!("At most {}.", number(&result["max_flow"])?),
        "tour" => match walk(&result["path"]) {
            Some(walk) => format!("Yes: {walk}."),
            None => "No, there is no such way.".to_owned(),
        },
        "common" => these(result["neighbors"].as_array()?),
        "groups" => format!("There are {} groups.", number(&result["n_components"])?),
        "reach" => these(result["order"].as_array()?.get(1..)?),
        "bridge" => {
            let pairs = result["bridges"].as_array()?;
            let pair =
                |pair: &Value| Some(format!("{}-{}", text(pair.get(0)?), text(pair.get(1)?)));
            match pairs.iter().map(pair).collect::<Option<Vec<_>>>()? {
                pairs if pairs.is_empty() => "None.".to_owned(),
                pairs => format!("These: {}.", pairs.join(", ")),
            }
        }
        "cutnode" => these(result["articulation_points"].as_array()?),
        _ => {
            let degrees: Vec<(&Value, u64)> = result["degrees"]
                .as_array()?
                .iter()
                .map(|d| Some((&d["node"], d["degree"].as_u64()?)))
                .collect::<Option<_>>()?;
            let with = |n: u64| -> Vec<Value> {
                degrees
                    .iter()
                    .filter(|(_, degree)| *degree == n)
                    .map(|(node, _)| (*node).clone())
                    .collect()
            };
            match scene.kind {
                "most" => these(&with(degrees.iter().map(|(_, n)| *n).max()?)),
                "ends" => these(&with(1)),
                _ => {
                    let found = degrees.iter().find(|(node, _)| text(node) == a)?;
                    format!("{a} has {}.", found.1)
                }
            }
        }
    })
}

pub(super) fn answer(scene: &Scene, question: &str, has_tools: bool) -> Option<Talked> {
    let mut talk = Talk::new(question);
    if let Some(lack) = scene.lack {
        talk.say(declines(scene, lack));
        return Some(Talked { messages: talk.messages, learned: talk.learned, has_tools });
    }
    let built = talk.call(building(scene), true);
    if built.iter().any(|result| result.get("error").is_some()) {
        return None;
    }
    let (name, arguments) = asking(scene);
    let results = talk.call(vec![(name, arguments)], true);
    let said = says(scene, &results.last()?["result"])?;
    if has_tools {
        talk.say(said);
        return Some(Talked { messages: talk.messages, learned: talk.learned, has_tools });
    }
    let mut bare = Talk::new(question);
    bare.say(said);
    Some(Talked { messages: bare.messages, learned: bare.learned, has_tools })
}
