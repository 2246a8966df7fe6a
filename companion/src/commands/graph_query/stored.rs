//! A query to a store that lives elsewhere.

use std::io::Write as _;

use anyhow::{Context as _, Result, bail};
use clap::builder::PossibleValuesParser;
use futures_util::FutureExt as _;
use kg::stores::{ConfirmedForWriting, STORES, StoreAddress, StoreError, StoreRows};
use serde_json::{Value as Json, json};
use systems::remote::{RemoteError, RemoteQueries};

use crate::commands::asked::key;
use crate::http::Client;
use crate::output;

/// Which store is asked, and whether it may be written to.
#[derive(clap::Args)]
pub(super) struct StoreArgs {
    /// Asks a store in place of a snapshot: neo4j (version 5.19 and later) in Cypher, or sparql (any
    /// endpoint of SPARQL 1.1). The query leaves this machine for its address.
    #[arg(
        long,
        requires = "url",
        conflicts_with_all = ["snapshot", "language", "parameters", "out", "seconds"],
        value_parser = PossibleValuesParser::new(STORES.iter().map(|store| store.id)),
    )]
    store: Option<String>,
    /// The address of the store: of Neo4j that of the server, such as http://127.0.0.1:7474; of a
    /// SPARQL endpoint the whole one.
    #[arg(long, requires = "store")]
    url: Option<String>,
    /// The database of a store that has several.
    #[arg(long, requires = "store")]
    database: Option<String>,
    /// The environment variable that holds the store's `user:password` or token.
    #[arg(long, alias = "key-env", requires = "store", value_name = "NAME")]
    store_key_env: Option<String>,
    /// sparql: the address for updates, where that is another.
    #[arg(long, requires = "store", value_name = "URL")]
    update_url: Option<String>,
    /// Allows the query to write. Repeats the address that is written to: for Neo4j that of the
    /// database, such as http://127.0.0.1:7474/db/neo4j. Without it the store is only read.
    #[arg(long, requires = "store", value_name = "URL")]
    write_to: Option<String>,
    /// The most rows that are printed.
    #[arg(long, requires = "store", default_value_t = 10_000)]
    max_rows: usize,
}

impl StoreArgs {
    /// Whether a store is asked.
    pub(super) fn is_given(&self) -> bool {
        self.store.is_some()
    }

    /// Asks it, and prints what it gave.
    pub(super) fn run(&self, query: &str, as_json: bool) -> Result<()> {
        let (Some(kind), Some(url)) = (&self.store, &self.url) else {
            bail!("--store needs --url");
        };
        if self.update_url.is_some() && kind != "sparql" {
            bail!("--update-url is for sparql; {kind} has one address");
        }
        let place = StoreAddress {
            url: url.clone(),
            database: self.database.clone(),
            language: "en".to_owned(),
        };
        if self.database.is_some() && kind == "sparql" {
            bail!("--database is for neo4j; the address of an endpoint of SPARQL has it in it");
        }
        let store = RemoteQueries::open(kind, place, self.update_url.clone())?;
        let confirmed = match &self.write_to {
            Some(typed) => Some(
                ConfirmedForWriting::new(&store.writes_to(), typed)
                    .context("--write-to: nothing was sent")?,
            ),
            None => None,
        };
        if confirmed.is_none() && is_write(query, store.language()) {
            bail!(
                "the query writes, and nothing was sent; if it may change the store, repeat its \
                 address: --write-to {}",
                store.writes_to()
            );
        }
        let client = Client::new(key(self.store_key_env.as_deref())?);
        // The client blocks, so that every future is ready when it is looked at.
        let rows = match &confirmed {
            Some(confirmed) => store.write(query, confirmed, self.max_rows, &client).now_or_never(),
            None => store.read(query, self.max_rows, &client).now_or_never(),
        };
        let rows = rows.context("internal error: the store was not waited for")?;
        let rows = rows.map_err(|error| {
            // What a store refuses is not done. What was lost on the way back may be.
            let is_refused = matches!(error, RemoteError::Store(StoreError::Refused { .. }));
            let told = anyhow::Error::new(error);
            if confirmed.is_some() && !is_refused {
                return told.context("nobody knows whether it wrote; look before it is sent again");
            }
            told
        })?;
        print(&rows, as_json)
    }
}

/// Whether a query writes, as far as it can be read here. What cannot be is left to the store, which
/// is asked to read.
fn is_write(query: &str, language: &str) -> bool {
    match language {
        "Cypher" => cypher::Query::parse(query).is_ok_and(|query| query.is_write()),
        _ => backends::property_sparql::is_update(query),
    }
}

fn print(rows: &StoreRows, as_json: bool) -> Result<()> {
    let mut out = output::stdout();
    let StoreRows { columns, rows, is_cut, changes } = rows;
    if as_json {
        let told = json!({
            "columns": columns, "rows": rows, "is_cut": is_cut, "changes": changes,
        });
        writeln!(out, "{told}")?;
        out.flush()?;
        return Ok(());
    }
    if !columns.is_empty() {
        let columns: Vec<String> = columns.iter().map(|name| shown(name)).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let texts: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(text).collect()).collect();
        crate::table::write(&mut out, &columns, &texts)?;
        let (n, more) = (rows.len(), if *is_cut { ", and there are more" } else { "" });
        writeln!(out, "{n} row{}{more}", if n == 1 { "" } else { "s" })?;
    }
    for (name, count) in changes {
        writeln!(out, "{}: {count}", shown(name))?;
    }
    if columns.is_empty() && changes.is_empty() {
        writeln!(out, "done; the store does not say what changed")?;
    }
    out.flush()?;
    Ok(())
}

fn text(value: &Json) -> String {
    match value {
        Json::String(text) => shown(text),
        Json::Null => String::new(),
        other => shown(&other.to_string()),
    }
}

/// Foreign words for a terminal: nothing in them moves the cursor or breaks a line.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}
