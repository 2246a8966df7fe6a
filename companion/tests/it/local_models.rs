//! Models of GGUF files in the program itself, by a small file with made-up weights: what it says is
//! nothing, but every way to it is gone.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tasks::dataset::{RecordSettings, RecordedAnswer};

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
fn answers_are_recorded_with_all_that_says_where_they_are_from() {
    let folder = folder("recorded");
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
    assert!(done.status.success(), "{}", said(&done));
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
        assert!(!refused.status.success() && said(&refused).contains(why), "{}", said(&refused));
    }
    let refused = record(&["--model", "local:own", "--system", "grounded"]);
    assert!(said(&refused).contains("is no system without tools"), "{}", said(&refused));
    // A recording that failed leaves the one before as it was.
    assert_eq!(std::fs::read_to_string(folder.join("a.jsonl")).unwrap(), text);
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
