//! `graphground graph-query`: a query on a snapshot of a property graph, or to a store elsewhere.

mod stored;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use cypher::{CypherTable, CypherValue, Parameters, Query, QueryLimits};
use kg::property::{GraphStore, PropertyGraph, snapshot_file};
use serde_json::{Value as Json, json};

use crate::{input, limits, output};
use stored::StoreArgs;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The query, in the language of the snapshot or of the store.
    query: String,
    /// The graph: a JSON object a line, as Neo4j's APOC exports it. Without one the graph is empty.
    #[arg(long)]
    snapshot: Option<PathBuf>,
    /// In which language the query is.
    #[arg(long, default_value = "cypher")]
    language: Language,
    /// Values for the names behind `$`, as a JSON object.
    #[arg(long)]
    parameters: Option<String>,
    /// Writes the graph behind the query to this file.
    #[arg(long)]
    out: Option<PathBuf>,
    /// One JSON object instead of a table: columns, rows, changes.
    #[arg(long)]
    json: bool,
    /// How many seconds the query may take.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Cypher,
    Sparql,
}

/// What a query gave, whatever its language.
struct Answer {
    columns: Vec<String>,
    rows: Vec<Vec<Json>>,
    /// The same rows as a person reads them.
    texts: Vec<Vec<String>>,
    changes: kg::property::Changes,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.store.is_given() {
        args.store.run(&args.query, args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let graph = match &args.snapshot {
        Some(path) => {
            let text = input::text(path, limits::SNAPSHOT)?;
            snapshot_file::read(&text).with_context(|| path.display().to_string())?
        }
        None => PropertyGraph::default(),
    };
    let mut store = GraphStore::open(graph);
    let answer = match args.language {
        Language::Cypher => ask_cypher(args, &mut store)?,
        Language::Sparql => ask_sparql(args, &mut store)?,
    };
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
            crate::table::write(&mut out, &columns, &answer.texts)?;
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
fn ask_cypher(args: &Args, store: &mut GraphStore) -> anyhow::Result<Answer> {
    let mut given = Parameters::new();
    if let Some(text) = &args.parameters {
        let parsed = serde_json::from_str(text).context("--parameters: not JSON")?;
        let Json::Object(map) = parsed else {
            bail!("--parameters: expected a JSON object such as '{{\"name\": \"Ada\"}}'");
        };
        given.extend(map.iter().map(|(name, value)| (name.clone(), CypherValue::of_json(value))));
    }
    let start = Instant::now();
    let time = Duration::from_secs(args.seconds);
    let stop = || start.elapsed() > time;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let limits = QueryLimits {
        steps: u64::MAX,
        now_ms: i64::try_from(now.as_millis()).unwrap_or(i64::MAX),
        seed: now.subsec_nanos().into(),
        stop: Some(&stop),
        ..QueryLimits::default()
    };
    let query = Query::parse(&args.query)?;
    let CypherTable { columns, rows, graph, changes } = query.write(store, &given, &limits)?;
    let each = |row: &Vec<CypherValue>| row.iter().map(|value| value.to_json(&graph)).collect();
    let texts = |row: &Vec<CypherValue>| row.iter().map(|value| value.to_text(&graph)).collect();
    Ok(Answer {
        columns,
        texts: rows.iter().map(texts).collect(),
        rows: rows.iter().map(each).collect(),
        changes,
    })
}

fn ask_sparql(args: &Args, store: &mut GraphStore) -> anyhow::Result<Answer> {
    use backends::property_sparql as sparql;
    /// More rows than anybody reads.
    const MAX_ROWS: usize = 100_000;
    if sparql::is_update(&args.query) {
        let changes = sparql::update(store, &args.query)?;
        return Ok(Answer { columns: Vec::new(), rows: Vec::new(), texts: Vec::new(), changes });
    }
    let table = sparql::query(store.now(), &args.query, MAX_ROWS)?;
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(Answer {
        texts: table.rows.iter().map(|row| row.iter().map(text).collect()).collect(),
        columns: table.columns,
        rows: table.rows,
        changes: kg::property::Changes::default(),
    })
}
