//! The nouns of WordNet as a file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::wordnet;
use companion::output;
use companion::output::write_packed as write;

/// Options of `kg wordnet`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder with WordNet's files (Debian's package `wordnet-base` has them).
    #[arg(long, default_value = "/usr/share/wordnet")]
    from: PathBuf,
    /// The file to write, as JSON lines; packed if it ends in `.gz`.
    #[arg(long)]
    out: PathBuf,
    /// Synsets, the most used ones; what they are kinds of comes beside them.
    #[arg(long, default_value_t = 6_000)]
    synsets: usize,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let kg = wordnet::nouns(&args.from, args.synsets)?;
    let format = kg::formats::find("jsonl").context("the format of JSON lines is missing")?;
    let n_bytes = write(&args.out, &(format.write)(&kg))?;
    output::complain(&format!(
        "{}: {} synsets, {} edges, {n_bytes} bytes",
        args.out.display(),
        kg.n_nodes(),
        kg.n_edges(),
    ));
    Ok(ExitCode::SUCCESS)
}
