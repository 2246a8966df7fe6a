//! Files that are no files, that lie about their size, or that quote themselves in every message.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use test_support::Folder;

use crate::program::{PROGRAM, graphground, program, stderr};

/// Runs it with so many MB of addresses and no more: an allocation beyond them aborts.
fn within(mb: usize, arguments: &[&str]) -> Output {
    let words: Vec<String> = arguments.iter().map(|a| format!("'{a}'")).collect();
    let line = format!("ulimit -v {}; exec '{PROGRAM}' {}", mb * 1000, words.join(" "));
    Command::new("sh").arg("-c").arg(line).stdin(Stdio::null()).output().unwrap()
}

/// `n` times ten megabytes of a piece, packed: gzip takes one file behind the other.
fn bomb(path: &Path, piece: &[u8], n: usize) {
    let mut to = GzEncoder::new(Vec::new(), Compression::best());
    to.write_all(&piece.repeat(10_000_000 / piece.len())).unwrap();
    std::fs::write(path, to.finish().unwrap().repeat(n)).unwrap();
}

/// 400 KB that become 400 MB are given up after some tens of megabytes.
#[test]
fn what_unpacks_to_a_thousand_times_its_size_is_given_up() {
    let folder = Folder::new();
    let (zeros, lines) = (folder.join("zeros.jsonl.gz"), folder.join("lines.gz"));
    bomb(&zeros, b"\0", 40);
    bomb(&lines, b"\n", 40);
    assert!(zeros.metadata().unwrap().len() < 600_000);
    let (zeros, lines) = (zeros.to_str().unwrap(), lines.to_str().unwrap());
    let mut commands = vec![
        vec!["claims"],
        vec!["judge"],
        vec!["verify"],
        vec!["report"],
        vec!["toolformer", "run"],
        vec!["toolformer", "parse"],
        vec!["prompts", "filter"],
        vec!["trace", "replay"],
        vec!["bench", "--dry-run", "--problems"],
        vec!["kg", "stats", "--kg"],
    ];
    for format in
        ["graphml", "turtle", "ntriples", "tsv", "csv", "bars", "jsonl", "triple_lists", "grbench"]
    {
        commands.push(vec!["kg", "convert", "--from", format]);
    }
    for command in &commands {
        for file in [zeros, lines] {
            let done = within(900, &[command.as_slice(), &[file]].concat());
            let told = stderr(&done);
            assert_eq!(done.status.code(), Some(1), "{command:?}: {told}");
            assert!(told.contains(file) && told.len() < 1000, "{command:?}: {told}");
            let is_told = ["50 times as large", "bytes", "no ", "not ", "is a", "expected"];
            assert!(is_told.iter().any(|w| told.contains(w)), "{command:?}: {told}");
        }
    }
    let told = stderr(&within(900, &["kg", "convert", "--from", "graphml", lines]));
    assert!(told.contains("becomes more than 50 times as large when it is unpacked"), "{told}");
}

/// A file with a hole takes no disk, and a line without an end no more memory than a line may have.
#[test]
fn a_line_without_an_end_is_given_up() {
    let folder = Folder::new();
    let path = folder.join("answers.jsonl");
    std::fs::File::create(&path).unwrap().set_len(1_000_000_000).unwrap();
    let file = path.to_str().unwrap();
    for command in ["claims", "judge"] {
        let done = within(600, &[command, file]);
        let told = stderr(&done);
        assert_eq!(done.status.code(), Some(1), "{told}");
        let why = format!("error: {file}: line 1: longer than 20000000 bytes; expected one JSON");
        assert!(told.starts_with(&why), "{told}");
    }
}

#[test]
fn data_sets_are_files_and_no_devices_or_pipes() {
    let folder = Folder::new();
    let path = folder.to_str().unwrap();
    let out = folder.join("out.jsonl");
    let pack = ["data", "pack", "ptc", "--from", path, "--out", out.to_str().unwrap()];
    let file = folder.join("PTC.txt");
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    let told = stderr(&within(900, &pack));
    assert!(told.contains("PTC.txt: is a device, not a file"), "{told}");
    std::fs::remove_file(&file).unwrap();
    pipe(&file);
    let told = stderr(&within(900, &pack));
    assert!(told.contains("PTC.txt: is a pipe, not a file"), "{told}");
    std::fs::remove_file(&file).unwrap();
    std::fs::File::create(&file).unwrap().set_len(600_000_000).unwrap();
    let told = stderr(&within(900, &pack));
    assert!(told.contains("PTC.txt: more than 500000000 bytes"), "{told}");
    assert!(!out.exists());
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A device is refused at once, a terminal with a hint, and who waits at a pipe is told.
#[test]
fn a_pipe_is_waited_for_and_says_so() {
    let folder = Folder::new();
    let told = stderr(&graphground(&["verify", "/dev/zero"]));
    assert!(told.starts_with("error: /dev/zero: is a device, not a file"), "{told}");
    if Path::new("/dev/ptmx").exists() {
        let told = stderr(&graphground(&["verify", "/dev/ptmx"]));
        assert!(told.contains("/dev/ptmx: is a terminal; give a file, or pipe one in"), "{told}");
    }
    let path = folder.join("problems");
    pipe(&path);
    let mut waits = program()
        .arg("verify")
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It says so while nobody has written yet.
    let mut says = waits.stderr.take().unwrap();
    let mut said = [0; 40];
    says.read_exact(&mut said).unwrap();
    let made = graphground(&["generate", "--task", "cycle", "--n", "2"]);
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().write_all(&made.stdout).unwrap();
    let mut rest = String::new();
    says.read_to_string(&mut rest).unwrap();
    let told = String::from_utf8_lossy(&said).into_owned() + &rest;
    assert!(told.contains("is a pipe; waiting for somebody to write to it"), "{told}");
    assert!(waits.wait().unwrap().success(), "{told}");
    // Nothing is said where nothing is waited for.
    let line = format!("'{PROGRAM}' generate --task cycle --n 2 | '{PROGRAM}' verify /dev/stdin");
    let piped = Command::new("sh").arg("-c").arg(line).output().unwrap();
    assert!(piped.status.success() && piped.stderr.is_empty(), "{}", stderr(&piped));
}

/// What quotes its input does not quote all of it, and every message has file, line and column.
#[test]
fn messages_are_short_and_name_file_line_and_column() {
    let folder = Folder::new();
    let file = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let long = "x".repeat(3_000_000);
    let text = file("w1.jsonl", format!("\"{long}\"").as_bytes());
    for command in [vec!["verify"], vec!["bench", "--dry-run", "--problems"]] {
        let told = stderr(&graphground(&[command.as_slice(), &[text.as_str()]].concat()));
        assert!(
            told.starts_with(&format!("error: {text}: ")) && told.len() < 700,
            "{}",
            &told[..700.min(told.len())]
        );
        assert!(told.contains("line 1") && told.contains("column 3000002"), "{told}");
    }
    let odd = format!(
        "{{\"graph\": \"0-1\", \"question\": \"Q\"}}\n{{\"question\": 5, \"x\": \"{long}\"}}\n"
    );
    let odd = file("w2.jsonl", odd.as_bytes());
    let told = stderr(&graphground(&["bench", "--dry-run", "--problems", &odd]));
    assert!(told.starts_with(&format!("error: {odd}, line 1: it has `graph` without")), "{told}");
    let typed = file("w3.jsonl", b"{\"question\": \"Q\", \"difficulty\": 5}\n");
    let told = stderr(&graphground(&["bench", "--dry-run", "--problems", &typed]));
    let why =
        format!("error: {typed}, line 1, column 33: invalid type: integer `5`, expected a string");
    assert!(told.starts_with(&why), "{told}");
    let latin = file("latin.json", b"{\"a\":\n \"\xc3\xa4\xe4\"}");
    let told = stderr(&graphground(&["verify", &latin]));
    assert!(
        told.starts_with(&format!("error: {latin}, line 2, column 4: not UTF-8 text")),
        "{told}"
    );
    let answers = file("answers.jsonl", b"\n\xff\n");
    let told = stderr(&graphground(&["judge", &answers]));
    assert!(told.starts_with(&format!("error: {answers}: line 2, column 1: not UTF-8")), "{told}");
}

/// A problem that is right and that only the script cannot play fails as that.
#[test]
fn what_only_the_script_cannot_play_is_said_so() {
    let folder = Folder::new();
    let path = folder.join("own.jsonl");
    let problem = r#"{"id":"mine","graph":"0 1 -2.5\n1 2 1.5","query":{"kind":"shortest_path","source":"0","target":"2"}}"#;
    std::fs::write(&path, problem).unwrap();
    let out = folder.join("runs.jsonl");
    let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let done = graphground(&["bench", "--problems", path, "--out", out]);
    let text = std::fs::read_to_string(out).unwrap_or_default();
    let told = stderr(&done) + &text;
    assert!(told.contains("the scripted model cannot play this problem: "), "{told}");
    assert!(told.contains("a model at an endpoint takes any"), "{told}");
}

/// A torn tail may have anything in it, line breaks too: what is whole before it is gone on with,
/// and a whole line in it is never cut off.
#[test]
fn a_tail_of_scraps_is_cut_off_and_a_whole_line_in_it_is_not() {
    let folder = Folder::new();
    let path = folder.join("runs.jsonl");
    let file = path.to_str().unwrap();
    let bench = ["bench", "--task", "cycle", "--difficulty", "easy", "--n", "3", "--out", file];
    assert!(graphground(&bench).status.success());
    let whole = std::fs::read(&path).unwrap();
    let end = whole[..whole.len() - 1].iter().rposition(|b| *b == b'\n').unwrap() + 1;
    let runs = |path: &Path| -> Vec<Value> {
        let text = std::fs::read_to_string(path).unwrap();
        let lines = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
        lines.filter(|l| l["type"] == "run").map(|l| l["key"].clone()).collect()
    };
    let mut state = 7u32;
    for trial in 0..40 {
        let mut tail: Vec<u8> = whole[end..end + 40 + trial].to_vec();
        for _ in 0..300 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            tail.push((state >> 24) as u8);
        }
        tail.insert(60, b'\n');
        std::fs::write(&path, [&whole[..end], &tail].concat()).unwrap();
        let done = graphground(&bench);
        assert!(done.status.success(), "{}", stderr(&done));
        assert_eq!(runs(&path).len(), 3);
    }
    // A line that somebody wrote stands behind the scraps: it is not for us to throw it away.
    let kept = [&whole[..end], b"\xff\xfe\n", &whole[end..]].concat();
    std::fs::write(&path, &kept).unwrap();
    let told = stderr(&graphground(&bench));
    let number = whole[..end].iter().filter(|b| **b == b'\n').count() + 1;
    let why =
        format!("error: {file}: line {number}: not UTF-8 text from letter 1; the 2 runs before");
    assert!(told.starts_with(&why), "{told}");
    assert_eq!(std::fs::read(&path).unwrap(), kept);
    // Nor a line that is text, however wrong.
    let typed = [&whole[..end], b"not yet done\n"].concat();
    std::fs::write(&path, &typed).unwrap();
    assert_eq!(graphground(&bench).status.code(), Some(1));
    assert_eq!(std::fs::read(&path).unwrap(), typed);
}
