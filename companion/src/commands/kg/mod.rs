//! `graphground kg`: knowledge graphs on the command line.

#[cfg(feature = "rdf")]
mod answering;
pub(super) mod asking;
mod convert;
mod corrupt;
mod hints;
pub(in crate::commands) mod load;
mod mutate;
mod plan;
mod programs;
mod query;
mod questions;
mod run;
#[cfg(feature = "rdf")]
mod serve;
#[cfg(feature = "rdf")]
mod sparql;
mod stats;
mod tiny;
mod versus;
mod wordnet;

use std::process::ExitCode;

use clap::Subcommand;

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
    /// Measures how well a similarity measure finds nodes by hints, threshold by threshold.
    Hints(hints::Args),
    /// Makes questions about a graph, each with its plan and its right answers.
    Questions(questions::Args),
    /// Turns the `path` of public question files into plans.
    Programs(programs::Args),
    /// Corrupts right plans and counts what the verifier catches.
    Corrupt(corrupt::Args),
    /// Changes right plans by chance, or takes those of a model, and lists what the verifier misses.
    Mutate(mutate::Args),
    /// Lets a model plan on tiny graphs, a fresh one each time, and counts the plans that are right.
    Tiny(tiny::Args),
    /// Puts GraphRunner beside Graph-CoT on generated questions: calls, tokens, cost, accuracy.
    Versus(versus::Args),
    /// Reads files of a graph, shows its schema and what could not be read, and writes it.
    Convert(convert::Args),
    /// Answers a question in SPARQL.
    #[cfg(feature = "rdf")]
    Sparql(sparql::Args),
    /// Answers SPARQL over HTTP on this machine: the page asks graphs there that it could not hold.
    #[cfg(feature = "rdf")]
    Serve(serve::Args),
    /// Answers what `sparql` and `serve` ask it: they start it, nobody else has to.
    #[cfg(feature = "rdf")]
    #[command(hide = true)]
    Answer(answering::Args),
    /// Makes the graph of WordNet's most used nouns that ships with the page.
    Wordnet(wordnet::Args),
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
        Command::Hints(args) => hints::run(args),
        Command::Questions(args) => questions::run(args),
        Command::Programs(args) => programs::run(args),
        Command::Corrupt(args) => corrupt::run(args),
        Command::Mutate(args) => mutate::run(args),
        Command::Tiny(args) => tiny::run(args),
        Command::Versus(args) => versus::run(args),
        Command::Convert(args) => convert::run(args),
        #[cfg(feature = "rdf")]
        Command::Sparql(args) => sparql::run(args),
        #[cfg(feature = "rdf")]
        Command::Serve(args) => serve::run(args),
        #[cfg(feature = "rdf")]
        Command::Answer(args) => answering::run(args),
        Command::Wordnet(args) => wordnet::run(args),
    }
}
