//! `graphground claims`: what free-text answers claim about their graphs, and whether it is true.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::json;
use tasks::claims::find_with_answer;

use super::judge::{AnswerRead, answer_of_line};
use crate::{input, limits, output, table};

/// Options of `claims`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    chosen: AnswersAsked,
    /// Prints one JSON object a line instead of the table: `line`, `task`, and `claims`, each with
    /// `kind`, `start`, `end` (bytes of the answer), `says`, `is_true`, `why` and `marks`.
    #[arg(long)]
    json: bool,
}

/// The answers that a command is about.
#[derive(clap::Args)]
pub struct AnswersAsked {
    /// Answers, one JSON object a line, plain or gzipped: task, graph, query, answer_text; or question
    /// and answer, as `record` writes them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only answers on these lines, counted from 1.
    #[arg(long, value_delimiter = ',')]
    lines: Vec<usize>,
    /// Leaves these lines out.
    #[arg(long, value_delimiter = ',')]
    without: Vec<usize>,
}

impl AnswersAsked {
    /// Gives each answer with its file and its line.
    ///
    /// # Errors
    /// A line cannot be read, there are no answers, or what takes an answer failed.
    pub fn each(
        &self,
        mut take: impl FnMut(&Path, usize, AnswerRead) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut n_answers = 0;
        for path in &self.files {
            let mut lines = input::Lines::open(path, limits::LINE)?;
            while let Some((number, line)) = lines.next()? {
                let place = || format!("{}: line {number}", path.display());
                let is_wanted = self.lines.is_empty() || self.lines.contains(&number);
                if line.trim().is_empty() || !is_wanted || self.without.contains(&number) {
                    continue;
                }
                take(path, number, answer_of_line(line).with_context(place)?)?;
                n_answers += 1;
            }
        }
        if n_answers == 0 {
            bail!("no answers in the files; expected one JSON object a line");
        }
        Ok(())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut counts: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut n_answers = 0;
    args.chosen.each(|_, number, read| {
        n_answers += 1;
        let claims = find_with_answer(&read.problem, &read.text);
        if args.json {
            let row = json!({ "line": number, "task": read.problem.task(), "claims": claims });
            serde_json::to_writer(&mut out, &row)?;
            writeln!(out)?;
            return Ok(());
        }
        let row = counts.entry(read.problem.task().to_string()).or_default();
        row[0] += 1;
        row[1] += usize::from(!claims.is_empty());
        row[2] += claims.len();
        row[3] += claims.iter().filter(|c| !c.is_true).count();
        Ok(())
    })?;
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
