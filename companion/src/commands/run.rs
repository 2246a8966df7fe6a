//! `graphground run`: one system on one problem, or one question in anybody's words, with a model at an
//! endpoint.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use agent::{Cancel, EndpointModel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use llm::{ApiKey, AskOptions, Endpoint, Model, Part, Watch};
use systems::{RunOptions, RunRequest, SYSTEMS, run_system};
use tasks::{Difficulty, Style, TaskId, Verdict, Wording};
use trace::{Step, StepBody, ToolResult};

use super::composed::ComposedArgs;
use crate::gguf_models;
use crate::http::Client;
use crate::tool_way::ToolWay;
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

/// The key in an environment variable, if one is named.
pub fn key(name: Option<&str>) -> Result<Option<ApiKey>> {
    let Some(name) = name else { return Ok(None) };
    let text = std::env::var(name)
        .with_context(|| format!("the environment variable {name:?} is not set"))?;
    Ok(Some(ApiKey::new(&text).with_context(|| format!("{name:?} is empty"))?))
}

/// The one model that a command asks, and how.
#[derive(clap::Args)]
pub(super) struct AskedModel {
    /// The endpoint's protocol: openai, responses, anthropic, gemini or ollama.
    #[arg(long, default_value = "openai")]
    provider: String,
    /// The endpoint's address.
    #[arg(long)]
    endpoint: Option<String>,
    /// The model's name there; or local:NAME or local:FILE.gguf, which runs in this program.
    #[arg(long)]
    model: String,
    /// The environment variable that holds the key.
    #[arg(long)]
    key_env: Option<String>,
    /// Asks for whole answers.
    #[arg(long)]
    no_stream: bool,
    /// How the model calls tools: native (the endpoint's own interface), json or react (in the text
    /// of prompt and reply), json-schema (json, and the endpoint holds calls to the tools' schema).
    #[arg(long, default_value = "native", value_name = "STYLE")]
    tool_style: ToolWay,
    /// The most tokens of a reply; the endpoint's own limit if left out.
    #[arg(long, value_name = "N")]
    reply_tokens: Option<u64>,
    /// The sampling temperature; the endpoint's own if left out.
    #[arg(long)]
    temperature: Option<f64>,
    /// The context window in tokens, for Ollama's own protocol.
    #[arg(long)]
    num_ctx: Option<u64>,
}

impl AskedModel {
    /// What the latest answer took, of a model that runs here.
    pub(super) fn speed(&self) -> Option<String> {
        gguf_models::speed_of(&self.model)
    }

    /// The model, with a client of its own where it is at an endpoint. `has_tools` says that it is
    /// to be given tools, which not every model that runs here can be.
    pub(super) fn open(&self, has_tools: bool) -> Result<Box<dyn Model>> {
        let mut options = AskOptions {
            no_stream: self.no_stream,
            num_ctx: self.num_ctx,
            max_tokens: self.reply_tokens,
            temperature: self.temperature,
            ..AskOptions::default()
        };
        self.tool_style.apply(&mut options);
        if let Some(name) = self.model.strip_prefix(gguf_models::PREFIX) {
            let player = gguf_models::LocalPlayer::open(name, options)?;
            if let Some(why) = player.tools_fault().filter(|_| has_tools) {
                bail!(why);
            }
            return Ok(Box::new(player));
        }
        let Some(address) = &self.endpoint else {
            bail!("--endpoint is missing: where is {:?} asked?", self.model);
        };
        let endpoint =
            Endpoint { options, ..Endpoint::new(self.provider.as_str(), address.as_str()) };
        let client = Rc::new(Client::new(key(self.key_env.as_deref())?));
        let model = EndpointModel::new(endpoint, self.model.clone(), client);
        Ok(Box::new(model.map_err(anyhow::Error::msg)?))
    }
}

/// Tells on the standard error that a question is asked again.
pub(super) struct Waits;

impl Watch for Waits {
    fn part(&self, part: Part) {
        if let Part::Retry { attempt, wait_ms, reason, .. } = part {
            let seconds = wait_ms / 1000.0;
            output::complain(&format!("attempt {attempt} in {seconds:.1} s: {reason}"));
        }
    }
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
    let Some(system) = systems::find(&args.system) else {
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

/// A step on one line.
pub(super) fn describe(step: &Step) -> String {
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
        StepBody::Findings { stage, findings } => {
            let words: Vec<&str> = findings.iter().map(|f| f.message.as_str()).collect();
            format!("{stage}: {}", words.join("; "))
        }
        _ => "…".into(),
    };
    line.chars().map(|c| if c == '\n' { ' ' } else { c }).take(400).collect()
}
