//! The tasks for Knowledge Graph of Thoughts.

use std::collections::BTreeSet;

use tasks::kgot::{KGOT_LEVELS, N_TASKS, Valley, cases, solved};

#[test]
fn there_are_120_tasks_a_third_of_them_worded_freely_and_no_question_twice() {
    for seed in 1..4 {
        let all = cases(seed);
        assert_eq!(all.len(), N_TASKS);
        for level in KGOT_LEVELS {
            assert_eq!(all.iter().filter(|c| c.level == level).count(), N_TASKS / 3);
        }
        let free: Vec<_> = all.iter().filter(|c| c.is_free).collect();
        assert!(free.len() * 3 >= N_TASKS - 3, "{}", free.len());
        let questions: BTreeSet<&str> = all.iter().map(|c| c.question.as_str()).collect();
        assert_eq!(questions.len(), N_TASKS, "seed {seed}");
        assert_eq!(all, cases(seed), "the same seed gives the same tasks");
        assert!(all.iter().all(|c| !c.answer.is_empty() && c.files.len() == 4));
    }
}

/// What a valley says in its files is what it has.
#[test]
fn files_say_what_the_valley_has() {
    let valley = Valley::generate(5);
    let files = valley.files();
    let text = |name: &str| &files.iter().find(|(n, _)| n == name).unwrap().1;
    for w in &valley.workers {
        let line = format!("{},{},{},{}", w.name, w.born, w.village, w.workshop);
        assert!(text("workers.csv").lines().any(|l| l == line));
    }
    for w in &valley.workshops {
        assert!(text("workshops.md").contains(&format!(
            "The {} stands in {}. It was founded in {} and makes {}.",
            w.name, w.village, w.founded, w.product
        )));
    }
    for d in &valley.deliveries {
        assert!(text("deliveries.txt").contains(&format!(
            "No. {}: on {}, the {} delivered {} pieces to {}.",
            d.number, d.date, d.workshop, d.pieces, d.village
        )));
    }
    assert_eq!(text("villages.json").matches("\"river\"").count(), valley.villages.len());
}

#[test]
fn only_calculations_are_calculated() {
    for (case, solution) in solved(1) {
        assert_eq!(solution.calculation.is_some(), case.level == "calculation");
        assert!(!solution.sources.is_empty() && !solution.values.is_empty());
    }
}
