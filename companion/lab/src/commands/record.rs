//! `graphground record`: what models of this machine answer to problems of our generators, word for
//! word, one JSON object a line.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use agent::{Cancel, Limits, RunContext};
use anyhow::{Context as _, Result, bail};
use futures_util::FutureExt as _;
use llm::{AskOptions, Model};
use systems::experiment::{Experiment as _, SystemSpec};
use systems::nlgraph::NlGraph;
use systems::{RunOptions, RunRequest, run_system};
use tasks::dataset::{RecordSettings, RecordedAnswer};
use tasks::{Difficulty, Style, TaskId, Wording};
use trace::{Stop, formats};

use companion::gguf_models::{self, LocalPlayer, PREFIX};
use companion::output::{self, NewFile};

/// The most answers of one call.
const MAX_ANSWERS: usize = 10_000;

/// Options of `record`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A model of this machine: local:NAME or local:FILE.gguf; several are asked one after the other.
    #[arg(long = "model", required = true, value_name = "MODEL")]
    models: Vec<String>,
    /// Tasks, with commas.
    #[arg(
        long,
        default_value = "connectivity,cycle,topology,shortest_path,flow,matching,hamilton"
    )]
    task: String,
    /// easy, medium or hard; a task without that level is asked on its easy one.
    #[arg(long, default_value = "easy")]
    difficulty: String,
    /// Problems of each task.
    #[arg(long, default_value_t = 6)]
    n: usize,
    /// The seed of the first problem of each task; the others follow it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The system that runs; one without tools.
    #[arg(long, default_value = "standalone")]
    system: String,
    /// What is said before each question, such as to answer in a sentence.
    #[arg(long)]
    prompt: Option<String>,
    /// The sampling temperature; at 0 the likeliest token comes each time.
    #[arg(long, default_value_t = 0.0)]
    temperature: f64,
    /// The most tokens of a reply.
    #[arg(long, value_name = "N", default_value_t = 256)]
    reply_tokens: u64,
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let tasks = TaskId::listed(args.task.split(','))?;
    let n_answers = tasks.len().saturating_mul(args.n).saturating_mul(args.models.len());
    if n_answers == 0 || n_answers > MAX_ANSWERS {
        bail!("these are {n_answers} answers; expected 1 to {MAX_ANSWERS}");
    }
    let Some(difficulty) = Difficulty::from_name(&args.difficulty) else {
        bail!("unknown difficulty {:?}; expected easy, medium or hard", args.difficulty);
    };
    let is_alone = |system: &&SystemSpec| !system.has_tools && NlGraph.needs(system.id).is_none();
    let Some(system) = systems::nlgraph::find(&args.system).filter(is_alone) else {
        bail!("{:?} is no system without tools; standalone is one", args.system);
    };
    let mut file = NewFile::create(&args.out)?;
    let bar = output::bar(n_answers);
    for name in &args.models {
        let asked = Asked::open(name, args, system)?;
        for task in &tasks {
            let levels = task.difficulties();
            let level = if levels.contains(&difficulty) { difficulty } else { Difficulty::Easy };
            for i in 0..args.n {
                let answer = asked.answer(*task, level, args.seed.wrapping_add(i as u64))?;
                serde_json::to_writer(&mut file, &answer)?;
                writeln!(file)?;
                bar.inc(1);
            }
        }
    }
    file.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// A model with what is said of it in every line.
struct Asked {
    player: LocalPlayer,
    system: &'static SystemSpec,
    title: String,
    sha256: String,
    settings: RecordSettings,
    day: String,
}

impl Asked {
    fn open(model: &str, args: &Args, system: &'static SystemSpec) -> Result<Self> {
        let Some(name) = model.strip_prefix(PREFIX) else {
            bail!(
                "{model:?} is no model of this machine; give {PREFIX}NAME or {PREFIX}FILE.gguf, whose \
                 file is known by its hash"
            );
        };
        let options = AskOptions {
            temperature: Some(args.temperature),
            max_tokens: Some(args.reply_tokens),
            ..AskOptions::default()
        };
        let player = LocalPlayer::open(name, options)?;
        #[expect(clippy::disallowed_methods, reason = "a program has a clock")]
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let moment = formats::moment(now.as_millis() as f64);
        Ok(Self {
            title: player.title(),
            sha256: gguf_models::sha256(name)?,
            player,
            system,
            settings: RecordSettings {
                system: system.id.to_owned(),
                wording: Wording::Improved,
                style: Style::ZeroShot,
                prompt: args.prompt.clone(),
                temperature: args.temperature,
                max_tokens: args.reply_tokens,
            },
            day: moment.get(..10).unwrap_or_default().to_owned(),
        })
    }

    /// Asks the model one question.
    fn answer(&self, task: TaskId, difficulty: Difficulty, seed: u64) -> Result<RecordedAnswer> {
        let RecordSettings { wording, style, .. } = self.settings;
        let problem = tasks::task(task).generate(difficulty, seed);
        let question = problem.question(wording, style);
        #[expect(clippy::disallowed_methods, reason = "a program has a clock")]
        let start = Instant::now();
        let clock = move || start.elapsed().as_secs_f64() * 1000.0;
        let cancel = Cancel::default();
        let request = RunRequest {
            system: self.system,
            problem: &problem,
            question: &question,
            options: RunOptions { prompt: self.settings.prompt.clone(), ..RunOptions::default() },
            setting: RunContext {
                limits: Limits::default(),
                seed: None,
                clock: &clock,
                cancel: &cancel,
                watch: &(),
            },
            python: None,
        };
        // The model is in this program, so that every future is ready when it is looked at.
        let run = run_system(request, &self.player, &mut |_| ())
            .now_or_never()
            .context("internal error: the run did not come to its end")?;
        let place = || format!("{}, {task}, {difficulty}, seed {seed}", self.player.label());
        // A recorded text is judged as text, also where its limit cut it off: the settings say the limit.
        let is_text = matches!(run.trace.ended(), Some(Stop::Answered | Stop::CutOff));
        let answer = run.trace.last_said().filter(|_| is_text).with_context(|| {
            format!("{}: there is no answer: {}", place(), run.judgement.explanation)
        })?;
        Ok(RecordedAnswer {
            model: self.title.clone(),
            model_sha256: self.sha256.clone(),
            task,
            difficulty,
            seed,
            answer: answer.to_owned(),
            question,
            verdict: tasks::verify(&problem, answer).verdict,
            settings: self.settings.clone(),
            recorded: self.day.clone(),
        })
    }
}
