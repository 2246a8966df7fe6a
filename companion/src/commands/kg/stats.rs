//! `graphground kg stats`.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use kg::Kg;
use serde_json::json;

use super::load::KgFiles;
use crate::{output, table};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    /// Prints JSON instead of a table.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    #[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
    let began = Instant::now();
    let stored = args.source.stored()?;
    let kg = match &stored {
        Some(stored) => Arc::new(stored.remote.outline()?),
        None => args.source.open()?,
    };
    let took_ms = began.elapsed().as_secs_f64() * 1e3;
    let schema = kg.schema();
    let mut out = output::stdout();
    let per_edge = kg.edge_memory() as f64 / kg.n_edges().max(1) as f64;
    if args.json {
        let counts = stored.as_ref().map(|s| s.remote.counts());
        let value = json!({
            "title": kg.title(),
            "n_nodes": counts.map_or(kg.n_nodes() as u64, |c| c.n_nodes),
            "n_edges": counts.map_or(kg.n_edges() as u64, |c| c.n_edges),
            "memory_bytes": kg.memory(), "edge_bytes": per_edge, "took_ms": took_ms,
            "schema": schema,
        });
        writeln!(out, "{value}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(stored) = &stored {
        let counts = stored.remote.counts();
        writeln!(
            out,
            "{}: {} nodes and {} edges stay in the store; its schema came in {took_ms:.0} ms{}\n",
            kg.title(),
            counts.n_nodes,
            counts.n_edges,
            if counts.is_cut { ", and there are more types" } else { "" },
        )?;
        return schema_of(&kg, &mut out);
    }
    writeln!(
        out,
        "{}: {} nodes, {} edges, {:.1} MB, {per_edge:.1} bytes an edge, opened in {took_ms:.0} ms\n",
        kg.title(),
        kg.n_nodes(),
        kg.n_edges(),
        kg.memory() as f64 / 1e6,
    )?;
    schema_of(&kg, &mut out)
}

fn schema_of(kg: &Kg, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let schema = kg.schema();
    let rows: Vec<Vec<String>> = schema
        .node_types()
        .iter()
        .map(|t| vec![t.name.clone(), t.n_nodes.to_string(), t.attributes.join(", ")])
        .collect();
    table::write(out, &["nodes of type", "n", "attributes"], &rows)?;
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
    table::write(out, &["edges of type", "n", "between"], &rows)?;
    Ok(ExitCode::SUCCESS)
}
