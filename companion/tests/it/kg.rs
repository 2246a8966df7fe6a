//! `graphground kg`, as a person calls it.

use std::process::Output;

use serde_json::Value;
use test_support::Folder;

use crate::program::{Server, graphground, stderr, stdout};

fn kg(arguments: &[&str]) -> Output {
    graphground(&[&["kg"], arguments].concat())
}

/// A small graph in a folder, with a broken line.
fn library() -> Folder {
    let nodes = r#"{"id": "b1", "type": "Book", "name": "Salt Roads"}
{"id": "b2", "type": "Book", "name": "Tin Moon"}
{"id": "a1", "type": "Author", "name": "Ana Petrova"}
{"id": "a2", "type": "Author"
"#;
    let edges = r#"{"src": "b1", "dst": "a1", "type": "written_by"}
{"src": "b2", "dst": "a1", "type": "written_by"}
"#;
    Folder::new().with("nodes.jsonl", nodes).with("edges.jsonl", edges)
}

#[test]
fn programs_become_plans_and_plans_answers() {
    let folder = library();
    let graph = folder.to_str().unwrap();
    let qa = folder.join("qa.jsonl");
    let rows = r#"{"id": "q1", "question": "Who wrote Salt Roads?", "answers": ["Ana Petrova"], "path": ["written_by"], "start": "b1"}
{"id": "q2", "question": "What did Ana Petrova write?", "answers": ["Salt Roads", "Tin Moon"], "path": [["written_by_inverse"]]}
{"id": "q3", "question": "Who wrote nothing?", "answers": [], "path": [["written_by"]]}
"#;
    std::fs::write(&qa, rows).unwrap();
    let made = kg(&["programs", "--kg", graph, "--qa", qa.to_str().unwrap()]);
    assert_eq!(made.status.code(), Some(3), "a row without an entity");
    assert!(stderr(&made).contains("nodes.jsonl: line 4, column"), "{}", stderr(&made));
    let lines: Vec<&str> = Box::leak(stdout(&made).into_boxed_str()).lines().collect();
    assert!(lines[2].contains("no node that has edges"), "{}", lines[2]);
    let plans = folder.join("plans.jsonl");
    let wrong = r#"{"id": "w", "plan": "Find_Node[Salt Roads, Book]\nFetch_Neighbors[s1, wrote]"}"#;
    std::fs::write(&plans, format!("{}\n{}\n{wrong}\n", lines[0], lines[1])).unwrap();
    let ran = kg(&["run", "--kg", graph, "--plans", plans.to_str().unwrap(), "--json"]);
    assert_eq!(ran.status.code(), Some(3), "one plan cannot run");
    let answers: Vec<Value> =
        stdout(&ran).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(answers[0]["answers"], serde_json::json!(["Ana Petrova"]));
    assert_eq!(answers[1]["answers"], serde_json::json!(["Salt Roads", "Tin Moon"]));
    assert_eq!(answers[1]["steps"][1]["n"], 2);
    assert!(
        answers[2]["error"].as_str().unwrap().starts_with("V4 s2: there is no edge type \"wrote\"")
    );
    let checked = kg(&["plan", "--kg", graph, "--plans", plans.to_str().unwrap()]);
    assert!(stdout(&checked).contains("\"is_right\":false"));
    let strict = kg(&["stats", "--kg", graph, "--strict"]);
    assert!(!strict.status.success() && stderr(&strict).contains("1 places could not be read"));
    let stats = kg(&["stats", "--kg", graph]);
    assert!(stdout(&stats).contains("3 nodes, 2 edges"), "{}", stdout(&stats));
    let found = kg(&["query", "--kg", graph, "--find", "salt roads", "--edge", "written_by"]);
    assert!(stdout(&found).contains("\"name\":\"Ana Petrova\""));
    let missed = kg(&["query", "--kg", graph, "--find", "Pepper"]);
    assert!(stderr(&missed).contains("no node is \"Pepper\""));
}

/// What is nothing, of another format or mostly broken is told and fails; a fault here and there is
/// told and left out.
#[test]
fn what_holds_no_graph_is_not_converted() {
    let folder = Folder::new();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let written = folder.join("out.jsonl");
    let to = written.to_str().unwrap();
    let refused = [
        (
            file("newlines.tsv", &"\n".repeat(1_000_000)),
            "nothing in it is a node or an edge; expected",
        ),
        (
            file("empty.ttl", ""),
            "nothing in it is a node or an edge; expected Turtle, such as <urn:",
        ),
        (
            file("zeros.ttl", &"\0".repeat(1_000_000)),
            "this is no Turtle: gave up after 1,000 faults",
        ),
        (
            file("words.csv", &"x\n".repeat(100_000)),
            "this is no comma-separated table: gave up after",
        ),
        (
            file("half.tsv", "a\tb\tc\nx\ny\n"),
            "2 places could not be read, and 1 could; the first fault",
        ),
    ];
    for (path, why) in refused {
        let refused = kg(&["convert", &path, "--out", to]);
        let told = stderr(&refused);
        assert_eq!(refused.status.code(), Some(1), "{told}");
        assert!(told.starts_with(&format!("error: {path}: {why}")), "{told}");
        assert!(told.contains("expected ") && told.len() < 1000, "{told}");
        assert!(!written.exists());
    }
    let spoiled = file("spoiled.tsv", &format!("x\n{}", "a\tb\tc\n".repeat(3)));
    let done = kg(&["convert", &spoiled, "--out", to]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("spoiled.tsv: line 1, column 1: this line has "));
    assert!(stdout(&done).starts_with("2 nodes, 1 edges, 1 faults"), "{}", stdout(&done));
    assert!(written.exists());
    let strict = kg(&["convert", &spoiled, "--strict"]);
    assert_eq!(strict.status.code(), Some(1), "{}", stderr(&strict));
    // One file of several may say nothing.
    let edges = file("edges.tsv", "a\tb\tc\n");
    let nothing = file("nothing.tsv", "\n");
    assert_eq!(kg(&["convert", &edges, &nothing]).status.code(), Some(0));
}

#[test]
fn corrupted_plans_are_caught() {
    let caught = kg(&["corrupt", "--kg", "metro:6:2", "--n", "40"]);
    assert!(caught.status.success(), "{}{}", stdout(&caught), stderr(&caught));
    let text = stdout(&caught);
    assert!(text.contains("false alarms: 0"));
    let rows: Vec<&str> = text.lines().filter(|l| l.contains("  40  ")).collect();
    assert_eq!(rows.len(), 10, "{text}");
}

#[test]
fn a_model_plans_and_its_plans_run() {
    let folder = Folder::new();
    let plans = folder.join("plans.jsonl");
    let planned = kg(&["plan", "--kg", "metro:6:1", "--n", "12"]);
    assert!(planned.status.success(), "{}{}", stdout(&planned), stderr(&planned));
    std::fs::write(&plans, stdout(&planned)).unwrap();
    let ran = kg(&["run", "--kg", "metro:6:1", "--plans", plans.to_str().unwrap(), "--json"]);
    assert!(ran.status.success(), "{}", stderr(&ran));
    let (planned, ran) = (stdout(&planned), stdout(&ran));
    assert_eq!(planned.lines().count(), 12);
    for (plan, answer) in planned.lines().zip(ran.lines()) {
        let (plan, answer): (Value, Value) =
            (serde_json::from_str(plan).unwrap(), serde_json::from_str(answer).unwrap());
        let names = |v: &Value| {
            let list = v.as_array().unwrap().iter();
            let names = list.map(|n| n.as_str().map_or_else(|| n.to_string(), str::to_owned));
            names.collect::<std::collections::BTreeSet<String>>()
        };
        let (right, found) = (names(&plan["answers"]), names(&answer["answers"]));
        // Where a number is asked for, the answering model counts what the plan gives.
        let number = right.iter().next().and_then(|n| n.parse::<usize>().ok());
        match number {
            Some(n) => assert_eq!(n, found.len(), "{plan} {answer}"),
            None => assert_eq!(right, found, "{plan} {answer}"),
        }
    }
    // A planner that errs is asked again, and without that its plan is told to be wrong.
    let erring = ["plan", "--kg", "metro:6:1", "--n", "12", "--model", "mistaken:unknown-edge"];
    let mended = kg(&erring);
    assert!(mended.status.success(), "{}{}", stdout(&mended), stderr(&mended));
    assert!(stdout(&mended).contains("\"n_repairs\":1"));
    let alone = kg(&[&erring[..], &["--no-verify"]].concat());
    assert_eq!(alone.status.code(), Some(3), "{}{}", stdout(&alone), stderr(&alone));
    assert!(
        stdout(&alone).contains("\"V3\"") || stdout(&alone).contains("\"V4\""),
        "{}",
        stdout(&alone)
    );
}

#[test]
fn a_benchmark_goes_on_where_it_was_cut_off() {
    let folder = Folder::new();
    let file = folder.join("runs.jsonl");
    let path = file.to_str().unwrap();
    let bench = ["bench", "--experiment", "kgqa", "--kg", "metro:6:1", "--out", path];
    let run = |n: &str| {
        graphground(&[&bench[..], &["--n", n, "--system", "graphrunner,graph_rag"]].concat())
    };
    let first = run("5");
    let told = stderr(&first);
    assert!(told.contains("10 runs finished, 0 finished before"), "{}{told}", stdout(&first));
    // The program is ended in the middle of a line.
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 100]).unwrap();
    let second = run("5");
    assert!(stderr(&second).contains("1 runs finished, 9 finished before"), "{}", stderr(&second));
    let third = run("5");
    assert!(stderr(&third).contains("0 runs finished, 10 finished before"), "{}", stderr(&third));
    // The same file added up by itself, and as a page.
    let page = folder.join("page.html");
    let told = graphground(&["report", path, "--html", page.to_str().unwrap(), "--title", "A <b>"]);
    assert!(told.status.success(), "{}", stderr(&told));
    let both = stdout(&told);
    for words in [
        "GraphRunner, script",
        "1 hop",
        "Pair by pair",
        "Measures of answers",
        "They test the harness, not a method",
    ] {
        assert!(both.contains(words), "{words}: {both}");
    }
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("<h1>A &lt;b&gt;</h1>") && html.matches("<details class=\"p\"").count() == 5
    );
    let checked = graphground(&["report", path, "--check"]);
    assert!(stdout(&checked).contains("10 runs checked again, 0 differ"), "{}", stdout(&checked));
    let wrong = graphground(&[&bench[..], &["--system", "magic"]].concat());
    assert!(stderr(&wrong).contains("there is no system \"magic\""));
}

#[test]
fn systems_are_compared_by_the_report_of_all_benchmarks() {
    let folder = Folder::new();
    let runs = folder.join("runs.jsonl");
    let file = runs.to_str().unwrap();
    let told = kg(&["versus", "--n", "20", "--errs", "20", "--out", file]);
    let told = stdout(&told);
    let row = |name: &str| {
        let row = told.lines().find(|l| l.starts_with(name)).unwrap_or_else(|| panic!("{told}"));
        row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("GraphRunner")[1..4], ["100.0", "%", "2.00"]);
    assert_eq!(row("Text-RAG")[1], "0.0");
    // Input tokens, of the same questions.
    let read = |name: &str| row(name)[5].parse::<f64>().unwrap_or_else(|_| panic!("{told}"));
    let times = read("Graph-CoT") / read("GraphRunner");
    assert!((3.0..13.0).contains(&times), "{told}");
    assert!(told.contains("They test the harness, not a method"), "{told}");
    assert!(!told.contains('$'), "a script has no cost: {told}");
    assert_eq!(row("20 %").len(), 10);
    let report = graphground(&["report", file]);
    assert!(
        stdout(&report).contains("GraphRunner (verify false), erring:20"),
        "{}",
        stdout(&report)
    );
    assert_eq!(graphground(&["report", "--check", file]).status.code(), Some(0));
}

#[test]
fn a_tiny_graph_is_written_and_read_and_its_question_has_its_schema() {
    let folder = Folder::new();
    let file = folder.join("tiny.jsonl");
    let file = file.to_str().unwrap();
    let asked = kg(&["tiny", "--n", "1", "--seed", "7", "--ask-nobody", "--write", file]);
    assert!(asked.status.success(), "{}", stderr(&asked));
    let told = stdout(&asked);
    let types = told.lines().skip(1).take_while(|line| line.starts_with("- #"));
    let (written, made) = (kg(&["stats", "--kg", file]), kg(&["stats", "--kg", "tiny:7"]));
    for line in types {
        let name = line.trim_start_matches("- ").split(' ').next().unwrap();
        assert!(stdout(&made).contains(name) && stdout(&written).contains(name), "{name}");
    }
    assert!(told.contains("\nQuestion: "), "{told}");
    let wrong = kg(&["stats", "--kg", "tiny:x"]);
    assert!(stderr(&wrong).contains("expected tiny:SEED"), "{}", stderr(&wrong));
}

#[test]
fn a_served_graph_is_asked_as_a_store() {
    let server = Server::start(&["kg", "serve", "--kg", "metro:7:3", "--port", "0"]);
    assert_eq!(server.address, server.url("/query"));
    let store = format!("sparql:{}", server.url("/query"));
    let stats = |kg_: &str| -> Value {
        serde_json::from_str(&stdout(&kg(&["stats", "--kg", kg_, "--json"]))).unwrap()
    };
    let (there, here) = (stats(&store), stats("metro:7:3"));
    assert_eq!((&there["n_nodes"], &there["n_edges"]), (&here["n_nodes"], &here["n_edges"]));
    // Planned on the store's schema, run on what is asked of it: the answers of the graph itself.
    let folder = Folder::new();
    let plans = folder.join("plans.jsonl");
    let planned = kg(&["plan", "--kg", "metro:7:3", "--n", "15"]);
    std::fs::write(&plans, stdout(&planned)).unwrap();
    let plans = plans.to_str().unwrap();
    let checked = kg(&["plan", "--kg", &store, "--plans", plans]);
    assert!(checked.status.success(), "{}{}", stdout(&checked), stderr(&checked));
    let answers = |kg_: &str| -> Vec<Vec<String>> {
        let ran = kg(&["run", "--kg", kg_, "--plans", plans, "--json"]);
        assert!(ran.status.success(), "{}{}", stdout(&ran), stderr(&ran));
        let of = |line: &str| {
            let value: Value = serde_json::from_str(line).unwrap();
            let list = value["answers"].as_array().unwrap().iter();
            let mut names: Vec<String> = list.map(ToString::to_string).collect();
            names.sort();
            names
        };
        stdout(&ran).lines().map(of).collect()
    };
    assert_eq!(answers(&store), answers("metro:7:3"));
    // What needs the whole graph here says so, and a wrong address too.
    assert!(stderr(&kg(&["corrupt", "--kg", &store])).contains("the graph stays there"));
    let wrong = kg(&["stats", "--kg", &format!("neo4j:{}", server.url(""))]);
    assert!(stderr(&wrong).contains("Neo4j"), "{}", stderr(&wrong));
}

#[test]
fn questions_about_any_graph_are_a_file_that_bench_takes() {
    let folder = library();
    let graph = folder.to_str().unwrap();
    let file = folder.join("made.jsonl");
    let made = kg(&["questions", "--kg", graph, "--n", "4", "--out", file.to_str().unwrap()]);
    assert!(stderr(&made).contains("made from the graph's types and edges"), "{}", stderr(&made));
    let text = std::fs::read_to_string(&file).unwrap();
    let rows: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(!rows.is_empty());
    for row in &rows {
        assert!(row["plan"]["steps"].is_array() && !row["answers"].as_array().unwrap().is_empty());
        assert!(row["template"].as_str().unwrap().starts_with("typed_"), "{row}");
    }
    let runs = folder.join("runs.jsonl");
    let done = graphground(&[
        "bench",
        "--experiment",
        "kgqa",
        "--kg",
        graph,
        "--problems",
        file.to_str().unwrap(),
        "--model",
        "script",
        "--out",
        runs.to_str().unwrap(),
    ]);
    let told = format!("{} runs finished", rows.len());
    assert!(stderr(&done).contains(&told), "{}", stderr(&done));
    let of_town = kg(&["questions", "--kg", "town:1", "--n", "9"]);
    assert_eq!(stdout(&of_town).lines().count(), 9);
    assert!(kg(&["questions", "--kg", "town:x"]).status.code() != Some(0));
    // What a measure finds, threshold by threshold, its own marked.
    let hints = kg(&["hints", "--kg", "metro:4:1", "--n", "20", "--similarity", "bm25"]);
    assert!(stdout(&hints).contains("0.55 (its own)"), "{}", stdout(&hints));
}
