//! Counts what the project is written in.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::steps::root;
use crate::words::{self, Kind};
use crate::{cycles, figures};

/// Where Rust is.
const FOLDERS: [&str; 8] =
    ["src", "crates", "companion", "worker", "xtask", "tests", "fuzz", "benches"];
/// The document that has the counts.
const DOCUMENT: &str = "docs/measurements.md";
const COMMAND: &str = "cargo xtask count";
/// How far a count may be from the one in the document.
const MOST_OFF: f64 = 0.02;
/// What must not grow at all.
const CIRCLES: &str = "circles of files";

/// What is counted, in the order of the list.
type Counts = Vec<(String, usize)>;

/// Prints the lines of Rust, those that ship, packages and circles of files; with `write`, writes them
/// into the documents too. Of another checkout where one is named.
pub fn run(write: bool, at: Option<&Path>) -> Result<()> {
    let text = text(&counts(&at.map_or_else(root, Path::to_path_buf))?);
    print!("{text}");
    if write { figures::write(COMMAND, &text) } else { Ok(()) }
}

/// Holds the counts in the document against the project.
///
/// # Errors
/// One is off by more than 2 %, or there are more circles of files.
pub fn check() -> Result<()> {
    let document = std::fs::read_to_string(root().join(DOCUMENT)).context(DOCUMENT)?;
    let block = document.split(&format!("<!-- measured: {COMMAND};")).nth(1).unwrap_or_default();
    let block = block.split("<!-- /measured -->").next().unwrap_or_default();
    let written = read(block);
    let mut wrong = Vec::new();
    for (what, n) in counts(&root())? {
        let Some(before) = written.get(&what) else {
            wrong.push(format!("{what} is not in the document"));
            continue;
        };
        let off = (n as f64 - *before as f64).abs() / (*before as f64).max(1.0);
        if what == CIRCLES && n > *before {
            wrong.push(format!("{n} {what}, {before} before; `cargo xtask cycles` lists them"));
        } else if off > MOST_OFF {
            wrong.push(format!("{what}: {n}, and {before} in the document"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    bail!(
        "{DOCUMENT} has other counts than the project; commit, and run `{COMMAND} --write`:\n  {}",
        wrong.join("\n  ")
    )
}

fn text(counts: &Counts) -> String {
    counts.iter().map(|(what, n)| format!("{what:<32} {n:>7}\n")).collect()
}

fn read(text: &str) -> BTreeMap<String, usize> {
    let row = |line: &str| {
        let (what, n) = line.trim_end().rsplit_once(' ')?;
        Some((what.trim_end().to_owned(), n.parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

fn counts(root: &Path) -> Result<Counts> {
    let (mut by_place, mut n_files, mut n_lines, mut n_shipped) = (BTreeMap::new(), 0, 0, 0);
    let (mut n_comments, mut n_short) = (0, 0);
    let mut sources = Vec::new();
    for folder in FOLDERS {
        words::files(&root.join(folder), &["rs"], &mut sources)?;
    }
    for file in &sources {
        let name = words::name_of(root, file);
        let text = std::fs::read_to_string(file)?;
        let n = text.lines().count();
        (n_files, n_lines) = (n_files + 1, n_lines + n);
        *by_place.entry(place(&name)).or_insert(0) += n;
        if ships(&name) {
            n_shipped += text.lines().take_while(|line| !line.starts_with("mod tests {")).count();
        }
        if name.starts_with("crates/") && name.contains("/src/") {
            for piece in words::pieces(&text).iter().filter(|p| p.kind == Kind::Doc) {
                n_comments += 1;
                n_short += usize::from(piece.text.split_whitespace().count() <= 3);
            }
        }
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))?;
    let mut counts: Counts =
        vec![("files of Rust".into(), n_files), ("lines of Rust".into(), n_lines)];
    counts.extend(by_place.into_iter().map(|(place, n)| (format!("  {place}"), n)));
    counts.extend([
        ("lines that ship, without tests".into(), n_shipped),
        ("packages in Cargo.lock".into(), lock.matches("[[package]]").count()),
        (CIRCLES.into(), cycles::all(root)?.len()),
        ("doc comments of the crates".into(), n_comments),
        ("  of three words or fewer".into(), n_short),
    ]);
    Ok(counts)
}

/// What a file's lines are counted under: its crate, or its folder.
fn place(name: &str) -> String {
    let mut parts = name.split('/');
    let first = parts.next().unwrap_or_default();
    match (first, parts.next()) {
        ("crates", Some(of)) => format!("crates/{of}"),
        ("companion", Some("lab")) => "companion/lab".into(),
        (first, _) => first.to_owned(),
    }
}

/// Whether a file is part of what visitors load or the companion is.
fn ships(name: &str) -> bool {
    let starts = ["src/", "crates/", "companion/src/", "worker/"];
    let is_test = ["/tests/", "/tests.rs", "/examples/", "_tests.rs", "/fixture"];
    starts.iter().any(|start| name.starts_with(start)) && !is_test.iter().any(|t| name.contains(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_they_are_written() {
        let counts: Counts = vec![("lines of Rust".into(), 3), ("  crates/kg".into(), 2)];
        let read = read(&text(&counts));
        assert_eq!(read.get("lines of Rust"), Some(&3));
        assert_eq!(read.get("  crates/kg"), Some(&2));
    }

    #[test]
    fn lines_are_counted_by_crate_and_those_that_ship_apart() {
        assert_eq!(place("crates/kg/src/lib.rs"), "crates/kg");
        assert_eq!(place("companion/lab/src/main.rs"), "companion/lab");
        assert_eq!(place("companion/src/main.rs"), "companion");
        assert!(ships("crates/kg/src/lib.rs") && ships("src/main.rs"));
        assert!(!ships("crates/kg/tests/it/main.rs") && !ships("xtask/src/main.rs"));
        assert!(!ships("companion/lab/src/main.rs") && !ships("crates/ml/src/fixture.rs"));
    }
}
