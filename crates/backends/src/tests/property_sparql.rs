//! PropertyValue graphs in SPARQL.

use std::collections::BTreeSet;

use crate::property_sparql::{self as sparql, UpdateError};
use kg::property::{GraphStore, Properties, PropertyGraph, PropertyValue, snapshot_file};
use proptest::prelude::*;
use serde_json::json;

fn store() -> GraphStore {
    let mut graph = PropertyGraph::default();
    let named = |name: &str| Properties::from([("name".to_owned(), PropertyValue::from(name))]);
    let ada = graph.create_node(["Person"], named("Ada")).unwrap();
    let text = graph.create_node(["Text", "Big One"], named("Notes")).unwrap();
    let year = Properties::from([("year".to_owned(), PropertyValue::Int(1843))]);
    graph.create_edge(ada, "WROTE", text, year).unwrap();
    GraphStore::open(graph)
}

fn rows(store: &GraphStore, query: &str) -> Vec<Vec<serde_json::Value>> {
    sparql::query(store.now(), query, 100).unwrap().rows
}

#[test]
fn a_graph_is_asked_in_its_own_names() {
    let store = store();
    let query = "SELECT ?n ?t WHERE { ?p a :Person ; :name ?n ; :WROTE ?x . ?x :name ?t }";
    assert_eq!(rows(&store, query), [[json!("Ada"), json!("Notes")]]);
    assert_eq!(
        rows(&store, "SELECT ?l { :n1 a ?l } ORDER BY ?l"),
        [[json!(":Big One")], [json!(":Text")]]
    );
    assert_eq!(rows(&store, "ASK { ?t a :Big%20One }"), [[json!(true)]]);
    assert_eq!(rows(&store, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"), [[json!(6)]]);
}

#[test]
fn an_update_changes_what_it_says_and_nothing_else() {
    let mut store = store();
    sparql::update(
        &mut store,
        "PREFIX ex: <http://example.org/> \
         INSERT DATA { :n0 :knows ex:bob ; :born 1815 . ex:bob a :Person ; :name 'Bob', 'Rob' }",
    )
    .unwrap();
    let bob = "SELECT ?n { <http://example.org/bob> :name ?n } ORDER BY ?n";
    assert_eq!(rows(&store, bob), [[json!("Bob")], [json!("Rob")]]);
    let text = snapshot_file::write(store.now());
    assert!(text.contains(r#""name":["Bob","Rob"]"#), "{text}");
    assert!(text.contains(r#""properties":{"year":1843}"#), "edges keep what triples do not show");
    // Once more changes nothing.
    let n = store.snapshots().len();
    sparql::update(&mut store, "INSERT DATA { :n0 :born 1815 }").unwrap();
    assert_eq!(store.snapshots().len(), n);
    sparql::update(
        &mut store,
        "DELETE { ?p :name ?old } INSERT { ?p :name ?new } \
         WHERE { ?p :name ?old BIND(CONCAT(?old, '!') AS ?new) FILTER(?old != 'Rob') }",
    )
    .unwrap();
    assert_eq!(rows(&store, bob), [[json!("Bob!")], [json!("Rob")]]);
    // A node goes with its last triple, and its edges with it.
    sparql::update(&mut store, "DELETE WHERE { :n1 ?p ?o }; DELETE WHERE { ?s ?p :n1 }").unwrap();
    assert_eq!((store.now().n_nodes(), store.now().n_edges()), (2, 1));
    let names = |l: &str| format!("SELECT ?n {{ ?p a :{l} ; :name ?n }}");
    assert!(rows(&store, &names("Text")).is_empty());
}

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_changes_nothing() {
    let mut store = store();
    let before = store.now().clone();
    for (update, words) in [
        ("INSERT DATA { :a :b }", "line 1, column 21"),
        ("INSERT DATA { foo:a :b 1 }", "the prefix \"foo\" is not declared"),
        ("LOAD <http://example.org/>", "could not be answered"),
    ] {
        let error = sparql::update(&mut store, update).unwrap_err();
        assert!(matches!(error, UpdateError::Sparql(_)));
        assert!(error.to_string().contains(words), "{update}: {error}");
        assert_eq!(store.now(), &before);
    }
    assert!(sparql::is_update("DELETE WHERE { ?s ?p ?o }"));
    assert!(!sparql::is_update("SELECT * { ?s ?p ?o }"));
}

type Triples = Vec<(u8, u8, Option<u8>, i64)>;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What is inserted and deleted as triples is there as in a set of triples.
    #[test]
    fn updates_agree_with_a_set_of_triples(steps in prop::collection::vec(
        (any::<bool>(), prop::collection::vec((0..4u8, 0..3u8, prop::option::of(0..4u8), 0..3i64), 1..6)), 1..6,
    )) {
        let steps: Vec<(bool, Triples)> = steps;
        let mut store = GraphStore::default();
        let mut model: BTreeSet<String> = BTreeSet::new();
        for (inserts, triples) in steps {
            let mut lines = Vec::new();
            for (s, p, o, n) in triples {
                let line = match o {
                    Some(o) => format!(":s{s} :p{p} :s{o}"),
                    None => format!(":s{s} :v{p} {n}"),
                };
                if inserts { model.insert(line.clone()); } else { model.remove(&line); }
                lines.push(line);
            }
            let word = if inserts { "INSERT" } else { "DELETE" };
            sparql::update(&mut store, &format!("{word} DATA {{ {} }}", lines.join(" . "))).unwrap();
            let got: BTreeSet<String> = rows(&store, "SELECT ?s ?p ?o { ?s ?p ?o }")
                .iter()
                .map(|row| row.iter().map(|cell| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned)).collect::<Vec<_>>().join(" "))
                .collect();
            prop_assert_eq!(&got, &model);
            // The file holds all of it.
            let again = snapshot_file::read(&snapshot_file::write(store.now())).unwrap().graph;
            let mut there = kg::property::triples(&again);
            let mut here = kg::property::triples(store.now());
            there.sort_by_key(ToString::to_string);
            here.sort_by_key(ToString::to_string);
            prop_assert_eq!(there, here);
        }
    }
}
