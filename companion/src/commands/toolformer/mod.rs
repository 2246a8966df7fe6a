//! `graphground toolformer`: reads, runs and scores inline tool calls.
//! `docs/toolformer.md` documents every field that is read and written.

pub mod asking;
pub mod data;
mod folder;
mod hubs;
mod lines;
mod preload;
mod read;
mod run;
mod score;
mod write;

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use systems::toolformer::Mode;

use crate::lab;

/// Options of `toolformer`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Reads the calls of texts: trees, and what is wrong with those that cannot be read.
    Parse(read::Args),
    /// Runs the calls of texts, and puts the results in their places.
    Run(run::Args),
    /// Lets a model or a script write statements with calls, and runs them.
    Write(write::Args),
    /// Measures texts against the right ones.
    Score(score::Args),
    /// Measures what it gains to load a file while the statement that names it still streams.
    Preload(preload::Args),
    /// Lists datasets, models, tasks and language models, and what works on what.
    Hubs(hubs::Args),
    #[command(flatten)]
    Lab(lab::ToolformerCommand),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Parse(args) => read::run(args),
        What::Run(args) => run::run(args),
        What::Write(args) => write::run(args),
        What::Score(args) => score::run(args),
        What::Preload(args) => preload::run(args),
        What::Lab(_) => lab::hand_over(),
        What::Hubs(args) => hubs::run(args),
    }
}

/// Whose rules hold.
#[derive(Clone, Copy, ValueEnum)]
enum ModeName {
    Ours,
    Reference,
}

impl ModeName {
    fn mode(self) -> Mode {
        match self {
            Self::Ours => Mode::Ours,
            Self::Reference => Mode::Reference,
        }
    }
}
