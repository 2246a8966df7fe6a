//! `graphground trace`: files of traces, converted, computed again and compared.

mod compare;
mod made;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Subcommand;
use systems::RunOptions;
use systems::grounded::GraphTools;
use trace::replay::fill_effects;
use trace::{Record, Trace, formats};

use crate::{input, output};

/// Options of `trace`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Writes a file of traces in another format.
    Convert(Convert),
    /// Computes every result again and lists those that differ; exit code 3 if one does.
    Replay(compare::Replay),
    /// Puts two traces beside each other, step by step.
    Diff(compare::Diff),
    /// Plays the scripted models on made problems and writes their traces.
    Made(made::Made),
}

#[derive(clap::Args)]
struct Convert {
    /// Traces in any of the formats.
    file: PathBuf,
    /// graphground, inspect, otel, atif or openai.
    #[arg(long)]
    to: String,
    /// Where to; without it, standard output.
    #[arg(short, long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Convert(args) => convert(args),
        What::Replay(args) => compare::replay(args),
        What::Diff(args) => compare::diff(args),
        What::Made(args) => made::run(args),
    }
}

fn convert(args: &Convert) -> anyhow::Result<ExitCode> {
    // Before a large file is read.
    formats::write(&args.to, &[]).map_err(|e| anyhow!("--to: {e}"))?;
    let (_, records) = read(&args.file)?;
    let (_, text) = formats::write(&args.to, &records).map_err(|e| anyhow!("--to: {e}"))?;
    write(&text, args.out.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// A text to a file, or to standard output, with a line break at its end.
fn write(text: &str, out: Option<&Path>) -> anyhow::Result<()> {
    let text = format!("{}\n", text.trim_end_matches('\n'));
    match out {
        Some(path) => output::write(path, text),
        None => {
            let mut out = output::stdout();
            out.write_all(text.as_bytes())?;
            Ok(out.flush()?)
        }
    }
}

/// The traces of a file, and whether its format says what calls did to the graph. Where it does
/// not, the calls are made again to find out.
fn read(path: &Path) -> anyhow::Result<(bool, Vec<Record>)> {
    let bytes = input::unpacked(path, formats::MAX_BYTES)?;
    let formats::Opened { format, mut records, notes } =
        formats::open(&bytes).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    for note in notes.lines() {
        output::complain(&format!("{}: {note}", path.display()));
    }
    if records.is_empty() {
        bail!("{}: no traces in it", path.display());
    }
    let has_effects = format.id == formats::FORMATS[0].id;
    if !has_effects {
        for record in &mut records {
            let mut tools = tools(&record.trace);
            fill_effects(&mut record.trace, &mut tools);
        }
    }
    Ok((has_effects, records))
}

/// The tools as they were before the first step.
fn tools(trace: &Trace) -> GraphTools {
    let tools = GraphTools::before(trace);
    match RunOptions::default().max_result_chars {
        Some(max) => tools.with_compact_results(max),
        None => tools,
    }
}
