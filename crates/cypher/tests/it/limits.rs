//! No query takes more than it may.

use std::cell::Cell;

use cypher::{Cause, Parameters, Query, QueryLimits};
use kg::property::GraphStore;

fn cause(text: &str, limits: &QueryLimits<'_>) -> Option<Cause> {
    let mut store = GraphStore::default();
    let setup = "UNWIND range(1, 40) AS i CREATE (:N {i: i}) \
                 WITH count(*) AS c MATCH (a:N), (b:N) WHERE a.i <> b.i CREATE (a)-[:R]->(b)";
    let run = |text: &str, store: &mut GraphStore, limits: &QueryLimits<'_>| {
        Query::parse(text)?.write(store, &Parameters::new(), limits)
    };
    run(setup, &mut store, &QueryLimits::default()).unwrap();
    run(text, &mut store, limits).err().map(|error| error.cause())
}

#[test]
fn what_grows_without_end_is_ended() {
    let endless = [
        // Every way through a graph where each of 40 nodes knows all others.
        "MATCH (a)-[*]->(b) RETURN count(*)",
        "MATCH (a)-[:R*1..8]-(b) WHERE a.i + b.i = -1 RETURN b",
        "MATCH (a), (b), (c), (d), (e) RETURN count(*)",
        "MATCH (a), (b), (c), (d), (e) WHERE a.i + b.i + c.i + d.i = e.i * -1 RETURN 1",
        "UNWIND range(1, 1000) AS a UNWIND range(1, 1000) AS b RETURN count(*)",
        "RETURN size(range(1, 100000000))",
        "RETURN reduce(s = 'a', i IN range(1, 60) | s + s)",
        "RETURN reduce(s = [1], i IN range(1, 60) | s + s)",
        "RETURN reduce(s = 'ab', i IN range(1, 60) | replace(s, 'a', s))",
        "MATCH p = allShortestPaths((a {i: 1})-[*]-(b {i: 2})) \
         UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN x",
        "MATCH (n:N) FOREACH (i IN range(1, 1000000) | CREATE (:M {i: i}))",
        "UNWIND range(1, 100000) AS a WITH collect(a) AS all UNWIND all AS x UNWIND all AS y RETURN x",
        "RETURN [x IN range(1, 5000) | [y IN range(1, 5000) | x * y]]",
        "MATCH (a) WHERE all(x IN range(1, 100000) WHERE x < a.i + 1000000) \
         AND all(x IN range(1, 100000) WHERE x > a.i - 1000000) RETURN a",
    ];
    let limits = QueryLimits { steps: 500_000, rows: 50_000, ..QueryLimits::default() };
    for text in endless {
        assert_eq!(cause(text, &limits), Some(Cause::TooMuch), "{text}");
    }
}

#[test]
fn a_query_can_be_stopped() {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    let limits = QueryLimits { stop: Some(&stop), ..QueryLimits::default() };
    let text = "MATCH (a)-[*1..6]->(b) RETURN count(*)";
    assert_eq!(cause(text, &limits), Some(Cause::TooMuch));
    assert_eq!(asked.get(), 4);
}

#[test]
fn small_queries_stay_far_below_the_limits() {
    let limits = QueryLimits { steps: 300_000, ..QueryLimits::default() };
    for text in [
        "MATCH (a {i: 1})-[:R]->(b)-[:R]->(c {i: 3}) RETURN count(*)",
        "MATCH (a:N {i: 1}), (b:N {i: 2}) MATCH p = shortestPath((a)-[*]-(b)) RETURN length(p)",
        "MATCH (a:N), (b:N) WHERE a.i = 1 AND b.i = 2 RETURN a, b",
    ] {
        assert_eq!(cause(text, &limits), None, "{text}");
    }
}
