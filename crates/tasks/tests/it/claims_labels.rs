//! What the finder finds in a hundred answers, against what a reader found in them.
//!
//! The labels name lines of `answers.sample.jsonl.gz` and hold none of its words. They tell each claim
//! once an answer, and so are the finder's compared; `docs/measurements.md` says how they were drawn
//! and made. Without the answers beside the workspace the test says so and passes.

// What a test reads may fail as it may.
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};

use flate2::read::GzDecoder;
use serde::Deserialize;
use tasks::claims::{find, spelling};
use tasks::dataset::parse_logged;

/// The figures of `docs/measurements.md`; a change may only better them.
const FOUND: usize = 744;
const EXTRA: usize = 10;
const MISSED: usize = 22;
const JUDGED_RIGHT: usize = 744;

#[derive(Deserialize)]
struct Row {
    line: usize,
    claims: Vec<Label>,
}

#[derive(Deserialize)]
struct Label {
    says: String,
    is_true: bool,
}

#[test]
fn the_claims_of_a_hundred_answers_are_found_and_judged_as_a_reader_did() {
    let Some(folder) = test_data::folder("nlgraph") else { return };
    let file = std::fs::File::open(folder.join("answers.sample.jsonl.gz")).unwrap();
    let labels: BTreeMap<usize, Vec<Label>> = include_str!("../claims.labels.jsonl")
        .lines()
        .map(|l| serde_json::from_str::<Row>(l).unwrap())
        .map(|row| (row.line, row.claims))
        .collect();
    assert_eq!(labels.len(), 100);
    let (mut found, mut extra, mut missed, mut right) = (0, 0, 0, 0);
    for (i, line) in BufReader::new(GzDecoder::new(file)).lines().enumerate() {
        let Some(labels) = labels.get(&(i + 1)) else { continue };
        let answer = parse_logged(&line.unwrap()).unwrap();
        let is_directed = answer.problem.query.is_directed();
        let read: BTreeMap<String, bool> =
            labels.iter().map(|c| (spelling(&c.says, is_directed), c.is_true)).collect();
        let ours: BTreeMap<String, bool> = find(&answer.problem, &answer.text)
            .iter()
            .map(|c| (spelling(&c.says, is_directed), c.is_true))
            .collect();
        let (a, b): (BTreeSet<_>, BTreeSet<_>) = (read.keys().collect(), ours.keys().collect());
        missed += a.difference(&b).count();
        extra += b.difference(&a).count();
        found += a.intersection(&b).count();
        right += a.intersection(&b).filter(|s| read[**s] == ours[**s]).count();
    }
    eprintln!("{found} found, {extra} more, {missed} missed, {right} judged as the reader did");
    assert!(found >= FOUND && missed <= MISSED, "{found} found, {missed} missed");
    assert!(extra <= EXTRA, "{extra} that a reader did not find");
    assert_eq!(found - right, FOUND - JUDGED_RIGHT, "judged otherwise than by the reader");
}
