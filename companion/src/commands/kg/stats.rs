//! `graphground kg stats`.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;

use super::load::Source;
use crate::{output, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let began = Instant::now();
    let kg = args.source.open()?;
    let took_ms = began.elapsed().as_secs_f64() * 1e3;
    let schema = kg.schema();
    let mut out = output::stdout();
    let per_edge = kg.edge_memory() as f64 / kg.n_edges().max(1) as f64;
    if args.json {
        let value = json!({
            "title": kg.title(), "n_nodes": kg.n_nodes(), "n_edges": kg.n_edges(),
            "memory_bytes": kg.memory(), "edge_bytes": per_edge, "took_ms": took_ms,
            "schema": schema,
        });
        writeln!(out, "{value}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        out,
        "{}: {} nodes, {} edges, {:.1} MB, {per_edge:.1} bytes an edge, opened in {took_ms:.0} ms\n",
        kg.title(),
        kg.n_nodes(),
        kg.n_edges(),
        kg.memory() as f64 / 1e6,
    )?;
    let rows: Vec<Vec<String>> = schema
        .node_types()
        .iter()
        .map(|t| vec![t.name.clone(), t.n_nodes.to_string(), t.attributes.join(", ")])
        .collect();
    table::write(&mut out, &["nodes of type", "n", "attributes"], &rows)?;
    writeln!(out)?;
    let name = |t| schema.node_type(t).name.as_str();
    let rows: Vec<Vec<String>> = schema
        .edge_types()
        .iter()
        .map(|e| {
            let ends: Vec<String> =
                e.ends.iter().map(|x| format!("{} -> {}", name(x.from), name(x.to))).collect();
            vec![e.name.clone(), e.n_edges.to_string(), ends.join(", ")]
        })
        .collect();
    table::write(&mut out, &["edges of type", "n", "between"], &rows)?;
    Ok(ExitCode::SUCCESS)
}
