//! Any number of threads gives the same bytes.
//!
//! With the feature `threads`, which a test of the whole workspace turns on. That a pool is there is
//! known to the whole process: the tests beside this one share their work too meanwhile, with the same
//! results, and none of them may open a pool or close it.

use std::collections::BTreeSet;

use graph::functions::{FUNCTIONS, GraphFunction, Group};
use graph::{Graph, generators, threads};
use serde_json::json;

/// Graphs that are large enough to be shared out; the last has weights whose sums depend on their
/// order.
fn graphs() -> Vec<Graph> {
    let mut weighted = Graph::directed();
    let sparse = generators::random_sparse(260, 1300, true, 4).unwrap();
    for (i, edge) in sparse.edges().enumerate() {
        let (a, b) = (edge.source.clone(), edge.target.clone());
        weighted.link_weighted(a, b, 0.1 * (1 + i % 7) as f64).unwrap();
    }
    vec![
        generators::random_sparse(300, 1200, false, 1).unwrap(),
        generators::random_sparse(300, 1500, true, 2).unwrap(),
        generators::barabasi_albert(400, 3, 3).unwrap(),
        generators::grid(15, 20).unwrap(),
        weighted,
    ]
}

/// Searches on one thread that take all their steps on graphs of this size.
const ALONE: [&str; 2] = ["max_independent_set", "min_vertex_cover"];

/// What every function without arguments says of every graph.
fn all_results() -> Vec<String> {
    let mut results = Vec::new();
    for (i, graph) in graphs().iter().enumerate() {
        let is_asked = |f: &&GraphFunction| f.group != Group::Build && !ALONE.contains(&f.name);
        for function in FUNCTIONS.iter().filter(is_asked) {
            let result = match function.call(graph, json!({})) {
                Ok(outcome) => format!("{} {:?}", outcome.value, outcome.touched),
                Err(error) if error.code == "bad_arguments" => continue,
                Err(error) => format!("{error:?}"),
            };
            results.push(format!("{i} {} {result}", function.name));
        }
    }
    results
}

#[test]
fn every_function_says_the_same_on_any_number_of_threads() {
    let one = all_results();
    let values = |name: &str| one.iter().filter(|r| r.split(' ').nth(1) == Some(name)).count();
    assert_eq!((values("betweenness_centrality"), values("diameter")), (5, 5));
    for n_threads in [2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        threads::open(n_threads);
        let many = pool.install(all_results);
        // And they do share: each call sleeps long enough for another thread to take the next one.
        let ids = pool.install(|| {
            threads::map(
                8,
                u64::MAX,
                || (),
                |(), _| {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    format!("{:?}", std::thread::current().id())
                },
            )
        });
        assert!(BTreeSet::from_iter(ids).len() > 1);
        threads::open(0);
        for (one, many) in one.iter().zip(&many) {
            assert_eq!(one, many, "{n_threads} threads");
        }
        assert_eq!(one.len(), many.len());
    }
}
