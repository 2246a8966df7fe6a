//! Any number of threads checks a file to the same bytes.
//!
//! With the feature `threads`, which a test of the whole workspace turns on. That a pool is there is
//! known to the whole process: the tests beside this one share their work too meanwhile, with the same
//! results, and none of them may open a pool or close it.

use serde_json::{Map, json};
use tasks::dataset::{Checker, parse};
use tasks::{Style, TASKS, Wording, reference_text, solve};

/// Problems of every task and level; every fifth has an answer that is wrong.
fn file() -> String {
    let mut all = Map::new();
    for task in TASKS {
        for level in task.difficulties {
            for seed in 0..12 {
                let problem = task.generate(*level, seed);
                let wrong = seed % 5 == 4;
                let answer = reference_text(&problem, &solve(&problem));
                let entry = json!({
                    "question": problem.question(Wording::Benchmark, Style::ZeroShot),
                    "answer": if wrong { "I do not know." } else { &answer },
                    "difficulty": level.as_str(),
                });
                all.insert(all.len().to_string(), entry);
            }
        }
    }
    serde_json::Value::Object(all).to_string()
}

fn report(text: &str, at_most: usize) -> String {
    let mut checker = Checker::new(parse(text).unwrap());
    while checker.advance(at_most) > 0 {}
    serde_json::to_string(&checker.report()).unwrap()
}

#[test]
fn a_check_finds_the_same_on_any_number_of_threads() {
    let text = file();
    let one = report(&text, 16);
    assert!(one.contains("reference_rejected") && one.contains("\"solution_rejected\":0"), "{one}");
    for n_threads in [2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        graph::threads::open(n_threads);
        let many = pool.install(|| report(&text, 16 * n_threads));
        graph::threads::open(0);
        assert!(one == many, "{n_threads} threads find something else");
    }
}
