//! `graphground kg programs`: the programs of public question files as plans.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use serde_json::json;
use tasks::kgqa::{program, read_questions};

use super::load::KgFiles;
use crate::{input, limits, output};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    /// A file of questions with `path`, a JSON object a line, plain or gzipped.
    #[arg(long)]
    qa: PathBuf,
}

/// Prints a line a question: `id`, `question`, `answers` and `plan`, or `error`. Exits with 3 where
/// some row has no program that can be read.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let kg = args.source.open()?;
    let text = input::text(&args.qa, limits::TEXT)?;
    let rows = read_questions(&text).with_context(|| args.qa.display().to_string())?;
    let mut out = output::stdout();
    let mut all_read = true;
    for row in rows {
        let question = &row.question;
        let value = match program(&row, &kg) {
            Ok(plan) => json!({
                "id": question.id, "question": question.question,
                "answers": question.answers, "plan": plan,
            }),
            Err(message) => {
                all_read = false;
                json!({ "id": question.id, "question": question.question, "error": message })
            }
        };
        writeln!(out, "{value}")?;
    }
    out.flush()?;
    Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::from(3) })
}
