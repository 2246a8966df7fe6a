//! NLGraph's own problems and the answers that real models gave, where they are at hand.
//!
//! The data is not part of the project: `GRAPHGROUND_SHARED` names the folder that has it, else
//! `../shared` beside the workspace is looked at. Without it these tests say so and pass.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::PathBuf;

use tasks::dataset::{Checker, LoggedAnswer, parse, parse_logged};
use tasks::{
    Answer, Judgement, Style, TaskGroup, TaskId, Verdict, Wording, answers, parse_question, verify,
};

fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("GRAPHGROUND_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let folder = shared.join("data/nlgraph");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: the NLGraph data is not at hand (GRAPHGROUND_SHARED names its folder)");
    None
}

fn file(task: TaskId) -> Option<String> {
    let path = folder()?.join(format!("{task}.train.json"));
    Some(std::fs::read_to_string(path).unwrap())
}

#[test]
fn every_problem_is_read_solved_and_judged_right() {
    for task in TaskGroup::NlGraph.tasks() {
        let Some(text) = file(task) else { return };
        let mut checker = Checker::new(parse(&text).unwrap());
        while checker.advance(500) > 0 {}
        let report = checker.report();
        let failed: Vec<_> =
            report.rows.iter().filter(|r| !r.failures.is_empty()).take(3).collect();
        assert!(report.totals.is_clean(), "{task}: {failed:?}");
        assert!(report.rows.iter().all(|row| row.task == Some(task)), "{task}");
    }
}

#[test]
fn every_question_is_rebuilt_byte_for_byte() {
    for task in TaskGroup::NlGraph.tasks() {
        let Some(text) = file(task) else { return };
        for entry in parse(&text).unwrap() {
            let problem = parse_question(&entry.question).unwrap();
            let rebuilt = problem.question(Wording::Benchmark, Style::ZeroShot);
            assert_eq!(rebuilt, entry.question, "{task} {}", entry.key);
        }
    }
}

fn answers() -> Option<Vec<LoggedAnswer>> {
    let file = std::fs::File::open(folder()?.join("answers.sample.jsonl.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text.lines().map(|line| parse_logged(line).unwrap()).collect())
}

/// Why we differ from the benchmark's script; `docs/verifier.md` tells of each.
fn class(logged: &LoggedAnswer, judgement: &Judgement) -> Option<&'static str> {
    use TaskId::*;
    use Verdict::*;
    let accepted = logged.official_score? > 0.0;
    let bare = logged.text.trim().len() <= 4;
    Some(match (logged.problem.task(), accepted, judgement.verdict) {
        (_, true, Correct) | (_, false, Incorrect) => return None,
        (Connectivity, true, NoAnswer) => "4.1 no verdict in the text counts as no",
        (Connectivity, true, Incorrect) if bare => "4.1 a bare yes or no is not understood",
        (Connectivity, true, Incorrect) => "4.1 a path asserted in other words is not seen",
        (Connectivity, false, Correct) if bare => "4.1 a bare yes or no is not understood",
        (Connectivity, false, Correct) => "4.1 a path asserted in other words is not seen",
        (Connectivity, true, Partial) => "4.1 the path shown is never checked",
        (Cycle, true, Partial) => "4.2 the cycle shown is never checked",
        (Cycle, true, Incorrect) => "4.2 a phrase elsewhere in the text counts, not the conclusion",
        (Cycle, true, NoAnswer) => "4.2 a condition is taken for a verdict",
        (Cycle, false, NoAnswer) => "wrong for us as well: no verdict in the text",
        (Cycle, false, Correct | Partial) if logged.text.contains("there is") => {
            "4.2 the middle question, or an early run with wrong labels"
        }
        (Cycle, false, Correct | Partial) => "4.2 the verdict stands in other words",
        (Topology, true, Partial | Incorrect) => "4.3 nodes without successors may be missing",
        (Topology, false, Correct) => "4.3 a valid order without a keyword",
        (ShortestPath, true, Partial) => "4.4 the total is scored apart",
        (ShortestPath, false, Correct) => "4.4 a path without the key phrase",
        (Flow, true, Incorrect) => "4.5 the first number is read, not the value",
        (Flow, true, Partial) => "4.5 the flow told is never checked",
        (Flow, false, Correct) => "4.5 the first number is read, not the value",
        (Matching, true, Incorrect | Partial) => {
            "4.6 invalid pairs and wrong counts are passed over"
        }
        (Matching, false, Correct) => "4.6 numbers in the prose become pairs",
        (Hamilton, false, Correct) => "4.7 a correct path in other words",
        (_, false, Partial) => "partly right for us, wrong for the script",
        (_, false, NoAnswer) => "wrong for us as well: no answer in the text",
        _ => "unexplained",
    })
}

fn classes(released: bool) -> Option<String> {
    let mut found: BTreeMap<(TaskId, &str), Vec<String>> = BTreeMap::new();
    for (row, logged) in answers()?.iter().enumerate() {
        if (logged.official_rule.as_deref() == Some("released")) != released {
            continue;
        }
        let judgement = verify(&logged.problem, &logged.text);
        if let Some(class) = class(logged, &judgement) {
            let verdict = judgement.verdict.as_str();
            let line = format!("    {row}: {verdict}: {}", judgement.explanation);
            found.entry((logged.problem.task(), class)).or_default().push(line);
        }
    }
    let mut out = String::new();
    for ((task, class), rows) in found {
        out.push_str(&format!("{task}: {class}: {}\n", rows.len()));
        // Answers that are wrong for both need no row each.
        if !class.contains("for us") {
            out.push_str(&rows.join("\n"));
            out.push('\n');
        }
    }
    assert!(!out.contains("unexplained"), "{out}");
    Some(out)
}

#[test]
fn disagreements_with_the_released_script() {
    if let Some(classes) = classes(true) {
        insta::assert_snapshot!(classes);
    }
}

#[test]
fn disagreements_with_older_scripts() {
    if let Some(classes) = classes(false) {
        insta::assert_snapshot!(classes);
    }
}

/// Whoever follows the certificate comes to the verdict: nothing in a correct answer's certificate
/// fails, and something in a wrong one's does.
#[test]
fn certificates_agree_with_verdicts() {
    let Some(answers) = answers() else { return };
    for (row, logged) in answers.iter().enumerate() {
        let judgement = verify(&logged.problem, &logged.text);
        let holds = judgement.certificate.lines.iter().all(|line| line.holds != Some(false));
        let missing = matches!(
            judgement.answer,
            Some(Answer::Hamilton(answers::Hamilton { ref path, .. })) if path.is_empty()
        ) || matches!(
            judgement.answer,
            Some(Answer::Topology(answers::Topology { ref order, .. })) if order.is_empty()
        ) || matches!(
            judgement.answer,
            Some(Answer::ShortestPath(answers::ShortestPath { ref path, .. })) if path.is_empty()
        );
        match judgement.verdict {
            Verdict::Correct => assert!(holds, "row {row}: {judgement:?}"),
            Verdict::Partial if missing => {}
            Verdict::Partial | Verdict::Incorrect => assert!(!holds, "row {row}: {judgement:?}"),
            Verdict::NoAnswer => assert!(judgement.answer.is_none(), "row {row}"),
        }
    }
}
