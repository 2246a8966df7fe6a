//! `graphground kgetool`: the family benchmark, extraction from its graphs, and calls.
//! `docs/kgetool.md` documents every field that is read and written.

mod extract;
mod score;
mod stats;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Context as _, bail};
use clap::{Subcommand, ValueEnum};
use kgetool::{Method, SearchOptions};
use serde::de::DeserializeOwned;
use systems::kgetool;
use tasks::family::score::Ruleset;
use tasks::family::{
    Benchmark, MAX_FILE_BYTES, MAX_LINE_BYTES, Recipe, check, generate, read_files, write,
};

use text::{Embedded, NGrams, SimilarityMeasure, WordTable};

use crate::{input, output};

/// Options of `kgetool`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Makes a benchmark: families, tools and samples, one JSON object a line.
    Generate(Generate),
    /// Searches the graphs for what models wrote, or for golden paths, and measures what is found.
    Extract(extract::Args),
    /// Measures calls against the right ones.
    Score(score::Args),
    /// Counts what is in a benchmark: tables 1 and 2 of the paper, with its own figures beside.
    Stats(stats::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Generate(args) => make(args),
        What::Extract(args) => extract::run(args),
        What::Score(args) => score::run(args),
        What::Stats(args) => stats::run(args),
    }
}

/// Where samples, tools and graphs come from.
#[derive(clap::Args)]
pub(super) struct Data {
    /// A benchmark as `generate` writes it.
    #[arg(long)]
    benchmark: Option<PathBuf>,
    /// Samples as JSON lines, for a benchmark in separate files; as objects, or as lists of messages,
    /// the form in which the benchmark's authors publish theirs.
    #[arg(long, conflicts_with = "benchmark")]
    samples: Option<PathBuf>,
    /// Its tools as JSON lines.
    #[arg(long, conflicts_with = "benchmark")]
    tools: Option<PathBuf>,
    /// Its graph: head, relation and tail between tabs.
    #[arg(long, conflicts_with = "benchmark")]
    triples: Option<PathBuf>,
}

impl Data {
    pub(super) fn read(&self) -> anyhow::Result<Benchmark> {
        let paths = match (&self.benchmark, &self.samples) {
            (Some(path), _) => vec![path],
            (None, Some(samples)) => [Some(samples), self.triples.as_ref(), self.tools.as_ref()]
                .into_iter()
                .flatten()
                .collect(),
            _ => bail!("--benchmark, or --samples with --triples and --tools, must be given"),
        };
        let mut files = Vec::new();
        for path in paths {
            files.push((path.display().to_string(), input::text(path, MAX_FILE_BYTES)?));
        }
        read_files(&files).map_err(anyhow::Error::msg)
    }
}

/// How searches are done.
#[derive(clap::Args)]
pub(super) struct Searching {
    /// What is done where a relation is not there.
    #[arg(long, value_enum, default_value_t = MethodName::Gs)]
    method: MethodName,
    /// As the paper says, or as its public code does.
    #[arg(long, value_enum, default_value_t = ModeName::Paper)]
    mode: ModeName,
    /// How alike names are, for Relation Retrieval: by the word table or by character trigrams.
    #[arg(long, value_enum, default_value_t = MeaningName::Words)]
    meaning: MeaningName,
    /// How many names Relation Retrieval tries, from 1 to 10; the public code tries 3.
    #[arg(short, long, default_value_t = 3)]
    k: usize,
}

impl Searching {
    pub(super) fn options(&self) -> anyhow::Result<SearchOptions> {
        if !(1..=10).contains(&self.k) {
            bail!("--k is {}; expected 1 to 10", self.k);
        }
        let method = match self.method {
            MethodName::Exact => Method::Exact,
            MethodName::Gs => Method::Gs,
            MethodName::Rr => Method::Rr,
        };
        Ok(SearchOptions { method, mode: self.mode.mode(), k: self.k })
    }

    pub(super) fn meaning(&self) -> anyhow::Result<Box<dyn SimilarityMeasure>> {
        Ok(match self.meaning {
            MeaningName::Words => Box::new(Embedded(Rc::new(WordTable::read(TABLE)?))),
            MeaningName::Trigrams => Box::new(NGrams),
        })
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Exact,
    Gs,
    Rr,
}

#[derive(Clone, Copy, ValueEnum)]
enum MeaningName {
    Words,
    Trigrams,
}

/// The shipped table of words.
pub(super) const TABLE: &[u8] = include_bytes!("../../../../assets/models/words.bin");

#[derive(Clone, Copy, ValueEnum)]
enum ModeName {
    Paper,
    Compat,
}

impl ModeName {
    fn mode(self) -> Ruleset {
        match self {
            Self::Paper => Ruleset::Paper,
            Self::Compat => Ruleset::Compat,
        }
    }
}

/// Reads JSON lines that have an id, by their id.
pub(super) fn by_id<T: DeserializeOwned>(
    path: &Path,
    what: &str,
    id: impl Fn(&T) -> &str,
) -> anyhow::Result<BTreeMap<String, T>> {
    let mut all = BTreeMap::new();
    for (i, line) in input::text(path, MAX_FILE_BYTES)?.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("{}, line {}", path.display(), i + 1);
        if line.len() > MAX_LINE_BYTES {
            bail!("{}: it has {} bytes; at most {MAX_LINE_BYTES} are read", place(), line.len());
        }
        let read: T = serde_json::from_str(line)
            .with_context(|| format!("{}: {what} was expected, as one JSON object", place()))?;
        let id = id(&read).to_owned();
        if all.insert(id.clone(), read).is_some() {
            bail!("{}: the id {id:?} comes twice", place());
        }
    }
    Ok(all)
}

#[derive(clap::Args)]
struct Generate {
    /// The same seed makes the same bytes on every machine.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A family that a page can draw with 40 samples, instead of the whole benchmark of 770.
    #[arg(long)]
    small: bool,
    /// Relatives of a household, from 8 to 20.
    #[arg(long)]
    relatives: Option<usize>,
    /// Values are ids such as city_0002 in place of names.
    #[arg(long)]
    opaque: bool,
}

fn make(args: &Generate) -> anyhow::Result<ExitCode> {
    let whole = if args.small { Recipe::small(args.seed) } else { Recipe::full(args.seed) };
    let n_relatives = args.relatives.unwrap_or(whole.n_relatives);
    let benchmark = generate(Recipe { n_relatives, is_opaque: args.opaque, ..whole })?;
    let faults = check(&benchmark);
    for fault in &faults {
        output::complain(&fault.to_string());
    }
    if !faults.is_empty() {
        bail!("internal error: {} rules of the benchmark are broken", faults.len());
    }
    output::stdout().write_all(write(&benchmark)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
