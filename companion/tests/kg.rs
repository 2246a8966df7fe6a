//! `graphground kg`, as a person calls it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn kg(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_graphground")).arg("kg").args(arguments).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("graphground-kg-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A small graph in a folder, with a broken line.
fn library(name: &str) -> PathBuf {
    let folder = folder(name);
    let nodes = r#"{"id": "b1", "type": "Book", "name": "Salt Roads"}
{"id": "b2", "type": "Book", "name": "Tin Moon"}
{"id": "a1", "type": "Author", "name": "Ana Petrova"}
{"id": "a2", "type": "Author"
"#;
    let edges = r#"{"src": "b1", "dst": "a1", "type": "written_by"}
{"src": "b2", "dst": "a1", "type": "written_by"}
"#;
    std::fs::write(folder.join("nodes.jsonl"), nodes).unwrap();
    std::fs::write(folder.join("edges.jsonl"), edges).unwrap();
    folder
}

#[test]
fn programs_become_plans_and_plans_answers() {
    let folder = library("programs");
    let graph = folder.to_str().unwrap();
    let qa = folder.join("qa.jsonl");
    let rows = r#"{"id": "q1", "question": "Who wrote Salt Roads?", "answers": ["Ana Petrova"], "path": ["written_by"], "start": "b1"}
{"id": "q2", "question": "What did Ana Petrova write?", "answers": ["Salt Roads", "Tin Moon"], "path": [["written_by_inverse"]]}
{"id": "q3", "question": "Who wrote nothing?", "answers": [], "path": [["written_by"]]}
"#;
    std::fs::write(&qa, rows).unwrap();
    let made = kg(&["programs", "--kg", graph, "--qa", qa.to_str().unwrap()]);
    assert_eq!(made.status.code(), Some(3), "a row without an entity");
    assert!(err(&made).contains("nodes.jsonl: line 4, column"), "{}", err(&made));
    let lines: Vec<&str> = Box::leak(out(&made).into_boxed_str()).lines().collect();
    assert!(lines[2].contains("no node that has edges"), "{}", lines[2]);
    let plans = folder.join("plans.jsonl");
    let wrong = r#"{"id": "w", "plan": "Find_Node[Salt Roads, Book]\nFetch_Neighbors[s1, wrote]"}"#;
    std::fs::write(&plans, format!("{}\n{}\n{wrong}\n", lines[0], lines[1])).unwrap();
    let ran = kg(&["run", "--kg", graph, "--plans", plans.to_str().unwrap(), "--json"]);
    assert_eq!(ran.status.code(), Some(3), "one plan cannot run");
    let answers: Vec<Value> = out(&ran).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(answers[0]["answers"], serde_json::json!(["Ana Petrova"]));
    assert_eq!(answers[1]["answers"], serde_json::json!(["Salt Roads", "Tin Moon"]));
    assert_eq!(answers[1]["steps"][1]["n"], 2);
    assert!(
        answers[2]["error"].as_str().unwrap().starts_with("V4 s2: there is no edge type \"wrote\"")
    );
    let checked = kg(&["plan", "--kg", graph, "--plans", plans.to_str().unwrap()]);
    assert!(out(&checked).contains("\"is_right\":false"));
    let strict = kg(&["stats", "--kg", graph, "--strict"]);
    assert!(!strict.status.success() && err(&strict).contains("1 places could not be read"));
    let stats = kg(&["stats", "--kg", graph]);
    assert!(out(&stats).contains("3 nodes, 2 edges"), "{}", out(&stats));
    let found = kg(&["query", "--kg", graph, "--find", "salt roads", "--edge", "written_by"]);
    assert!(out(&found).contains("\"name\":\"Ana Petrova\""));
    let missed = kg(&["query", "--kg", graph, "--find", "Pepper"]);
    assert!(err(&missed).contains("no node is \"Pepper\""));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn corrupted_plans_are_caught() {
    let caught = kg(&["corrupt", "--kg", "metro:6:2", "--n", "40"]);
    assert!(caught.status.success(), "{}{}", out(&caught), err(&caught));
    let text = out(&caught);
    assert!(text.contains("false alarms: 0"));
    let rows: Vec<&str> = text.lines().filter(|l| l.contains("  40  ")).collect();
    assert_eq!(rows.len(), 10, "{text}");
}

#[test]
fn a_benchmark_goes_on_where_it_was_cut_off() {
    let folder = folder("bench");
    let file = folder.join("runs.jsonl");
    let path = file.to_str().unwrap();
    let run = |n: &str| {
        kg(&[
            "bench",
            "--kg",
            "metro:6:1",
            "--n",
            n,
            "--system",
            "graphrunner",
            "--system",
            "graph_rag",
            "--out",
            path,
        ])
    };
    let first = run("5");
    assert!(
        out(&first).starts_with("10 runs made, 10 in the file"),
        "{}{}",
        out(&first),
        err(&first)
    );
    // The program is ended in the middle of a line.
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 100]).unwrap();
    let second = run("5");
    assert!(out(&second).starts_with("1 runs made, 10 in the file"), "{}", out(&second));
    let third = run("5");
    assert!(out(&third).starts_with("0 runs made, 10 in the file"), "{}", out(&third));
    assert!(out(&third).contains("GraphRunner, script (no model)"));
    let wrong = kg(&["bench", "--kg", "metro:6:1", "--system", "magic", "--out", path]);
    assert!(err(&wrong).contains("there is no system \"magic\""));
    std::fs::remove_dir_all(folder).unwrap();
}
