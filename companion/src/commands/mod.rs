//! One file for each command.

mod bench;
mod cassette;
mod chat;
mod claims;
mod composed;
mod cypher_tck;
mod data;
mod finetune;
mod generate;
mod graph_query;
mod judge;
mod kg;
mod kgetool;
mod mcp;
pub(crate) mod meaning;
mod merge;
mod model;
mod prompts;
mod record;
mod report;
mod rescue;
mod run;
mod serve;
mod tokens;
mod toolformer;
mod tools;
mod trace;
mod train;
mod verify;

use std::process::ExitCode;

use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Checks files of NLGraph problems: parses each, solves it, compares with the reference.
    Verify(verify::Args),
    /// Judges free-text answers, one JSON object a line, plain or gzipped.
    Judge(judge::Args),
    /// Finds what free-text answers claim about their graphs, and whether it is true.
    Claims(claims::Args),
    /// Lists the graph functions in the formats that models receive.
    Tools(tools::Args),
    /// Makes problems in NLGraph's own JSON shape.
    Generate(generate::Args),
    /// Counts what the tools cost in tokens, all of them and those that a question needs.
    Tokens(tokens::Args),
    /// Plays generated disasters: plans after every event and verifies every plan.
    Rescue(rescue::Args),
    /// The family benchmark: generates it, extracts from its graphs, scores calls, runs the pipeline.
    Kgetool(Box<kgetool::Args>),
    /// Reads, runs and scores inline tool calls (Graph-ToolFormer).
    Toolformer(toolformer::Args),
    /// Makes, filters and prints pairs from which a model learns inline tool calls.
    Prompts(prompts::Args),
    /// Offers the scripted models as an OpenAI-compatible endpoint on the loopback.
    Serve(serve::Args),
    /// Knowledge graphs: counts, queries, plans that are verified and run, systems compared.
    Kg(kg::Args),
    /// Asks a snapshot of a property graph, or a store, in Cypher or SPARQL, or changes it.
    GraphQuery(Box<graph_query::Args>),
    /// Runs openCypher's compatibility kit on the Cypher engine.
    CypherTck(cypher_tck::Args),
    /// Public data sets: lists, fetches, checks and packs them.
    Data(data::Args),
    /// Trains the models that calls can ask: graph_bert, seg_bert, bpr, transe.
    Train(train::Args),
    /// Lets a language model learn from examples (LoRA): one of a GGUF file, or our own.
    Finetune(Box<finetune::Args>),
    /// Serves the graph functions to any client of the Model Context Protocol.
    Mcp(mcp::Args),
    /// Converts, replays and compares files of traces.
    Trace(trace::Args),
    /// Runs one system on one problem, or a question in any words, with a model at an endpoint.
    Run(run::Args),
    /// Models of GGUF files: fetches one that is known, shows what a file is.
    Model(model::Args),
    /// Talks about graphs with a model at an endpoint, line by line.
    Chat(chat::Args),
    /// Runs systems on many problems, and resumes where it was stopped.
    Bench(Box<bench::Args>),
    /// Records what models of this machine answer to problems, without tools.
    Record(record::Args),
    /// Adds up runs: tables, a page, and files for other programs.
    Report(report::Args),
    /// Puts runs files together, such as the shards of one benchmark.
    Merge(merge::Args),
    /// Fetches MiniLM, makes the table of words from it, and scores similarity measures.
    Meaning(meaning::Args),
    /// Records what an endpoint says to the common cases, as tapes for the tests.
    Cassette(cassette::Args),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Verify(args) => verify::run(&args),
            Self::Judge(args) => judge::run(&args),
            Self::Claims(args) => claims::run(&args),
            Self::Tools(args) => tools::run(&args),
            Self::Generate(args) => generate::run(&args),
            Self::Tokens(args) => tokens::run(&args),
            Self::Rescue(args) => rescue::run(&args),
            Self::Kgetool(args) => kgetool::run(&args),
            Self::Toolformer(args) => toolformer::run(&args),
            Self::Prompts(args) => prompts::run(&args),
            Self::Serve(args) => serve::run(&args),
            Self::Mcp(args) => mcp::run(&args),
            Self::Trace(args) => trace::run(&args),
            Self::Run(args) => run::run(&args),
            Self::Model(args) => model::run(&args),
            Self::Chat(args) => chat::run(&args),
            Self::Bench(args) => bench::run(&args),
            Self::Record(args) => record::run(&args),
            Self::Report(args) => report::run(&args),
            Self::Merge(args) => merge::run(&args),
            Self::Kg(args) => kg::run(&args),
            Self::GraphQuery(args) => graph_query::run(&args),
            Self::CypherTck(args) => cypher_tck::run(&args),
            Self::Data(args) => data::run(&args),
            Self::Train(args) => train::run(&args),
            Self::Finetune(args) => finetune::run(&args),
            Self::Meaning(args) => meaning::run(&args),
            Self::Cassette(args) => cassette::run(&args),
        }
    }
}
