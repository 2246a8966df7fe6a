//! Results that are no runs files: of knowledge graphs and of families.

use std::io::{BufRead as _, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use eval::prices::Prices;
use eval::results::{Kind, SheetOptions, kind, sheet};

use super::Args;
use crate::{input, limits, output};

/// So much of a file is read to tell what it is.
const BEGIN: u64 = 64_000_000;

/// Whether the first file is none of runs, but of other results.
pub(super) fn is_sheet(files: &[PathBuf]) -> bool {
    let Some(path) = files.first() else { return false };
    // Only the first line counts; what cannot be read is told by who reads it all.
    let Ok(file) = input::open(path) else { return false };
    let mut line = Vec::new();
    if file.take(BEGIN).read_until(b'\n', &mut line).is_err() {
        return false;
    }
    let line = String::from_utf8_lossy(&line);
    matches!(kind(&line), Some(Kind::Knowledge | Kind::Family))
}

/// Tables, and an HTML file.
pub(super) fn run(args: &Args, prices: Prices) -> Result<ExitCode> {
    let others = [
        ("--check", args.check),
        ("--live", args.live),
        ("--inspect", args.inspect.is_some()),
        ("--lm-eval", args.lm_eval.is_some()),
        ("--compare", args.compare.is_some()),
    ];
    if let Some((name, _)) = others.iter().find(|(_, given)| *given) {
        bail!("{name} is for runs files; these are results of another kind");
    }
    let mut files = Vec::new();
    for path in &args.files {
        files.push((path.display().to_string(), input::text(path, limits::RESULTS)?));
    }
    let options = SheetOptions { prices, is_compat: args.compat };
    let found = sheet(&files, &options)?;
    if let Some(path) = &args.html {
        super::write(args, path, &eval::page::sheet(&found, &args.title))?;
    }
    if let Some(path) = &args.csv {
        let parts: Vec<String> =
            found.tables.iter().map(|t| format!("{}\r\n{}", t.title, t.csv())).collect();
        super::write(args, path, &parts.join("\r\n"))?;
    }
    let mut out = output::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &found.tables).context("standard output")?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{}\n", found.lede)?;
    for table in found.tables.iter().filter(|t| !t.rows.is_empty()) {
        writeln!(out, "{}", table.text())?;
    }
    Ok(ExitCode::SUCCESS)
}
