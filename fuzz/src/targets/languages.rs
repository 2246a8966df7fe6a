//! Programs in the small languages, made of bytes ([`programs`]): each ends within its limits.

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a target that cannot run has failed"
)]

use std::path::PathBuf;

use cypher::{Parameters, Query, QueryLimits};
use kg::property::{GraphStore, snapshot_file};

use super::gguf::template;
use super::property::run_cypher;
use crate::{Target, programs};

/// The stack of a worker in a browser.
const BROWSER_STACK: usize = 1 << 20;

/// A graph in which every way leads on: 12 nodes, each with an edge to each.
fn dense() -> GraphStore {
    let mut store = GraphStore::default();
    let made = "UNWIND range(1, 12) AS i CREATE (:N {i: i}) \
                WITH count(*) AS n MATCH (a:N), (b:N) CREATE (a)-[:R]->(b)";
    run_on(made, &mut store);
    store
}

fn run_on(query: &str, store: &mut GraphStore) {
    let query = Query::parse(query).expect("a query of our own");
    query.write(store, &Parameters::new(), &QueryLimits::default()).expect("it runs");
}

/// A program in Cypher, in as little stack as a browser gives a worker.
fn cypher_program(data: &[u8]) {
    let query = programs::cypher(data);
    let run = move || {
        // Of other limits those are tried that everybody has.
        run_cypher(&query, dense(), &QueryLimits { steps: 1_000_000, ..QueryLimits::default() });
    };
    let thread = std::thread::Builder::new().stack_size(BROWSER_STACK).spawn(run);
    thread.expect("a thread").join().expect("no panic");
}

/// The most seconds that `graph-query --seconds 1` takes, with the starts of two processes.
const SECONDS: u64 = 4;

/// A program in SPARQL, as `graph-query` runs it: oxigraph has no limits of its own.
fn sparql_program(data: &[u8]) {
    let graph = std::env::temp_dir().join(format!("fuzz-{}.jsonl", std::process::id()));
    std::fs::write(&graph, snapshot_file::write(dense().now())).expect("a folder to write to");
    let query = programs::sparql(data);
    let began = std::time::Instant::now();
    let ended = std::process::Command::new(companion())
        .args(["graph-query", &query, "--language", "sparql", "--seconds", "1", "--memory", "200"])
        .arg("--snapshot")
        .arg(&graph)
        .output()
        .expect("graphground starts: build it first");
    let _ = std::fs::remove_file(&graph);
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(matches!(ended.status.code(), Some(0 | 1)), "{query}: {} {said}", ended.status);
    assert!(!said.contains("panicked"), "{query}: {said}");
    assert!(began.elapsed().as_secs() <= SECONDS, "{query}: {:?}", began.elapsed());
}

/// The companion, which `cargo xtask fuzz` names and a test has for its neighbour.
fn companion() -> PathBuf {
    std::env::var_os("GRAPHGROUND_COMPANION").map_or_else(
        || {
            let here = std::env::current_exe().unwrap_or_default();
            here.ancestors().nth(2).unwrap_or(&here).join("graphground")
        },
        PathBuf::from,
    )
}

/// Bytes that choose what a program is made of: the same ones each time.
fn choices(n: u64) -> Vec<Vec<u8>> {
    let mut state = 0_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    (0..n).map(|_| (0..64).map(|_| next()).collect()).collect()
}

pub(super) fn targets() -> Vec<Target> {
    vec![
        Target::new("cypher_program", 256, cypher_program, |_| choices(40)),
        Target::new("sparql_program", 64, sparql_program, |_| choices(6)),
        Target::new(
            "template_program",
            256,
            |data| template(programs::template(data).as_bytes()),
            |_| choices(12),
        ),
    ]
}
