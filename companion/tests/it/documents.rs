//! The tutorials do what they say: their commands run in order, and print what is beside them.

use std::fs;
use std::path::Path;
use std::process::Command;

use test_support::Folder;

use crate::program::{PROGRAM, both};

/// What a command in a tutorial needs that a test does not have: a server, a person, the page's file.
const NEEDS: [&str; 4] = ["graphground mcp", "graphground serve", "--endpoint", "--live"];

/// A document's blocks, each with the last line of text before it.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let pieces: Vec<&str> = text.split("```").collect();
    let pairs = pieces.chunks_exact(2);
    pairs.map(|pair| (pair[0].trim_end(), pair[1].split_once('\n').unwrap_or_default().1)).collect()
}

/// Runs the commands of a tutorial in a folder of their own; how many there were.
fn follow(name: &str) -> usize {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name));
    let text = text.unwrap();
    let folder = Folder::new();
    let path = Path::new(PROGRAM).parent().unwrap().to_str().unwrap();
    let (mut n, mut printed) = (0, String::new());
    for (before, block) in blocks(&text) {
        let line = before.lines().last().unwrap_or_default();
        if let Some((_, rest)) = line.split_once("ave as `") {
            folder.write(rest.split('`').next().unwrap(), block);
            continue;
        }
        if !block.starts_with("graphground ") {
            // What the command before prints, unless it is for the reader's own endpoint or file.
            let is_printed =
                n > 0 && !["{", "export "].iter().any(|begin| block.starts_with(begin));
            for line in block.lines().filter(|line| is_printed && !line.trim().is_empty()) {
                assert!(printed.contains(line.trim()), "{name}: {line:?} is not in\n{printed}");
            }
            continue;
        }
        for line in block.lines().filter(|line| !NEEDS.iter().any(|needs| line.contains(needs))) {
            let (command, remark) = line.split_once(" #").unwrap_or((line, ""));
            let done = Command::new("sh")
                .args(["-c", command])
                .current_dir(folder.file("").trim_end_matches('/'))
                .env("PATH", format!("{path}:/usr/bin:/bin"))
                .output()
                .unwrap();
            printed = both(&done);
            // A verdict that is not right is no failure.
            assert!(matches!(done.status.code(), Some(0 | 3)), "{name}: {line}\n{printed}");
            let remark = remark.trim();
            if remark.starts_with(|c: char| c.is_ascii_digit()) {
                assert!(printed.contains(remark), "{name}: {remark:?} is not in\n{printed}");
            }
            n += 1;
        }
    }
    n
}

#[test]
fn the_commands_of_the_tutorials_print_what_is_beside_them() {
    for (name, least) in [("inspect.md", 6), ("run-a-benchmark.md", 3), ("extend.md", 2)] {
        let n = follow(name);
        assert!(n >= least, "{name}: {n} commands");
    }
}
