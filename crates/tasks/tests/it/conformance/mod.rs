//! NLGraph's own problems and the answers that real models gave, where they are at hand.
//!
//! The data is not part of the project: `GRAPHGROUND_SHARED` names the folder that has it, else
//! `../shared` beside the workspace is looked at. Without it these tests say so and pass.
//!
//! A disagreement with the benchmark's script is classed by its cause: what the script's own rule
//! matched (`official.rs`), and which of our rules decided (`causes.rs`).

mod causes;
mod official;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::PathBuf;

use causes::Judged;
use tasks::dataset::{Checker, LoggedAnswer, parse, parse_logged};
use tasks::{Answer, Style, TaskGroup, TaskId, Verdict, Wording, answers, parse_question, verify};

fn folder() -> Option<PathBuf> {
    test_data::folder("nlgraph")
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

fn lines() -> Option<String> {
    let file = std::fs::File::open(folder()?.join("answers.sample.jsonl.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text)
}

fn answers() -> Option<Vec<LoggedAnswer>> {
    Some(lines()?.lines().map(|line| parse_logged(line).unwrap()).collect())
}

/// The disagreements with the released script, or with its older versions: classes with their causes,
/// how often each comes, and where.
fn causes(released: bool) -> Option<String> {
    let mut found: BTreeMap<(TaskId, &str), BTreeMap<String, Vec<String>>> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for (number, (row, logged)) in rows()?.iter().zip(answers()?).enumerate() {
        if (row.official_rule.as_deref() == Some("released")) != released {
            continue;
        }
        let Some(judged) = Judged::new(row, &logged).filter(|judged| !judged.agrees()) else {
            continue;
        };
        let Some(class) = judged.class() else {
            unexplained.push(format!("{number}: {} {judged}", judged.task));
            continue;
        };
        let causes = found.entry((judged.task, class)).or_default();
        causes.entry(judged.to_string()).or_default().push(number.to_string());
    }
    assert!(unexplained.is_empty(), "unexplained:\n{}", unexplained.join("\n"));
    let mut out = String::new();
    for ((task, class), causes) in found {
        let rows: usize = causes.values().map(Vec::len).sum();
        out.push_str(&format!("{task}: {class}: {rows}\n"));
        for (cause, rows) in causes {
            out.push_str(&format!("    {}: {cause}\n        {}\n", rows.len(), rows.join(" ")));
        }
    }
    Some(out)
}

#[test]
fn disagreements_with_the_released_script() {
    if let Some(causes) = causes(true) {
        insta::assert_snapshot!(causes);
    }
}

#[test]
fn disagreements_with_older_scripts() {
    if let Some(causes) = causes(false) {
        insta::assert_snapshot!(causes);
    }
}

/// A class explains what decided and not merely what came out: had we judged an answer otherwise by
/// the same rules and the same certificate, no class would explain it.
#[test]
fn a_class_explains_no_other_verdict() {
    let (Some(rows), Some(answers)) = (rows(), answers()) else { return };
    let mut explained = Vec::new();
    for (number, (row, logged)) in rows.iter().zip(&answers).enumerate() {
        let Some(mut judged) = Judged::new(row, logged).filter(Judged::agrees) else { continue };
        for verdict in Verdict::ALL {
            judged.judgement.verdict = verdict;
            if !judged.agrees()
                && let Some(class) = judged.class()
            {
                explained.push(format!("{number}: {} {class}: {judged}", judged.task));
            }
        }
    }
    assert!(explained.is_empty(), "{} rows:\n{}", explained.len(), explained.join("\n"));
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

/// What the scripts matched is known only where they are played again to the point. The label of
/// some early runs was wrong; then the score is the other one.
#[test]
fn the_scripts_are_played_again_to_the_point() {
    let Some(rows) = rows() else { return };
    for (number, row) in rows.iter().enumerate() {
        let logged = if row.task == "flow" { row.official_score2 } else { row.official_score };
        let Some(scored) = official::score(row) else { continue };
        let early = row.official_rule.as_deref().is_some_and(|rule| rule.ends_with("/batch"));
        let holds = logged == Some(scored.points) || early && logged == Some(1.0 - scored.points);
        assert!(holds, "row {number}: {logged:?} is logged, {} by the rule", scored.points);
    }
}

/// What the library says of the released script is the score that is logged. The figure of a path is
/// its first, that of a flow its second.
#[test]
fn the_library_scores_as_the_released_script_did() {
    let (Some(rows), Some(answers)) = (rows(), answers()) else { return };
    let mut n = 0;
    for (number, (row, answer)) in rows.iter().zip(&answers).enumerate() {
        if row.official_rule.as_deref() != Some("released") {
            continue;
        }
        let logged = if row.task == "flow" { row.official_score2 } else { row.official_score };
        let score = tasks::official::nlgraph::score(&answer.problem, &answer.text).unwrap();
        assert_eq!(Some(score.correct), logged.map(|s| s > 0.0), "row {number}: {score:?}");
        n += 1;
    }
    assert!(n > 700, "{n} rows");
}

fn rows() -> Option<Vec<official::Row>> {
    Some(lines()?.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}
