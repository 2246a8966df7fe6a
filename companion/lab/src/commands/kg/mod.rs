//! `graphground kg` for researchers.

mod corrupt;
mod hints;
mod mutate;
mod tiny;
mod versus;
mod wordnet;

use std::process::ExitCode;

use clap::Subcommand;

/// What to do with a knowledge graph.
#[derive(Subcommand)]
enum Command {
    /// Corrupts right plans and counts what the verifier catches.
    Corrupt(corrupt::Args),
    /// Changes right plans by chance, or takes those of a model, and lists what the verifier misses.
    Mutate(mutate::Args),
    /// Measures how well a similarity measure finds nodes by hints, threshold by threshold.
    Hints(hints::Args),
    /// Lets a model plan on tiny graphs, a fresh one each time, and counts the plans that are right.
    Tiny(tiny::Args),
    /// Puts GraphRunner beside Graph-CoT on generated questions: calls, tokens, cost, accuracy.
    Versus(versus::Args),
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
        Command::Corrupt(args) => corrupt::run(args),
        Command::Mutate(args) => mutate::run(args),
        Command::Hints(args) => hints::run(args),
        Command::Tiny(args) => tiny::run(args),
        Command::Versus(args) => versus::run(args),
        Command::Wordnet(args) => wordnet::run(args),
    }
}
