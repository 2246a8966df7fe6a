//! Queries to stores elsewhere, which answer with the tapes of the crate `kg`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use test_support::{Folder, StubServer};

use super::{KEY, graphground};
use crate::program::both;

fn tapes(kind: &str) -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../crates/kg/tests/cassettes/queries")
        .join(kind);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let tape = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        (path, tape)
    };
    files.map(read).collect()
}

/// A store that answers as a tape has it.
fn store(tape: &Value) -> StubServer {
    let status = u16::try_from(tape["status"].as_u64().unwrap()).unwrap();
    let body = tape["body"].as_str().map_or_else(|| tape["body"].to_string(), str::to_owned);
    StubServer::start(move |_| (status, "application/json", body.clone()))
}

/// The address that a write is confirmed by.
fn writes_to(kind: &str, url: &str) -> String {
    if kind == "neo4j" { format!("{url}/db/neo4j") } else { url.to_owned() }
}

#[test]
fn what_a_store_answers_is_printed_and_what_it_refuses_is_told_with_its_code() {
    let folder = Folder::new();
    for kind in ["neo4j", "sparql"] {
        let (mut n, mut n_refused) = (0, 0);
        for (path, tape) in tapes(kind) {
            let small = store(&tape);
            let (query, address) = (tape["query"].as_str().unwrap(), writes_to(kind, &small.url));
            let mut args = vec![
                "graph-query",
                query,
                "--json",
                "--store",
                kind,
                "--url",
                &small.url,
                "--store-key-env",
                "PLANTED_PAIR",
                "--max-rows",
                "3",
            ];
            let is_write = tape["access"] == "write";
            if is_write {
                args.extend(["--write-to", &address]);
            }
            let output = graphground(&folder, &args);
            let told = both(&output);
            assert!(!told.contains("CANARY"), "{path:?}: {told}");
            n += 1;
            if !is_write && small.seen().is_empty() {
                // What would write is kept here, before any store could refuse it.
                assert!(
                    told.contains("the query writes, and nothing was sent"),
                    "{path:?}: {told}"
                );
                continue;
            }
            assert_eq!(small.seen().len(), 1, "{path:?}: nothing is sent twice");
            match tape["error"].as_str() {
                Some(error) => {
                    n_refused += 1;
                    assert_eq!(output.status.code(), Some(1), "{path:?}");
                    assert!(told.contains(error), "{path:?}: {told}");
                }
                None => {
                    let given: Value = serde_json::from_slice(&output.stdout).unwrap();
                    for part in ["columns", "rows", "is_cut"] {
                        assert_eq!(given[part], tape["rows"][part], "{path:?}: {told}");
                    }
                    let changes = &tape["rows"]["changes"];
                    let changes = if changes.is_null() { &json!({}) } else { changes };
                    assert_eq!(&given["changes"], changes, "{path:?}");
                }
            }
        }
        assert!(n >= 8 && n_refused >= 3, "{kind}: {n} tapes, {n_refused} refused");
    }
}

#[test]
fn nothing_is_written_unless_the_address_is_repeated() {
    let folder = Folder::new();
    for (kind, writes, reads) in [
        ("neo4j", "CREATE (n:Person {name: 'Ada'})", "MATCH (n) RETURN n"),
        ("sparql", "INSERT DATA { <urn:a> <urn:b> 1 }", "SELECT * { ?s ?p ?o }"),
    ] {
        let small = StubServer::start(|_| {
            (200, "application/json", r#"{"data": {"fields": [], "values": []}}"#.to_owned())
        });
        let address = writes_to(kind, &small.url);
        let ask = |more: &[&str]| {
            let line = ["graph-query", "--store", kind, "--url", &small.url];
            graphground(&folder, &[&line, more].concat())
        };
        let output = ask(&[writes]);
        let words = format!(
            "nothing was sent; if it may change the store, repeat its address: --write-to {address}"
        );
        assert!(
            output.status.code() == Some(1) && both(&output).contains(&words),
            "{}",
            both(&output)
        );
        for typed in ["yes", "http://127.0.0.1", &address[..address.len() - 1], ""] {
            let output = ask(&[writes, "--write-to", typed]);
            let why = both(&output);
            assert!(output.status.code() == Some(1) && why.contains("is not confirmed"), "{why}");
            assert!(why.contains(&address) && why.contains("nothing was sent"), "{why}");
        }
        assert!(small.seen().is_empty(), "{kind}: {:?}", small.seen());
        let output = ask(&[writes, "--write-to", &address]);
        assert!(output.status.success(), "{}", both(&output));
        assert_eq!(small.seen().len(), 1);
        // What only reads is sent so that a store would refuse to write.
        let _ = ask(&[reads]);
        let asked = small.seen()[1].clone();
        match kind {
            "neo4j" => assert_eq!(asked.json()["accessMode"], "Read"),
            _ => assert!(asked.head.contains("x-www-form-urlencoded"), "{}", asked.text()),
        }
    }
}

#[test]
fn updates_of_sparql_may_go_to_an_address_of_their_own() {
    let folder = Folder::new();
    let small = StubServer::start(|_| (204, "text/plain", String::new()));
    let (query, update) = (format!("{}/query", small.url), format!("{}/update", small.url));
    let ask = |typed: &str| {
        let line = [
            "graph-query",
            "CLEAR ALL",
            "--store",
            "sparql",
            "--url",
            &query,
            "--update-url",
            &update,
            "--write-to",
            typed,
        ];
        graphground(&folder, &line)
    };
    assert!(both(&ask(&query)).contains("is not confirmed"));
    assert!(small.seen().is_empty());
    let output = ask(&update);
    assert!(
        both(&output).contains("done; the store does not say what changed"),
        "{}",
        both(&output)
    );
    assert!(small.seen()[0].line.starts_with("POST /update "));
}

#[test]
fn a_table_is_printed_and_nothing_in_it_moves_the_cursor() {
    let folder = Folder::new();
    let small = StubServer::start(|_| {
        let data = json!({ "data": { "fields": ["name", "born"], "values": [
            ["Ada\u{1b}[2J\nLake", 1815], ["Bo", null], ["Cy", [1, 2]],
        ] } });
        (202, "application/json", data.to_string())
    });
    let query = "MATCH (n) RETURN n.name AS name, n.born AS born";
    let line = ["graph-query", query, "--store", "neo4j", "--url", &small.url, "--max-rows", "2"];
    let output = graphground(&folder, &line);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[1].starts_with("Ada\\u{1b}[2J\\nLake") && lines[1].ends_with("1815"), "{text}");
    assert_eq!(lines[3], "2 rows, and there are more");
}

#[test]
fn the_key_is_sent_and_in_no_output_even_where_the_store_repeats_it() {
    let folder = Folder::new();
    for status in [200, 401, 500] {
        let small = StubServer::start(move |asked| {
            let said = format!("you sent {} and {}", KEY, asked.head);
            let body = json!({
                "data": { "fields": ["x"], "values": [[said]] },
                "errors": if status == 200 { json!([]) } else {
                    json!([{ "code": "Neo.X", "message": said }])
                },
            });
            (status, "application/json", body.to_string())
        });
        for more in [&[][..], &["--json"]] {
            for env in ["PLANTED", "PLANTED_PAIR"] {
                let line = [
                    "graph-query",
                    "RETURN 1 AS x",
                    "--store",
                    "neo4j",
                    "--url",
                    &small.url,
                    "--store-key-env",
                    env,
                ];
                let words = both(&graphground(&folder, &[&line, more].concat()));
                assert!(words.contains("you sent ***"), "{words}");
                for private in ["CANARY", "bmVvNGo6c2stQ0FOQVJZ"] {
                    assert!(!words.contains(private), "{words}");
                }
            }
        }
        let heads: String = small.seen().iter().map(|asked| asked.head.clone()).collect();
        assert!(heads.contains(&format!("Bearer {KEY}")) && heads.contains("Basic "), "{heads}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    let at = "http://127.0.0.1:9";
    for (line, code, words) in [
        (&["--store", "neo4j"][..], 2, "--url"),
        (&["--url", at], 2, "--store"),
        (&["--write-to", at], 2, "--store"),
        (&["--store", "oracle", "--url", at], 2, "neo4j"),
        (&["--store", "neo4j", "--url", at, "--snapshot", "x"], 2, "--snapshot"),
        (&["--store", "neo4j", "--url", at, "--out", "x"], 2, "--out"),
        (&["--store", "neo4j", "--url", "ftp://a"], 1, "is no address of a store"),
        (&["--store", "neo4j", "--url", "http://me:secret@a"], 1, "has a login in it"),
        (&["--store", "neo4j", "--url", at, "--database", "../x"], 1, "no name of a database"),
        (&["--store", "sparql", "--url", at, "--database", "x"], 1, "--database is for neo4j"),
        (&["--store", "neo4j", "--url", at, "--update-url", at], 1, "--update-url is for sparql"),
        (&["--store", "neo4j", "--url", at, "--store-key-env", "NO_SUCH"], 1, "is not set"),
        (&["--store", "neo4j", "--url", at], 1, "no answer from"),
    ] {
        let output = graphground(&folder, &[&["graph-query", "RETURN 1"], line].concat());
        let why = both(&output);
        assert_eq!(output.status.code(), Some(code), "{line:?}: {why}");
        assert!(why.contains(words) && !why.contains("secret"), "{line:?}: {why}");
    }
    let help = both(&graphground(&folder, &["graph-query", "--help"]));
    // However wide the terminal is.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("leaves this machine"), "{help}");
}
