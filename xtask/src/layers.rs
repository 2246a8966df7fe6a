//! Holds the crates' direct edges against the layers that ARCHITECTURE.md states.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::steps::{output, root, say};

/// Who may use whom. A crate that does not exist yet may stand here.
const ALLOWED: &[(&str, &[&str])] = &[
    ("graph", &[]),
    ("text", &[]),
    ("llm", &[]),
    ("trace", &["graph", "llm"]),
    ("kg", &["graph", "text"]),
    ("ml", &["text"]),
    ("tasks", &["graph", "kg", "text"]),
    ("agent", &["llm", "trace", "text", "ml"]),
    ("draw", &["graph", "trace"]),
    // Two layers down is allowed: arrows only go down.
    ("systems", &["agent", "tasks", "kg", "ml", "trace", "draw", "graph", "llm", "text"]),
    ("eval", &["systems", "draw", "tasks", "trace", "graph", "llm", "agent", "text"]),
    ("engine", ALL),
    ("graphground-app", ALL),
    ("graphground", ALL),
    ("xtask", &[]),
    ("browser-tests", &[]),
];

const ALL: &[&str] = &[
    "graph", "text", "llm", "trace", "kg", "ml", "tasks", "agent", "draw", "systems", "eval",
    "engine",
];

/// One edge that must not be.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    from: String,
    to: String,
}

/// Finds edges between crates of the house that the table does not allow. Edges for tests alone
/// do not count: they never ship.
pub fn faults(metadata: &Value) -> Vec<Fault> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ours: Vec<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut faults = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let allowed = ALLOWED.iter().find(|(n, _)| *n == name).map(|(_, a)| *a);
        for dependency in package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default()
        {
            let to = dependency["name"].as_str().unwrap_or_default();
            let for_tests = dependency["kind"].as_str() == Some("dev");
            if for_tests || dependency["path"].is_null() || !ours.contains(&to) {
                continue;
            }
            if !allowed.is_some_and(|a| a.contains(&to)) {
                faults.push(Fault { from: name.into(), to: to.into() });
            }
        }
        if allowed.is_none() {
            faults.push(Fault { from: name.into(), to: "(no place in the table)".into() });
        }
    }
    faults
}

/// Checks this workspace.
pub fn run() -> Result<()> {
    let text = output(
        Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .current_dir(root()),
    )
    .context("`cargo metadata` failed")?;
    let faults = faults(&serde_json::from_str(&text)?);
    if faults.is_empty() {
        say("layers: every edge between crates goes down");
        return Ok(());
    }
    let list: Vec<String> = faults.iter().map(|f| format!("  {} -> {}", f.from, f.to)).collect();
    bail!(
        "these edges are not allowed:\n{}\nARCHITECTURE.md has the layers; a new edge is a change \
         of its own, made in ALLOWED in xtask/src/layers.rs",
        list.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn house(edges: &[(&str, &str, Option<&str>)]) -> Value {
        let names = ["graph", "llm", "agent", "trace"];
        let packages: Vec<Value> = names
            .iter()
            .map(|name| {
                let dependencies: Vec<Value> = edges
                    .iter()
                    .filter(|(from, ..)| from == name)
                    .map(|(_, to, kind)| json!({ "name": to, "path": "/x", "kind": kind }))
                    .collect();
                json!({ "name": name, "dependencies": dependencies })
            })
            .collect();
        json!({ "packages": packages })
    }

    #[test]
    fn an_edge_that_goes_down_passes() {
        assert_eq!(faults(&house(&[("agent", "llm", None), ("trace", "graph", None)])), []);
    }

    #[test]
    fn a_forbidden_edge_fails() {
        let found = faults(&house(&[("agent", "graph", None)]));
        assert_eq!(found, [Fault { from: "agent".into(), to: "graph".into() }]);
        let up = faults(&house(&[("graph", "trace", Some("build"))]));
        assert_eq!(up.len(), 1, "build scripts count");
    }

    #[test]
    fn an_edge_for_tests_does_not_ship() {
        assert_eq!(faults(&house(&[("agent", "graph", Some("dev"))])), []);
    }

    #[test]
    fn a_crate_without_a_place_fails() {
        let metadata = json!({ "packages": [{ "name": "helpers", "dependencies": [] }] });
        assert_eq!(faults(&metadata).len(), 1);
    }

    #[test]
    fn this_house_stands() {
        run().unwrap();
    }
}
