//! What the companion asks of others, and what it never tells them: tools of Knowledge Graph of
//! Thoughts, published tasks, stores.

mod published;
mod stores;
mod tools;

use std::process::Output;

use serde_json::{Value, json};
use test_support::{Folder, StubServer, said};

use crate::program;

/// The key that is planted.
const KEY: &str = "sk-CANARY-52e0b7d4";

/// A model that first calls a tool, if it is given one, and then says what is to be said.
fn model(call: Option<(&'static str, Value)>, answer: &'static str) -> StubServer {
    StubServer::start(move |asked| {
        let asked = asked.json();
        let last = asked["messages"].as_array().and_then(|m| m.last().cloned()).unwrap_or_default();
        let message = match &call {
            Some((name, arguments)) if last["role"] == "user" => json!({
                "role": "assistant", "content": null,
                "tool_calls": [{ "id": "call_1", "type": "function",
                    "function": { "name": name, "arguments": arguments.to_string() } }],
            }),
            _ => json!({ "role": "assistant", "content": answer }),
        };
        said(&message)
    })
}

/// The lines of a kind of a runs file.
fn lines(folder: &Folder, file: &str, kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    program::lines(&text).into_iter().filter(|line| line["type"] == kind).collect()
}

fn graphground(folder: &Folder, args: &[&str]) -> Output {
    program::program()
        .args(args)
        .current_dir(folder)
        .env("PLANTED", KEY)
        .env("PLANTED_PAIR", format!("neo4j:{KEY}"))
        .output()
        .unwrap()
}
