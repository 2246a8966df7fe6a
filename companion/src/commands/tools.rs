//! `graphground tools`: the graph functions, as models are told of them.

use std::io::Write as _;
use std::process::ExitCode;

use clap::ValueEnum;
use graph::functions::{CatalogFormat, FUNCTIONS, describe};
use serde_json::Value;

use crate::{output, table};

/// Options of `tools`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shape.
    #[arg(long, value_enum, default_value_t = Shape::Table)]
    format: Shape,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shape {
    /// OpenAI's `tools`.
    Openai,
    /// Anthropic's `tools`.
    Anthropic,
    /// The Model Context Protocol's `tools/list`.
    Mcp,
    /// The paper's figure 2.
    Paper,
    /// A table for people.
    Table,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = match args.format {
        Shape::Openai => Some(CatalogFormat::OpenAi),
        Shape::Anthropic => Some(CatalogFormat::Anthropic),
        Shape::Mcp => Some(CatalogFormat::Mcp),
        Shape::Paper => Some(CatalogFormat::Paper),
        Shape::Table => None,
    };
    let mut out = output::stdout();
    match format {
        Some(format) => {
            let tools: Vec<Value> = FUNCTIONS.iter().map(|f| describe(f, format)).collect();
            serde_json::to_writer_pretty(&mut out, &tools)?;
            writeln!(out)?;
        }
        None => {
            let rows: Vec<Vec<String>> = FUNCTIONS
                .iter()
                .map(|f| {
                    let writes = if f.writes { "writes" } else { "reads" };
                    vec![f.name.into(), f.title.into(), writes.into(), f.complexity.into()]
                })
                .collect();
            table::write(&mut out, &["function", "title", "graph", "time"], &rows)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
