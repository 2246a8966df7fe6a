//! `graphground tools`: the graph functions, as models are told of them.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use graph::functions::{CatalogFormat, FUNCTIONS, describe};
use serde_json::Value;

use super::composed;
use crate::{output, table};

/// Options of `tools`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shape.
    #[arg(long, value_enum, default_value_t = Shape::Table)]
    format: Shape,
    /// Checks the proposals of this file: functions composed of the library's. Exits with 3 where one
    /// is refused.
    #[arg(long, value_name = "FILE")]
    propose: Option<PathBuf>,
    /// Lists the composed functions of this file too; with --propose, adds what is accepted to it.
    #[arg(long, value_name = "FILE")]
    functions: Option<PathBuf>,
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
    let mut out = output::stdout();
    if let Some(path) = &args.propose {
        let all = composed::check(&mut out, path, args.functions.as_deref())?;
        out.flush()?;
        return Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(3) });
    }
    let own = match &args.functions {
        Some(path) => composed::functions_of(path)?,
        None => Vec::new(),
    };
    let format = match args.format {
        Shape::Openai => Some(CatalogFormat::OpenAi),
        Shape::Anthropic => Some(CatalogFormat::Anthropic),
        Shape::Mcp => Some(CatalogFormat::Mcp),
        Shape::Paper => Some(CatalogFormat::Paper),
        Shape::Table => None,
    };
    match format {
        Some(format) => {
            let tools: Vec<Value> = FUNCTIONS
                .iter()
                .map(|f| describe(f, format))
                .chain(own.iter().map(|f| f.describe(format)))
                .collect();
            serde_json::to_writer_pretty(&mut out, &tools)?;
            writeln!(out)?;
        }
        None => {
            let composed = own.iter().map(|f| {
                let title = format!("composed of {}", f.calls().join(", "));
                vec![f.name().into(), title, "reads".into(), "that of its calls".into()]
            });
            let rows: Vec<Vec<String>> = FUNCTIONS
                .iter()
                .map(|f| {
                    let writes = if f.writes { "writes" } else { "reads" };
                    vec![f.name.into(), f.title.into(), writes.into(), f.complexity.into()]
                })
                .chain(composed)
                .collect();
            table::write(&mut out, &["function", "title", "graph", "time"], &rows)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
