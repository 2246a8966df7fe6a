//! The binary as a person calls it, on problems that it makes itself.

use serde_json::Value;
use test_support::Folder;

use crate::program::{graphground, program, scratch, stderr, stdout};

#[test]
fn a_thousand_made_problems_verify() {
    let file = &scratch("thousand.json", "");
    let made =
        graphground(&["generate", "--task", "all", "--n", "1000", "--seed", "4", "--out", file]);
    assert!(made.status.success(), "{}", stderr(&made));
    let checked = graphground(&["verify", file, "--json"]);
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    let report: Value = serde_json::from_str(&stdout(&checked)).unwrap();
    assert_eq!(report["totals"]["questions"], 1000);
    for field in ["parse_failures", "disagreements", "reference_rejected", "solution_rejected"] {
        assert_eq!(report["totals"][field], 0, "{field}");
        assert_eq!(report["tasks"]["GNN"][field], 0, "{field}");
    }
    assert_eq!(report["tasks"].as_object().unwrap().len(), 8);
    assert!(report["tasks"]["cycle"]["difficulties"]["medium"]["questions"].as_u64() > Some(0));
    assert!(report["totals"]["seconds"].as_f64().unwrap() > 0.0);
    let table = stdout(&graphground(&["verify", file]));
    assert!(table.starts_with("task") && table.contains("shortest_path"), "{table}");
}

#[test]
fn the_same_seed_makes_the_same_file() {
    let make = |seed| {
        stdout(&graphground(&[
            "generate",
            "--task",
            "flow",
            "--difficulty",
            "hard",
            "--n",
            "3",
            "--seed",
            seed,
        ]))
    };
    assert_eq!(make("1"), make("1"));
    assert_ne!(make("1"), make("2"));
    let file: Value = serde_json::from_str(&make("1")).unwrap();
    assert_eq!(file["2"]["difficulty"], "hard");
}

#[test]
fn a_wrong_reference_is_found_and_told() {
    let text = stdout(&graphground(&["generate", "--task", "flow", "--n", "2", "--seed", "8"]));
    let mut file: Value = serde_json::from_str(&text).unwrap();
    file["1"]["answer"] = "The maximum flow from node 0 to node 1 is 999.".into();
    file["0"]["question"] = "What?".into();
    let path = scratch("wrong.json", file.to_string());
    let output = graphground(&["verify", &path]);
    assert_eq!(output.status.code(), Some(3));
    let table = stdout(&output);
    assert!(table.contains("problem \"1\": reference rejected"), "{table}");
    assert!(table.contains("problem \"0\": cannot be read: no known question"), "{table}");
}

/// Files of other benchmarks: labels are checked, and answers judged by both rules.
#[test]
fn other_benchmarks_are_verified_and_judged_by_both_rules() {
    let write = |name: &str, text: String| scratch(name, text);
    // GraphWiz: its search begins at node 0 and finds no way; there is one from node 1.
    let hamilton = "Determine whether or not there is a Hamiltonian path in an undirected graph. Q: The \
        nodes are numbered from 0 to 2, and the edges are: (0, 1) (0, 2). Is there a Hamiltonian path in \
        this graph?";
    let line = serde_json::json!({ "index": 0, "input_prompt": hamilton, "answer": "### No" });
    let wiz = write("hamilton.jsonl", format!("{line}\n"));
    let checked = graphground(&["verify", &wiz]);
    assert_eq!(checked.status.code(), Some(3), "{}", stderr(&checked));
    assert!(stdout(&checked).contains("reference rejected"), "{}", stdout(&checked));
    // GraphArena: a name that nobody has, a name that comes four times, and a right answer in quotes.
    let question = "Your task is to solve the Maximum Independent Set problem in the given social \
        network.\n- Users in the network: Al, Bo, Cy.\n- Fiendship connections: Al and Bo, Bo and Cy.\n\
        Identify the Maximum Independent Set of this network.";
    let answers = serde_json::json!({ "0": {
        "problem": question,
        "a": "[Al, Cy, Zed]",
        "b": "[Al, Al]",
        "c": "['Al', 'Cy']",
        "d": "[Al, Cy]",
    } });
    let arena = write("models_MIS_easy.json", answers.to_string());
    let table = stdout(&graphground(&["verify", &arena]));
    let row = table.lines().rfind(|l| l.starts_with("MIS ")).unwrap();
    let numbers: Vec<&str> = row.split_whitespace().skip(1).collect();
    assert_eq!(numbers, ["4", "3", "2", "2", "1"], "{table}");
    let judged = stdout(&graphground(&["judge", &arena, "--json"]));
    let verdicts: Vec<Value> = judged.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let of = |i: usize| {
        (verdicts[i]["verdict"].as_str().unwrap(), verdicts[i]["official_score"].as_f64())
    };
    assert_eq!(of(0), ("Incorrect", Some(1.0)));
    assert_eq!(of(1), ("Incorrect", Some(1.0)));
    assert_eq!(of(2), ("Correct", Some(0.0)));
    assert_eq!(of(3), ("Correct", Some(1.0)));
    let broken = write("MIS_easy.pkl", "no pickle".into());
    let refused = graphground(&["verify", &broken]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("MIS_easy.pkl"), "{}", stderr(&refused));
}

#[test]
fn errors_say_which_file_and_what_would_be_right() {
    let missing = graphground(&["verify", "no-such-file.json"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(stderr(&missing).contains("no-such-file.json: cannot open"), "{}", stderr(&missing));

    let whole = stdout(&graphground(&["generate", "--task", "cycle", "--n", "3"]));
    let cut = scratch("cut.json", &whole.as_bytes()[..whole.len() - 40]);
    let output = graphground(&["verify", &cut]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("in the middle of problem 3 (2 came before it whole)"));

    let list = scratch("list.json", b"[1, 2, 3]");
    let output = graphground(&["verify", &list]);
    assert!(stderr(&output).contains("expected {\"key\""), "{}", stderr(&output));

    let binary = scratch("binary.json", [0xff, 0xfe, 0x00]);
    let output = graphground(&["verify", &binary]);
    assert!(stderr(&output).contains("not UTF-8"), "{}", stderr(&output));

    let unknown = graphground(&["generate", "--task", "chess"]);
    assert!(stderr(&unknown).contains("unknown task \"chess\"; expected connectivity"));
    let level = graphground(&["generate", "--task", "flow", "--difficulty", "medium"]);
    assert!(stderr(&level).contains("it has easy and hard"), "{}", stderr(&level));
    assert_eq!(graphground(&["frobnicate"]).status.code(), Some(2));
}

/// One answer that cannot be read costs no other its verdict.
#[test]
fn an_answer_that_cannot_be_read_does_not_stop_the_others() {
    let first = ANSWERS.lines().next().unwrap();
    let path =
        scratch("gaps.jsonl", format!("{first}\n{{\"question\": \"Where is Ann?\"}}\n{first}\n"));
    let output = graphground(&["judge", "--json", &path]);
    assert_eq!(output.status.code(), Some(3));
    let rows: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines: Vec<u64> = rows.iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2, 3]);
    assert!(rows[1]["error"].is_string() && rows[2]["verdict"] == "Correct", "{rows:?}");
    let table = graphground(&["judge", &path]);
    assert!(stdout(&table).contains("2 answers"), "{}", stdout(&table));
    assert!(stderr(&table).contains("gaps.jsonl: line 2: "), "{}", stderr(&table));
    assert!(stderr(&table).contains("1 answer could not be read"), "{}", stderr(&table));
}

const ANSWERS: &str = concat!(
    r#"{"task":"connectivity","difficulty":"easy","graph":{"n":3,"edges":[[0,1]]},"query":{"source":0,"target":1},"answer_text":"yes","official_score":1}"#,
    "\n",
    r#"{"task":"cycle","graph":{"n":3,"edges":[[0,1],[1,2],[2,0]]},"query":{},"answer_text":"I wonder.","official_score":0}"#,
    "\n",
    r#"{"task":"flow","graph":{"n":2,"edges":[[0,1,7]]},"query":{"source":0,"target":1},"answer_text":"The maximum flow is 3 + 4 = 7.","official_score":1,"official_score2":0}"#,
    "\n",
    r#"{"task":"matching","graph":{"n":2,"n1":1,"n2":1,"edges":[[0,0]]},"query":{},"answer_text":"applicant 0: job 0\n2 applicants can find the job.","official_score":1}"#,
    "\n",
);

#[test]
fn answers_are_judged_line_by_line_plain_and_gzipped() {
    let plain = scratch("answers.jsonl", ANSWERS);
    let zipped = scratch("answers.jsonl.gz", "");
    let mut encoder =
        flate2::write::GzEncoder::new(std::fs::File::create(&zipped).unwrap(), Default::default());
    std::io::Write::write_all(&mut encoder, ANSWERS.as_bytes()).unwrap();
    encoder.finish().unwrap();
    for path in [&plain, &zipped] {
        let output = graphground(&["judge", "--json", path]);
        assert!(output.status.success(), "{}", stderr(&output));
        let rows: Vec<Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let verdicts: Vec<&str> = rows.iter().map(|r| r["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["Correct", "NoAnswer", "Correct", "Partial"]);
        assert_eq!(rows[2]["answer"]["value"], 7.0);
        assert!(!rows[3]["explanation"].as_str().unwrap().is_empty());
    }
    let table = stdout(&graphground(&["judge", &plain]));
    assert!(table.contains("4 answers"), "{table}");
}

/// What has no logged score stands apart, though the benchmark's script is known; and nobody reads an
/// answer twice.
#[test]
fn answers_for_readers_are_drawn_once() {
    let answers = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/answers/recorded.jsonl");
    let ids = |args: &[&str]| -> Vec<String> {
        let output = graphground(&[&["judge", answers, "--draw"], args].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let row = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        stdout(&output).lines().map(|l| row(l)["id"].as_str().unwrap().to_owned()).collect()
    };
    let first = ids(&["40"]);
    assert_eq!(first.len(), 40, "all of one kind");
    let labels: String = first.iter().map(|id| format!("{id}\tCorrect\tPartial\n")).collect();
    let labels = &scratch("labels.tsv", labels);
    let others = ids(&["168", "--without", labels]);
    assert_eq!(others.len(), 128);
    assert!(others.iter().all(|id| !first.contains(id)));
    let table = stdout(&graphground(&["judge", answers, "--labels", labels]));
    assert!(table.contains("unscored") && !table.contains("agreement"), "{table}");
}

#[test]
fn a_bad_answer_line_is_named() {
    let path = scratch("bad.jsonl", format!("{ANSWERS}{{\"task\":\"chess\""));
    let output = graphground(&["judge", &path]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("bad.jsonl: line 5"), "{}", stderr(&output));
    assert!(stdout(&output).contains("4 answers"), "{}", stdout(&output));
}

#[test]
fn tools_come_in_every_shape() {
    for format in ["openai", "anthropic", "mcp", "paper"] {
        let output = graphground(&["tools", "--format", format]);
        let tools: Vec<Value> = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(tools.len(), graph::functions::FUNCTIONS.len(), "{format}");
    }
    assert!(stdout(&graphground(&["tools"])).contains("max_flow"));
}

#[test]
fn rescue_plays_disasters_and_finds_every_plan_without_a_fault() {
    let text = stdout(&graphground(&[
        "rescue",
        "--scenarios",
        "12",
        "--events",
        "3",
        "--locations",
        "40",
        "--json",
    ]));
    let counts: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(counts["plans"], 48);
    assert_eq!(counts["plans_without_fault"], 48);
    assert_eq!(counts["events"], 36);
    assert!(counts["faults"].as_object().unwrap().values().all(|n| n == 0));
    let refused = graphground(&["rescue", "--locations", "500"]);
    assert!(!refused.status.success());
}

/// What the documents say of a real model can be computed again from its runs.
#[test]
fn published_runs_come_out_as_they_say() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/runs");
    let mut n_files = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let done = program().args(["report", "--check"]).arg(&path).output().unwrap();
        let said = stdout(&done);
        assert!(done.status.success() && said.contains(" 0 differ"), "{}: {said}", path.display());
        n_files += 1;
    }
    assert!(n_files >= 13, "{n_files} files");
}

/// The example of a shared benchmark is what the documents say that it is.
#[test]
fn the_example_is_what_its_documented_command_writes() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("docs/real-models.md")).unwrap();
    let begin = text.find("`graphground report docs/runs/nlgraph-*").unwrap() + 1;
    let command = &text[begin..begin + text[begin..].find('`').unwrap()];
    // Words, and what stands in quotes as one.
    let mut words: Vec<String> = Vec::new();
    for (i, part) in command.split('"').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    let mut files: Vec<String> = std::fs::read_dir(root.join("docs/runs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.file_name().unwrap().to_string_lossy().starts_with("nlgraph-"))
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    files.sort();
    let page = scratch("example.html", "");
    let mut args: Vec<String> = Vec::new();
    for word in words.into_iter().skip(1) {
        match word.as_str() {
            "docs/runs/nlgraph-*.jsonl.gz" => args.append(&mut files),
            "docs/example.html" => args.push(page.clone()),
            _ => args.push(word),
        }
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = graphground(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let (made, kept) =
        (std::fs::read(&page).unwrap(), std::fs::read(root.join("docs/example.html")));
    assert!(made == kept.unwrap(), "make it again: {command}");
}

/// A proposal is checked, kept in a file, and listed from it; a bad one says what would be right.
#[test]
fn a_composed_function_is_checked_kept_and_listed() {
    let folder = Folder::new();
    let path = |name: &str| folder.file(name);
    let proposal = |body: &str| {
        serde_json::json!({
            "name": "count_strangers",
            "description": "Counts the nodes that a node is not joined to.",
            "parameters": [{ "name": "node", "type": "node", "description": "The node." }],
            "body": body,
            "examples": [
                { "graph": { "edges": [[0, 1], [1, 2]] }, "arguments": { "node": 0 }, "result": 1 },
                { "graph": { "edges": [[0, 1]] }, "arguments": { "node": 0 }, "result": 0 },
            ],
        })
        .to_string()
    };
    let right = "describe_graph().n_nodes - 1 - count(get_neighbors(node: node).neighbors)";
    std::fs::write(path("right.json"), proposal(right)).unwrap();
    std::fs::write(path("wrong.json"), proposal("count(get_neighbors(node: node))")).unwrap();
    let check = |file: &str| {
        graphground(&["tools", "--propose", &path(file), "--functions", &path("kept.json")])
    };
    let refused = check("wrong.json");
    assert_eq!(refused.status.code(), Some(3));
    let told = stdout(&refused);
    assert!(told.contains("name the field that has the list"), "{told}");
    assert!(!folder.join("kept.json").exists());
    let accepted = check("right.json");
    let told = stdout(&accepted);
    assert!(accepted.status.success() && told.contains("2 of 2 examples pass"), "{told}");
    // The name is taken now.
    assert_eq!(check("right.json").status.code(), Some(3));
    let listed = graphground(&["tools", "--functions", &path("kept.json"), "--format", "openai"]);
    let tools: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let last = tools.as_array().unwrap().last().unwrap();
    assert_eq!(last["function"]["name"], "count_strangers");
    assert_eq!(last["function"]["parameters"]["required"], serde_json::json!(["node"]));
    // A file that was changed is not taken on trust.
    std::fs::write(path("kept.json"), format!("[{}]", proposal("no_such()"))).unwrap();
    let spoilt = graphground(&["tools", "--functions", &path("kept.json")]);
    let told = stderr(&spoilt);
    assert!(!spoilt.status.success() && told.contains("no function \"no_such\""), "{told}");
}

/// What a blind reader found in a hundred answers is found as often as docs/measurements.md says, or
/// more often.
#[test]
fn claims_are_found_as_a_blind_reader_found_them() {
    let Some(folder) = test_data::folder("nlgraph") else { return };
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = program()
        .arg("claims")
        .arg(folder.join("answers.sample.jsonl.gz"))
        .arg(root.join("assets/answers/recorded.jsonl"))
        .arg("--labels")
        .arg(root.join("docs/labels/claims.tsv"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let all = text.lines().find(|line| line.starts_with("all ")).unwrap();
    let cells: Vec<&str> = all.split_whitespace().collect();
    let [found, extra, missed] = [2, 3, 4].map(|i| cells[i].parse::<usize>().unwrap());
    assert!(found >= 471 && missed <= 8 && extra <= 60, "{all}");
    assert!(all.ends_with("471 of 471"), "{all}");
}
