//! Every command in the documents is one that the program takes.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;

use crate::Cli;
use crate::input::text;

/// The documents that readers follow.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = [root.clone(), root.join("docs"), root.join("companion")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = files.filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    found.sort();
    found
}

/// The command lines in a document's code blocks, as a shell would read them: variables set in a
/// block are expanded, and comments are dropped.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for block in text.split("```").skip(1).step_by(2) {
        let mut set: Vec<(String, String)> = Vec::new();
        for line in block.replace("\\\n", " ").lines() {
            let line = line.split(" #").next().unwrap_or_default().trim();
            let mut line = line.to_owned();
            for (name, value) in set.iter().rev() {
                line = line.replace(&format!("${name}"), value);
            }
            let is_name = |name: &str| name.chars().all(|c| c.is_ascii_uppercase());
            match line.split_once('=') {
                Some((name, value)) if !name.is_empty() && is_name(name) => {
                    set.push((name.to_owned(), value.trim_matches('"').to_owned()));
                }
                _ => found.extend(line.split("&&").map(|part| part.trim().to_owned())),
            }
        }
    }
    let is_whole = |line: &str| line.split(' ').all(|word| word != "…");
    found.retain(|line| line.starts_with("graphground ") && is_whole(line));
    found
}

/// The words of a command line.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match c {
            '\'' | '"' if quote == Some(c) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(c),
            ' ' if quote.is_none() => words.push(String::new()),
            '>' | '|' | '<' if quote.is_none() => break,
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_command_in_a_document_is_taken() {
    let mut n = 0;
    let mut wrong = Vec::new();
    for path in documents() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for line in commands(&text(&path, 1 << 20).unwrap()) {
            n += 1;
            if let Err(e) = Cli::try_parse_from(words(&line)) {
                wrong.push(format!("{name}: {line}\n  {}", e.to_string().lines().next().unwrap()));
            }
        }
    }
    assert!(n > 80, "{n} commands");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_block_is_read_as_a_shell_reads_it() {
    let text = "text\n```\nT=cycle\nC=\"--task $T --n 2\"\ngraphground bench $C \\\n    --out 'a b'   # as it was\n\
                graphground run && graphground report x\n```\ngraphground no\n```\nls\n```";
    let lines = commands(text);
    assert_eq!(
        lines,
        [
            "graphground bench --task cycle --n 2      --out 'a b'",
            "graphground run",
            "graphground report x"
        ]
    );
    assert_eq!(words("a \"b c\" 'd' > e"), ["a", "b c", "d"]);
}
