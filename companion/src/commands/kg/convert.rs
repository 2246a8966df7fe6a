//! From one format to another, with all that could not be read.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use kg::KgBuilder;
use kg::formats::{FORMATS, Format, find, sniff};

use crate::output::write_packed as write;
use crate::{input, limits, output, table};

/// Options of `kg convert`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of one graph, plain or gzipped: nodes and edges may stand in several.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Their format; found out by itself, if not given.
    #[arg(long)]
    from: Option<String>,
    /// The file to write; packed if it ends in `.gz`.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Its format; by the ending of its name, if not given.
    #[arg(long)]
    to: Option<String>,
    /// Reads files of up to so many megabytes, unpacked.
    #[arg(long, value_name = "MB", default_value_t = limits::TEXT / 1_000_000)]
    max_mb: usize,
    /// Refuses files with lines that cannot be read, instead of leaving those out.
    #[arg(long)]
    strict: bool,
}

fn named(id: &str) -> anyhow::Result<&'static Format> {
    let ids: Vec<&str> = FORMATS.iter().map(|f| f.id).collect();
    find(id).with_context(|| format!("there is no format {id:?}; there are {}", ids.join(", ")))
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut builder = KgBuilder::new("");
    let (mut n_faults, mut last) = (0, None);
    for path in &args.files {
        let text = input::any_text(path, args.max_mb.saturating_mul(1_000_000))?;
        let name = path.to_string_lossy();
        let format = match &args.from {
            Some(id) => named(id)?,
            None => sniff(&name, &text)
                .with_context(|| format!("{name}: in what format is it? give it with --from"))?,
        };
        let faults = (format.read)(&text, &mut builder);
        if let Some(why) = faults.refusal(format) {
            bail!("{name}: {why}");
        }
        for fault in &faults.first {
            output::complain(&format!("{name}: {fault}"));
        }
        for note in &faults.notes {
            output::complain(&format!("{name}: {note}"));
        }
        if faults.n > faults.first.len() {
            output::complain(&format!("{name}: and {} more", faults.n - faults.first.len()));
        }
        n_faults += faults.n;
        last = Some((path, format));
    }
    if let Some((path, format)) = last
        && builder.n_nodes() == 0
    {
        bail!("{}: nothing in it is a node or an edge; {}", path.display(), format.expected());
    }
    if args.strict && n_faults > 0 {
        bail!("{n_faults} places could not be read; without --strict they are left out");
    }
    let kg = builder.build()?;
    let mut out = output::stdout();
    writeln!(out, "{} nodes, {} edges, {n_faults} faults\n", kg.n_nodes(), kg.n_edges())?;
    let types = kg.schema().node_types().iter();
    let rows: Vec<Vec<String>> =
        types.map(|t| vec![t.name.clone(), t.n_nodes.to_string()]).collect();
    table::write(&mut out, &["node type", "nodes"], &rows)?;
    writeln!(out)?;
    let types = kg.schema().edge_types().iter();
    let rows: Vec<Vec<String>> =
        types.map(|t| vec![t.name.clone(), t.n_edges.to_string()]).collect();
    table::write(&mut out, &["edge type", "edges"], &rows)?;
    if let Some(path) = &args.out {
        let format = match &args.to {
            Some(id) => named(id)?,
            None => sniff(&path.to_string_lossy(), "").with_context(|| {
                format!("{}: in what format? give it with --to", path.display())
            })?,
        };
        write(path, &(format.write)(&kg))?;
    }
    Ok(ExitCode::SUCCESS)
}
