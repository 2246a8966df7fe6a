//! Models of GGUF files in the program itself, by a small file with made-up weights: what it says is
//! nothing, but every way to it is gone.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used)]
#![cfg(feature = "gguf")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn graphground(words: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_graphground"));
    command.args(words).current_dir(folder).env("GRAPHGROUND_CACHE", folder.join("cache"));
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// A folder of its own, with a model in it.
fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("graphground-local-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let made = gguf::fixture::Made::default();
    std::fs::write(folder.join("tiny.gguf"), gguf::fixture::file(&made).unwrap()).unwrap();
    folder
}

#[test]
fn a_file_says_what_it_is_and_answers_a_problem_and_a_question() {
    let folder = folder("answers");
    let shown = graphground(&["model", "show", "tiny.gguf", "--json"], &folder);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["architecture"], "llama");
    assert!(shown["memory_bytes"].as_u64().unwrap() > 0);
    let run = |words: &[&str]| {
        let common =
            ["run", "--model", "local:./tiny.gguf", "--reply-tokens", "8", "--temperature", "0"];
        graphground(&[&common, words].concat(), &folder)
    };
    let first = run(&["--task", "cycle", "--system", "standalone", "--json"]);
    let first: Value = serde_json::from_slice(&first.stdout).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(first["trace"]["model"], "local:tiny.gguf");
    let usage = &first["trace"]["steps"][0]["body"]["usage"];
    assert!(usage["input_tokens"].as_u64().unwrap() > 0, "{first:#}");
    let told = run(&["--task", "cycle", "--system", "standalone"]);
    assert!(said(&told).contains("input tokens"), "{}", said(&told));
    // All graph functions are more than so small a model can read.
    let full = run(&["--question", "Who knows whom?"]);
    assert!(said(&full).contains("context window of 512 tokens"), "{}", said(&full));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_benchmark_runs_and_goes_on() {
    let folder = folder("bench");
    let bench = || {
        graphground(
            &[
                "bench",
                "--model",
                "local:tiny.gguf",
                "--system",
                "standalone",
                "--task",
                "cycle",
                "--n",
                "1",
                "--reply-tokens",
                "4",
                "--concurrency",
                "2",
                "--out",
                "runs.jsonl",
            ],
            &folder,
        )
    };
    let first = bench();
    assert!(first.status.success(), "{}", said(&first));
    assert!(said(&bench()).contains("0 runs finished"), "nothing is made twice");
    let report = graphground(&["report", "runs.jsonl"], &folder);
    let report = said(&report);
    assert!(report.contains("local:tiny.gguf"), "{report}");
    // It is a model: no sentence about scripts.
    assert!(!report.contains("They test the harness"), "{report}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_no_model_is_told_in_words() {
    let folder = folder("faults");
    let bytes = std::fs::read(folder.join("tiny.gguf")).unwrap();
    std::fs::write(folder.join("cut.gguf"), &bytes[..bytes.len() / 2]).unwrap();
    std::fs::write(folder.join("page.gguf"), "<!doctype html>").unwrap();
    let run = |model: &str| {
        let done = graphground(&["run", "--task", "cycle", "--model", model], &folder);
        assert!(!done.status.success());
        said(&done)
    };
    for (model, words) in [
        ("local:cut.gguf", "cut.gguf"),
        ("local:page.gguf", "no GGUF file"),
        ("local:gone.gguf", "cannot open"),
        ("local:smollm2", "graphground model fetch smollm2"),
        ("local:gpt-5", "there is no model local:gpt-5"),
        ("small", "--endpoint is missing"),
    ] {
        let told = run(model);
        assert!(told.contains(words), "{model}: {told}");
        assert!(!told.contains("panicked"), "{told}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
