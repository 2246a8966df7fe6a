//! The static folder that goes on a web server.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, bail};
use flate2::{Compression, write::GzEncoder};

use crate::steps::say;
use crate::{figures, setup, site};

/// What a first visit may download, gzipped. Every page, those of knowledge graphs too, is in the one
/// module that draws; what computes for them is loaded later.
const FIRST_VISIT_LIMIT_KB: f64 = 2650.0;

/// Files of more than this, gzipped, are listed in the documents.
const LARGE_KB: f64 = 300.0;

/// Files beside the modules that are loaded only when a page needs them, or that are in the page's
/// module and lie there for people.
const LATER: [&str; 4] = ["assets/kgs/", "assets/models/", "assets/lessons/", "assets/scenarios/"];

/// Builds the page and writes it, with the size of each file as a server would send it; with
/// `write`, writes the sizes of what is large into the documents too.
pub fn run(out: &Path, write: bool) -> Result<()> {
    let toolchain = setup::page(false)?;
    let site = site::build(&toolchain)?;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    site::copy_tree(&site, out)?;
    let mut total = 0.0;
    let mut rows = Vec::new();
    sizes(out, out, &mut rows)?;
    let mut large = String::new();
    for (name, plain, gzipped) in &rows {
        let line = format!("{name:<40} {plain:>9.1} KB {gzipped:>9.1} KB gzipped");
        println!("{line}");
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
    let visit_line = format!("a first visit: at most {visit:.0} KB");
    say(&visit_line);
    if visit > FIRST_VISIT_LIMIT_KB {
        bail!("a first visit downloads {visit:.0} KB; the limit is {FIRST_VISIT_LIMIT_KB} KB");
    }
    if write {
        figures::write("cargo xtask dist", &format!("{large}{visit_line}"))?;
    }
    Ok(())
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
        let bytes = fs::read(&path)?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(&bytes)?;
        let name = path.strip_prefix(base)?.display().to_string();
        rows.push((name, bytes.len() as f64 / 1e3, gzip.finish()?.len() as f64 / 1e3));
    }
    Ok(())
}
