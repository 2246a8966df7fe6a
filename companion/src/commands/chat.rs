//! `graphground chat`: a conversation about graphs that the model builds, at the terminal.

use std::io::{BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Instant;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use llm::Model;
use serde_json::json;
use systems::free::{FreeCheck, FreeRequest, Standing, check_free, run_free};
use systems::grounded::{Composing, Surface};
use trace::{Step, StepBody, Trace};

use super::asked::{AskedModel, Waits, describe};
use super::composed::ComposedArgs;
use crate::output;
use crate::surface::SurfaceArgs;

/// The most letters of what a person says at once, and the bytes that are read for them.
const MAX_LETTERS: usize = 20_000;
const MAX_BYTES: u64 = 100_000;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    asked: AskedModel,
    #[command(flatten)]
    surface: SurfaceArgs,
    #[command(flatten)]
    composed: ComposedArgs,
    /// Tells the calls too, not the answers alone.
    #[arg(long)]
    verbose: bool,
}

/// Reads what is said line by line, until there is no more.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let model = args.asked.open_for_people()?;
    let composing = args.composed.open()?;
    let surface = args.surface.surface(args.asked.name());
    let input = std::io::stdin();
    let is_person = input.is_terminal();
    let mut out = output::stdout();
    let mut trace: Option<Trace> = None;
    let mut input = input.lock();
    loop {
        if is_person {
            write!(out, "> ")?;
            out.flush()?;
        }
        let mut says = String::new();
        let n = (&mut input).take(MAX_BYTES).read_line(&mut says);
        if n.context("cannot read what was said")? == 0 {
            break;
        }
        if says.trim().is_empty() {
            continue;
        }
        let (next, check) =
            talk(says.trim(), trace.take(), &surface, &composing, &*model, |step| {
                if args.verbose && !matches!(step.body, StepBody::Prompt { .. }) {
                    output::complain(&describe(step));
                }
            })?;
        if let Some(answer) = next.answer() {
            writeln!(out, "{answer}")?;
        }
        writeln!(out, "[{}]", check.words)?;
        if let Some(speed) = args.asked.speed().filter(|_| args.verbose) {
            output::complain(&speed);
        }
        out.flush()?;
        // After each turn: what was accepted outlives an endpoint that fails in the next.
        args.composed.keep(&next)?;
        trace = Some(next);
    }
    Ok(ExitCode::SUCCESS)
}

/// One question, told or as JSON. The exit code is 3 where the answer is not consistent with the graph.
pub(super) fn answer_one(
    question: &str,
    asked: &AskedModel,
    surface: SurfaceArgs,
    composed: &ComposedArgs,
    as_json: bool,
) -> Result<ExitCode> {
    let model = asked.open_for_people()?;
    let composing = composed.open()?;
    let mut lines = Vec::new();
    let (trace, check) =
        talk(question, None, &surface.surface(asked.name()), &composing, &*model, |step| {
            lines.push(describe(step))
        })?;
    composed.keep(&trace)?;
    let mut out = output::stdout();
    if as_json {
        let whole = json!({ "question": question, "trace": trace, "check": check });
        writeln!(out, "{}", serde_json::to_string_pretty(&whole)?)?;
    } else {
        for line in lines {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "\n{}", check.words)?;
        if let Some(speed) = asked.speed() {
            writeln!(out, "the last answer: {speed}")?;
        }
    }
    let is_good = check.standing == Standing::Consistent;
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::from(3) })
}

fn talk(
    says: &str,
    resume: Option<Trace>,
    surface: &Surface,
    composing: &Composing,
    model: &dyn Model,
    mut on_step: impl FnMut(&Step),
) -> Result<(Trace, FreeCheck)> {
    let n_letters = says.chars().count();
    if n_letters > MAX_LETTERS {
        bail!("the question has {n_letters} letters; it may have {MAX_LETTERS}");
    }
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64() * 1000.0;
    let cancel = Cancel::default();
    let setting = RunContext {
        limits: Limits::default(),
        seed: None,
        clock: &clock,
        cancel: &cancel,
        watch: &Waits,
    };
    let request = FreeRequest {
        says,
        resume,
        surface: surface.clone(),
        composing: composing.clone(),
        setting,
    };
    // The client blocks, so that the future is ready when it is looked at.
    let trace = run_free(request, model, &mut on_step)
        .now_or_never()
        .context("internal error: the run did not come to its end")?;
    let check = check_free(&trace, None);
    Ok((trace, check))
}
