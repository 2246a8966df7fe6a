//! `graphground kg run`: runs plans.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use agent::Cancel;
use futures_util::FutureExt as _;
use kg::Kg;
use kg::find::Finder;
use kg::plan::{Executed, Plan, Semantics, Severity, execute, verify};
use serde_json::json;
use text::NGrams;

use super::load::{KgFiles, Rules, Stored, plans};
use crate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
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
/// and `names`, the first 100), or `error`; of a store `notes` says how often it was asked. Exits with 3 where some plan could not run.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stored = args.source.stored()?;
    let finder = match &stored {
        Some(stored) => Finder::new(Arc::new(stored.remote.outline()?), Rc::new(NGrams)),
        None => args.source.finder()?,
    };
    let semantics = args.rules.semantics()?;
    let mut out = output::stdout();
    let mut all_ran = true;
    for line in plans(&args.plans)? {
        let done = line.plan.and_then(|plan| {
            let verified = verify(&plan, finder.kg().schema(), semantics, "");
            let errors = verified.findings.iter().filter(|f| f.severity == Severity::Error);
            let words: Vec<String> = errors
                .map(|f| {
                    format!("{:?} {}: {}", f.rule, f.step.as_deref().unwrap_or("plan"), f.message)
                })
                .collect();
            let ready = verified.ready.ok_or_else(|| words.join("; "))?;
            match &stored {
                Some(stored) => on_store(stored, &plan, args, semantics),
                None => Ok((
                    execute(&ready, &finder, args.rules.find()),
                    finder.kg().clone(),
                    Vec::new(),
                )),
            }
        });
        all_ran &= done.is_ok();
        if args.json {
            let value = match &done {
                Err(message) => {
                    json!({ "id": line.id, "answers": [], "steps": [], "error": message })
                }
                Ok((done, kg, told)) => {
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
                    let answers = done.answer().texts(kg);
                    let mut value = json!({ "id": line.id, "answers": answers, "steps": steps });
                    if !told.is_empty() {
                        value["notes"] = json!(told);
                    }
                    value
                }
            };
            writeln!(out, "{value}")?;
        } else {
            match &done {
                Err(message) => writeln!(out, "{}: {message}", line.id)?,
                Ok((done, kg, told)) => {
                    told.iter().for_each(|note| output::complain(&format!("{}: {note}", line.id)));
                    writeln!(out, "{}: {}", line.id, done.answer().texts(kg).join("; "))?;
                }
            }
        }
    }
    Ok(if all_ran { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

/// Brings here what a plan needs of a store, and runs it on that.
fn on_store(
    stored: &Stored,
    plan: &Plan,
    args: &Args,
    semantics: Semantics,
) -> Result<(Executed, Arc<Kg>, Vec<String>), String> {
    let cancel = Cancel::default();
    let brought = stored
        .remote
        .bring(plan, semantics, args.rules.find(), &stored.client, &cancel)
        // The client blocks, so that every future is ready when it is looked at.
        .now_or_never()
        .ok_or("internal error: the store was not waited for")?
        .map_err(|e| e.to_string())?;
    let kg = brought.finder.kg().clone();
    let ready = verify(plan, kg.schema(), semantics, "").ready;
    let ready = ready.ok_or("internal error: the plan fits the store and not its part")?;
    let mut notes = vec![format!("asked {} times", brought.n_asks)];
    notes.extend(brought.notes);
    Ok((execute(&ready, &brought.finder, brought.find), kg, notes))
}
