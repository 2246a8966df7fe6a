//! Builds a graph through the function library, as a model does, and asks it two things.
//!
//! `cargo run --package graph --example library`

use std::error::Error;
use std::io::Write as _;

use graph::Graph;
use graph::functions::{CatalogFormat, FUNCTIONS, describe, find};
use serde_json::{Value, json};

/// Calls a function by name and applies what it changes: functions never change a graph themselves.
fn call(graph: &mut Graph, name: &str, arguments: Value) -> Result<Value, Box<dyn Error>> {
    let function = find(name).ok_or_else(|| format!("there is no function {name}"))?;
    let outcome = function.call(graph, arguments)?;
    for delta in &outcome.deltas {
        graph.apply(delta)?;
    }
    Ok(outcome.value)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut graph = Graph::undirected();
    let edges = json!({ "edges": [["mill", "bridge"], ["bridge", "harbour"], ["mill", "harbour"]],
                        "weights": [2, 3, 9] });
    call(&mut graph, "create_graph", json!({ "directed": false, "weighted": true }))?;
    call(&mut graph, "add_edges", edges)?;
    let ends = json!({ "start": "mill", "end": "harbour" });
    let path = call(&mut graph, "find_shortest_path", ends)?;
    writeln!(out, "the shortest path: {} of length {}", path["path"], path["length"])?;

    // What is wrong comes with what would be right, because a model reads it and tries again.
    let wrong = call(&mut graph, "find_shortest_path", json!({ "start": "mill", "end": "inn" }));
    if let Err(error) = wrong {
        writeln!(out, "refused: {error}")?;
    }
    // And this is what a model reads of a function, in the shape of its provider.
    if let Some(function) = find("has_path") {
        writeln!(out, "{}", describe(function, CatalogFormat::Anthropic))?;
    }
    writeln!(out, "{} functions in all", FUNCTIONS.len())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
