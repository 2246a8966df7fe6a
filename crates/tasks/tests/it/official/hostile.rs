//! No text makes a rule panic, and the time grows with the text.

use std::sync::LazyLock;

use cpu_time::ThreadTime;
use graph::NodeName;
use proptest::prelude::*;
use tasks::official::arena::{self, ArenaProblem, ArenaTask};
use tasks::official::gracore;
use tasks::official::instruct::{self, InstructProblem, InstructTask};
use tasks::official::nlgraph;
use tasks::official::wiz::{self, WizTask};
use tasks::{Difficulty, Problem, TaskGroup};

use super::graph;

/// Scores a text by every rule, with the same text as its label where there is one.
fn score_all(text: &str, label: &str) {
    let people = graph("Al Bo, Bo Di, Di Eve, Eve Al, Fay, 0 1, 1 2, AAA BBB 3");
    let other = graph("0 1, 0 2, 1 2");
    let ends: (NodeName, NodeName) = ("Al".into(), "Di".into());
    for task in ArenaTask::ALL {
        let problem = ArenaProblem {
            task,
            graph: if task == ArenaTask::Ged { &other } else { &people },
            ends: Some((&ends.0, &ends.1)),
            second: Some(&other),
            labels: [vec!["C".into(); 3], vec!["O".into(); 3]],
            reference: Some(2.0),
        };
        let _ = arena::score(&problem, text);
    }
    for task in WizTask::ALL {
        wiz::score(task, label, text);
        wiz::score(task, text, label);
    }
    for (task, _) in InstructTask::NAMED {
        for graph in [&people, &other] {
            for (question, answer) in [("Start from node 0, go.", label), (text, text)] {
                instruct::score(&InstructProblem { task, graph, question, answer }, text);
            }
        }
    }
    gracore::score(label, text);
    for problem in &*NLGRAPH {
        // What it looks for has numbers of the problem in it.
        let ends = problem.query.ends().map(|(a, b)| format!("node {a} to node {b} is "));
        let begun = format!("the shortest path from {}{text}", ends.unwrap_or_default());
        for text in [text, &begun, &begun.replace("shortest path", "maximum flow")] {
            nlgraph::score(problem, text);
        }
    }
}

/// A problem of each of NLGraph's tasks.
static NLGRAPH: LazyLock<Vec<Problem>> = LazyLock::new(|| {
    let make = |id| tasks::task(id).generate(Difficulty::Easy, 1);
    TaskGroup::NlGraph.tasks().map(make).collect()
});

/// Pieces that the rules look for, and characters that are more than a byte.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("["),
        Just("]"),
        Just(","),
        Just("\n"),
        Just("<<<"),
        Just(">>>"),
        Just("###"),
        Just("Al"),
        Just("Di"),
        Just("Bo, Di"),
        Just("0"),
        Just("1, 2"),
        Just("٣"),
        Just("9999999"),
        Just("AAA"),
        Just("yes"),
        Just("no"),
        Just("-"),
        Just("."),
        Just("/0"),
        Just(" "),
        Just("é"),
        Just("ſ"),
        Just("İ"),
        Just("\u{1c}"),
        Just("𝟘"),
        Just("(0, 2)"),
        Just("Start from node "),
        Just("there is a cycle"),
        Just("solution"),
        Just("the path can be"),
        Just("job "),
        Just("applicant"),
        Just("this way"),
        Just("node 0"),
    ];
    let pieces = proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![3 => pieces, 1 => any::<String>()]
}

proptest! {
    #[test]
    fn no_text_makes_a_rule_panic(text in texts(), label in texts()) {
        score_all(&text, &label);
    }
}

/// Twice the text may take twice the time, and some more for noise, not four times. The processor's
/// time for this thread counts: other tests run beside it.
#[test]
fn time_grows_with_the_text() {
    let patterns = [
        "[",
        "[Al, ",
        "[Al]",
        "1",
        "1,",
        "1.",
        "[0, ",
        "[0, 1, 2]",
        "###",
        "<<<",
        "Al ",
        "[A",
        "[\n",
        "yes no ",
        "1/",
        "0 ",
        "job 1 applicant 2 ",
        "solution 0 ",
        "the path can be 1 ",
    ];
    for pattern in patterns {
        let time = |bytes: usize| {
            let text = pattern.repeat(bytes / pattern.len());
            let wrapped = format!("<<<{text}>>>");
            let took = (0..3).map(|_| {
                let start = ThreadTime::now();
                score_all(&text, "### [[0, 1]]");
                score_all(&wrapped, "5");
                start.elapsed().as_secs_f64()
            });
            took.fold(f64::INFINITY, f64::min)
        };
        let (short, long) = (time(3_000), time(24_000));
        assert!(long < 24.0 * short + 0.05, "{pattern:?}: {short} s for 3 kB, {long} s for 24 kB");
    }
}
