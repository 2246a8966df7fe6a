//! `graphground`: Graphground's native companion.
//!
//! Exit codes: 0 all is well; 1 an input could not be read or a file could not be written; 2 the
//! command line is wrong; 3 `verify` or `run` found a problem that did not come out right, `rescue`
//! a plan with a fault, or `trace replay` a result that comes out otherwise.

mod appended;
mod commands;
mod data;
mod gguf_models;
mod http;
mod hugging;
mod input;
mod limits;
mod local;
mod output;
mod own_model;
mod packages;
mod prices;
mod python;
mod runs_file;
mod scoring;
mod server;
mod similarity;
mod spread;
mod table;
mod tool_way;
mod train;
mod wordnet;

use std::process::ExitCode;

use clap::Parser;

/// Graphground's native companion: checks benchmarks, judges answers, lists tools, makes problems.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 all is well; 1 an input could not be read or a file not be written; \
                  2 wrong command line; 3 a problem did not come out right (verify, run), \
                  runs are missing (bench), \
                  or a result came out otherwise (trace replay, report --check)."
)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(code) => code,
        // `graphground … | head` closes our output; that is no fault.
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&format!("error: {}", output::describe_error(&error)));
            ExitCode::from(1)
        }
    }
}
