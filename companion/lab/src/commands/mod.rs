//! One file for each command.

mod cassette;
mod claims;
mod cypher_tck;
mod data;
mod finetune;
mod judge;
mod kg;
mod meaning;
mod prompts;
mod record;
mod tokens;
mod toolformer;
mod train;

use std::process::ExitCode;

use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Trains the models that calls can ask: graph_bert, seg_bert, bpr, transe.
    Train(train::Args),
    /// Lets a language model learn from examples (LoRA): one of a GGUF file, or our own.
    Finetune(Box<finetune::Args>),
    /// Public data sets: lists, fetches, checks and packs them.
    Data(data::Args),
    /// Makes, filters and prints pairs from which a model learns inline tool calls.
    Prompts(prompts::Args),
    /// Fetches MiniLM, makes the table of words from it, and scores similarity measures.
    Meaning(meaning::Args),
    /// Counts what the tools cost in tokens, all of them and those that a question needs.
    Tokens(tokens::Args),
    /// Records what models of this machine answer to problems, without tools.
    Record(record::Args),
    /// Records what an endpoint says to the common cases, as tapes for the tests.
    Cassette(cassette::Args),
    /// Runs openCypher's compatibility kit on the Cypher engine.
    CypherTck(cypher_tck::Args),
    /// Compares verdicts with people who read the answers.
    Judge(judge::Args),
    /// Compares the claims that are found in answers with those that a reader finds.
    Claims(claims::Args),
    /// Knowledge graphs: right plans corrupted and changed, similarity measures, GraphRunner beside others.
    Kg(kg::Args),
    /// Inline tool calls: how well `kmeans` finds the classes of networks.
    Toolformer(toolformer::What),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Train(args) => train::run(&args),
            Self::Finetune(args) => finetune::run(&args),
            Self::Data(args) => data::run(&args),
            Self::Prompts(args) => prompts::run(&args),
            Self::Meaning(args) => meaning::run(&args),
            Self::Tokens(args) => tokens::run(&args),
            Self::Record(args) => record::run(&args),
            Self::Cassette(args) => cassette::run(&args),
            Self::CypherTck(args) => cypher_tck::run(&args),
            Self::Judge(args) => judge::run(&args),
            Self::Claims(args) => claims::run(&args),
            Self::Kg(args) => kg::run(&args),
            Self::Toolformer(args) => toolformer::run(&args),
        }
    }
}
