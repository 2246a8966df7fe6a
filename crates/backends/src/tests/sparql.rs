//! SPARQL over a graph, held against the graph's own indexes.

use crate::sparql::{Cell, Sparql, SparqlError};
use kg::generators::{hetionet_like, metro};
use kg::{Direction, Kg, KgBuilder};
use proptest::prelude::*;
use serde_json::{Map, json};

fn family() -> Kg {
    let mut builder = KgBuilder::new("family");
    for (id, name, born) in
        [("p1", "Ada Quill", 1950), ("p2", "Bo Quill", 1975), ("p3", "Cy Quill", 2001)]
    {
        let mut attributes = Map::new();
        attributes.insert("born".into(), json!(born));
        builder.node(id, "Person", name, attributes).unwrap();
    }
    builder.edge("p2", "has mother", "p1").unwrap();
    builder.edge("p3", "has mother", "p2").unwrap();
    builder.build().unwrap()
}

fn texts(kg: &Kg, query: &str) -> Vec<Vec<String>> {
    let table = Sparql::new(kg).unwrap().query(query, 1000).unwrap();
    let text = |cell: Option<Cell>| cell.map_or("-".to_owned(), |c| c.text().to_owned());
    table.rows.into_iter().map(|row| row.into_iter().map(text).collect()).collect()
}

#[test]
fn nodes_types_edges_and_attributes_can_be_asked_for() {
    let kg = family();
    assert_eq!(
        texts(
            &kg,
            "SELECT ?g WHERE { ?c rdfs:label 'Cy Quill'; edge:has%20mother/edge:has%20mother ?g }"
        ),
        [["Ada Quill"]]
    );
    assert_eq!(texts(&kg, "SELECT (COUNT(?p) AS ?n) WHERE { ?p a type:Person }"), [["3"]]);
    assert_eq!(
        texts(&kg, "SELECT ?p ?b WHERE { ?p attribute:born ?b FILTER(?b > 1960) } ORDER BY ?b"),
        [["Bo Quill", "1975"], ["Cy Quill", "2001"]]
    );
    assert_eq!(texts(&kg, "ASK { node:p3 edge:has%20mother node:p1 }"), [["no"]]);
    assert_eq!(texts(&kg, "SELECT DISTINCT ?e WHERE { ?a ?e ?b . ?b a ?t }"), [["has mother"]]);
    assert_eq!(
        texts(&kg, "CONSTRUCT { ?b edge:child ?a } WHERE { ?a edge:has%20mother ?b } ").len(),
        2
    );
    assert_eq!(
        texts(&kg, "SELECT ?p ?x WHERE { node:p1 rdfs:label ?p OPTIONAL { node:p1 edge:no ?x } }"),
        [["Ada Quill", "-"]]
    );
}

#[test]
fn queries_as_people_write_them_for_other_stores_are_answered_or_explained() {
    let kg = family();
    assert_eq!(
        texts(
            &kg,
            "SELECT (group_concat( DISTINCT ?p ; separator=', ') AS ?all) WHERE { ?p attribute:born 1950 }"
        ),
        [["urn:kg:node:p1"]]
    );
    let sparql = Sparql::new(&kg).unwrap();
    let error = |query: &str| sparql.query(query, 10).unwrap_err().to_string();
    let words = error("SELECT ?p ?t WHERE { ?p a ?t } GROUP BY ?t");
    assert!(words.contains("?p is selected and not grouped: add it to GROUP BY"), "{words}");
    let words = error("SELECT * WHERE { ?p a ?t } GROUP BY ?t");
    assert!(words.contains("SELECT * is not authorized with GROUP BY"), "{words}");
    let words = error("SELECT ?p WHERE { ?p a ?t\n SERVICE wikibase:label { } }");
    assert!(words.starts_with("line 2, column 10: the label service is Wikidata's own"), "{words}");
    // A string literal is left as it is.
    let text = texts(&kg, "SELECT (STR('group_concat(?x)') AS ?s) WHERE { }");
    assert_eq!(text, [["group_concat(?x)"]]);
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let kg = family();
    let sparql = Sparql::new(&kg).unwrap();
    let error = |query: &str| sparql.query(query, 10).unwrap_err();
    match error("SELECT ?x\nWHERE { ?x edge:a }") {
        SparqlError::Syntax { line: 2, column, message } => {
            assert!(column >= 18 && message.contains("found \"}\""), "{column} {message}");
        }
        other => panic!("{other:?}"),
    }
    let unknown = error("SELECT ?x WHERE { ?x nope:knows ?y }");
    assert!(
        matches!(&unknown, SparqlError::Prefix { prefix, .. } if prefix == "nope"),
        "{unknown}"
    );
    assert_eq!(unknown.place(), Some((1, 22)));
    assert_eq!(error("SELECT ?x\nWHERE {\n ?x nope:knows ?y }").place(), Some((3, 5)));
    assert!(matches!(error(&"x".repeat(200_000)), SparqlError::TooLong { n_bytes: 200_000 }));
    // Nothing is fetched.
    let service = error("SELECT ?x WHERE { SERVICE <http://127.0.0.1:9/> { ?x ?y ?z } }");
    assert!(matches!(service, SparqlError::Evaluation { .. }), "{service}");
    assert!(matches!(error("INSERT DATA { node:a edge:b node:c }"), SparqlError::Syntax { .. }));
}

#[test]
fn examples_ask_for_what_the_graph_has_most_of() {
    for kg in [metro(8, 1).unwrap(), hetionet_like(500, 4_000, 3).unwrap(), family()] {
        let n_types = kg.schema().node_types().len().to_string();
        for example in kg::examples(kg.schema()) {
            let table = Sparql::new(&kg).unwrap().query(&example.query, 10_000).unwrap();
            assert!(!table.rows.is_empty(), "{}", example.query);
            if example.title.starts_with("Types") {
                assert_eq!(table.rows.len().to_string(), n_types);
            }
        }
    }
    assert_eq!(
        texts(&family(), &kg::examples(family().schema())[0].query),
        [["Bo Quill", "Ada Quill"], ["Cy Quill", "Bo Quill"]]
    );
    assert!(kg::examples(&kg::Schema::default()).is_empty());
}

#[test]
fn an_answer_is_bounded() {
    let kg = hetionet_like(500, 4_000, 3).unwrap();
    let sparql = Sparql::new(&kg).unwrap();
    let table = sparql.query("SELECT ?a ?b WHERE { ?a ?e ?b . ?b a ?t }", 100).unwrap();
    assert_eq!((table.rows.len(), table.is_cut), (100, true));
    let all = sparql.query("SELECT ?a ?e ?b WHERE { ?a ?e ?b . ?b a ?t }", 100_000).unwrap();
    assert_eq!((all.rows.len(), all.is_cut), (kg.n_edges(), false));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever types are called, the examples can be read, and those about them find something.
    #[test]
    fn examples_of_any_schema_have_answers(
        names in prop::array::uniform3(
            "[a-zA-Z0-9 :/<>\"%é{}_.-]{1,8}|https?://[a-z/#.]{1,6}|schema:[a-z]{1,3}"
                // A builder refuses what is only spaces.
                .prop_filter("a name", |n: &String| !n.trim().is_empty())
        ),
    ) {
        let [from, edge, key] = names;
        let mut builder = KgBuilder::new("any");
        let mut attributes = Map::new();
        attributes.insert(key.clone(), json!(7));
        builder.node("a", &from, "first", attributes).unwrap();
        builder.node("b", "T", "second", Map::new()).unwrap();
        builder.edge("a", &edge, "b").unwrap();
        let kg = builder.build().unwrap();
        let examples = kg::examples(kg.schema());
        // Odd IRIs are left out.
        let is_odd = [&from, &edge, &key].iter().any(|n| n.starts_with("http"));
        prop_assert!(examples.len() == 4 || is_odd && !examples.is_empty());
        for example in examples {
            let table = Sparql::new(&kg).unwrap().query(&example.query, 10);
            let table = table.map_err(|e| TestCaseError::fail(format!("{e}: {}", example.query)))?;
            prop_assert!(!table.rows.is_empty(), "{}", example.query);
        }
    }

    /// Two hops by SPARQL are two hops by the indexes.
    #[test]
    fn two_hops_are_the_same_both_ways(seed in 0u64..100, pick in 0usize..1000) {
        let kg = metro(4, seed).unwrap();
        let sparql = Sparql::new(&kg).unwrap();
        let node = kg.nodes().nth(pick % kg.n_nodes()).unwrap();
        let hop = |from: Vec<kg::NodeIx>| -> Vec<kg::NodeIx> {
            let mut all: Vec<_> = from
                .iter()
                .flat_map(|n| kg.edges_of(*n, Direction::Out).map(|(_, _, o)| o))
                .collect();
            all.sort();
            all.dedup();
            all
        };
        let expected = hop(hop(vec![node]));
        let id = kg.id(node).replace(':', "%3A").replace(' ', "%20");
        let query = format!(
            "SELECT DISTINCT ?end WHERE {{ <urn:kg:node:{id}> ?a ?m . ?m ?b ?end . ?end a ?t }}"
        );
        let mut found: Vec<kg::NodeIx> = sparql.query(&query, 100_000).unwrap().rows.iter()
            .map(|row| match &row[0] {
                Some(Cell::Node { node, .. }) => *node,
                other => panic!("{other:?}"),
            })
            .collect();
        found.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_query_is_no_panic(query in "\\PC{0,60}|(SELECT|ASK|WHERE|[?{}.:a-c*/ \n]){0,30}") {
        let _ = Sparql::new(&family()).unwrap().query(&query, 5);
    }
}

/// Queries as deep and as long as they may be, in every way in which one can be either.
fn largest() -> Vec<(&'static str, String)> {
    use crate::sparql::{MAX_DEPTH, MAX_JOINS, MAX_STEPS};
    let nested = |open: &str, inner: &str, close: &str, n: usize| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let depth = MAX_DEPTH - 2;
    let many = |part: &str, n: usize| part.repeat(n);
    vec![
        ("braces", format!("SELECT * {{ {} }}", nested("{", "?s ?p ?o", "}", depth))),
        ("round", format!("SELECT * {{ ?s ?p ?o FILTER {} }}", nested("(", "1", ")", depth))),
        ("optional", format!("SELECT * {{ {} }}", nested("OPTIONAL {", "?s ?p ?o", "}", depth))),
        (
            "selects",
            format!("SELECT * {{ {} }}", nested("{SELECT * {", "?s ?p ?o", "}}", depth / 2)),
        ),
        (
            "not exists",
            format!(
                "SELECT * {{ ?s ?p ?o {} }}",
                nested("FILTER NOT EXISTS {", "?s ?p ?o", "}", depth)
            ),
        ),
        ("nodes", format!("SELECT * {{ {} }}", nested("[ ?p ", "1", " ]", depth))),
        ("lists", format!("SELECT * {{ ?s ?p {} }}", nested("(", "1", ")", depth))),
        ("calls", format!("SELECT * {{ BIND({} AS ?x) }}", nested("STR(", "1", ")", depth - 1))),
        ("sum", format!("SELECT * {{ FILTER(1{} > 0) }}", many("+1", MAX_JOINS - 6))),
        ("not", format!("SELECT * {{ FILTER {} }}", nested("(!", "true", ")", depth))),
        (
            "or",
            format!("SELECT * {{ ?s ?p ?o FILTER(?s{}) }}", many("=?s||?s", (MAX_JOINS - 4) / 2)),
        ),
        ("union", format!("SELECT * {{ {{}}{} }}", many(" UNION {}", (MAX_JOINS - 4) / 2))),
        ("optionals", format!("SELECT * {{ {} }}", many("OPTIONAL {} ", (MAX_JOINS - 4) / 2))),
        ("groups", format!("SELECT * {{ {} }}", many("{} ", MAX_JOINS - 4))),
        ("filters", format!("SELECT * {{ ?s ?p ?o {} }}", many("FILTER(1) ", MAX_JOINS - 4))),
        ("patterns", format!("SELECT * {{ {} }}", many("?s ?p ?o . ", MAX_JOINS - 4))),
        ("objects", format!("SELECT * {{ ?s ?p 0{} }}", many(", 1", MAX_JOINS - 4))),
        ("list", format!("SELECT * {{ ?s ?p ({}) }}", many("1 ", MAX_JOINS - 4))),
        ("path", format!("SELECT * {{ ?s <urn:a>{} ?o }}", many("/<urn:a>", MAX_STEPS))),
        ("either", format!("SELECT * {{ ?s <urn:a>{} ?o }}", many("|<urn:a>", MAX_STEPS))),
        ("stars", format!("SELECT * {{ ?s {} ?o }}", nested("(", "<urn:a>", ")*", depth))),
    ]
}

#[test]
fn the_largest_queries_that_are_let_in_fit_into_a_browsers_stack() {
    let kg = metro(3, 1).unwrap();
    let sparql = Sparql::new(&kg).unwrap();
    let sparql = &sparql;
    for (name, query) in &largest() {
        crate::sparql::check(query).unwrap_or_else(|e| panic!("{name}: {e}"));
        let ask = || {
            sparql.query(query, 10).unwrap_or_else(|e| panic!("{name}: {e}"));
        };
        std::thread::scope(|scope| {
            let browser = std::thread::Builder::new().stack_size(1 << 20);
            browser.spawn_scoped(scope, ask).unwrap().join().unwrap();
        });
    }
}
