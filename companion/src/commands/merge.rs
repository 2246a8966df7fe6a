//! `graphground merge`: runs files put together.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use eval::{Entry, Runs};
use systems::experiment::World;

use crate::output::NewFile;
use crate::{output, runs_file};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The runs files; a run that is in several is taken once.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Scores every run anew, as this version scores, without a model.
    #[arg(long)]
    score_again: bool,
    /// Where to write, packed where the name ends in `.gz`; must not be there yet.
    #[arg(long)]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let place = || args.out.display().to_string();
    if args.out.exists() {
        bail!("{}: is there already, and is left as it is; give another name", place());
    }
    let mut merged = Merged::begin(&args.out)?;
    if args.score_again {
        let mut runs: Runs = Runs::default();
        for path in &args.files {
            runs_file::read_into(&mut runs, path)?;
        }
        let (mut runs, n_changed) =
            eval::score_again(runs, &World::default()).map_err(anyhow::Error::msg)?;
        output::complain(&format!("{n_changed} verdicts changed"));
        merged.take(&mut runs, &mut Seen::default())?;
        merged.end_of_file(runs)?;
    } else {
        for path in &args.files {
            let mut seen = Seen::default();
            let place = || path.display().to_string();
            let rest =
                runs_file::read_each(path, |one| merged.take(one, &mut seen).with_context(place))?;
            merged.end_of_file(rest).with_context(place)?;
        }
    }
    let runs = merged.finish()?;
    if runs.n_torn > 0 {
        output::complain("skipped the last line, which is incomplete");
    }
    output::complain(&format!(
        "{}: {} runs, {} that failed; {} were in several files",
        place(),
        runs.n_runs(),
        runs.failures.len(),
        runs.n_duplicates,
    ));
    Ok(ExitCode::SUCCESS)
}

/// Runs files on their way into one. Runs with their traces are nearly all of it, and only their keys
/// are kept.
struct Merged {
    all: Runs,
    to: NewFile,
}

/// What was taken from a file that is being read.
#[derive(Default)]
struct Seen {
    n_tools: usize,
    n_setups: usize,
    n_cases: usize,
}

impl Merged {
    fn begin(path: &Path) -> Result<Self> {
        let mut to = NewFile::create_packed(path)?;
        to.write_all(Entry::head().line().as_bytes())?;
        Ok(Self { all: Runs::default(), to })
    }

    /// Takes what is new in a file. A setup, a tool list and a case come before the first run that
    /// names them.
    fn take(&mut self, one: &mut Runs, seen: &mut Seen) -> Result<()> {
        if one.tools.len() > seen.n_tools {
            seen.n_tools = one.tools.len();
            for (hash, tools) in &one.tools {
                self.put(Entry::Tools { hash: hash.clone(), tools: tools.clone() })?;
            }
        }
        for hash in &one.order[seen.n_setups..] {
            if let Some(setup) = one.setups.get(hash) {
                let setup = Box::new(setup.clone());
                self.put(Entry::Setup { hash: hash.clone(), setup })?;
            }
        }
        seen.n_setups = one.order.len();
        for case in &one.cases[seen.n_cases..] {
            self.put(Entry::Case(Box::new(case.clone())))?;
        }
        seen.n_cases = one.cases.len();
        one.take_runs().into_iter().try_for_each(|run| self.put(Entry::Run(Box::new(run))))
    }

    /// Writes an entry that no file had before.
    fn put(&mut self, entry: Entry) -> Result<()> {
        let size = |all: &Runs| all.tools.len() + all.order.len() + all.cases.len() + all.n_runs();
        let (before, line) = (size(&self.all), entry.line());
        self.all.add(entry)?;
        self.all.take_runs();
        if size(&self.all) > before {
            self.to.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Failures and labels of a file: what others say of the same runs may come later.
    fn end_of_file(&mut self, rest: Runs) -> Result<()> {
        self.all.n_torn += rest.n_torn;
        Ok(self.all.absorb(rest)?)
    }

    fn finish(mut self) -> Result<Runs> {
        let failures = self.all.failures.values().cloned().map(Entry::Failure);
        let labels = self.all.labels.values().cloned().map(Entry::Label);
        for entry in failures.chain(labels) {
            self.to.write_all(entry.line().as_bytes())?;
        }
        self.to.finish()?;
        Ok(self.all)
    }
}
