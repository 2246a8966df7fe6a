//! `graphground kg plan`: verifies plans.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use kg::plan::{Severity, check_data, print_plan, verify};
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
    /// Verifies on the data too.
    #[arg(long)]
    data: bool,
}

/// Prints a line a plan: `id`, `is_right`, `printed` (the paper's form), `findings`. Exits with 3
/// where some plan is wrong.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let finder = args.source.finder()?;
    let semantics = args.rules.semantics()?;
    let mut out = output::stdout();
    let mut all_right = true;
    for line in plans(&args.plans)? {
        let value = match line.plan {
            Err(message) => {
                all_right = false;
                json!({ "id": line.id, "is_right": false, "error": message })
            }
            Ok(plan) => {
                let verified = verify(&plan, finder.kg().schema(), semantics, "");
                let mut findings = verified.findings;
                if let (true, Some(ready)) = (args.data, &verified.ready) {
                    findings.extend(check_data(ready, &finder, args.rules.find()));
                }
                let is_right = findings.iter().all(|f| f.severity == Severity::Warning);
                all_right &= is_right;
                json!({ "id": line.id, "is_right": is_right, "printed": print_plan(&plan), "findings": findings })
            }
        };
        writeln!(out, "{value}")?;
    }
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::from(3) })
}
