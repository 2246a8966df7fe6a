//! Files that are written are there whole or not at all, also where the disk is full.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use test_support::Folder;

use crate::program::{PROGRAM, program, stderr};

fn graphground(arguments: &[String]) -> Output {
    program().args(arguments).output().unwrap()
}

/// Runs it where no file may grow beyond a few kilobytes, as on a disk that is full.
fn on_a_full_disk(arguments: &[String]) -> Output {
    let words: Vec<String> = arguments.iter().map(|a| format!("'{a}'")).collect();
    // Without the signal the write fails, as it does on a disk that is full.
    let line = format!("trap '' XFSZ; ulimit -f 4; exec '{PROGRAM}' {}", words.join(" "));
    Command::new("sh").arg("-c").arg(line).stdin(Stdio::null()).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// Files to begin with: a graph, runs, pairs and traces, each larger than the full disk takes.
fn given(folder: &Path) -> [String; 4] {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [graph, runs, pairs, traces] =
        ["graph.tsv", "runs.jsonl", "pairs.jsonl", "traces.json"].map(path);
    let lines: String = (0..2000).map(|i| format!("node {i}\tnext\tnode {}\n", i + 1)).collect();
    std::fs::write(&graph, lines).unwrap();
    let bench = format!("bench --task cycle --difficulty easy --n 40 --out {runs}");
    assert!(graphground(&words(&bench)).status.success());
    std::fs::write(&pairs, graphground(&words("prompts make --n 200")).stdout).unwrap();
    assert!(graphground(&words(&format!("trace made -o {traces}"))).status.success());
    [graph, runs, pairs, traces]
}

/// Every command that writes a file, with `OUT` in the place of its name.
fn commands([graph, runs, pairs, traces]: &[String; 4]) -> Vec<String> {
    vec![
        "generate --task flow --n 50 --out OUT".to_owned(),
        "trace made -o OUT".to_owned(),
        format!("trace convert {traces} --to openai -o OUT"),
        format!("kg convert {graph} --to graphml --out OUT"),
        format!("report {runs} --html OUT"),
        format!("prompts split {pairs} --train OUT --test /dev/null"),
        "data pack village --out OUT".to_owned(),
    ]
}

#[test]
fn a_full_disk_leaves_the_older_file_whole_and_is_told_with_the_name() {
    let folder = Folder::new();
    let files = given(&folder);
    let before = names(&folder);
    let out = folder.join("out.xyz");
    let path = out.to_str().unwrap();
    for command in commands(&files) {
        let arguments = words(&command.replace("OUT", path));
        // Where there is none, none is left behind.
        for older in [None, Some("an older file, whole")] {
            older.inspect(|text| std::fs::write(&out, text).unwrap());
            let done = on_a_full_disk(&arguments);
            let told = stderr(&done);
            assert_eq!(done.status.code(), Some(1), "{command}: {told}");
            let why = format!("{path}: cannot be written: File too large");
            assert!(told.contains(&why), "{command}: {told}");
            assert_eq!(std::fs::read_to_string(&out).ok().as_deref(), older, "{command}");
            let _ = std::fs::remove_file(&out);
            assert_eq!(names(&folder), before, "{command}");
        }
        // With room it is written, over an older one too.
        std::fs::write(&out, "older").unwrap();
        let done = graphground(&arguments);
        assert!(done.status.success(), "{command}: {}", stderr(&done));
        assert!(out.metadata().unwrap().len() > 2048, "{command}");
        std::fs::remove_file(&out).unwrap();
        assert_eq!(names(&folder), before, "{command}");
    }
}

#[test]
fn a_merge_and_a_report_on_a_full_disk_leave_nothing_cut() {
    let folder = Folder::new();
    let [_, runs, pairs, _] = given(&folder);
    let wrong = format!("{pairs}.wrong");
    let text = std::fs::read_to_string(&pairs).unwrap();
    std::fs::write(&wrong, text.replace("toolx:", "toolx:no_")).unwrap();
    let before = names(&folder);
    let out = folder.join("out.jsonl");
    let path = out.to_str().unwrap();
    for command in [
        format!("merge {runs} --out {path}"),
        format!("report {runs} --csv {path}"),
        // What is dropped goes into a second file.
        format!("prompts filter {wrong} --dropped {path}"),
    ] {
        let done = on_a_full_disk(&words(&command));
        let told = stderr(&done);
        assert_eq!(done.status.code(), Some(1), "{command}: {told}");
        assert!(told.contains(&format!("{path}: cannot be written: ")), "{command}: {told}");
        assert!(!out.exists(), "{command}");
        assert_eq!(names(&folder), before, "{command}");
    }
}

/// A device is written to as it is, and named where it takes nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_device_that_is_full_is_named() {
    let folder = Folder::new();
    let files = given(&folder);
    for command in commands(&files) {
        let done = graphground(&words(&command.replace("OUT", "/dev/full")));
        let told = stderr(&done);
        assert_eq!(done.status.code(), Some(1), "{command}: {told}");
        assert!(told.contains("/dev/full: cannot be written: No space left"), "{command}: {told}");
    }
    assert!(!Path::new("/dev/full").is_file());
}

/// The files that grow line by line name themselves too, and what was finished is kept.
#[test]
fn files_that_grow_name_themselves_and_keep_what_is_whole() {
    let folder = Folder::new();
    let runs = folder.join("runs.jsonl");
    let results = folder.join("kg.jsonl");
    for (command, out) in [
        ("bench --task cycle --difficulty easy --n 20 --out OUT", &runs),
        ("bench --experiment kgqa --kg metro:3:1 --n 20 --out OUT", &results),
    ] {
        let path = out.to_str().unwrap();
        let done = on_a_full_disk(&words(&command.replace("OUT", path)));
        let told = stderr(&done);
        assert_eq!(done.status.code(), Some(1), "{command}: {told}");
        let why = format!("{path}: cannot be written to; the runs before are whole, and the same");
        assert!(told.contains(&why), "{command}: {told}");
    }
}

/// A model that could move the cursor could overwrite a verdict.
#[test]
fn no_escape_sequence_of_others_reaches_the_terminal() {
    let escape = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}1m";
    let endpoint = test_support::StubServer::start(move |_| {
        test_support::said(
            &serde_json::json!({ "role": "assistant", "content": format!("Yes. {escape}") }),
        )
    });
    let folder = Folder::new();
    let snapshot = serde_json::json!({ "type": "node", "id": "0", "labels": ["N"], "properties": { "name": escape } });
    folder.write("s.jsonl", format!("{snapshot}\n"));
    let url = endpoint.endpoint();
    let lines = [
        format!("run --task cycle --endpoint {url} --model m --no-stream"),
        format!("graph-query MATCH(n)RETURN(n.name) --snapshot {}", folder.file("s.jsonl")),
        format!("run --model m --task {escape}"),
        escape.to_owned(),
        format!("judge {escape}.json"),
    ];
    for line in lines {
        let out = graphground(&words(&line));
        let text = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
        assert!(text.contains("\\u{"), "{line:?}: {text}");
        let is_shown = |c: char| !c.is_control() || "\n\t".contains(c);
        assert!(text.chars().all(is_shown), "{line:?}: {text:?}");
    }
}

#[test]
fn a_message_about_the_command_line_is_short() {
    let out = graphground(&[format!("--{}", "a".repeat(5000))]);
    assert_eq!(out.status.code(), Some(2));
    assert!(stderr(&out).len() < 700, "{}", stderr(&out));
}
