//! What `graphground` and its laboratory share: commands, readers of files, servers, models of this machine.

pub mod appended;
mod bounded;
mod columns;
pub mod commands;
#[cfg(test)]
mod documents;
pub mod encoding;
pub mod gguf_models;
pub mod http;
pub mod hugging;
pub mod input;
pub mod keys;
mod lab;
pub mod limits;
pub mod local;
pub mod minilm;
pub mod output;
pub mod own_model;
pub mod packages;
mod parts;
pub mod prices;
pub mod python;
mod queries;
pub mod runs_file;
pub mod scoring;
pub mod server;
pub mod similarity;
mod surface;
pub mod table;
pub mod tool_way;

use std::process::ExitCode;

use clap::Parser;

/// Graphground's native companion: runs models on graph problems, checks their answers, adds up runs.
#[derive(Parser)]
#[command(
    version,
    after_help = format!(
        "{}\nExit codes: 0 all is well; 1 an input could not be read or a file not be written; 2 wrong \
         command line; 3 a problem did not come out right (verify, run), runs are missing (bench), or a \
         result came out otherwise (trace replay, report --check).",
        lab::HELP
    )
)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

/// Does what the command line asks for.
pub fn start() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let done = keys::take(&words).and_then(|()| {
        if lab::is_for_readers(&words) {
            return lab::hand_over();
        }
        output::parse::<Cli>().map_or_else(Ok, |cli| cli.command.run())
    });
    output::exit(done)
}
