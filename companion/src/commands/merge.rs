//! `graphground merge`: runs files put together.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use eval::Runs;

use crate::{output, runs_file};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The runs files; a run that is in several is taken once.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write; must not be there yet.
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
    // Under another name until it is whole: a file that is cut off halfway would pass for all.
    let mut unfinished = args.out.clone().into_os_string();
    unfinished.push(".unfinished");
    let unfinished = PathBuf::from(unfinished);
    let file = File::create(&unfinished).with_context(|| unfinished.display().to_string())?;
    let mut out = BufWriter::new(file);
    let (n_runs, n_failures, n_twice) = (runs.runs.len(), runs.failures.len(), runs.n_duplicates);
    for entry in runs.into_entries() {
        out.write_all(entry.line().as_bytes()).with_context(place)?;
    }
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    std::fs::rename(&unfinished, &args.out).with_context(place)?;
    output::complain(&format!(
        "{}: {n_runs} runs, {n_failures} that failed; {n_twice} were in several files",
        place()
    ));
    Ok(ExitCode::SUCCESS)
}
