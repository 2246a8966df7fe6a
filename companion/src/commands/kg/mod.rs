//! `graphground kg`: knowledge graphs on the command line.

mod answering;
pub mod asking;
mod convert;
pub mod load;
mod plan;
mod programs;
mod query;
mod questions;
mod run;
mod serve;
mod sparql;
mod stats;

use std::process::ExitCode;

use clap::Subcommand;

use crate::{lab, queries};

/// What to do with a knowledge graph.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Counts nodes, edges, types and memory.
    Stats(stats::Args),
    /// Finds nodes by a hint, or the neighbours of one.
    Query(query::Args),
    /// Verifies plans, or lets a model plan; runs nothing.
    Plan(plan::Args),
    /// Verifies and runs plans, one line each.
    Run(run::Args),
    /// Makes questions about a graph, each with its plan and its right answers.
    Questions(questions::Args),
    /// Turns the `path` of public question files into plans.
    Programs(programs::Args),
    /// Reads files of a graph, shows its schema and what could not be read, and writes it.
    Convert(convert::Args),
    /// Answers a question in SPARQL.
    Sparql(sparql::Args),
    /// Answers SPARQL over HTTP on this machine: the page asks graphs there that it could not hold.
    Serve(serve::Args),
    /// Answers what `sparql` and `serve` ask it: they start it, nobody else has to.
    #[command(hide = true)]
    Answer(answering::Args),
    /// Answers what `graph-query` and `bench` ask it: they start it, nobody else has to.
    #[command(hide = true)]
    AnswerQueries(queries::Args),
    #[command(flatten)]
    Lab(lab::KgCommand),
}

/// Options of `kg`.
#[derive(clap::Args)]
#[command(after_help = lab::KG_HELP)]
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
        Command::Questions(args) => questions::run(args),
        Command::Programs(args) => programs::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Sparql(args) => sparql::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Answer(args) => answering::run(args),
        Command::AnswerQueries(args) => queries::run(args),
        Command::Lab(_) => lab::hand_over(),
    }
}
