//! `graphground prompts`: pairs to learn the language of calls from. `docs/toolformer.md` documents
//! every field.

mod augment;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use serde_json::Value;
use systems::toolformer::instance::MAX_LINE;
use systems::toolformer::prompts::{Dropped, check, make, split};
use systems::toolformer::{Executor, Instance, Mode};

use companion::commands::toolformer::data::Given;
use companion::output::NewFile;
use companion::{input, limits, output};

/// Options of `prompts`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Makes pairs about a dataset from templates: a question or statement, and it with its call.
    Make(Make),
    /// Keeps the pairs whose calls are read, run, and give the true result.
    Filter(Filter),
    /// Asks a model for other wordings of pairs, and keeps those that give the true result.
    Augment(Box<augment::Args>),
    /// Hands pairs out, whole templates at a time, so that no wording of the test was seen.
    Split(Split),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Make(args) => run_make(args),
        What::Filter(args) => run_filter(args),
        What::Augment(args) => augment::run(args),
        What::Split(args) => run_split(args),
    }
}

#[derive(clap::Args)]
struct Make {
    /// Which dataset; its data have to be here, as those of gpr are.
    #[arg(long, default_value = "gpr")]
    dataset: String,
    #[command(flatten)]
    given: Given,
    /// How many pairs; fewer are made where the data have no more to say.
    #[arg(long, default_value_t = 1760)]
    n: usize,
    /// The same seed makes the same bytes on every machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn run_make(args: &Make) -> anyhow::Result<ExitCode> {
    let pairs = make(&args.given.hubs()?, &args.dataset, args.n, args.seed)?;
    let mut out = output::stdout();
    for pair in &pairs {
        serde_json::to_writer(&mut out, pair)?;
        writeln!(out)?;
    }
    if pairs.len() < args.n {
        output::complain(&format!("{} pairs; there is no more to say", pairs.len()));
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(clap::Args)]
struct Filter {
    /// Pairs as JSON lines, or lines `Input: … Output: … Reasoning Result: ….`, plain or gzipped.
    file: PathBuf,
    #[command(flatten)]
    given: Given,
    /// Writes those that are dropped to this file, each with the reason.
    #[arg(long)]
    dropped: Option<PathBuf>,
}

/// The lines of a file that are not empty, with their numbers.
fn lines(path: &Path) -> anyhow::Result<Vec<(usize, String)>> {
    let text = input::text(path, limits::TEXT)?;
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        if line.len() > MAX_LINE {
            let n = line.len();
            bail!(
                "{}, line {}: it has {n} bytes; at most {MAX_LINE} are read",
                path.display(),
                i + 1
            );
        }
        all.push((i + 1, line.to_owned()));
    }
    Ok(all)
}

fn run_filter(args: &Filter) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let mut dropped = args.dropped.as_deref().map(NewFile::create).transpose()?;
    let mut executor = Executor::new(args.given.hubs()?, Mode::Ours);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut n_kept = 0;
    for (number, line) in lines(&args.file)? {
        let pair = Instance::read(&line)
            .with_context(|| format!("{}, line {number}", args.file.display()))?;
        let Err(reason) = check(&mut executor, &pair.output, pair.answer.as_deref()) else {
            n_kept += 1;
            writeln!(out, "{line}")?;
            continue;
        };
        *reasons.entry(kind(&reason)).or_default() += 1;
        if let Some(file) = &mut dropped {
            let told = serde_json::json!({
                "line": number,
                "message": reason.to_string(),
                "reason": reason,
                "pair": pair,
            });
            writeln!(file, "{told}")?;
        }
    }
    out.flush()?;
    if let Some(file) = dropped {
        file.finish()?;
    }
    output::complain(&format!("{n_kept} pairs kept"));
    for (reason, n) in reasons {
        output::complain(&format!("{n} dropped: {reason}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// What kind of reason it is, in a word.
fn kind(reason: &Dropped) -> String {
    let told = serde_json::to_value(reason).unwrap_or_default();
    let word = told["error"]["kind"].as_str().or_else(|| told["why"].as_str());
    word.unwrap_or("unknown").to_owned()
}

#[derive(clap::Args)]
struct Split {
    /// Pairs as `make` writes them.
    file: PathBuf,
    /// Where to write the pairs to learn from.
    #[arg(long)]
    train: PathBuf,
    /// Where to write those of the test.
    #[arg(long)]
    test: PathBuf,
    /// Picks the templates of the test.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn run_split(args: &Split) -> anyhow::Result<ExitCode> {
    let mut pairs = Vec::new();
    for (number, line) in lines(&args.file)? {
        let place = || format!("{}, line {number}", args.file.display());
        let read: Value = serde_json::from_str(&line)
            .with_context(|| format!("{}: a JSON object was expected", place()))?;
        match read.get("template").and_then(Value::as_str) {
            Some(template) if !template.is_empty() => pairs.push((template.to_owned(), line)),
            _ => bail!("{}: there is no \"template\"; `prompts make` writes it", place()),
        }
    }
    let parts = split(pairs.iter().map(|(template, _)| template.as_str()), args.seed);
    for template in &parts.single {
        output::complain(&format!("{template:?} has no sibling, so it is to learn from"));
    }
    let mut counts = [0, 0];
    let mut sides = [NewFile::create(&args.train)?, NewFile::create(&args.test)?];
    for (template, line) in &pairs {
        let side = usize::from(parts.is_test(template));
        counts[side] += 1;
        writeln!(sides[side], "{line}")?;
    }
    for side in sides {
        side.finish()?;
    }
    output::complain(&format!(
        "{} pairs to learn from, {} of {} unseen templates to test",
        counts[0],
        counts[1],
        parts.test.len()
    ));
    Ok(ExitCode::SUCCESS)
}
