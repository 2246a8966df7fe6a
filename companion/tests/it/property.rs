//! Property graphs and Cypher, as a person calls them.

use std::time::Instant;

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

/// Queries that take all time or all memory, with the language of each.
const HOSTILE: [(&str, &str); 6] = [
    (
        "cypher",
        "UNWIND range(1, 400) AS a WITH collect(a) AS l \
         RETURN size([x IN l WHERE all(y IN l WHERE all(z IN l WHERE x + y + z > 0))])",
    ),
    ("cypher", "RETURN size(reduce(l = [1], i IN range(1, 1000000) | [l]))"),
    (
        "cypher",
        "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l UNWIND range(1, 200000) AS x \
         RETURN count(CASE WHEN l = l THEN 1 END)",
    ),
    ("cypher", "UNWIND range(1, 100000) AS x RETURN count('a' =~ ('(a{100}){100}' + toString(x)))"),
    ("sparql", "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }"),
    (
        "sparql",
        "SELECT ?x { BIND(REPLACE('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'a', 'bbbbbbbbbbbbbbbbbbbbbbbbbb') \
         AS ?b) BIND(REPLACE(?b, 'b', ?b) AS ?c) BIND(REPLACE(?c, 'b', ?c) AS ?d) \
         BIND(REPLACE(?d, 'b', ?d) AS ?e) BIND(STRLEN(?e) AS ?x) }",
    ),
];

#[test]
#[expect(clippy::disallowed_methods, reason = "measures a program")]
fn no_query_takes_more_time_or_memory_than_it_may() {
    let folder = Folder::new();
    let graph = folder.file("graph.jsonl");
    let made = graphground(&[
        "graph-query",
        "UNWIND range(1, 300) AS i CREATE (:N {i: i})",
        "--out",
        &graph,
    ]);
    assert!(made.status.success(), "{}", stderr(&made));
    for (language, query) in HOSTILE {
        let args = ["graph-query", query, "--language", language, "--snapshot", &graph];
        let start = Instant::now();
        let output = graphground(&[&args[..], &["--seconds", "1", "--memory", "300"]].concat());
        let seconds = start.elapsed().as_secs_f64();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{query}: {said}");
        let reasons = ["took longer than 1 s", "more than 300 MB", "nest more than 100 deep"];
        assert!(reasons.iter().any(|reason| said.contains(reason)), "{query}: {said}");
        // Half a second for the query, and what two processes take to start here.
        assert!(seconds < 2.5, "{query}: {seconds} s");
    }
}
