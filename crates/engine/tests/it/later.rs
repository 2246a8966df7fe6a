//! Lists of handlers whose code loads with the first request.

use std::cell::Cell;

use engine::{List, Loading};
use protocol::FromWorker;
use protocol::problem::{GenerateProblem, ListFunctions};
use tasks::{Difficulty, Style, TaskId, Wording};

use crate::page::{Json, Lists, Page};

thread_local! {
    static LOADS: Cell<u32> = const { Cell::new(0) };
    static IS_GONE: Cell<bool> = const { Cell::new(false) };
}

fn load() -> Loading<Json> {
    Box::pin(async {
        LOADS.set(LOADS.get() + 1);
        if IS_GONE.get() { Err("it did not come".into()) } else { Ok(Lists::PROBLEMS) }
    })
}

const LATER: List<Json> = List::Later { names: &["problem/generate", "problem/unknown"], load };

fn generate() -> GenerateProblem {
    GenerateProblem {
        task: TaskId::Cycle,
        difficulty: Difficulty::Easy,
        seed: 1,
        wording: Wording::Benchmark,
        style: Style::ZeroShot,
    }
}

#[test]
fn a_list_loads_with_the_first_request_for_it() {
    let mut page = Page::with(vec![List::Here(Lists::RUNS), LATER]);
    let events = page.play(ListFunctions {});
    assert!(matches!(events.as_slice(), [FromWorker::Done { .. }]), "{events:?}");
    assert_eq!(LOADS.get(), 0);
    let events = page.play(generate());
    assert!(matches!(events.as_slice(), [FromWorker::Done { .. }]), "{events:?}");
    assert_eq!(LOADS.get(), 1);
}

#[test]
fn a_list_that_does_not_come_is_told_and_asked_for_again() {
    IS_GONE.set(true);
    let mut page = Page::with(vec![LATER]);
    let events = page.play(generate());
    let [FromWorker::Failed { message }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(message, "it did not come");
    IS_GONE.set(false);
    let events = page.play(generate());
    assert!(matches!(events.as_slice(), [FromWorker::Done { .. }]), "{events:?}");
}

#[test]
fn what_no_list_answers_is_refused() {
    let mut page = Page::with(vec![List::Here(Lists::RUNS)]);
    let events = page.play(generate());
    let [FromWorker::Failed { message }] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(message, "internal error: this engine does not answer problem/generate");
}
