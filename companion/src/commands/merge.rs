//! `graphground merge`: runs files put together.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use eval::Runs;
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
    let mut runs: Runs = Runs::default();
    for path in &args.files {
        runs_file::read_into(&mut runs, path)?;
    }
    if runs.n_torn > 0 {
        output::complain("a last line was cut off when it was written, and is left out");
    }
    if args.score_again {
        let n_changed;
        (runs, n_changed) =
            eval::score_again(runs, &World::default()).map_err(anyhow::Error::msg)?;
        output::complain(&format!("{n_changed} verdicts changed"));
    }
    let mut out = NewFile::create_packed(&args.out)?;
    let (n_runs, n_failures, n_twice) = (runs.runs.len(), runs.failures.len(), runs.n_duplicates);
    for entry in runs.into_entries() {
        out.write_all(entry.line().as_bytes())?;
    }
    out.finish()?;
    output::complain(&format!(
        "{}: {n_runs} runs, {n_failures} that failed; {n_twice} were in several files",
        place()
    ));
    Ok(ExitCode::SUCCESS)
}
