//! Property graphs: Cypher, SPARQL updates, snapshot files.

use backends::property_sparql as sparql;
use cypher::{Parameters, Query, QueryLimits};
use kg::property::GraphStore;
use kg::property::snapshot_file::{self, SnapshotRead};

use crate::{Target, text};

/// Queries of every clause and kind of expression.
const QUERIES: &[&str] = &[
    "MATCH (n:A {x: 1})-[r:R|S*1..3]->(m) WHERE n.x > 1 AND NOT (n)--(m) RETURN n, m ORDER BY n.x",
    "OPTIONAL MATCH p = shortestPath((a)-[*..5]-(b)) WITH DISTINCT p SKIP 1 LIMIT 2 RETURN length(p)",
    "CALL { MATCH (a) RETURN a } RETURN [x IN range(1, 3) WHERE x > 1 | x][0..1], reduce(s = 0, y IN [1] | s + y)",
    "MERGE (a:B {s: 'it\\'s \\u0041'}) ON CREATE SET a += {y: 2.5e3}, a:C REMOVE a.x",
    "FOREACH (x IN [1, 2] | CREATE (:D {v: CASE x WHEN 1 THEN 'a' ELSE \"b\" END}))",
    "MATCH (n) WHERE EXISTS { (n)--(:A) } AND n.name =~ '(?i)a.*' RETURN n {.name, .*}, count(*), collect(DISTINCT n.x)",
    "RETURN date('2024-05-31') + duration('P1M'), toInteger('12.7'), split('a,b', ','), 7 % 2 ^ 3",
    "UNWIND [1, null] AS x RETURN x UNION ALL RETURN 2 AS x; CREATE INDEX i FOR (n:A) ON (n.x)",
];

const GRAPH: &str = concat!(
    "{\"type\":\"node\",\"id\":\"0\",\"labels\":[\"A\"],\"properties\":{\"x\":1,\"name\":\"Ada\"}}\n",
    "{\"type\":\"node\",\"id\":\"1\",\"labels\":[\"B\",\"C\"],\"properties\":{\"l\":[1.5,2.5]}}\n",
    "{\"type\":\"relationship\",\"id\":\"0\",\"label\":\"R\",\"properties\":{\"y\":true},",
    "\"start\":{\"id\":\"0\",\"labels\":[\"A\"]},\"end\":{\"id\":\"1\",\"labels\":[\"B\"]}}\n",
);

fn store() -> GraphStore {
    GraphStore::open(snapshot_file::read(GRAPH).unwrap_or_default().graph)
}

/// Runs a query as `limits` let it, and shows what it gives.
pub(super) fn run_cypher(query: &str, mut store: GraphStore, limits: &QueryLimits<'_>) {
    let Ok(query) = Query::parse(query) else { return };
    let before = store.now().clone();
    match query.write(&mut store, &Parameters::new(), limits) {
        Ok(table) => {
            for value in table.rows.iter().flatten() {
                let _ = value.to_json(&table.graph);
                let _ = value.to_text(&table.graph);
            }
        }
        Err(_) => assert_eq!(store.now(), &before),
    }
}

pub(super) fn targets() -> Vec<Target> {
    let cypher = |data: &[u8]| {
        let limits =
            QueryLimits { steps: 100_000, rows: 10_000, length: 10_000, ..QueryLimits::default() };
        run_cypher(&text(data), store(), &limits);
    };
    let update = |data: &[u8]| {
        let mut store = store();
        let before = store.now().clone();
        if sparql::update(&mut store, &text(data)).is_err() {
            assert_eq!(store.now(), &before);
        }
    };
    let snapshot = |data: &[u8]| {
        let Ok(SnapshotRead { graph, .. }) = snapshot_file::read(&text(data)) else { return };
        let again = snapshot_file::read(&snapshot_file::write(&graph));
        assert_eq!(
            again.map(|again| (again.graph.n_nodes(), again.graph.n_edges())),
            Ok((graph.n_nodes(), graph.n_edges()))
        );
    };
    vec![
        Target::new("cypher", 1024, cypher, |_| {
            QUERIES.iter().map(|query| query.as_bytes().to_vec()).collect()
        }),
        Target::new("property_update", 300, update, |_| {
            [
                "INSERT DATA { :n0 :KNOWS :Bob . :Bob a :Person ; :age 42, 43 }",
                "DELETE { ?p :x ?x } INSERT { ?p :x 2.5 } WHERE { ?p a :A ; :x ?x }",
                "DELETE WHERE { :n1 ?p ?o }; CLEAR DEFAULT",
            ]
            .iter()
            .map(|update| update.as_bytes().to_vec())
            .collect()
        }),
        Target::new("property_snapshot", 2048, snapshot, |_| {
            let public =
                "{\"type\": \"node\", \"id\": 4, \"labels\": \"Book\", \"properties\": {}}\n";
            vec![GRAPH.into(), public.into()]
        }),
    ]
}
