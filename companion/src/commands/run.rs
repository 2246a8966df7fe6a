//! `graphground run`: one system on one problem, or one question in anybody's words, with a model at an
//! endpoint.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use systems::nlgraph::SYSTEMS;
use systems::{RunOptions, RunRequest, run_system};
use tasks::{Difficulty, Style, TaskId, Verdict, Wording};
use trace::Step;

use super::asked::{AskedModel, Waits, describe};
use super::composed::ComposedArgs;
use crate::{input, limits, output};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The task: connectivity, cycle, or another that `generate` knows.
    #[arg(long, required_unless_present_any = ["question", "file"])]
    task: Option<String>,
    /// Instead, a question in any words: the model builds the graph, and its answer is held against that.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["task", "file"])]
    question: Option<String>,
    /// The same with the question in a file.
    #[arg(long, value_name = "FILE", conflicts_with = "task")]
    file: Option<PathBuf>,
    /// easy, medium or hard.
    #[arg(long, default_value = "easy")]
    difficulty: String,
    /// The same seed makes the same problem on every machine.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The system that runs.
    #[arg(long, default_value = "grounded")]
    system: String,
    #[command(flatten)]
    asked: AskedModel,
    #[command(flatten)]
    composed: ComposedArgs,
    /// Writes the whole run as JSON instead of telling it.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let question = match (&args.question, &args.file) {
        (Some(question), _) => Some(question.clone()),
        (None, Some(file)) => Some(input::text(file, limits::TEXT)?),
        (None, None) => None,
    };
    if let Some(question) = question {
        return super::chat::answer_one(&question, &args.asked, &args.composed, args.json);
    }
    let name = args.task.as_deref().unwrap_or_default();
    let Some(task) = TaskId::from_name(name) else {
        bail!("there is no task {name:?}; there are {}", TaskId::names());
    };
    let difficulty = Difficulty::from_name(&args.difficulty)
        .filter(|d| task.difficulties().contains(d))
        .with_context(|| format!("{name} has no level {:?}", args.difficulty))?;
    let Some(system) = systems::nlgraph::find(&args.system) else {
        let names: Vec<&str> = SYSTEMS.iter().map(|s| s.id).collect();
        bail!("there is no system {:?}; there are {}", args.system, names.join(", "));
    };
    let model = args.asked.open(system.has_tools)?;
    let problem = tasks::task(task).generate(difficulty, args.seed);
    let question = problem.question(Wording::Improved, Style::ZeroShot);
    let mut out = output::stdout();
    if !args.json {
        writeln!(out, "{question}\n")?;
    }
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64() * 1000.0;
    let mut lines = Vec::new();
    let composing = args.composed.open()?;
    let cancel = Cancel::default();
    let request = RunRequest {
        system,
        problem: &problem,
        question: &question,
        options: RunOptions { composing: composing.clone(), ..RunOptions::default() },
        setting: RunContext {
            limits: Limits::default(),
            seed: None,
            clock: &clock,
            cancel: &cancel,
            watch: &Waits,
        },
    };
    let mut on_step = |step: &Step| lines.push(describe(step));
    // The client blocks, so that every future is ready when it is looked at.
    let run = run_system(request, &*model, &mut on_step)
        .now_or_never()
        .context("internal error: the run did not come to its end")?;
    args.composed.keep(&run.trace)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&run)?)?;
    } else {
        for line in lines {
            writeln!(out, "{line}")?;
        }
        let tokens = run.trace.usage().total();
        let tokens = tokens.map_or_else(|| "tokens unknown".into(), |n| format!("{n} tokens"));
        writeln!(out, "\n{:?}: {} ({tokens})", run.judgement.verdict, run.judgement.explanation)?;
        if let Some(speed) = args.asked.speed() {
            writeln!(out, "the last answer: {speed}")?;
        }
    }
    Ok(if run.judgement.verdict == Verdict::Correct {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(3)
    })
}
