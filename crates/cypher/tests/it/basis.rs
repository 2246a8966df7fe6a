//! The nodes that a result stands on.

use cypher::{Parameters, Query, QueryLimits};
use kg::property::{GraphStore, PropertyValue};

fn store() -> GraphStore {
    let mut store = GraphStore::default();
    let made = "CREATE (k:Person {name: 'Kerr'})-[:WORKS_AT]->(t:Workshop {name: 'Tannery'}), \
                (t)-[:IN]->(v:Village {name: 'Larkrise', sheep: 7}), \
                (:Village {name: 'Dunmere', sheep: 5}), (:Village {name: 'Iverstone', sheep: 1})";
    let query = Query::parse(made).unwrap();
    query.write(&mut store, &Parameters::new(), &QueryLimits::default()).unwrap();
    store
}

/// The names of what a query stands on, and its rows.
fn stands_on(text: &str) -> (Vec<String>, usize) {
    let store = store();
    let query = Query::parse(text).unwrap();
    let none = Parameters::new();
    let (table, basis) =
        query.read_with_basis(store.now(), &none, &QueryLimits::default()).unwrap();
    let plain = query.read(store.now(), &none, &QueryLimits::default()).unwrap();
    assert_eq!(table.rows, plain.rows, "{text}");
    let name = |id| match store.now().node(id).and_then(|n| n.properties.get("name")) {
        Some(PropertyValue::Text(name)) => name.clone(),
        other => panic!("{other:?}"),
    };
    let mut names: Vec<String> = basis.into_iter().map(name).collect();
    names.sort();
    (names, table.rows.len())
}

#[test]
fn a_value_stands_on_all_that_its_row_was_matched_with() {
    let on = stands_on("MATCH (:Person {name: 'Kerr'})-->()-->(v) RETURN v.sheep");
    assert_eq!(on, (vec!["Kerr".into(), "Larkrise".into(), "Tannery".into()], 1));
    let on = stands_on("MATCH (p:Person)-->(t) WITH t MATCH (t)-[e]->() RETURN type(e)");
    assert_eq!(on.0, ["Kerr", "Larkrise", "Tannery"]);
}

#[test]
fn a_sum_stands_on_the_rows_of_its_group_and_on_no_others() {
    let on = stands_on("MATCH (v:Village) WHERE v.sheep > 2 RETURN sum(v.sheep)");
    assert_eq!(on, (vec!["Dunmere".into(), "Larkrise".into()], 1));
    let best = "MATCH (v:Village) WITH v.name AS name, max(v.sheep) AS n ORDER BY n DESC LIMIT 1 \
                RETURN name";
    assert_eq!(stands_on(best).0, ["Larkrise"]);
    let twice = "MATCH (v:Village) WITH v.sheep > 2 AS many, count(*) AS n WITH max(n) AS most \
                 RETURN most";
    assert_eq!(stands_on(twice).0, ["Dunmere", "Iverstone", "Larkrise"]);
}

#[test]
fn what_was_only_looked_at_is_no_basis() {
    let on = stands_on("MATCH (p:Person) WHERE EXISTS { (p)-->(:Workshop) } RETURN p.name");
    assert_eq!(on.0, ["Kerr"]);
    assert_eq!(stands_on("RETURN 1").0, [] as [&str; 0]);
    assert_eq!(stands_on("MATCH (n:Nothing) RETURN count(n)"), (Vec::new(), 1));
    // The last statement alone.
    assert_eq!(stands_on("MATCH (n) RETURN n; MATCH (p:Person) RETURN p").0, ["Kerr"]);
}

#[test]
fn a_basis_is_bounded() {
    let mut store = GraphStore::default();
    let none = Parameters::new();
    let many = Query::parse("UNWIND range(1, 2000) AS i CREATE ({i: i})").unwrap();
    many.write(&mut store, &none, &QueryLimits::default()).unwrap();
    let count = Query::parse("MATCH (n) RETURN count(n)").unwrap();
    let (table, basis) =
        count.read_with_basis(store.now(), &none, &QueryLimits::default()).unwrap();
    assert_eq!(table.rows[0][0], cypher::CypherValue::Int(2000));
    assert_eq!(basis.len(), 500);
}
