//! `graphground kg query`: nodes by a hint, neighbours of one.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::load::{KgFiles, Rules};
use crate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: KgFiles,
    #[command(flatten)]
    rules: Rules,
    /// What the node is called, or its id.
    #[arg(long)]
    find: String,
    /// Of this type.
    #[arg(long)]
    node_type: Option<String>,
    /// Follows edges of this type from what was found.
    #[arg(long)]
    edge: Option<String>,
}

/// Prints a JSON object a node: id, type, name, attributes, and, for those that were found by the
/// hint, score and how.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let finder = args.source.finder()?;
    let kg = finder.kg();
    let schema = kg.schema();
    let of = match &args.node_type {
        Some(name) => Some(schema.find_node_type(name).with_context(|| {
            let known: Vec<&str> = schema.node_types().iter().map(|t| t.name.as_str()).collect();
            format!("there is no node type {name:?}; there are {}", known.join(", "))
        })?),
        None => None,
    };
    let found = finder.find(&args.find, of, args.rules.find());
    if found.hits.is_empty() {
        let near: Vec<&str> = found.near.iter().map(|h| kg.name(h.node)).collect();
        let near = if near.is_empty() { "nothing".to_owned() } else { near.join(", ") };
        bail!("no node is {:?}; most like it: {near}", args.find);
    }
    let node = |n: kg::NodeIx| {
        let of = &schema.node_type(kg.node_type(n)).name;
        json!({ "id": kg.id(n), "type": of, "name": kg.name(n), "attributes": kg.attributes(n) })
    };
    let mut out = output::stdout();
    let Some(edge) = &args.edge else {
        for hit in &found.hits {
            let mut value = node(hit.node);
            value["score"] = json!(hit.score);
            value["how"] = json!(hit.how);
            writeln!(out, "{value}")?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let edge = schema.find_edge_type(edge).with_context(|| {
        let known: Vec<&str> = schema.edge_types().iter().map(|t| t.name.as_str()).collect();
        format!("there is no edge type {edge:?}; there are {}", known.join(", "))
    })?;
    let way = args.rules.semantics()?.direction;
    for hit in &found.hits {
        for other in kg.neighbors(hit.node, edge, way) {
            let mut value: Value = node(other);
            value["from"] = json!(kg.id(hit.node));
            writeln!(out, "{value}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
