//! The static folder that goes on a web server.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use crate::packed::{self, gzip};
use crate::steps::{root, say};
use crate::{figures, setup, site};

/// The aim for what a first visit downloads, gzipped. It is not met: every page is in the one module
/// that draws. `docs/measurements.md` has how far it is.
const FIRST_VISIT_AIM_KB: f64 = 1300.0;

/// By how much a file may grow over the figure in the documents.
const MAX_GROWTH: f64 = 1.03;

/// What the documents call the last line of the block.
const FIRST_VISIT: &str = "a first visit: at most ";

/// Files of more than this, gzipped, are listed in the documents.
const LARGE_KB: f64 = 300.0;

/// Files beside the modules that are loaded only when a page needs them, or that are in the page's
/// module and lie there for people.
const LATER: [&str; 4] = ["assets/kgs/", "assets/models/", "assets/lessons/", "assets/scenarios/"];

/// Builds the page and writes it, with the size of each file as a server would send it, and beside
/// each file what a server may send instead: gzip and brotli. With `write` it writes the sizes of
/// what is large into the documents too.
///
/// # Errors
/// With `check`, a first visit takes more than the aim.
pub fn run(out: &Path, write: bool, check: bool) -> Result<()> {
    let toolchain = setup::page(false)?;
    let site = site::build(&toolchain)?;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    site::copy_tree(&site, out)?;
    let Sizes { lines, visit } = measure(out, true)?;
    packed::beside(out)?;
    let is_met = visit <= FIRST_VISIT_AIM_KB;
    let verdict = if is_met { "met" } else { "missed" };
    say(&format!("the aim for a first visit is {FIRST_VISIT_AIM_KB:.0} KB: {verdict}"));
    if write {
        figures::write("cargo xtask dist", &lines)?;
    }
    ensure!(
        is_met || !check,
        "a first visit downloads {visit:.0} KB; the aim is {FIRST_VISIT_AIM_KB:.0} KB"
    );
    Ok(())
}

/// Holds the sizes of a built page against those in the documents.
///
/// # Errors
/// A file has grown by more than 3 %, or is not in the documents.
pub fn check_growth(site: &Path) -> Result<()> {
    let text = fs::read_to_string(root().join("docs/measurements.md"))?;
    let known = sizes_in(&text);
    ensure!(!known.is_empty(), "docs/measurements.md has no sizes: `cargo xtask dist --write`");
    let mut grown = Vec::new();
    for (name, size) in sizes_in(&measure(site, false)?.lines) {
        let before = known.iter().find(|(n, _)| *n == name).map(|(_, size)| *size);
        let before = before.with_context(|| {
            format!("{name} is not in docs/measurements.md: `cargo xtask dist --write`")
        })?;
        if size > before * MAX_GROWTH {
            grown.push(format!("{name}: {size:.1} KB gzipped, {before:.1} KB before"));
        }
    }
    if grown.is_empty() {
        say("sizes: nothing has grown by more than 3 % over docs/measurements.md");
        return Ok(());
    }
    bail!(
        "these have grown by more than 3 %; make them smaller, or say in the change why they must \
         be larger and run `cargo xtask dist --write`:\n{}",
        grown.join("\n")
    )
}

/// The names and gzipped sizes of the lines that [`measure`] wrote.
fn sizes_in(text: &str) -> Vec<(String, f64)> {
    let of = |line: &str| {
        if let Some(rest) = line.strip_prefix(FIRST_VISIT) {
            let size = rest.strip_suffix(" KB")?.parse().ok()?;
            return Some((FIRST_VISIT.trim().to_owned(), size));
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [name, _, "KB", size, "KB", "gzipped"] => {
                Some(((*name).to_owned(), size.parse().ok()?))
            }
            _ => None,
        }
    };
    text.lines().filter_map(of).collect()
}

/// What a page weighs.
struct Sizes {
    /// A line for each large file, and one for a first visit.
    lines: String,
    /// What a first visit downloads, in KB gzipped.
    visit: f64,
}

/// Measures a page, and prints each file if that is wanted.
fn measure(out: &Path, prints: bool) -> Result<Sizes> {
    let say = |line: &str| {
        if prints {
            say(line);
        }
    };
    let mut total = 0.0;
    let mut rows = Vec::new();
    sizes(out, out, &mut rows)?;
    let mut large = String::new();
    for (name, plain, gzipped) in &rows {
        let line = format!("{name:<40} {plain:>9.1} KB {gzipped:>9.1} KB gzipped");
        if prints {
            println!("{line}");
        }
        if *gzipped > LARGE_KB {
            large.push_str(&line);
            large.push('\n');
        }
        total += gzipped;
    }
    say(&format!("{}: {total:.0} KB gzipped in all", out.display()));
    // Nobody gets both engines, and what one page alone needs is loaded when it is opened.
    let (threaded, single) = (of(&rows, "wasm/threads/"), of(&rows, "wasm/engine_worker"));
    let module = |bin: &str| of(&rows, &format!("wasm/{bin}"));
    let later = LATER.iter().map(|start| of(&rows, start)).sum::<f64>()
        + site::LATER.iter().map(|later| module(later.bin)).sum::<f64>();
    let visit = total - threaded.min(single) - later;
    for later in site::LATER {
        let size = module(later.bin);
        say(&format!("the engine with {}, loaded when it is needed: {size:.0} KB", later.what));
    }
    say(&format!("an engine of one thread: {single:.0} KB; with threads: {threaded:.0} KB"));
    let visit_line = format!("{FIRST_VISIT}{visit:.0} KB");
    say(&visit_line);
    Ok(Sizes { lines: format!("{large}{visit_line}"), visit })
}

/// The files whose names begin so, together.
fn of(rows: &[(String, f64, f64)], start: &str) -> f64 {
    rows.iter().filter(|row| row.0.starts_with(start)).map(|row| row.2).sum()
}

fn sizes(base: &Path, folder: &Path, rows: &mut Vec<(String, f64, f64)>) -> Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            sizes(base, &path, rows)?;
            continue;
        }
        if packed::is_packed(&path) {
            continue;
        }
        let bytes = fs::read(&path)?;
        let name = path.strip_prefix(base)?.display().to_string();
        rows.push((name, bytes.len() as f64 / 1e3, gzip(&bytes)?.len() as f64 / 1e3));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_of_a_document_are_read() {
        let text = "words\n```\nwasm/app_bg.wasm     3946.2 KB    1425.1 KB gzipped\n\
                    a first visit: at most 2645 KB\n```\n";
        let sizes = sizes_in(text);
        assert_eq!(sizes[0], ("wasm/app_bg.wasm".to_owned(), 1425.1));
        assert_eq!(sizes[1], ("a first visit: at most".to_owned(), 2645.0));
        assert_eq!(sizes.len(), 2);
    }
}
