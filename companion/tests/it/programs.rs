//! The system in which a model writes a program: real Python runs what scripts write.

use serde_json::Value;
use test_support::Folder;

use crate::program::{complaint, graphground, printed};

/// Whether the companion finds a Python with networkx; prints a line if it does not.
fn has_python() -> bool {
    let ask = ["-I", "-c", "import networkx"];
    let found = std::process::Command::new("python3").args(ask).output();
    let has = found.is_ok_and(|found| found.status.success());
    if !has {
        test_data::missing("a python3 with networkx");
    }
    has
}

fn bench(folder: &Folder, model: &str, more: &[&str]) -> Vec<Value> {
    let out = folder.file("runs.jsonl");
    let common = ["bench", "--system", "program", "--python", "--out", &out, "--model", model];
    printed(&graphground(&[&common, more].concat()));
    let text = std::fs::read_to_string(&out).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line.get("score").is_some() || line["run"].is_object()).collect()
}

fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(name).or_else(|| map.values().find_map(|v| find(v, name))),
        _ => None,
    }
}

#[test]
fn nothing_of_a_model_runs_without_leave() {
    for words in [
        ["run", "--task", "cycle", "--system", "program", "--model", "local:nothing.gguf"]
            .as_slice(),
        &["bench", "--system", "program", "--model", "script", "--n", "1", "--out", "/nowhere/x"],
    ] {
        let words = complaint(&graphground(words));
        assert!(words.contains("program writes Python; it needs --python"), "{words}");
    }
    let words = ["bench", "--experiment", "kgqa", "--python", "--out", "/nowhere/x"];
    assert!(complaint(&graphground(&words)).contains("--python is for kgot"));
}

#[test]
fn programs_of_scripts_answer_the_tasks() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let runs = bench(&folder, "script", &["--difficulty", "easy,hard", "--n", "1", "--seed", "5"]);
    assert_eq!(runs.len(), 16, "eight tasks on two levels");
    for run in &runs {
        assert_eq!(find(run, "verdict"), Some(&"Correct".into()), "{run:#}");
    }
    // What is counted again from the file is what the file says.
    printed(&graphground(&["report", &folder.file("runs.jsonl"), "--check"]));
}

#[test]
fn a_program_that_fails_is_repaired_or_is_no_answer() {
    if !has_python() {
        return;
    }
    for (model, verdict, n) in
        [("mistaken/bad-json", "Correct", 2), ("mistaken/bad-json/stubborn", "NoAnswer", 3)]
    {
        let folder = Folder::new();
        let runs = bench(&folder, model, &["--task", "cycle", "--difficulty", "easy", "--n", "1"]);
        assert_eq!(find(&runs[0], "verdict"), Some(&verdict.into()), "{model}: {:#}", runs[0]);
        let steps = find(&runs[0], "steps").unwrap().to_string();
        assert_eq!(steps.matches("\"type\":\"program\"").count(), n, "{model}: {steps}");
        assert!(steps.contains("never closed"), "{steps}");
    }
    let folder = Folder::new();
    let once = ["--task", "cycle", "--difficulty", "easy", "--n", "1", "--set", "repairs=0"];
    let runs = bench(&folder, "mistaken/unknown-function", &once);
    assert_eq!(find(&runs[0], "verdict"), Some(&"NoAnswer".into()), "{:#}", runs[0]);
    assert!(runs[0].to_string().contains("has no attribute"), "{:#}", runs[0]);
}
