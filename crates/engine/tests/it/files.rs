//! Files of questions: checked one by one, opened, stopped between slices.

use protocol::problem::{
    CheckFiles, CheckedFiles, FileReport, OpenQuestion, SampleQuestions, WarmUp,
};
use tasks::{Difficulty, TaskId};

use crate::page::*;

fn reports(events: &[Event]) -> Vec<FileReport> {
    told::<CheckFiles>(events)
}

#[test]
fn files_are_checked_one_by_one_and_counted() {
    let mut page = Page::new();
    let files = files(&[
        ("cycle.json", file(TaskId::Cycle, 20)),
        ("broken.json", "{\"0\": {\"question\": \"In an".to_owned()),
        ("flow.json", file(TaskId::Flow, 5)),
    ]);
    let mut events = page.play_with(CheckFiles {}, files);
    let CheckedFiles { n_questions, took_ms, .. } = done::<CheckFiles>(events.pop().unwrap());
    assert_eq!(n_questions, 25);
    assert!(took_ms > 0.0);
    let reports = reports(&events);
    let names: Vec<(usize, &str)> = reports.iter().map(|r| (r.index, r.name.as_str())).collect();
    assert_eq!(names, [(0, "cycle.json"), (1, "broken.json"), (2, "flow.json")]);
    let cycle = reports[0].report.as_ref().unwrap();
    assert_eq!((cycle.totals.questions, cycle.totals.is_clean()), (20, true));
    assert_eq!(cycle.rows.len(), 20);
    let fault = reports[1].report.as_ref().unwrap_err();
    assert!(fault.contains("cut off"), "{fault}");
}

#[test]
fn a_file_of_samples_has_three_questions_of_each_task_and_all_are_right() {
    let mut page = Page::new();
    let text = page.ask(SampleQuestions { seed: 5 });
    assert_eq!(page.ask(SampleQuestions { seed: 5 }), text);
    let mut events = page.play_with(CheckFiles {}, files(&[("samples.json", text)]));
    assert_eq!(done::<CheckFiles>(events.pop().unwrap()).n_questions, 24);
    let report = reports(&events).remove(0).report.unwrap();
    assert_eq!((report.tasks.len(), report.totals.is_clean()), (8, true));
}

#[test]
fn a_problem_of_a_checked_file_can_be_opened() {
    let mut page = Page::new();
    let files =
        files(&[("cycle.json", file(TaskId::Cycle, 3)), ("flow.json", file(TaskId::Flow, 3))]);
    page.play_with(CheckFiles {}, files);
    let question = |file, key: &str| OpenQuestion { file, key: key.into() };
    let problem = page.ask(question(1, "2")).0;
    let made = tasks::task(TaskId::Flow).generate(Difficulty::Easy, 2);
    assert_eq!((&problem.graph, &problem.query), (&made.graph, &made.query));
    assert_eq!(problem.difficulty, Some(Difficulty::Easy), "the file says the level");
    let message = page.refused(question(1, "77"));
    assert!(message.contains("\"77\""), "{message}");
    let message = page.refused(question(5, "0"));
    assert!(message.contains("drop it again"), "{message}");
}

#[test]
fn a_check_is_stopped_between_slices() {
    let mut page = Page::new();
    // Each look at the clock is longer than a slice, so every batch is followed by a pause.
    page.host.tick_ms.set(50.0);
    let files = files(&[("big.json", file(TaskId::Cycle, 200))]);
    let mut events = page.play_and_stop(CheckFiles {}, files, 2);
    assert!(matches!(events.pop().unwrap(), Event::Cancelled));
    let so_far: Vec<usize> = events
        .iter()
        .map(|event| match event {
            Event::Progress { done, total: 200 } => *done,
            other => panic!("a file that is half checked has no report: {other:?}"),
        })
        .collect();
    assert_eq!(so_far.len(), 3);
    assert!(so_far.is_sorted() && so_far[0] > 0 && so_far[2] < 200, "{so_far:?}");
}

#[test]
fn many_small_files_can_be_stopped_too() {
    let mut page = Page::new();
    // No file takes as long as a slice.
    page.host.tick_ms.set(0.0);
    let one = file(TaskId::Cycle, 1);
    let files = vec![("one.json", one); 50];
    let mut events = page.play_and_stop(CheckFiles {}, self::files(&files), 1);
    assert!(matches!(events.pop().unwrap(), Event::Cancelled));
    assert_eq!(reports(&events).len(), 2, "the stop came after the second file");
}

#[test]
fn warming_up_ends_by_itself_and_when_it_is_stopped() {
    let mut page = Page::new();
    page.host.tick_ms.set(50.0);
    let warmed = page.ask(WarmUp { ms: 200.0 });
    assert!(warmed.n_questions > 0);
    // However long somebody asks for.
    assert!(page.ask(WarmUp { ms: 1e9 }).n_questions > warmed.n_questions);
    let mut events = page.play_and_stop(WarmUp { ms: 3e3 }, files(&[]), 0);
    assert!(matches!(events.pop().unwrap(), Event::Cancelled));
}

#[test]
fn the_rows_that_a_stopped_check_has_shown_are_those_that_open() {
    let mut page = Page::new();
    page.play_with(CheckFiles {}, files(&[("old.json", file(TaskId::Cycle, 2))]));
    let files = files(&[("new.json", file(TaskId::Flow, 2)), ("next.json", file(TaskId::Flow, 2))]);
    let events = page.play_and_stop(CheckFiles {}, files, 0);
    assert_eq!(reports(&events).len(), 1);
    let problem = page.ask(OpenQuestion { file: 0, key: "1".into() }).0;
    assert_eq!(problem.task, TaskId::Flow);
}
