//! Questions in SPARQL.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use backends::sparql::{Cell, MAX_QUERY};

use super::answering::{Answering, MAX_ROWS};
use super::load::KgFiles;
use crate::bounded::Bounds;
use crate::{input, output, table};

/// Options of `kg sparql`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    /// The query; `node:`, `type:`, `edge:` and `attribute:` name what is in the graph.
    #[arg(long, required_unless_present = "file")]
    query: Option<String>,
    /// A file with the query instead.
    #[arg(long, conflicts_with = "query")]
    file: Option<PathBuf>,
    /// The most rows, 10,000 at most.
    #[arg(long, default_value_t = 100)]
    rows: usize,
    #[command(flatten)]
    bounds: Bounds,
    /// Prints JSON instead of a table.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let query = match (&args.query, &args.file) {
        (Some(query), _) => query.clone(),
        (None, Some(path)) => input::text(path, MAX_QUERY)?,
        (None, None) => bail!("there is no query; give one with --query or --file"),
    };
    let answering = Answering::start(&args.source, args.bounds, 1)?;
    let found = answering.table(&query, args.rows.min(MAX_ROWS)).context("the query")?;
    let mut out = output::stdout();
    if args.json {
        serde_json::to_writer(&mut out, &found)?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = |cell: &Option<Cell>| cell.as_ref().map_or(String::new(), |c| c.text().to_owned());
    let rows: Vec<Vec<String>> =
        found.rows.iter().map(|row| row.iter().map(text).collect()).collect();
    let columns: Vec<&str> = found.columns.iter().map(String::as_str).collect();
    table::write(&mut out, &columns, &rows)?;
    if found.is_cut {
        output::complain(&format!("there are more than {} rows", args.rows));
    }
    Ok(ExitCode::SUCCESS)
}
