//! `cargo bench`: graph functions, and the benchmark's own work, natively.
//!
//! The page (`cargo xtask bench-browser`) times the same functions in a browser beside other
//! libraries. `cargo bench --bench library -- shortest` runs those with that in their names.

// What is timed may fail as it may.
#![allow(clippy::unwrap_used)]

use bench_page::{CASES, dataset, graph_for, made};
use divan::Bencher;
use tasks::{Difficulty, Problem, Style, TaskId, Wording, parse_question, reference_text, verify};

fn main() {
    divan::main();
}

/// One graph function on the graph that suits it.
#[divan::bench(args = CASES.iter().map(|case| case.name))]
fn function(bencher: Bencher<'_, '_>, name: &str) {
    let case = CASES.iter().find(|case| case.name == name).unwrap();
    let graph = graph_for(name).unwrap();
    assert!((case.run)(&graph).is_finite(), "{name} gives no number");
    bencher.bench(|| (case.run)(divan::black_box(&graph)));
}

fn problem(task: &str) -> Problem {
    tasks::task(TaskId::from_name(task).unwrap()).generate(Difficulty::Hard, 7)
}

/// A question of a task, read back.
#[divan::bench(args = TaskId::ALL.map(TaskId::as_str))]
fn parse(bencher: Bencher<'_, '_>, task: &str) {
    let question = problem(task).question(Wording::Benchmark, Style::ZeroShot);
    bencher.bench(|| parse_question(divan::black_box(&question)));
}

/// The library's answer to a problem.
#[divan::bench(args = TaskId::ALL.map(TaskId::as_str))]
fn solve(bencher: Bencher<'_, '_>, task: &str) {
    let problem = problem(task);
    bencher.bench(|| tasks::solve(divan::black_box(&problem)));
}

/// That answer in words, read and judged with its certificate.
#[divan::bench(args = TaskId::ALL.map(TaskId::as_str))]
fn judge(bencher: Bencher<'_, '_>, task: &str) {
    let problem = problem(task);
    let text = reference_text(&problem, &tasks::solve(&problem));
    bencher.bench(|| verify(divan::black_box(&problem), divan::black_box(&text)));
}

/// A file of NLGraph's shape, checked from its words to the last verdict.
#[divan::bench(args = [5, 20])]
fn file(bencher: Bencher<'_, '_>, per_level: u64) {
    let text = made(per_level);
    bencher.bench(|| dataset(divan::black_box(&text)));
}
