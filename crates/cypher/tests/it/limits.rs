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

/// Lines that each make a value of any size or depth in as many steps as it has letters, or walk one.
const GROWING: [&str; 28] = [
    "RETURN size(reduce(l = [1], i IN range(1, 1000000) | [l]))",
    "RETURN reduce(l = [1], i IN range(1, 20000) | [l])",
    "RETURN size(keys(reduce(m = {a: 1}, i IN range(1, 100000) | {a: m})))",
    "RETURN reduce(l = [1], i IN range(1, 60) | [l, l])",
    "RETURN reduce(m = {}, i IN range(1, 60) | {a: m, b: m})",
    "WITH {x: 1} AS m RETURN reduce(m = m, i IN range(1, 60) | m {.*, y: m, z: m})",
    "WITH reduce(l = [1], i IN range(1, 60) | [l, l]) AS a, \
     reduce(l = [1], i IN range(1, 60) | [l, l]) AS b RETURN a = b",
    "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l UNWIND range(1, 2000) AS x \
     RETURN count(CASE WHEN l = l THEN x END)",
    "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l UNWIND range(1, 2000) AS x \
     RETURN count(DISTINCT l)",
    "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l UNWIND range(1, 2000) AS x \
     WITH x, l ORDER BY l, x RETURN count(*)",
    "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l UNWIND range(1, 2000) AS x \
     RETURN min(l) = max(l)",
    "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l UNWIND range(1, 2000) AS x RETURN l",
    "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l UNWIND range(1, 2000) AS x \
     WITH l, count(*) AS n RETURN n",
    "WITH reduce(l = [1], i IN range(1, 18) | [l, l]) AS l \
     RETURN size([x IN range(1, 2000) WHERE l IN [l]])",
    "RETURN size([x IN range(1, 1000000) | range(1, 1000000)])",
    "UNWIND range(1, 100000) AS x RETURN size(collect(range(1, 10000)))",
    "WITH reduce(s = 'a', i IN range(1, 19) | s + s) AS s UNWIND range(1, 20000) AS x RETURN s",
    "WITH reduce(s = 'a', i IN range(1, 19) | s + s) AS s UNWIND range(1, 20000) AS x \
     RETURN size(collect(s + toString(x)))",
    "WITH reduce(s = 'a', i IN range(1, 19) | s + s) AS s UNWIND range(1, 20000) AS x \
     CREATE (:M {s: s})",
    "WITH reduce(s = 'a', i IN range(1, 19) | s + s) AS s UNWIND range(1, 20000) AS x \
     RETURN size(collect(split(s, '')))",
    "WITH reduce(s = 'a', i IN range(1, 19) | s + s) AS s \
     RETURN size(split(s, [x IN range(1, 100000) | toString(x)]))",
    "WITH range(1, 1000000) AS l RETURN size(reduce(s = l, i IN range(1, 1000000) | tail(s)))",
    "WITH range(1, 1000000) AS l RETURN size(reduce(s = l, i IN range(1, 1000000) | s[1..]))",
    "UNWIND range(1, 200000) AS x CALL { UNWIND range(1, 200000) AS y RETURN count(*) AS n } \
     RETURN count(*)",
    "MATCH p = (:N)-[:R*]->(:N) RETURN count(p)",
    "MATCH p = (:N)-[:R*]->(:N) RETURN collect(p)",
    "MATCH (n:N) CREATE (a)-[:S]->(b)-[:S]->(c) WITH n UNWIND range(1, 100000) AS x \
     CREATE (:M {x: x})-[:S]->(:M)-[:S]->(:M)-[:S]->(:M)",
    "UNWIND range(1, 200000) AS x \
     RETURN count('a' =~ ('(a{100}){20}' + toString(x)))",
];

#[test]
fn what_grows_in_one_step_has_a_size_and_a_depth() {
    let limits = QueryLimits { steps: 1_500_000, ..QueryLimits::default() };
    for text in GROWING {
        assert_eq!(cause(text, &limits), Some(Cause::TooMuch), "{text}");
    }
    let nested = |n: usize| format!("RETURN size(reduce(l = [1], i IN range(1, {n}) | [l, 1]))");
    assert_eq!(cause(&nested(99), &QueryLimits::default()), None);
    assert_eq!(cause(&nested(100), &QueryLimits::default()), Some(Cause::TooMuch));
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
