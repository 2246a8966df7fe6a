//! Counts what the project is written in.

use anyhow::Result;

use crate::figures;
use crate::steps::root;
use crate::words::{self, Kind};

/// Prints how many files and lines of Rust there are, and how many of the crates' doc comments are
/// short; with `write`, writes it into the documents too.
pub fn run(write: bool) -> Result<()> {
    let root = root();
    let mut sources = Vec::new();
    for folder in words::RUST {
        words::files(&root.join(folder), &["rs"], &mut sources)?;
    }
    let (mut n_lines, mut n_comments, mut n_short) = (0, 0, 0);
    for file in &sources {
        let text = std::fs::read_to_string(file)?;
        n_lines += text.lines().count();
        let name = words::name_of(&root, file);
        if !(name.starts_with("crates/") && name.contains("/src/")) {
            continue;
        }
        for piece in words::pieces(&text).iter().filter(|p| p.kind == Kind::Doc) {
            n_comments += 1;
            n_short += usize::from(piece.text.split_whitespace().count() <= 3);
        }
    }
    let rows = [
        ("files of Rust", sources.len()),
        ("lines of Rust", n_lines),
        ("doc comments of the crates", n_comments),
        ("  of three words or fewer", n_short),
    ];
    let text: String = rows.iter().map(|(what, n)| format!("{what:<28} {n:>7}\n")).collect();
    print!("{text}");
    if write { figures::write("cargo xtask count", &text) } else { Ok(()) }
}
