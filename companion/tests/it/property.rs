//! Property graphs and Cypher, as a person calls them.

use serde_json::{Value, json};
use test_support::Folder;

use crate::program::{graphground, stderr, stdout};

fn answer(args: &[&str]) -> Value {
    let output = graphground(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_snapshot_is_made_changed_and_asked_in_both_languages() {
    let folder = Folder::new();
    let (first, second) = (folder.file("first.jsonl"), folder.file("second.jsonl"));
    let create = "CREATE (:Person {name: $name})-[:WROTE {year: 1843}]->(:Text {title: 'Notes'})";
    let made = answer(&[
        "graph-query",
        create,
        "--parameters",
        r#"{"name": "Ada"}"#,
        "--out",
        &first,
        "--json",
    ]);
    assert_eq!(made["changes"]["created"], 3);
    let update = "INSERT DATA { :n1 :pages 20 . :n0 :KNOWS :Bob . :Bob a :Person ; :name 'Bob' }";
    let args = ["--snapshot", &first, "--language", "sparql", "--out", &second, "--json"];
    let changed = answer(&[&["graph-query", update], &args[..]].concat());
    assert_eq!(
        changed["changes"],
        json!({
            "created": 2, "changed": 1, "deleted": 0,
            "properties_set": 3, "labels_added": 1, "labels_removed": 0,
        })
    );
    let ask = "MATCH (a:Person)-[r]->(b) RETURN a.name, type(r), coalesce(b.name, b.title), b.pages \
               ORDER BY type(r)";
    let asked = answer(&["graph-query", ask, "--snapshot", &second, "--json"]);
    assert_eq!(
        asked["rows"],
        json!([["Ada", "KNOWS", "Bob", null], ["Ada", "WROTE", "Notes", 20]])
    );
    let select = "SELECT ?n { ?p a :Person ; :name ?n } ORDER BY ?n";
    let table =
        graphground(&["graph-query", select, "--language", "sparql", "--snapshot", &second]);
    let table = stdout(&table);
    assert_eq!(table.lines().map(str::trim_end).collect::<Vec<_>>(), ["n", "Ada", "Bob", "2 rows"]);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (args, words) in [
        (&["MATCH (n RETURN n"][..], "line 1, column 7: the ( that opens here is never closed"),
        (&["RETURN $x"], "the parameter $x is not given"),
        (&["RETURN 1", "--parameters", "[1]"], "expected a JSON object"),
        (&["SELECT * { ?s ?p }", "--language", "sparql"], "line 1, column 19"),
        (&["RETURN 1", "--snapshot", "/nowhere.jsonl"], "/nowhere.jsonl"),
    ] {
        let output = graphground(&[&["graph-query"], args].concat());
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn an_update_that_is_too_deep_is_refused_and_ends_nothing() {
    let (open, close) = ("{".repeat(5_000), "}".repeat(5_000));
    let deep = format!("DELETE {{ ?s ?p ?o }} WHERE {{ {open} ?s ?p ?o {close} }}");
    for (args, words) in [
        (&["--language", "sparql"][..], "brackets within each other"),
        // Not read here, so it is sent as a query that reads; nobody listens there.
        (&["--store", "sparql", "--url", "http://127.0.0.1:9"], "no answer from"),
    ] {
        let output = graphground(&[&["graph-query", &deep], args].concat());
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_query_without_end_is_ended_by_the_clock() {
    let endless = "UNWIND range(1, 400) AS a WITH collect(a) AS l \
                   RETURN size([x IN l WHERE all(y IN l WHERE all(z IN l WHERE x + y + z > 0))])";
    let output = graphground(&["graph-query", endless, "--seconds", "1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("it takes too long"), "{}", stderr(&output));
}
