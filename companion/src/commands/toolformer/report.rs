//! `graphground toolformer report`: table 4 of the paper.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use eval::toolformer::{read, table};

use crate::{input, limits, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Files that `score --summary` has written, in any number; without any, the paper's figures.
    files: Vec<PathBuf>,
    /// Writes the table as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut lines = Vec::new();
    for path in &args.files {
        let text = input::text(path, limits::FIGURES)?;
        lines.extend(read(&text).with_context(|| format!("{} cannot be read", path.display()))?);
    }
    let table = table(&lines);
    let mut out = output::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &table)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", table.text())?;
    }
    Ok(ExitCode::SUCCESS)
}
