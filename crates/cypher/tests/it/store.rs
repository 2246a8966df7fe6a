//! What queries do to a store.

use cypher::{Cause, CypherValue, Parameters, Query, QueryLimits};
use kg::property::GraphStore;

fn write(store: &mut GraphStore, text: &str) -> Result<cypher::CypherTable, cypher::CypherError> {
    Query::parse(text)?.write(store, &Parameters::new(), &QueryLimits::default())
}

#[test]
fn a_query_that_fails_changes_nothing() {
    let mut store = GraphStore::default();
    write(&mut store, "CREATE (:A {n: 1})-[:R]->(:B)").unwrap();
    let before = store.now().clone();
    let failing = [
        "MATCH (a:A) SET a.n = 2 DELETE a",
        "MATCH (a:A) SET a.n = 2 SET a.m = {x: 1}",
        "CREATE (:C) WITH 1 AS one UNWIND [1, 0] AS x CREATE (:D {n: one / x})",
        "CREATE (:C); CREATE (:D {n: 1 / 0})",
        "MERGE (c:C {n: null})",
    ];
    for query in failing {
        assert!(write(&mut store, query).is_err(), "{query}");
        assert_eq!(store.now(), &before, "{query}");
        assert_eq!(store.snapshots().len(), 2, "{query}");
    }
}

#[test]
fn a_reader_cannot_write() {
    let mut store = GraphStore::default();
    write(&mut store, "CREATE (:A)").unwrap();
    let none = Parameters::new();
    for text in ["CREATE (:B)", "MATCH (a) CALL { WITH a SET a.x = 1 } RETURN a", "MERGE (:A)"] {
        let query = Query::parse(text).unwrap();
        assert!(query.is_write(), "{text}");
        assert!(query.read(store.now(), &none, &QueryLimits::default()).is_err(), "{text}");
    }
    let inside = Query::parse("RETURN EXISTS { CREATE (:B) }").unwrap_err();
    assert_eq!(inside.cause(), Cause::InvalidClauseComposition);
    let query = Query::parse("MATCH (a) RETURN count(a)").unwrap();
    assert!(!query.is_write());
    let table = query.read(store.now(), &none, &QueryLimits::default()).unwrap();
    assert!(matches!(table.rows[0][0], CypherValue::Int(1)));
}

#[test]
fn earlier_states_can_be_asked() {
    let mut store = GraphStore::default();
    for name in ["a", "b", "c"] {
        write(&mut store, &format!("CREATE (:N {{name: '{name}'}})")).unwrap();
    }
    let count = Query::parse("MATCH (n:N) RETURN count(n)").unwrap();
    for (i, snapshot) in store.snapshots().iter().enumerate() {
        let table =
            count.read(&snapshot.graph, &Parameters::new(), &QueryLimits::default()).unwrap();
        assert!(matches!(table.rows[0][0], CypherValue::Int(n) if n == i as i64));
    }
}

#[test]
fn the_table_knows_what_its_nodes_have() {
    let mut store = GraphStore::default();
    let text = "CREATE p = (:A {x: 1})-[:R {y: 'it''s'}]->(:B)<-[:S]-(:C) RETURN p";
    assert!(Query::parse(text).is_err(), "two quotes are no escape");
    let text = "CREATE p = (:A {x: 1})-[:R {y: 'it\\'s'}]->(:B)<-[:S]-(:C) RETURN p";
    let table = write(&mut store, text).unwrap();
    let words = table.rows[0][0].to_text(&table.graph);
    assert_eq!(words, "<(:A {x: 1})-[:R {y: 'it\\'s'}]->(:B)<-[:S]-(:C)>");
    assert_eq!(table.rows[0][0].to_json(&table.graph)["nodes"][0]["labels"][0], "A");
}

#[test]
fn errors_have_place_and_hint() {
    let cases = [
        ("MATCH (n) RETURN m", "line 1, column 18: there is no variable m here; there are n"),
        ("MATCH (n)\nWHERE n.x == 1 RETURN n", "line 2, column 12: expected an expression"),
        ("MATCH (n) RETURN n.x GROUP BY n.x", "leave GROUP BY out"),
        ("RETURN to_lower('A')", "did you mean tolower?"),
        ("SELECT * FROM n", "write MATCH"),
        ("MATCH (n) RETURN count(n) WHERE n.x = 1", "expected the next clause"),
        ("MATCH (n) WHERE count(n) > 1 RETURN n", "write WITH …, count(*) AS n WHERE n > 1"),
        ("MATCH (n {name: 'x') RETURN n", "line 1, column 20: ) does not close the { of line 1"),
        ("CREATE (a)-[:R]-(b)", "write -[:TYPE]-> or <-[:TYPE]-"),
        ("CALL apoc.help('x')", "apoc and gds are not here"),
        ("RETURN 'abc", "close it with '"),
        ("", "the query is empty"),
    ];
    for (query, words) in cases {
        let error = Query::parse(query).unwrap_err().to_string();
        assert!(error.contains(words), "{query}\n{error}");
    }
    let mut store = GraphStore::default();
    let error = write(&mut store, "UNWIND [1, 'a'] AS x\nRETURN x * 2").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 10: arithmetic needs numbers, not a text and a whole number"
    );
}
