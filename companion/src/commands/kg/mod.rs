//! `graphground kg`: knowledge graphs on the command line.

mod corrupt;
mod load;
mod plan;
mod programs;
mod query;
mod run;
mod stats;
mod versus;

use std::process::ExitCode;

use clap::Subcommand;

/// What to do with a knowledge graph.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Counts nodes, edges, types and memory.
    Stats(stats::Args),
    /// Finds nodes by a hint, or the neighbours of one.
    Query(query::Args),
    /// Verifies plans, without running them.
    Plan(plan::Args),
    /// Verifies and runs plans, one line each.
    Run(run::Args),
    /// Turns the `path` of public question files into plans.
    Programs(programs::Args),
    /// Corrupts right plans and counts what the verifier catches.
    Corrupt(corrupt::Args),
    /// Puts GraphRunner beside Graph-CoT on generated questions: calls, tokens, cost, accuracy.
    Versus(versus::Args),
}

/// Options of `kg`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Stats(args) => stats::run(args),
        Command::Query(args) => query::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Run(args) => run::run(args),
        Command::Programs(args) => programs::run(args),
        Command::Corrupt(args) => corrupt::run(args),
        Command::Versus(args) => versus::run(args),
    }
}
