//! `graphground claims`: what free-text answers claim about their graphs, whether it is true, and how
//! what is found stands to what readers find.

mod readers;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::json;
use tasks::claims::find;

use super::judge::{answer_of_line, name_of};
use crate::{input, limits, output, table};
use readers::Answer;

/// Options of `claims`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Answers, one JSON object a line, plain or gzipped: task, graph, query, answer_text; or question
    /// and answer, as `record` writes them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Prints one JSON object a line instead of the table: `line`, `task`, and `claims`, each with
    /// `kind`, `start`, `end` (bytes of the answer), `says`, `is_true`, `why` and `marks`.
    #[arg(long)]
    json: bool,
    /// Only answers on these lines, counted from 1.
    #[arg(long, value_delimiter = ',')]
    lines: Vec<usize>,
    /// Leaves these lines out.
    #[arg(long, value_delimiter = ',')]
    without: Vec<usize>,
    /// Prints so many answers of each file for people to read, without what is found in them.
    #[arg(long, conflicts_with_all = ["json", "labels"])]
    draw: Option<usize>,
    /// The same seed draws the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What a reader found: a line for each claim, with tabs: the answer's id, what it says, true or
    /// false; an answer without claims has its id alone. Prints precision and recall of the finder.
    #[arg(long, conflicts_with = "json")]
    labels: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut counts: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut answers = Vec::new();
    let mut n_answers = 0;
    for path in &args.files {
        let mut lines = input::Lines::open(path, limits::LINE)?;
        while let Some((number, line)) = lines.next()? {
            let place = || format!("{}: line {number}", path.display());
            let is_wanted = args.lines.is_empty() || args.lines.contains(&number);
            if line.trim().is_empty() || !is_wanted || args.without.contains(&number) {
                continue;
            }
            let read = answer_of_line(line).with_context(place)?;
            n_answers += 1;
            if args.draw.is_some() || args.labels.is_some() {
                answers.push(Answer { id: format!("{}:{number}", name_of(path)), read });
                continue;
            }
            let claims = find(&read.problem, &read.text);
            if args.json {
                let row = json!({ "line": number, "task": read.problem.task(), "claims": claims });
                serde_json::to_writer(&mut out, &row)?;
                writeln!(out)?;
                continue;
            }
            let row = counts.entry(read.problem.task().to_string()).or_default();
            row[0] += 1;
            row[1] += usize::from(!claims.is_empty());
            row[2] += claims.len();
            row[3] += claims.iter().filter(|c| !c.is_true).count();
        }
    }
    if n_answers == 0 {
        bail!("no answers in the files; expected one JSON object a line");
    }
    if let Some(n) = args.draw {
        readers::draw(&mut out, &answers, n, args.seed)?;
    } else if let Some(path) = &args.labels {
        let labels = input::text(path, limits::TEXT)?;
        readers::compare(&mut out, &answers, &labels)
            .with_context(|| path.display().to_string())?;
    } else if !args.json {
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
