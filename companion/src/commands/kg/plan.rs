//! `graphground kg plan`: verifies plans, or lets a model plan.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use kg::find::Finder;
use kg::plan::{Semantics, Severity, check_data, print_plan, verify};
use serde_json::json;
use systems::graphrunner::{SYSTEM, plan};
use systems::kgqa::{KgOptions, KgRequest, PlanForm};
use text::NGrams;

use super::asking::{PlanAsking, Questions, clock};
use super::load::{KgFiles, Rules, plans};
use crate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    #[command(flatten)]
    rules: Rules,
    /// A file of plans, a JSON object a line: `id`, and `plan` or `steps`. Without it a model
    /// plans.
    #[arg(long, conflicts_with_all = ["qa", "model", "endpoint", "no_verify", "form"])]
    plans: Option<PathBuf>,
    /// Verifies on the data too.
    #[arg(long)]
    data: bool,
    #[command(flatten)]
    questions: Questions,
    #[command(flatten)]
    asking: PlanAsking,
    /// Takes the first plan that a model writes as it is.
    #[arg(long)]
    no_verify: bool,
    /// How often a model is asked to correct its plan.
    #[arg(long, default_value_t = 3)]
    max_repairs: u32,
    /// How a model is asked for a plan.
    #[arg(long, value_enum, default_value_t = Form::Json)]
    form: Form,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Form {
    Json,
    Tool,
    Paper,
}

/// Prints a line a plan: `id`, `plan`, `is_right`, `printed` (the paper's form), `findings`; of a
/// model's also `question`, `answers` and `n_repairs`. Exits with 3 where some plan is wrong.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let finder = match args.source.stored()? {
        Some(stored) if args.data => bail!(
            "--data needs the nodes of the graph; those of {} stay there",
            stored.remote.url()
        ),
        Some(stored) => Finder::new(Arc::new(stored.remote.outline()?), Rc::new(NGrams)),
        None => args.source.finder()?,
    };
    let semantics = args.rules.semantics()?;
    let all_right = match &args.plans {
        Some(path) => of_file(args, path, &finder, semantics)?,
        None => of_model(args, &finder, semantics)?,
    };
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn of_file(args: &Args, path: &Path, finder: &Finder, semantics: Semantics) -> Result<bool> {
    let mut out = output::stdout();
    let mut all_right = true;
    for line in plans(path)? {
        let value = match line.plan {
            Err(message) => {
                all_right = false;
                json!({ "id": line.id, "is_right": false, "error": message })
            }
            Ok(plan) => {
                let verified = verify(&plan, finder.kg().schema(), semantics, "");
                let mut findings = verified.findings;
                if let (true, Some(ready)) = (args.data, &verified.ready) {
                    findings.extend(check_data(ready, finder, args.rules.find()));
                }
                let is_right = findings.iter().all(|f| f.severity == Severity::Warning);
                all_right &= is_right;
                json!({ "id": line.id, "is_right": is_right, "printed": print_plan(&plan), "findings": findings })
            }
        };
        writeln!(out, "{value}")?;
    }
    Ok(all_right)
}

fn of_model(args: &Args, finder: &Finder, semantics: Semantics) -> Result<bool> {
    let options = KgOptions {
        semantics,
        find: args.rules.find(),
        verify: !args.no_verify,
        check_data: args.data,
        max_repairs: args.max_repairs,
        form: match args.form {
            Form::Json => PlanForm::Json,
            Form::Tool => PlanForm::Tool,
            Form::Paper => PlanForm::Paper,
        },
        ..KgOptions::default()
    };
    let questions = args.questions.read(finder)?;
    let model = args.asking.model()?;
    let bar = output::bar(questions.len());
    let mut out = output::stdout();
    let mut all_right = true;
    for question in &questions {
        let clock = clock();
        let cancel = Cancel::default();
        let limits = Limits { max_rounds: 100, ..Limits::default() };
        let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
        let request = KgRequest {
            system: SYSTEM.id,
            finder,
            question,
            options: &options,
            setting,
            away: None,
            has_person: false,
        };
        // The client blocks, so that every future is ready when it is looked at.
        let planned = plan(&request, model.as_ref(), &mut |_| {})
            .now_or_never()
            .context("internal error: the planner did not come to its end")?;
        all_right &= planned.can_run;
        let mut value = json!({
            "id": question.id,
            "question": question.question,
            "answers": question.answers,
            "is_right": planned.can_run,
            "n_repairs": planned.n_repairs,
            "findings": planned.findings(),
        });
        match &planned.plan {
            Some(plan) => {
                value["printed"] = json!(print_plan(plan));
                value["plan"] = json!(plan);
            }
            None => value["error"] = json!(planned.fault()),
        }
        writeln!(out, "{value}")?;
        // A line is there as soon as it was paid for.
        out.flush()?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(all_right)
}
