//! The static folder that goes on a web server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

use crate::compressed::{self, gzip};
use crate::server::Server;
use crate::steps::{cargo, root, run as run_step, say};
use crate::{figures, model, one_file, pack, setup, site};

/// The aim for what a first visit downloads, gzipped.
const FIRST_VISIT_AIM_KB: f64 = 1300.0;

/// By how much a file may grow over the figure in the documents.
const MAX_GROWTH: f64 = 1.03;

/// What the documents call the last line of the block.
const FIRST_VISIT: &str = "a first visit: at most ";

/// Files of more than this, gzipped, are listed in the documents.
const LARGE_KB: f64 = 300.0;

/// Files beside the modules that are loaded only when a page needs them, or that are in the page's
/// module and lie there for people.
const LATER: [&str; 12] = [
    "assets/answers/",
    "assets/kgs/",
    "assets/models/",
    "assets/lessons/",
    "assets/runs/",
    "assets/scenarios/",
    one_file::NAME,
    "model.js",
    "og.png",
    "python/",
    "python.html",
    "styles/model.css",
];

/// What of them the first page loads behind its first drawing, for its answers.
const WEIGHTS: [&str; 2] = ["assets/models/own/alone.bin", "assets/models/own/own.bin"];

/// Says in the page where it will stand: who shows a picture of a link asks for a whole address.
fn stand_at(index: &Path, address: &str) -> Result<()> {
    const PICTURE: &str = r#"<meta property="og:image" content="og.png">"#;
    let is_fit = address.starts_with("https://")
        && !address.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '#'));
    ensure!(is_fit, "--address {address:?}: expected one such as https://example.org/graphground");
    let address = address.trim_end_matches('/');
    let page = fs::read_to_string(index)?;
    ensure!(page.contains(PICTURE), "www/index.html has changed: it lacks {PICTURE}");
    let picture = format!(
        "<meta property=\"og:url\" content=\"{address}/\">\n\
         <meta property=\"og:image\" content=\"{address}/og.png\">"
    );
    fs::write(index, page.replacen(PICTURE, &picture, 1))?;
    Ok(())
}

/// Builds the page and writes it, with the size of each file as a server would send it, and beside
/// each file what a server may send instead: gzip and brotli. With `write` it writes the sizes of
/// what is large into the documents too.
///
/// # Errors
/// With `check`, a first visit takes more than the aim, a file has grown, or a test of what is shipped
/// fails.
pub fn run(out: &Path, address: Option<&str>, write: bool, check: bool) -> Result<()> {
    let toolchain = setup::page(false)?;
    let site = site::build(&toolchain)?;
    one_file::beside(&site)?;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    site::copy_tree(&site, out)?;
    if let Some(address) = address {
        stand_at(&out.join("index.html"), address)?;
    }
    let Sizes { lines, visit } = measure(out, true)?;
    pack::compress(out)?;
    let is_met = visit <= FIRST_VISIT_AIM_KB;
    let verdict = if is_met { "met" } else { "missed" };
    say(&format!("the aim for a first visit is {FIRST_VISIT_AIM_KB:.0} KB: {verdict}"));
    if write {
        figures::write("cargo xtask dist", &lines)?;
    }
    if check {
        ensure!(
            is_met,
            "a first visit downloads {visit:.0} KB; the aim is {FIRST_VISIT_AIM_KB:.0} KB"
        );
        check_growth(out)?;
        test(out)?;
    }
    Ok(())
}

/// Runs the browser tests of what only the shipped page has: parts, threads, compressed copies, and
/// servers that send no headers of ours.
fn test(out: &Path) -> Result<()> {
    setup::browser(false)?;
    let companion = ["build", "--package", "graphground"];
    run_step("building the companion", cargo().args(companion))?;
    let url = Server::bind(0)?.spawn(out.to_owned());
    run_step(
        "tests of the shipped page",
        cargo()
            .args(["test", "--package", "browser-tests", "--", "--ignored", "shipped::"])
            .env("GRAPHGROUND_URL", url)
            .env("GRAPHGROUND_COMPANION", root().join("target/debug/graphground"))
            .env("GRAPHGROUND_SITE", out)
            .env("GRAPHGROUND_SINGLE_FILE", out.join(one_file::NAME)),
    )
}

/// Holds the sizes of a built page against those in the documents.
///
/// # Errors
/// A file has grown by more than 3 %, or is not in the documents.
fn check_growth(site: &Path) -> Result<()> {
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

/// A file's name, and its size in KB as it is and gzipped.
type Row = (String, f64, f64);

/// Measures a page, and prints each file if that is wanted.
fn measure(out: &Path, prints: bool) -> Result<Sizes> {
    let say = |line: &str| {
        if prints {
            say(line);
        }
    };
    let mut rows = Vec::new();
    sizes(out, out, &mut rows)?;
    for row in &rows {
        if prints {
            println!("{}", line_of(row));
        }
    }
    let (modules, rest): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|row| row.0.starts_with("wasm/"));
    // The page as one file is made of the modules that are listed, and grows with them.
    let is_listed = |row: &&Row| row.2 > LARGE_KB && row.0 != one_file::NAME;
    let mut listed: Vec<Row> = rest.iter().filter(is_listed).cloned().collect();
    // Files of pages alone are in the page's module too, or load when a page asks for them.
    let is_first = |row: &&Row| !LATER.iter().any(|start| row.0.starts_with(start));
    let mut visit: f64 = rest.iter().filter(is_first).map(|row| row.2).sum();
    let mut answers = 0.0;
    for bin in site::BINS {
        let folder = format!("wasm/{bin}/");
        let text = fs::read_to_string(out.join(&folder).join(site::PARTS))?;
        let files: BTreeMap<String, Vec<String>> = serde_json::from_str(&text)?;
        let of_parts: BTreeSet<String> =
            files.values().flatten().map(|name| format!("{folder}{name}")).collect();
        let always: Vec<&Row> = modules
            .iter()
            .filter(|row| row.0.starts_with(&folder) && !of_parts.contains(&row.0))
            .collect();
        let is_new = |name: &&String| {
            let parts = site::first(bin).iter().filter_map(|part| files.get(*part));
            !parts.flatten().any(|first| first == *name)
        };
        if bin == site::ENGINE
            && let Some(names) = files.get(site::FOR_ANSWERS)
        {
            let new: Vec<String> =
                names.iter().filter(is_new).map(|name| format!("{folder}{name}")).collect();
            let rows = modules.iter().filter(|row| new.contains(&row.0));
            answers = rows.map(|row| row.2).sum::<f64>();
        }
        visit += always.iter().map(|row| row.2).sum::<f64>();
        listed.push(sum(bin.to_owned(), &always));
        for (part, names) in files {
            let names: Vec<String> = names.iter().map(|name| format!("{folder}{name}")).collect();
            let of_part: Vec<&Row> = modules.iter().filter(|row| names.contains(&row.0)).collect();
            let row = sum(format!("{bin}/{part}"), &of_part);
            if site::first(bin).contains(&part.as_str()) {
                visit += row.2;
            }
            listed.push(row);
        }
    }
    for name in ["threads"].into_iter().chain(model::FOLDERS) {
        let start = format!("wasm/{name}/");
        let files: Vec<&Row> = modules.iter().filter(|row| row.0.starts_with(&start)).collect();
        listed.push(sum(name.into(), &files));
    }
    let total: f64 = rest.iter().chain(&modules).map(|row| row.2).sum();
    say(&format!("{}: {total:.0} KB gzipped in all; in parts:", out.display()));
    let mut lines = String::new();
    for row in &listed {
        if prints {
            println!("{}", line_of(row));
        }
        lines.push_str(&line_of(row));
        lines.push('\n');
    }
    let visit_line = format!("{FIRST_VISIT}{visit:.0} KB");
    say(&visit_line);
    let weights = rest.iter().filter(|row| WEIGHTS.contains(&&*row.0));
    let weights: f64 = weights.map(|row| row.2).sum();
    say(&format!(
        "behind its first drawing, for its answers: {answers:.0} KB of the engine, {weights:.0} KB of weights"
    ));
    Ok(Sizes { lines: format!("{lines}{visit_line}"), visit })
}

fn line_of((name, plain, gzipped): &Row) -> String {
    format!("{name:<40} {plain:>9.1} KB {gzipped:>9.1} KB gzipped")
}

/// Files together, under a name.
fn sum(name: String, rows: &[&Row]) -> Row {
    (name, rows.iter().map(|row| row.1).sum(), rows.iter().map(|row| row.2).sum())
}

fn sizes(base: &Path, folder: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            sizes(base, &path, rows)?;
            continue;
        }
        if compressed::is_copy(&path) {
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
