//! `graphground kg`: knowledge graphs from files and into files.

mod convert;
mod wordnet;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Subcommand;
use flate2::{Compression, GzBuilder};

/// Options of `kg`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reads files of a graph, tells its schema and what could not be read, and writes it.
    Convert(convert::Args),
    /// Makes the graph of WordNet's most used nouns that ships with the page.
    Wordnet(wordnet::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Convert(args) => convert::run(args),
        Command::Wordnet(args) => wordnet::run(args),
    }
}

/// Writes a text, packed where the name ends in `.gz`. The same text gives the same bytes: no time
/// and no name go into the file.
fn write(path: &Path, text: &str) -> anyhow::Result<u64> {
    use std::io::Write as _;
    let packed = path.extension().is_some_and(|e| e == "gz");
    let bytes = if packed {
        let mut to = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        to.write_all(text.as_bytes())?;
        to.finish()?
    } else {
        text.as_bytes().to_vec()
    };
    std::fs::write(path, &bytes).with_context(|| format!("{}: cannot write", path.display()))?;
    Ok(bytes.len() as u64)
}
