//! Queries as language models write them, run in order on one store.
//!
//! A line is a query, a tab, and what it must give: rows as JSON, `-` for any rows, or `ERR` for a
//! query that must be refused.

use std::path::Path;

use cypher::{CypherTable, Parameters, Query, QueryLimits};
use kg::property::GraphStore;
use serde_json::Value as Json;

fn run(store: &mut GraphStore, query: &str) -> Result<CypherTable, String> {
    let query = Query::parse(query).map_err(|error| error.to_string())?;
    query
        .write(store, &Parameters::new(), &QueryLimits::default())
        .map_err(|error| error.to_string())
}

fn rows(table: &CypherTable) -> Json {
    let row = |row: &Vec<cypher::CypherValue>| -> Json {
        row.iter().map(|value| value.to_json(&table.graph)).collect()
    };
    table.rows.iter().map(row).collect()
}

/// The lines that give something else, with what they gave.
fn failures(probes: &str) -> (usize, Vec<String>) {
    let mut store = GraphStore::default();
    let (mut n, mut failures) = (0, Vec::new());
    for line in probes.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        n += 1;
        let (query, expected) = line.split_once('\t').expect("a tab");
        match (run(&mut store, query), expected) {
            (Err(_), "ERR") | (Ok(_), "-") => {}
            (Ok(table), "ERR") => failures.push(format!("{query}\n  gave {}", rows(&table))),
            (Err(error), _) => failures.push(format!("{query}\n  {error}")),
            (Ok(table), expected) => {
                let expected: Json = serde_json::from_str(expected).expect("JSON");
                let gave = rows(&table);
                if gave != expected {
                    failures.push(format!("{query}\n  expected {expected}\n  gave     {gave}"));
                }
            }
        }
    }
    (n, failures)
}

#[test]
fn the_public_probes_give_what_they_say() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/specs/cypher_probes.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let (n, failures) = failures(&text);
    assert!(failures.is_empty(), "{} of {n}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn our_probes_give_what_they_say() {
    let (n, failures) = failures(include_str!("../probes.tsv"));
    assert!(n > 300);
    assert!(failures.is_empty(), "{} of {n}:\n{}", failures.len(), failures.join("\n"));
}

/// A date that was stored is a text, and still a date where it is compared or asked for its parts.
#[test]
fn stored_dates_are_compared_with_dates() {
    let probes = "\
CREATE (:E {on: date('2021-07-14')}), (:E {on: date('2022-03-01'), at: datetime('2022-03-01T10:00Z')})\t-\n\
MATCH (e:E) WHERE e.on >= date('2022-01-01') RETURN e.on\t[[\"2022-03-01\"]]\n\
MATCH (e:E {on: date('2021-07-14')}) RETURN e.on.year, e.on.month\t[[2021,7]]\n\
MATCH (e:E) WHERE e.at < datetime('2022-03-01T11:00Z') RETURN count(*)\t[[1]]\n\
RETURN date('2024-05-31').foo\tERR\n\
MATCH (e:E) RETURN e.on.foo\tERR\n";
    let (_, failures) = failures(probes);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
