//! One file for each command.

pub mod asked;
mod bench;
mod chat;
pub mod claims;
mod composed;
mod generate;
mod graph_query;
pub mod judge;
pub mod kg;
mod kgetool;
mod mcp;
mod merge;
mod model;
mod report;
mod rescue;
mod run;
mod serve;
pub mod toolformer;
mod tools;
mod trace;
mod verify;

use std::process::ExitCode;

use clap::Subcommand;

use crate::lab;

/// What to do, what most people came for first.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Runs one system on one problem, or a question in any words, with a model at an endpoint.
    Run(run::Args),
    /// Talks about graphs with a model at an endpoint, line by line.
    Chat(chat::Args),
    /// Runs systems on many problems, and resumes where it was stopped.
    Bench(Box<bench::Args>),
    /// Adds up runs: tables, a page, and files for other programs.
    Report(report::Args),
    /// Puts runs files together, such as the shards of one benchmark.
    Merge(merge::Args),
    /// Models of GGUF files: fetches one that is known, shows what a file is.
    Model(model::Args),
    /// Serves the graph functions to any client of the Model Context Protocol.
    Mcp(mcp::Args),
    /// Serves the scripted models as an OpenAI-compatible endpoint on the loopback.
    Serve(serve::Args),
    /// Makes problems in NLGraph's own JSON shape.
    Generate(generate::Args),
    /// Checks files of NLGraph problems: parses each, solves it, compares with the reference.
    Verify(verify::Args),
    /// Judges free-text answers, one JSON object a line, plain or gzipped.
    Judge(judge::Args),
    /// Finds what free-text answers claim about their graphs, and whether it is true.
    Claims(claims::Args),
    /// Lists the graph functions in the formats that models receive.
    Tools(tools::Args),
    /// Converts, replays and compares files of traces.
    Trace(trace::Args),
    /// Knowledge graphs: counts, queries, plans that are verified and run.
    Kg(kg::Args),
    /// Asks a snapshot of a property graph, or a store, in Cypher or SPARQL, or changes it.
    GraphQuery(Box<graph_query::Args>),
    /// The family benchmark: generates it, extracts from its graphs, scores calls, runs the pipeline.
    Kgetool(Box<kgetool::Args>),
    /// Reads, runs and scores inline tool calls (Graph-ToolFormer).
    Toolformer(toolformer::Args),
    /// Plays generated disasters: plans after every event and verifies every plan.
    Rescue(rescue::Args),
    #[command(flatten)]
    Lab(lab::Command),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Verify(args) => verify::run(&args),
            Self::Judge(args) => judge::run(&args),
            Self::Claims(args) => claims::run(&args),
            Self::Tools(args) => tools::run(&args),
            Self::Generate(args) => generate::run(&args),
            Self::Rescue(args) => rescue::run(&args),
            Self::Kgetool(args) => kgetool::run(&args),
            Self::Toolformer(args) => toolformer::run(&args),
            Self::Serve(args) => serve::run(&args),
            Self::Mcp(args) => mcp::run(&args),
            Self::Trace(args) => trace::run(&args),
            Self::Run(args) => run::run(&args),
            Self::Model(args) => model::run(&args),
            Self::Chat(args) => chat::run(&args),
            Self::Bench(args) => bench::run(&args),
            Self::Report(args) => report::run(&args),
            Self::Merge(args) => merge::run(&args),
            Self::Kg(args) => kg::run(&args),
            Self::GraphQuery(args) => graph_query::run(&args),
            Self::Lab(_) => lab::hand_over(),
        }
    }
}
