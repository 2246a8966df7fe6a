//! Benchmarks on the command line: killed, sharded, exported for third-party readers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use test_support::Folder;

use crate::program::{PROGRAM, Server, both, program};

/// Every finished run of a file by its key; panics at a line in the middle that is torn.
fn keys(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().filter(|l| !l.is_empty());
    let entries =
        lines.map(|l| serde_json::from_str::<Value>(l).unwrap_or_else(|e| panic!("{e}: {l}")));
    entries.filter(|e| e["type"] == "run").map(|e| e["key"].to_string()).collect()
}

#[test]
fn fifty_kills_lose_nothing_that_was_finished_and_make_nothing_twice() {
    let (server, folder) = (Server::of_scripts(), Folder::new());
    let out = folder.join("runs.jsonl");
    let bench = || {
        let mut command = program();
        command
            .args(["bench", "--difficulty", "easy", "--n", "60", "--concurrency", "3"])
            .args(["--model", "script", "--endpoint", &server.url("/v1"), "--out"])
            .arg(&out)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    let all = 8 * 60;
    let n_lines =
        || std::fs::read(&out).map_or(0, |bytes| bytes.iter().filter(|&&b| b == b'\n').count());
    let (mut seed, mut n_in_the_middle) = (0x5eed_u64, 0_usize);
    let mut before: BTreeSet<String> = BTreeSet::new();
    for round in 0..50 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let chance = (seed >> 33) as usize;
        // Some are killed while they start, the others a few runs later, at any place in a line.
        let wanted = if round % 10 == 0 { 0 } else { n_lines() + chance % 12 };
        let mut process = bench().spawn().unwrap();
        for _ in 0..60_000 {
            if n_lines() >= wanted {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros((chance % 7_000) as u64));
        // SIGKILL on Unix: nothing of the program runs any more.
        process.kill().unwrap();
        process.wait().unwrap();
        let list = keys(&out);
        let now: BTreeSet<String> = list.iter().cloned().collect();
        assert_eq!(list.len(), now.len(), "a run stands there twice");
        assert!(before.is_subset(&now), "a finished run is gone");
        n_in_the_middle += usize::from(now.len() > before.len() && now.len() < all);
        before = now;
    }
    assert!(n_in_the_middle > 25, "{n_in_the_middle} of 50 kills came between two runs");
    let status = bench().status().unwrap();
    assert!(status.success());
    let list = keys(&out);
    let now: BTreeSet<String> = list.iter().cloned().collect();
    assert_eq!((list.len(), now.len()), (all, all));
    assert!(before.is_subset(&now));
    // What came of it is whole, too: everything comes out again as the file says.
    let check = program().arg("report").arg(&out).arg("--check").output().unwrap();
    assert!(check.status.success(), "{}", both(&check));
    assert!(both(&check).contains(&format!("{all} runs checked again, 0 differ")));
}

#[test]
fn an_endpoint_that_is_not_there_is_listed_without_its_address() {
    let folder = Folder::new();
    let out = folder.join("runs.jsonl");
    let done = program()
        .args(["bench", "--n", "1", "--task", "cycle", "--model", "m", "--out"])
        .arg(&out)
        .args(["--endpoint", "http://user:secretpw@127.0.0.1:9/v1?key=SECRET"])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(3), "{}", both(&done));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains("\"type\":\"failure\""));
    for secret in ["secretpw", "SECRET", "127.0.0.1"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    let report = program().arg("report").arg(&out).output().unwrap();
    assert!(both(&report).contains("failed at their endpoint"), "{}", both(&report));
}

#[test]
fn shards_of_several_processes_are_the_whole_once() {
    let folder = Folder::new();
    let bench = |out: &Path, shard: Option<&str>| {
        let mut command = program();
        command
            .args(["bench", "--difficulty", "easy", "--n", "6", "--samples", "2", "--out"])
            .arg(out)
            .args(["--system", "grounded,standalone", "--model", "script,mistaken"]);
        if let Some(shard) = shard {
            command.args(["--shard", shard]);
        }
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let whole = folder.join("whole.jsonl");
    let parts: Vec<PathBuf> = (0..3).map(|i| folder.join(format!("part{i}.jsonl"))).collect();
    let mut processes = vec![bench(&whole, None)];
    for (i, part) in parts.iter().enumerate() {
        processes.push(bench(part, Some(&format!("{i}/3"))));
    }
    for process in &mut processes {
        assert!(process.wait().unwrap().success());
    }
    let merged = folder.join("merged.jsonl");
    let merge = || program().arg("merge").args(&parts).arg("--out").arg(&merged).output().unwrap();
    let done = merge();
    assert!(done.status.success(), "{}", both(&done));
    let again = merge();
    assert!(!again.status.success() && both(&again).contains("is there already"));
    let set = |path: &Path| -> BTreeSet<String> { keys(path).into_iter().collect() };
    assert_eq!(set(&merged), set(&whole));
    assert_eq!(keys(&merged).len(), 8 * 6 * 2 * 2 * 2);
    assert!(parts.iter().all(|p| keys(p).len() > 60), "every shard has its part");
    // The same figures, whichever way the runs came together; times apart.
    let figures = |path: &Path| -> Vec<Value> {
        let done = program().arg("report").arg(path).arg("--json").output().unwrap();
        let report: Value = serde_json::from_slice(&done.stdout).unwrap();
        let rows = report["rows"].as_array().unwrap().iter();
        rows.map(|r| serde_json::json!([r["setup"], r["family"], r["verdicts"], r["errors"]]))
            .collect()
    };
    let sorted = |mut rows: Vec<Value>| {
        rows.sort_by_key(Value::to_string);
        rows
    };
    assert_eq!(sorted(figures(&merged)), sorted(figures(&whole)));
    // A name that ends in `.gz` is that of a packed file, which is read as it is.
    let packed = folder.join("merged.jsonl.gz");
    let done = program().arg("merge").arg(&merged).arg("--out").arg(&packed).output().unwrap();
    assert!(done.status.success(), "{}", both(&done));
    assert_eq!(std::fs::read(&packed).unwrap()[..2], [0x1f, 0x8b]);
    assert_eq!(sorted(figures(&packed)), sorted(figures(&whole)));
}

#[test]
fn a_file_that_cannot_grow_and_a_file_that_is_not_ours_are_told_and_kept() {
    let folder = Folder::new();
    let out = folder.join("runs.jsonl");
    // A file may grow to so many blocks and no further: what a full disk looks like to a program.
    let limited = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 700; exec \"$0\" bench --difficulty easy --n 20 --out \"$1\"",
        ])
        .arg(PROGRAM)
        .arg(&out)
        .output()
        .unwrap();
    assert!(!limited.status.success());
    assert!(both(&limited).contains("the runs before are whole"), "{}", both(&limited));
    let before = keys(&out);
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.ends_with('\n') && !before.is_empty());
    let bench = |out: &Path| {
        program()
            .args(["bench", "--difficulty", "easy", "--n", "20", "--out"])
            .arg(out)
            .output()
            .unwrap()
    };
    let done = bench(&out);
    assert!(done.status.success(), "{}", both(&done));
    let after = keys(&out);
    assert_eq!(after[..before.len()], before[..], "what was there stands");
    assert_eq!(after.len(), 8 * 20);

    // The last line is whole and lacks its end alone: it is kept.
    let whole = std::fs::read(&out).unwrap();
    std::fs::write(&out, &whole[..whole.len() - 1]).unwrap();
    assert!(bench(&out).status.success());
    assert_eq!(std::fs::read(&out).unwrap(), whole);
    // Nothing is written by a look ahead, and nothing is reported over its own runs.
    let mut look = program();
    look.args(["bench", "--difficulty", "easy", "--n", "30", "--dry-run", "--out"]).arg(&out);
    assert!(look.output().unwrap().status.success());
    let over = program().arg("report").arg(&out).arg("--csv").arg(&out).output().unwrap();
    assert!(!over.status.success() && both(&over).contains("is left as it is"));
    assert_eq!(std::fs::read(&out).unwrap(), whole);
    for (wrong, word) in [
        (vec!["--max-dollars", "1"], "--price"),
        (vec!["--model", "script,script"], "twice"),
        (vec!["--endpoint", "nonsense"], "http://"),
        (vec!["--samples", "4000000"], "at most"),
        (vec!["--n", "0"], "at least 1"),
    ] {
        let done = program().arg("bench").args(&wrong).arg("--out").arg(&out).output().unwrap();
        assert!(!done.status.success() && both(&done).contains(word), "{wrong:?}: {}", both(&done));
    }

    let other = folder.join("notes.txt");
    std::fs::write(&other, "my notes").unwrap();
    let done = bench(&other);
    assert!(!done.status.success() && both(&done).contains("is left as it is"));
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "my notes");
    let newer = folder.join("newer.jsonl");
    let head = "{\"type\":\"head\",\"format\":\"graphground-runs\",\"version\":9}\n";
    std::fs::write(&newer, head).unwrap();
    let done = bench(&newer);
    assert!(!done.status.success() && both(&done).contains("newer Graphground"));
    assert_eq!(std::fs::read_to_string(&newer).unwrap(), head);
}

#[test]
fn reports_are_written_in_every_form_and_carry_no_key() {
    let (server, folder) = (Server::of_scripts(), Folder::new());
    let path = |name: &str| folder.join(name);
    let done = program()
        .args(["bench", "--difficulty", "easy", "--n", "2", "--system", "grounded,standalone"])
        .args([
            "--model",
            "script,mistaken",
            "--endpoint",
            &server.url("/v1"),
            "--key-env",
            "CANARY_KEY",
        ])
        .args(["--price", "script=1,2", "--price", "mistaken=1,2", "--max-dollars", "5", "--out"])
        .arg(path("runs.jsonl"))
        .env("CANARY_KEY", "sk-canary-77a1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", both(&done));
    assert!(both(&done).contains("64 runs"), "{}", both(&done));
    let app = path("app.html");
    std::fs::write(
        &app,
        "<meta content=\"connect-src *\"><script type=\"application/json\" id=\"embedded\"></script>",
    )
    .unwrap();
    let report = |args: &[&str]| {
        let mut command = program();
        command.current_dir(&folder).args(["report", "runs.jsonl"]).args(args);
        command.output().unwrap()
    };
    let done = report(&[
        "--html",
        "page.html",
        "--csv",
        "runs.csv",
        "--inspect",
        "inspect",
        "--lm-eval",
        "lm",
        "--compare",
        "1,2",
        "--title",
        "A <b>title</b>",
    ]);
    let tables = both(&done);
    assert!(done.status.success(), "{tables}");
    // A name at an endpoint is a model's, whatever stands behind it.
    for words in ["Correct answers and average time", "paper: gpt-4-0613", "Pair by pair", "Scorer"]
    {
        assert!(tables.contains(words), "{words} is missing in {tables}");
    }
    let done = report(&["--html", "live.html", "--live", "--app", "app.html"]);
    assert!(done.status.success(), "{}", both(&done));
    let live = std::fs::read_to_string(path("live.html")).unwrap();
    assert!(live.contains("connect-src 'none'") && live.contains("graphground-report"));
    let done = report(&["--html", "live.html", "--live", "--app", "runs.csv"]);
    assert!(!done.status.success() && both(&done).contains("cargo xtask dist --single-file"));

    let page = std::fs::read_to_string(path("page.html")).unwrap();
    assert!(page.contains("A &lt;b&gt;title") && !page.contains("<b>title"));
    let csv = std::fs::read_to_string(path("runs.csv")).unwrap();
    assert_eq!(csv.lines().count(), 65);
    for kind in ["inspect", "lm"] {
        let files: Vec<PathBuf> =
            std::fs::read_dir(path(kind)).unwrap().map(|f| f.unwrap().path()).collect();
        assert_eq!(files.len(), if kind == "lm" { 8 } else { 4 });
        for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "json")) {
            let text = std::fs::read_to_string(file).unwrap();
            let value: Value = serde_json::from_str(&text).unwrap();
            if kind == "lm" {
                let all = &value["results"]["nlgraph"];
                assert!(all["acc,none"].is_number() && all["acc_stderr,none"].is_number());
                assert_eq!(value["n-samples"]["nlgraph"]["effective"], 16);
            } else {
                assert_eq!(value["samples"].as_array().unwrap().len(), 16);
            }
        }
    }
    // Neither the key nor the address nor a path is in anything that was written.
    let host = format!("127.0.0.1:{}", server.port);
    let folder_name = folder.display().to_string();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(at) = waiting.pop() {
        for file in std::fs::read_dir(at).unwrap().map(|f| f.unwrap().path()) {
            if file.is_dir() {
                waiting.push(file);
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            for secret in ["canary", host.as_str(), folder_name.as_str()] {
                assert!(!text.contains(secret), "{secret} is in {}", file.display());
            }
        }
    }
}
