//! `graphground graph-query`: a query on a snapshot of a property graph, or to a store elsewhere.

mod stored;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use kg::property::{GraphStore, PropertyGraph, snapshot_file};
use serde_json::{Map, Value as Json, json};
use systems::kgot::KgotLanguage;

use crate::bounded::Bounds;
use crate::queries::{Answered, GraphQueries, TypedQuery};
use crate::{input, limits, output};
use stored::StoreArgs;

/// In which language a query is.
#[derive(Clone, Copy, clap::ValueEnum)]
enum QueryLanguage {
    Cypher,
    Sparql,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The query, in the language of the snapshot or of the store.
    query: String,
    /// The graph: a JSON object a line, as Neo4j's APOC exports it. Without one the graph is empty.
    #[arg(long)]
    snapshot: Option<PathBuf>,
    /// In which language the query is.
    #[arg(long, default_value = "cypher")]
    language: QueryLanguage,
    /// Values for the names behind `$`, as a JSON object.
    #[arg(long)]
    parameters: Option<String>,
    /// Writes the graph behind the query to this file.
    #[arg(long)]
    out: Option<PathBuf>,
    /// One JSON object instead of a table: columns, rows, changes.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.store.is_given() {
        args.store.run(&args.query, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let graph = match &args.snapshot {
        Some(path) => {
            let text = input::text(path, limits::SNAPSHOT)?;
            let read = snapshot_file::read(&text).with_context(|| path.display().to_string())?;
            for note in read.notes.lines() {
                output::complain(&format!("{}: {note}", path.display()));
            }
            read.graph
        }
        None => PropertyGraph::default(),
    };
    let mut store = GraphStore::open(graph);
    let Answered { answer, texts } = ask(args, &mut store)?;
    if let Some(path) = &args.out {
        output::write(path, snapshot_file::write(store.now()))?;
    }
    let changes = &answer.changes;
    let counts = json!({
        "created": changes.created.len(),
        "changed": changes.changed.len(),
        "deleted": changes.deleted.len(),
        "properties_set": changes.properties_set,
        "labels_added": changes.labels_added,
        "labels_removed": changes.labels_removed,
    });
    let mut out = output::stdout();
    if args.json {
        let (columns, rows) = (&answer.columns, &answer.rows);
        writeln!(out, "{}", json!({ "columns": columns, "rows": rows, "changes": counts }))?;
    } else {
        if !answer.columns.is_empty() {
            let columns: Vec<&str> = answer.columns.iter().map(String::as_str).collect();
            crate::table::write(&mut out, &columns, &texts)?;
            let n = answer.rows.len();
            writeln!(out, "{n} row{}", if n == 1 { "" } else { "s" })?;
        }
        if !changes.is_empty() {
            writeln!(
                out,
                "{} created, {} changed, {} deleted",
                changes.created.len(),
                changes.changed.len(),
                changes.deleted.len()
            )?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[expect(clippy::disallowed_methods, reason = "a program has a clock; the core has none")]
fn ask(args: &Args, store: &mut GraphStore) -> anyhow::Result<Answered> {
    /// More rows than anybody reads.
    const MAX_ROWS: usize = 100_000;
    let parameters = match &args.parameters {
        Some(text) => {
            let parsed = serde_json::from_str(text).context("--parameters: not JSON")?;
            let Json::Object(map) = parsed else {
                bail!("--parameters: expected a JSON object such as '{{\"name\": \"Ada\"}}'");
            };
            map
        }
        None => Map::new(),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let typed = TypedQuery {
        language: match args.language {
            QueryLanguage::Cypher => KgotLanguage::Cypher,
            QueryLanguage::Sparql => KgotLanguage::Sparql,
        },
        query: args.query.clone(),
        parameters,
        now_ms: i64::try_from(now.as_millis()).unwrap_or(i64::MAX),
        seed: now.subsec_nanos().into(),
        max_rows: MAX_ROWS,
    };
    GraphQueries::new(args.bounds).answer(store, typed).map_err(anyhow::Error::msg)
}
