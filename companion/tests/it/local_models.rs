//! Models of GGUF files in the program itself, by a small file with made-up weights: what it says is
//! nothing, but every way to it is gone.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tasks::dataset::{RecordSettings, RecordedAnswer};
use test_support::Folder;

use crate::program::{both, program};

fn graphground(words: &[&str], folder: &Path) -> Output {
    let mut command = program();
    command.args(words).current_dir(folder).env("GRAPHGROUND_CACHE", folder.join("cache"));
    command.output().unwrap()
}

/// A folder of its own, with a model in it.
fn folder() -> Folder {
    let made = gguf::fixture::Made::default();
    Folder::new().with("tiny.gguf", gguf::fixture::file(&made).unwrap())
}

#[test]
fn a_file_says_what_it_is_and_answers_a_problem_and_a_question() {
    let folder = folder();
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
    assert!(both(&told).contains("input tokens"), "{}", both(&told));
    // All graph functions are more than so small a model can read.
    let full = run(&["--question", "Who knows whom?"]);
    assert!(both(&full).contains("context window of 512 tokens"), "{}", both(&full));
}

#[test]
fn answers_are_recorded_with_all_that_says_where_they_are_from() {
    let folder = folder();
    let record = |more: &[&str]| {
        let common =
            ["record", "--n", "2", "--seed", "7", "--reply-tokens", "8", "--out", "a.jsonl"];
        graphground(&[&common, more].concat(), &folder)
    };
    let done = record(&[
        "--model",
        "local:./tiny.gguf",
        "--model",
        "local:own",
        "--task",
        "cycle,connectivity",
    ]);
    assert!(done.status.success(), "{}", both(&done));
    let text = std::fs::read_to_string(folder.join("a.jsonl")).unwrap();
    let lines: Vec<RecordedAnswer> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8, "{text}");
    for line in &lines {
        let problem = line.problem();
        let RecordSettings { wording, style, .. } = line.settings;
        assert_eq!(line.question, problem.question(wording, style));
        assert_eq!(line.verdict, tasks::verify(&problem, &line.answer).verdict);
        assert_eq!((line.settings.max_tokens, line.recorded.len()), (8, 10));
    }
    let seeds: Vec<u64> = lines.iter().map(|line| line.seed).collect();
    assert_eq!(seeds, [7, 8].repeat(4));
    // The hash is that of the file, and each model has its own.
    let bytes = std::fs::read(folder.join("tiny.gguf")).unwrap();
    let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(lines[0].model_sha256, hash);
    assert_ne!(lines[4].model_sha256, hash);
    assert_ne!(lines[0].model, lines[4].model);
    for (more, why) in [
        (["--model", "gpt-4"], "no model of this machine"),
        (["--model", "local:nobody"], "there is no model"),
    ] {
        let refused = record(&more);
        assert!(!refused.status.success() && both(&refused).contains(why), "{}", both(&refused));
    }
    let refused = record(&["--model", "local:own", "--system", "grounded"]);
    assert!(both(&refused).contains("is no system without tools"), "{}", both(&refused));
    // A recording that failed leaves the one before as it was.
    assert_eq!(std::fs::read_to_string(folder.join("a.jsonl")).unwrap(), text);
}

#[test]
fn a_benchmark_runs_and_goes_on() {
    let folder = folder();
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
    assert!(first.status.success(), "{}", both(&first));
    assert!(both(&bench()).contains("0 runs finished"), "nothing is made twice");
    let report = graphground(&["report", "runs.jsonl"], &folder);
    let report = both(&report);
    assert!(report.contains("local:tiny.gguf"), "{report}");
    // It is a model: no sentence about scripts.
    assert!(!report.contains("They test the harness"), "{report}");
}

#[test]
fn what_is_no_model_is_told_in_words() {
    let folder = folder();
    let bytes = std::fs::read(folder.join("tiny.gguf")).unwrap();
    std::fs::write(folder.join("cut.gguf"), &bytes[..bytes.len() / 2]).unwrap();
    std::fs::write(folder.join("page.gguf"), "<!doctype html>").unwrap();
    let run = |model: &str| {
        let done = graphground(&["run", "--task", "cycle", "--model", model], &folder);
        assert!(!done.status.success());
        both(&done)
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
}
