//! `graphground-lab`: what researchers need of Graphground and other users do not. `graphground` starts it
//! for its commands. Exit codes are those of `graphground`.

mod commands;
mod data;
mod spread;
mod train;
mod wordnet;

use std::process::ExitCode;

use clap::Parser;
use companion::{keys, output};

/// Graphground's laboratory: trains models, packs data sets, and measures what the other parts do.
#[derive(Parser)]
#[command(version, name = "graphground")]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    output::exit(
        keys::take(&words)
            .and_then(|()| output::parse::<Cli>().map_or_else(Ok, |cli| cli.command.run())),
    )
}
