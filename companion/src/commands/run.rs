//! `graphground run`: one system on one problem, or one question in anybody's words, with a model at an
//! endpoint.

use std::any::Any;
use std::cell::RefCell;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use agent::{Cancel, RunContext};
use anyhow::{Context as _, Error, Result, bail};
use futures_util::FutureExt as _;
use serde_json::json;
use systems::Run;
use systems::experiment::{self, CaseRequest, Experiment, MODEL, Models, Need, World};
use systems::grounded::Surface;
use systems::nlgraph::{self, Item, NlGraph, ProblemByHand, ProblemWorld};
use tasks::{Difficulty, TaskId, Verdict};
use trace::Step;

use super::asked::{AskedModel, Waits, describe};
use super::composed::ComposedArgs;
use crate::python::LocalPython;
use crate::surface::SurfaceArgs;
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
    /// Runs the programs that a model writes, which the system `program` needs. They run on this machine
    /// as you, in Python 3 with networkx. Time, memory and files are limited, but this is no sandbox: a
    /// program can read and change your files. Use it in a container or a virtual machine.
    #[arg(long)]
    python: bool,
    #[command(flatten)]
    asked: AskedModel,
    #[command(flatten)]
    surface: SurfaceArgs,
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
        return super::chat::answer_one(
            &question,
            &args.asked,
            args.surface,
            &args.composed,
            args.json,
        );
    }
    let name = args.task.as_deref().unwrap_or_default();
    let Some(task) = TaskId::from_name(name) else {
        bail!("there is no task {name:?}; there are {}", TaskId::names());
    };
    let difficulty = Difficulty::from_name(&args.difficulty)
        .filter(|d| task.difficulties().contains(d))
        .with_context(|| format!("{name} has no level {:?}", args.difficulty))?;
    let experiment: &dyn Experiment = &NlGraph;
    let system = experiment.system(&args.system).map_err(Error::msg)?;
    let world = args.world(experiment, system.id)?;
    let mut setup = experiment.setup(system.id, &[]).map_err(Error::msg)?;
    if system.has_tools {
        let Surface { choosing, guide, hold } = args.surface.surface(args.asked.name());
        let given = json!({ "choosing": choosing, "guide": guide, "hold": hold });
        setup.options = experiment.read_options(system.id, &given).map_err(Error::msg)?;
    }
    let model = args.asked.open(system.has_tools)?;
    let problem = tasks::task(task).generate(difficulty, args.seed);
    let case = nlgraph::case(&Item::new("own", problem.clone())).map_err(Error::msg)?;
    let question = experiment.question(&setup, &case);
    let mut out = output::stdout();
    if !args.json {
        writeln!(out, "{question}\n")?;
    }
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64() * 1000.0;
    let cancel = Cancel::default();
    let session = Session {
        lines: RefCell::default(),
        by_hand: ProblemByHand { composing: args.composed.open()?, resume: None },
    };
    let setting = RunContext {
        limits: setup.limits,
        seed: None,
        clock: &clock,
        cancel: &cancel,
        watch: &Waits,
    };
    let request = CaseRequest {
        setup: &setup,
        case: &case,
        world: &world,
        models: Models::one(MODEL.id, &*model),
        setting,
        sample: 0,
        session: &session,
    };
    // The client blocks, so that every future is ready when it is looked at.
    let run = experiment
        .run(request)
        .now_or_never()
        .context("internal error: the run did not come to its end")?
        .map_err(Error::msg)?;
    let run = run.typed().map_err(Error::msg)?;
    let run = Run::of(&problem, run.trace, run.outcome);
    args.composed.keep(&run.trace)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&run)?)?;
    } else {
        for line in session.lines.take() {
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

impl Args {
    /// What the run needs besides the model: Python, if the system runs programs and `--python` allows it.
    fn world(&self, experiment: &dyn Experiment, system: &str) -> Result<World> {
        if experiment.needs(system) != Some(Need::Python) {
            return Ok(World::default());
        }
        if !self.python {
            bail!("{system} writes Python; it needs --python, whose help says what that means");
        }
        let python = LocalPython::find()?;
        output::complain(&format!("--python: {}", python.warning()));
        Ok(World::new(ProblemWorld { python: Some(Rc::new(python)) }))
    }
}

/// Keeps a line for each step, and brings the composed functions.
struct Session {
    lines: RefCell<Vec<String>>,
    by_hand: ProblemByHand,
}

impl experiment::Session for Session {
    fn step(&self, step: &Step) {
        self.lines.borrow_mut().push(describe(step));
    }

    fn by_hand(&self) -> Option<&dyn Any> {
        Some(&self.by_hand)
    }

    fn hears(&self) -> bool {
        true
    }
}
