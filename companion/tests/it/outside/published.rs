//! Tasks in the form of GAIA and SimpleQA, all of them made up here.

use serde_json::json;

use test_support::{Folder, StubServer, said};

use super::{graphground, lines, model};
use crate::program::both;

fn gaia(id: &str, file: &str) -> String {
    let task = json!({
        "task_id": id, "Question": "What does a loaf cost?", "Level": 2, "Final answer": "3",
        "file_name": file, "Annotator Metadata": { "Steps": "1" },
    });
    format!("{task}\n")
}

#[test]
fn tasks_of_gaia_are_read_with_their_files_and_solved_with_them() {
    let page = "<h1>Prices</h1><p>A loaf costs <b>3</b>.</p>";
    let folder = Folder::new()
        .with("metadata.jsonl", &(gaia("g-1", "g-1.html") + &gaia("g-2", "")))
        .with("g-1.html", page);
    let model = model(Some(("read_file", json!({ "file": "g-1.html" }))), "FINAL ANSWER: 3");
    let endpoint = model.endpoint();
    let place = folder.to_string_lossy().into_owned();
    for (problems, out) in [("metadata.jsonl", "a.jsonl"), (place.as_str(), "b.jsonl")] {
        let output = graphground(
            &folder,
            &[
                "bench",
                "--experiment",
                "kgot",
                "--system",
                "no-graph",
                "--model",
                "m",
                "--no-stream",
                "--endpoint",
                &endpoint,
                "--problems",
                problems,
                "--out",
                out,
            ],
        );
        assert!(output.status.success(), "{}", both(&output));
        let runs = lines(&folder, out, "run");
        let mut ids: Vec<&str> = runs.iter().map(|r| r["key"]["case"].as_str().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!(ids, ["g-1", "g-2"]);
        assert!(runs.iter().all(|run| run["score"]["verdict"] == "Correct"), "{runs:?}");
        let first = runs.iter().find(|run| run["key"]["case"] == "g-1").unwrap();
        assert!(first.to_string().contains("# Prices"), "a page was read as Markdown: {first}");
        let case = &lines(&folder, out, "case")[0];
        assert_eq!(case["level"], "level 2");
    }
    // A level is one of theirs.
    let some = graphground(
        &folder,
        &[
            "bench",
            "--experiment",
            "kgot",
            "--problems",
            "metadata.jsonl",
            "--level",
            "level 1",
            "--dry-run",
        ],
    );
    assert!(both(&some).contains("no problem is of these tasks and levels"), "{}", both(&some));
}

#[test]
fn files_that_are_missing_and_lines_that_are_none_are_told() {
    let tasks = gaia("g-1", "") + &gaia("g-2", "g-2.xlsx");
    let folder = Folder::new()
        .with("metadata.jsonl", &tasks)
        .with("bad.jsonl", "{\"question\": \"q\"}\n")
        .with("out.jsonl", gaia("g-3", "../../etc/passwd"))
        .with("qa.csv", "problem,answer\n\"Where?\",\n")
        .with("other.csv", "a,b\n1,2\n");
    for (problems, words) in [
        ("metadata.jsonl", "metadata.jsonl: line 2: the file \"g-2.xlsx\" is not there; give"),
        ("bad.jsonl", "bad.jsonl: line 1: there is no \"Question\""),
        ("out.jsonl", "the file name \"../../etc/passwd\" leads elsewhere"),
        ("qa.csv", "qa.csv: line 2: expected a problem and an answer"),
        ("other.csv", "expected the columns metadata, problem, answer; there are a, b"),
        ("no.jsonl", "no.jsonl: cannot open"),
    ] {
        let line = ["bench", "--experiment", "kgot", "--out", "x.jsonl", "--problems", problems];
        let output = graphground(&folder, &line);
        let why = both(&output);
        assert!(output.status.code() == Some(1) && why.contains(words), "{problems}: {why}");
        assert!(!folder.join("x.jsonl").exists());
    }
}

#[test]
fn answers_of_simple_qa_are_graded_by_the_model_of_the_role_judge() {
    let table = "metadata,problem,answer\n\"{'topic': 'Art'}\",Who painted it?,Ada Lake\n\
                 \"{'topic': 'Art'}\",When?,1781\n";
    let folder = Folder::new().with("qa.csv", table);
    // The judge says that every answer is right, whatever it is.
    let model = StubServer::start(|asked| {
        let is_judge = asked.json()["model"] == "grader";
        let content = if is_judge { "A" } else { "FINAL ANSWER: the painter A. Lake" };
        said(&json!({ "role": "assistant", "content": content }))
    });
    let endpoint = model.endpoint();
    let bench = |more: &[&str]| {
        let line = [
            "bench",
            "--experiment",
            "kgot",
            "--system",
            "no-graph",
            "--model",
            "m",
            "--no-stream",
            "--problems",
            "qa.csv",
            "--endpoint",
            &endpoint,
        ];
        let output = graphground(&folder, &[&line, more].concat());
        assert!(output.status.success(), "{}", both(&output));
        both(&output)
    };
    bench(&["--role", "judge=grader", "--out", "graded.jsonl"]);
    for run in lines(&folder, "graded.jsonl", "run") {
        assert_eq!(run["score"]["verdict"], "Correct", "{run}");
        assert!(run.to_string().contains("grader says: correct"), "{run}");
    }
    assert_eq!(lines(&folder, "graded.jsonl", "case")[0]["level"], "Art");
    let report = both(&graphground(&folder, &["report", "--check", "graded.jsonl"]));
    assert!(report.contains("2 runs checked again, 0 differ"), "without asking: {report}");
    // Without a judge the rules of GAIA take no other words, which the person is told.
    let words = bench(&["--out", "plain.jsonl"]);
    assert!(words.contains("--role judge=MODEL"), "{words}");
    let runs = lines(&folder, "plain.jsonl", "run");
    assert!(runs.iter().all(|run| run["score"]["verdict"] == "Incorrect"));
}
