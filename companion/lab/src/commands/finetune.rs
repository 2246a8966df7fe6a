//! `graphground finetune`: LoRA on a model of a GGUF file, or on our own. `docs/fine-tuning.md` says how.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use gguf::Stored;
use rand::seq::SliceRandom as _;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::train::finetune::data::{Faults, Line, read};
use crate::train::finetune::{
    Adapters, Example, Given, Made, Measured, Measuring, Plan, TuneEnded, TuneSettings, Tuning,
    card, curve, hex, lessons, loss_of, measure, open,
};
use crate::train::split_rng;
use companion::output;

/// How the merged matrices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Numbers {
    /// In eight bits, with a scale for 32 numbers (a row, for our own model).
    #[value(name = "q8_0")]
    Q8_0,
    /// In 16 bits.
    F16,
    /// In 32 bits.
    F32,
}

impl Numbers {
    fn name(self) -> &'static str {
        match self {
            Self::Q8_0 => "q8_0",
            Self::F16 => "f16",
            Self::F32 => "f32",
        }
    }

    fn stored(self) -> Stored {
        match self {
            Self::Q8_0 => Stored::Q8_0,
            Self::F16 => Stored::F16,
            Self::F32 => Stored::F32,
        }
    }
}

/// Options of `finetune`.
#[derive(clap::Args)]
#[command(
    after_help = "Files are checked first: every line that cannot be learned from is told, and nothing \
                  is trained. Ctrl+C, a full disk or a dead machine lose at most what came after the \
                  last checkpoint: the same command with --resume goes on, and the weights are the same \
                  in every bit."
)]
pub(crate) struct Args {
    /// The model to begin with: a GGUF file, a name such as smollm2, a folder in Hugging Face's form, of
    /// which a GGUF file is made first, our own model (own), or a file of its form (FILE.bin).
    #[arg(long, required_unless_present = "lessons")]
    base: Option<String>,
    /// Examples: a JSON object a line, with `messages` (and `tools`), or `prompt` and `completion`, or
    /// `input` and `output`; or lines `Input: … Output: …`; plain or gzipped. Several files may be given.
    #[arg(long, required_unless_present = "lessons", num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Lines that are measured before and after, and never learned from.
    #[arg(long, value_name = "FILE", conflicts_with = "held_out_share")]
    held_out: Vec<PathBuf>,
    /// The share of the lines that is held out where no file is given for that.
    #[arg(long, default_value_t = 0.1)]
    held_out_share: f64,
    /// How many numbers the adapters squeeze a matrix through.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=256))]
    lora_rank: u64,
    /// Where the model goes, with its card, its figures and its learning curve.
    #[arg(long, default_value = ".")]
    out: PathBuf,
    /// What the files are called.
    #[arg(long, default_value = "finetuned")]
    name: String,
    /// How the learned matrices are written.
    #[arg(long = "as", value_enum, default_value_t = Numbers::Q8_0)]
    numbers: Numbers,
    /// Draws the first numbers of the adapters, the order of the examples and the held-out share.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A number of the training, as in lr=0.001; a wrong name lists all.
    #[arg(long = "set", value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// Goes on where a training was stopped.
    #[arg(long)]
    resume: bool,
    /// Stops after so many steps, to be gone on with later.
    #[arg(long, value_name = "STEPS")]
    stop_after: Option<usize>,
    /// Seconds between two checkpoints.
    #[arg(long, default_value_t = 30)]
    checkpoint_seconds: u64,
    /// Checks the lines, tells how many tokens they have, and trains nothing.
    #[arg(long)]
    check: bool,
    /// Writes conversations about a function of the library, to learn to call it (find_bridges,
    /// diameter or is_tree), or about the benchmark's tasks (tasks); trains nothing.
    #[arg(long, value_name = "FUNCTION")]
    lessons: Option<String>,
    /// How many of them.
    #[arg(long, default_value_t = 300, requires = "lessons")]
    n: usize,
}

/// What there is to learn from and to be measured by.
struct Lines {
    lines: Vec<Line>,
    examples: Vec<Example>,
    held_out: Vec<Line>,
    held_out_examples: Vec<Example>,
    /// Lines that ask what a held-out one asks.
    n_left_out: usize,
}

impl Args {
    fn lines(&self, base: &Given, most: usize) -> Result<Lines> {
        let mut faults = Faults::default();
        let all = read(&self.data, &mut faults)?;
        let given = read(&self.held_out, &mut faults)?;
        let mut examples = |lines: &[Line]| {
            let mut examples = Vec::new();
            for line in lines {
                match base.example(line, most) {
                    Ok(example) => examples.push(example),
                    Err(what) => faults.add(&line.place(), &what),
                }
            }
            examples
        };
        let (all_examples, held_out_examples) = (examples(&all), examples(&given));
        faults.check()?;
        let mut lines: Vec<(Line, Example)> = all.into_iter().zip(all_examples).collect();
        let mut held_out: Vec<(Line, Example)> = given.into_iter().zip(held_out_examples).collect();
        if self.held_out.is_empty() {
            if !(0.0..1.0).contains(&self.held_out_share) {
                bail!("--held-out-share {}: give a share from 0 to below 1", self.held_out_share);
            }
            lines.shuffle(&mut split_rng(self.seed));
            let n = (lines.len() as f64 * self.held_out_share).round() as usize;
            held_out = lines.split_off(lines.len() - n);
        }
        let asked: BTreeSet<String> = held_out.iter().map(|(line, _)| line.asked()).collect();
        let n = lines.len();
        lines.retain(|(line, _)| !asked.contains(&line.asked()));
        let n_left_out = n - lines.len();
        if lines.is_empty() {
            bail!("no line is left to learn from: all of them ask what held-out lines ask");
        }
        let (lines, examples) = lines.into_iter().unzip();
        let (held_out, held_out_examples) = held_out.into_iter().unzip();
        Ok(Lines { lines, examples, held_out, held_out_examples, n_left_out })
    }

    fn place(&self, ending: &str) -> PathBuf {
        self.out.join(format!("{}.{ending}", self.name))
    }

    /// The command that makes the same model again, without the places of files.
    fn command(&self) -> String {
        let base = self.base.as_deref().unwrap_or_default();
        let mut text = format!("graphground finetune --base {} --data", name_of(Path::new(base)));
        // A `String` takes whatever is written.
        for file in &self.data {
            let _ = write!(text, " {}", name_of(file));
        }
        for file in &self.held_out {
            let _ = write!(text, " --held-out {}", name_of(file));
        }
        if self.held_out.is_empty() {
            let _ = write!(text, " --held-out-share {}", self.held_out_share);
        }
        let _ = write!(text, " --lora-rank {} --seed {}", self.lora_rank, self.seed);
        for pair in &self.set {
            let _ = write!(text, " --set {pair}");
        }
        if self.numbers != Numbers::Q8_0 {
            let _ = write!(text, " --as {}", self.numbers.name());
        }
        text
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(function) = &args.lessons {
        let mut out = output::stdout();
        for line in lessons(function, args.n, args.seed)? {
            writeln!(out, "{line}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let settings = TuneSettings::new(&args.set)?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let base = args.base.as_deref().context("--base is missing: give a model to begin with")?;
    let mut given = open(base, &args.place("base.gguf"))?;
    let most = settings.count("length").min(given.n_ctx());
    let lines = args.lines(&given, most)?;
    let plan = Plan::new(&lines.examples, &settings, args.seed);
    let n_tokens: usize = lines.examples.iter().map(|example| example.tokens.len()).sum();
    let n_own: usize = lines.examples.iter().map(Example::n_own).sum();
    output::complain(&format!(
        "{} examples with {n_tokens} tokens, {n_own} of them to be learned; {} held out; {} steps with \
         {} tokens",
        lines.examples.len(),
        lines.held_out.len(),
        plan.steps.len(),
        plan.n_tokens
    ));
    if lines.n_left_out > 0 {
        output::complain(&format!(
            "{} lines are left out: held-out lines ask the same",
            lines.n_left_out
        ));
    }
    if given.describes_tools() && lines.lines.iter().any(|line| !line.tools.is_empty()) {
        output::complain(
            "the chat template has no place for tools: they are put into words, as `graphground serve` \
             does",
        );
    }
    if args.check {
        return Ok(ExitCode::SUCCESS);
    }
    if plan.steps.is_empty() {
        bail!("no step fits into --set tokens={}; give more", settings.count("tokens"));
    }
    train(args, &settings, &mut given, &lines, &plan)
}

/// What makes a fine-tuning this one.
fn identity(
    args: &Args,
    settings: &TuneSettings,
    given: &Given,
    lines: &Lines,
) -> serde_json::Value {
    let mut hash = Sha256::new();
    for example in lines.examples.iter().chain(&lines.held_out_examples) {
        example.tokens.iter().for_each(|token| hash.update(token.to_le_bytes()));
        example.is_own.iter().for_each(|is| hash.update([u8::from(*is)]));
        hash.update(u32::MAX.to_le_bytes());
    }
    json!({ "base": hex(&given.sha256), "data": hex(&hash.finalize()), "rank": args.lora_rank,
            "seed": args.seed, "settings": settings.all() })
}

fn train(
    args: &Args,
    settings: &TuneSettings,
    given: &mut Given,
    lines: &Lines,
    plan: &Plan,
) -> Result<ExitCode> {
    let of = identity(args, settings, given, lines);
    let (base_name, base_sha256) = (given.name.clone(), hex(&given.sha256));
    let longest = |examples: &[Example]| examples.iter().map(|e| e.tokens.len()).max().unwrap_or(0);
    let n_ctx = (2 * longest(&lines.held_out_examples).max(512)).min(given.n_ctx());
    // Twice as much as any right turn, so that whoever does not end is not waited for.
    let most = 2 * lines.held_out_examples.iter().map(Example::n_own).max().unwrap_or(0) + 8;
    let picked: Vec<&Line> = lines.held_out.iter().take(settings.count("measured")).collect();
    let tuned_name = format!("{base_name}, fine-tuned");
    let before_model = match picked.is_empty() {
        true => None,
        false => Some(given.model(n_ctx)?),
    };
    let base = given.base()?;
    let adapters = Adapters::new(base.places(), args.lora_rank as usize, settings.get("alpha"));
    let tuning = Tuning {
        base,
        adapters: &adapters,
        examples: &lines.examples,
        held_out: &lines.held_out_examples,
        settings,
        plan,
        seed: args.seed,
        of,
        checkpoint: args.place("checkpoint"),
        checkpoint_s: args.checkpoint_seconds as f64,
        resumes: args.resume,
        stop_after: args.stop_after,
    };
    let ended = tuning.run()?;
    let (steps, progress) = match ended {
        TuneEnded::Whole(whole) => *whole,
        TuneEnded::Stopped => {
            output::complain(&format!(
                "stopped; the same command with --resume goes on ({})",
                tuning.checkpoint.display()
            ));
            return Ok(ExitCode::SUCCESS);
        }
    };
    let checkpoint = tuning.checkpoint;
    let batch = settings.count("batch");
    let loss = |learned: &[f32]| loss_of(base, &adapters, learned, &lines.held_out_examples, batch);
    let (loss_before, loss_after) = (loss(&adapters.start(args.seed))?, loss(&steps.learned)?);
    let about = json!({ "steps": steps.n_steps, "rank": args.lora_rank, "seed": args.seed,
                        "settings": settings.all(), "base": base_sha256 });
    let file = args.place(given.ending());
    let exported = given.export(&adapters, &steps.learned, args.numbers.stored(), &about, &file)?;
    let measured =
        |model: &dyn llm::Model, name: &str, when: &str, loss: crate::train::finetune::Loss| {
            output::complain(&format!("asking {name}: {} held-out lines", picked.len()));
            let runs = args.place(&format!("{when}.runs.jsonl"));
            if runs.exists() {
                // Of an earlier start of the same command.
                std::fs::remove_file(&runs).with_context(|| runs.display().to_string())?;
            }
            let measuring = Measuring { model, name, lines: &picked, most, runs: Some(&runs) };
            let measured = measure(&measuring)?;
            Ok::<Measured, anyhow::Error>(Measured {
                loss: loss.mean(),
                right_tokens: loss.right(),
                n_tokens: loss.n,
                ..measured
            })
        };
    let (mut before, mut after) = (None, None);
    if let Some(model) = before_model {
        before = Some(measured(model.as_ref(), &base_name, "before", loss_before)?);
        drop(model);
        let model = given.exported_model(&file, n_ctx)?;
        after = Some(measured(model.as_ref(), &tuned_name, "after", loss_after)?);
    }
    let made = Made {
        base: &base_name,
        base_sha256: &base_sha256,
        name: &tuned_name,
        data: &args.data.iter().map(|path| name_of(path)).collect::<Vec<_>>(),
        n_examples: lines.examples.len(),
        n_held_out: lines.held_out.len(),
        n_left_out: lines.n_left_out,
        adapters: &adapters,
        settings: settings.all(),
        seed: args.seed,
        n_steps: plan.steps.len(),
        progress: &progress,
        before: before.as_ref(),
        after: after.as_ref(),
        file: &name_of(&file),
        stored: args.numbers.name(),
        exported: &exported,
        command: &args.command(),
    };
    output::write(&args.place("curve.tsv"), curve(&progress.points))?;
    output::write(&args.place("json"), serde_json::to_string_pretty(&made.summary())? + "\n")?;
    let text = card(&made);
    output::write(&args.place("md"), &text)?;
    if checkpoint.exists() {
        std::fs::remove_file(&checkpoint).with_context(|| checkpoint.display().to_string())?;
    }
    let mut out = output::stdout();
    writeln!(out, "{text}\n{}", file.display())?;
    Ok(ExitCode::SUCCESS)
}
