//! The laboratory as a person starts it.

// What the tests share may fail as they may.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn lab(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_graphground-lab")).args(args).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Every scenario of openCypher's kit, where its files are there.
#[test]
fn the_compatibility_kit_passes() {
    let kit =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/opencypher-tck/features");
    if !kit.is_dir() {
        return;
    }
    let output = lab(&["cypher-tck", kit.to_str().unwrap(), "--json"]);
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |result: &str| lines.iter().filter(|line| line["result"] == result).count();
    let failed: Vec<&Value> = lines.iter().filter(|line| line["result"] == "failed").collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!((count("passed"), count("skipped")), (1_898, 660));
}

#[test]
fn the_table_of_tokens_is_current() {
    let made = stdout(&lab(&["tokens", "--table"]));
    let kept = include_str!("../../../../crates/systems/src/grounded/tokens.rs");
    assert!(made.contains("(\"find_shortest_path\", "), "{made}");
    assert_eq!(made, kept, "make it again: graphground tokens --table > the file");
}

#[test]
fn the_table_that_ships_scores_as_its_card_says() {
    let scored = lab(&["meaning", "score", "--with", "table", "--with", "ngrams", "--json"]);
    assert!(scored.status.success(), "{}", stderr(&scored));
    let lines: Vec<Value> =
        stdout(&scored).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let figures = |i: usize| {
        [&lines[i]["hit_at_1"], &lines[i]["hit_at_3"]]
            .map(|f| format!("{:.3}", f.as_f64().unwrap()))
    };
    assert_eq!(lines[0]["n_pairs"], 201);
    assert_eq!(
        (figures(0), figures(1)),
        (["0.692", "0.816"].map(String::from), ["0.363", "0.463"].map(String::from))
    );
    let card = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/README.md");
    assert!(std::fs::read_to_string(card).unwrap().contains("| **.692** | **.816** |"));
}
