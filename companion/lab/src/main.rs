//! `graphground-lab`: what researchers need of Graphground and other users do not. `graphground` starts it
//! for its commands. Exit codes are those of `graphground`.

mod commands;
mod data;
mod spread;
mod train;
mod wordnet;

use std::process::ExitCode;

use clap::Parser;
use companion::output;

/// Graphground's laboratory: trains models, packs data sets, and measures what the other parts do.
#[derive(Parser)]
#[command(version, name = "graphground")]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    output::exit(Cli::parse().command.run())
}
