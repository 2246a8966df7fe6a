//! `graphground run`: one system on one problem with a model at an endpoint.

use std::io::Write as _;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use agent::{Cancel, EndpointModel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use llm::{ApiKey, Endpoint, Part, Watch};
use systems::{RunRequest, SYSTEMS, run_system};
use tasks::{Difficulty, Style, TaskId, Verdict, Wording};
use trace::{Step, StepBody, ToolResult};

use crate::http::Client;
use crate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The task: connectivity, cycle, or another that `generate` knows.
    #[arg(long)]
    task: String,
    /// easy, medium or hard.
    #[arg(long, default_value = "easy")]
    difficulty: String,
    /// The same seed makes the same problem on every machine.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The system that runs.
    #[arg(long, default_value = "grounded")]
    system: String,
    /// The endpoint's protocol: openai, responses, anthropic, gemini or ollama.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The endpoint's address.
    #[arg(long)]
    endpoint: String,
    /// The model's name there.
    #[arg(long)]
    model: String,
    /// The environment variable that holds the key.
    #[arg(long)]
    key_env: Option<String>,
    /// Asks for whole answers.
    #[arg(long)]
    no_stream: bool,
    /// The context window in tokens, for Ollama's own protocol.
    #[arg(long)]
    num_ctx: Option<u64>,
    /// Writes the whole run as JSON instead of telling it.
    #[arg(long)]
    json: bool,
}

/// The key in an environment variable, if one is named.
pub(super) fn key(name: Option<&str>) -> Result<Option<ApiKey>> {
    let Some(name) = name else { return Ok(None) };
    let text = std::env::var(name)
        .with_context(|| format!("the environment variable {name:?} is not set"))?;
    Ok(Some(ApiKey::new(&text).with_context(|| format!("{name:?} is empty"))?))
}

/// Tells on the standard error that a question is asked again.
struct Waits;

impl Watch for Waits {
    fn part(&self, part: Part) {
        if let Part::Retry { attempt, wait_ms, reason, .. } = part {
            let seconds = wait_ms / 1000.0;
            output::complain(&format!("attempt {attempt} in {seconds:.1} s: {reason}"));
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Some(task) = TaskId::from_name(&args.task) else {
        bail!("there is no task {:?}; there are {}", args.task, TaskId::names());
    };
    let difficulty = Difficulty::from_name(&args.difficulty)
        .filter(|d| task.difficulties().contains(d))
        .with_context(|| format!("{} has no level {:?}", args.task, args.difficulty))?;
    let Some(system) = systems::find(&args.system) else {
        let names: Vec<&str> = SYSTEMS.iter().map(|s| s.id).collect();
        bail!("there is no system {:?}; there are {}", args.system, names.join(", "));
    };
    let mut endpoint = Endpoint::new(args.provider.as_str(), args.endpoint.as_str());
    endpoint.options.no_stream = args.no_stream;
    endpoint.options.num_ctx = args.num_ctx;
    let client = Rc::new(Client::new(key(args.key_env.as_deref())?));
    let model =
        EndpointModel::new(endpoint, args.model.clone(), client).map_err(anyhow::Error::msg)?;
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
    let cancel = Cancel::default();
    let request = RunRequest {
        system,
        problem: &problem,
        question: &question,
        options: systems::RunOptions::default(),
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
    let run = run_system(request, &model, &mut on_step)
        .now_or_never()
        .context("internal error: the run did not come to its end")?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&run)?)?;
    } else {
        for line in lines {
            writeln!(out, "{line}")?;
        }
        let tokens = run.trace.usage().total();
        let tokens = tokens.map_or_else(|| "tokens unknown".into(), |n| format!("{n} tokens"));
        writeln!(out, "\n{:?}: {} ({tokens})", run.judgement.verdict, run.judgement.explanation)?;
    }
    Ok(if run.judgement.verdict == Verdict::Correct {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(3)
    })
}

/// A step on one line.
fn describe(step: &Step) -> String {
    let line = match &step.body {
        StepBody::Model { message, .. } => format!("model: {}", message.content),
        StepBody::Call { call, result, .. } => {
            let outcome = match result {
                ToolResult::Value { value, .. } => value.to_string(),
                ToolResult::Error(error) => format!("refused: {}", error.message),
            };
            format!("call: {}({}) -> {outcome}", call.name, call.arguments)
        }
        StepBody::Note { text } => format!("note: {text}"),
        _ => "…".into(),
    };
    line.chars().map(|c| if c == '\n' { ' ' } else { c }).take(400).collect()
}
