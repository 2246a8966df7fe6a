//! `graphground kg questions`: questions about a graph, for `bench --problems`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use tasks::kgqa::{generate_typed, is_typed, questions_about};

use super::load::KgFiles;
use crate::output;

/// Options of `kg questions`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    /// So many questions at most: fewer where the graph gives no more.
    #[arg(long, default_value_t = 100)]
    n: usize,
    /// The same seed asks the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Of so many hops at least.
    #[arg(long, default_value_t = 0)]
    min_hops: u32,
    /// Makes them from types and edges, where the graph has questions of its own kind too.
    #[arg(long)]
    typed: bool,
    /// Writes them to a new file, and not to the standard output.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Prints a JSON object a line: `id`, `question`, `answers`, `level`, `hops`, `template`, `plan`.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let kg = args.source.open()?;
    let mut questions = match args.typed {
        true => generate_typed(&kg, args.n, args.seed),
        false => questions_about(&kg, args.n, args.min_hops, args.seed),
    };
    questions.retain(|question| question.hops >= args.min_hops);
    if questions.is_empty() {
        bail!(
            "{}: no question can be made; a graph needs nodes with names of their own, and edge types \
             that lead to one type of nodes",
            kg.title()
        );
    }
    let mut text = String::new();
    for question in &questions {
        text.push_str(&serde_json::to_string(question)?);
        text.push('\n');
    }
    let n_typed = questions.iter().filter(|question| is_typed(question)).count();
    let what = if n_typed > 0 { ", made from the graph's types and edges" } else { "" };
    let s = if questions.len() == 1 { "" } else { "s" };
    output::complain(&format!("{} question{s}{what}", questions.len()));
    match &args.out {
        Some(path) => output::write(path, text.as_bytes())?,
        None => output::stdout().write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}
