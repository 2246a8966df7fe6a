//! `graphground claims`: what free-text answers claim about their graphs, and whether it is true.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::json;
use tasks::claims::find;
use tasks::dataset::parse_logged;

use crate::{input, limits, output, table};

/// Options of `claims`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Answers, one JSON object a line, plain or gzipped.
    file: PathBuf,
    /// Prints one JSON object a line instead of the table: `line`, `task`, and `claims`, each with
    /// `kind`, `start`, `end` (bytes of the answer), `says`, `is_true`, `why` and `marks`.
    #[arg(long)]
    json: bool,
    /// Only answers on these lines, counted from 1.
    #[arg(long, value_delimiter = ',')]
    lines: Vec<usize>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut counts: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut n_answers = 0;
    let mut lines = input::Lines::open(&args.file, limits::LINE)?;
    while let Some((number, line)) = lines.next()? {
        let place = || format!("{}: line {number}", args.file.display());
        if line.trim().is_empty() || (!args.lines.is_empty() && !args.lines.contains(&number)) {
            continue;
        }
        let answer = parse_logged(line).with_context(place)?;
        let claims = find(&answer.problem, &answer.text);
        n_answers += 1;
        if args.json {
            let row = json!({ "line": number, "task": answer.problem.task(), "claims": claims });
            serde_json::to_writer(&mut out, &row)?;
            writeln!(out)?;
            continue;
        }
        let row = counts.entry(answer.problem.task().to_string()).or_default();
        row[0] += 1;
        row[1] += usize::from(!claims.is_empty());
        row[2] += claims.len();
        row[3] += claims.iter().filter(|c| !c.is_true).count();
    }
    if n_answers == 0 {
        bail!("{}: no answers in it; expected one JSON object a line", args.file.display());
    }
    if !args.json {
        let rows: Vec<Vec<String>> = counts
            .into_iter()
            .map(|(task, row)| [task].into_iter().chain(row.map(|n| n.to_string())).collect())
            .collect();
        let heading = ["task", "answers", "with claims", "claims", "false"];
        table::write(&mut out, &heading, &rows)?;
        writeln!(out, "{n_answers} answers")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
