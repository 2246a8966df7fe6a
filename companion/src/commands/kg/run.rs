//! `graphground kg run`: runs plans.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use kg::plan::{Severity, execute, verify};
use serde_json::json;

use super::load::{Rules, Source, plans};
use crate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    rules: Rules,
    /// A file of plans, a JSON object a line: `id`, and `plan` or `steps`.
    #[arg(long)]
    plans: PathBuf,
    /// Prints JSON lines instead of words.
    #[arg(long)]
    json: bool,
}

/// Prints a line a plan: `id`, `answers` (names, a number, or values), `steps` (each with `id`, `n`
/// and `names`, the first 100), or `error`. Exits with 3 where some plan could not run.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let finder = args.source.finder()?;
    let kg = finder.kg();
    let semantics = args.rules.semantics()?;
    let mut out = output::stdout();
    let mut all_ran = true;
    for line in plans(&args.plans)? {
        let done = line.plan.and_then(|plan| {
            let verified = verify(&plan, kg.schema(), semantics, "");
            let errors = verified.findings.iter().filter(|f| f.severity == Severity::Error);
            let words: Vec<String> = errors
                .map(|f| {
                    format!("{:?} {}: {}", f.rule, f.step.as_deref().unwrap_or("plan"), f.message)
                })
                .collect();
            let ready = verified.ready.ok_or_else(|| words.join("; "))?;
            Ok(execute(&ready, &finder, args.rules.find()))
        });
        all_ran &= done.is_ok();
        if args.json {
            let value = match &done {
                Err(message) => {
                    json!({ "id": line.id, "answers": [], "steps": [], "error": message })
                }
                Ok(done) => {
                    let steps: Vec<_> = done
                        .steps
                        .iter()
                        .map(|s| {
                            let names = s.value.texts(kg);
                            let n = names.len();
                            let names: Vec<String> = names.into_iter().take(100).collect();
                            json!({ "id": s.id, "n": n, "names": names, "notes": s.notes })
                        })
                        .collect();
                    json!({ "id": line.id, "answers": done.answer().texts(kg), "steps": steps })
                }
            };
            writeln!(out, "{value}")?;
        } else {
            match &done {
                Err(message) => writeln!(out, "{}: {message}", line.id)?,
                Ok(done) => writeln!(out, "{}: {}", line.id, done.answer().texts(kg).join("; "))?,
            }
        }
    }
    Ok(if all_ran { ExitCode::SUCCESS } else { ExitCode::from(3) })
}
