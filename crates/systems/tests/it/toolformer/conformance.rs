//! The public prompt files, where they are at hand.
//!
//! The data is not part of the project: `GRAPHGROUND_SHARED` names the folder that has it, else
//! `../shared` beside the workspace is looked at. Without it these tests say so and pass.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::PathBuf;

use systems::toolformer::toolx::graphs::GRAPHS;
use systems::toolformer::{Bracket, CallError, Executor, Hubs, Instance, Mode, Order, sites};

/// The files with the instances of each.
const FILES: [(&str, usize); 14] = [
    ("amazon", 1600),
    ("citeseer", 1600),
    ("cora", 1600),
    ("freebase", 1600),
    ("graph_data_loading", 1600),
    ("graph_properties", 1600),
    ("last-fm", 1600),
    ("movielens", 1600),
    ("mutag", 1116),
    ("nci1", 1600),
    ("proteins", 1600),
    ("ptc", 1600),
    ("pubmed", 1600),
    ("wordnet", 1600),
];

/// How many brackets the files have.
const N_BRACKETS: usize = 22_067;

pub(crate) fn folder() -> Option<PathBuf> {
    test_data::folder("toolformer")
}

pub(crate) fn instances(name: &str) -> Option<Vec<Instance>> {
    let file = std::fs::File::open(folder()?.join(format!("{name}.train.jsonl.gz"))).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text.lines().map(|l| Instance::read(l).unwrap()).collect())
}

#[test]
fn every_line_is_read() {
    let mut n_calls = 0;
    for (name, n) in FILES {
        let Some(all) = instances(name) else { return };
        assert_eq!(all.len(), n, "{name}");
        let mut n_faults = 0;
        for instance in &all {
            assert!(sites(&instance.input).is_empty(), "{}", instance.input);
            let found = sites(&instance.output);
            assert!(!found.is_empty(), "{}", instance.output);
            for site in found {
                match &site.bracket {
                    Ok(bracket) => {
                        n_calls += 1;
                        round_trip(bracket);
                    }
                    Err(error) => {
                        n_faults += 1;
                        if n_faults > 2 || name != "graph_data_loading" {
                            panic!("{name}: {error}: {}", instance.output);
                        }
                    }
                }
            }
        }
        // Two lines were cut off before the call's end.
        assert_eq!(n_faults, if name == "graph_data_loading" { 2 } else { 0 }, "{name}");
    }
    assert_eq!(n_calls, N_BRACKETS);
}

fn round_trip(bracket: &Bracket) {
    let printed = bracket.to_string();
    let again = sites(&printed);
    assert_eq!(again.len(), 1, "{printed}");
    assert_eq!(again[0].bracket.as_ref(), Ok(bracket), "{printed}");
}

#[test]
fn the_graphs_are_those_of_the_answers() {
    let Some(folder) = folder() else { return };
    let text = std::fs::read_to_string(folder.join("gpr_graphs.json")).unwrap();
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    let all = all.as_object().unwrap();
    assert_eq!(all.len(), GRAPHS.len());
    for entry in &GRAPHS {
        let (graph, expected) = ((entry.make)().unwrap(), &all[entry.name]);
        let order: Vec<i64> = graph.names().map(|n| n.as_int().unwrap()).collect();
        let wanted: Vec<i64> = serde_json::from_value(expected["nodes"].clone()).unwrap();
        assert_eq!(order, wanted, "{}", entry.name);
        let pair = |(a, b): (i64, i64)| (a.min(b), a.max(b));
        let edges: BTreeSet<(i64, i64)> = graph
            .edges()
            .map(|e| pair((e.source.as_int().unwrap(), e.target.as_int().unwrap())))
            .collect();
        let wanted: Vec<(i64, i64)> = serde_json::from_value(expected["edges"].clone()).unwrap();
        assert_eq!(edges, wanted.into_iter().map(pair).collect(), "{}", entry.name);
    }
}

#[test]
fn every_property_is_answered_byte_for_byte() {
    let Some(all) = instances("graph_properties") else { return };
    for (mode, capacity) in [(Mode::Ours, 10), (Mode::Reference, 10), (Mode::Ours, 0)] {
        // One executor for all lines, so that what is remembered is held against the answers too.
        let mut executor = Executor::new(Hubs::new().unwrap(), mode).with_capacity(capacity);
        let mut n_hits = 0;
        for instance in &all {
            let ran = executor.run(&instance.output);
            let answers = ran.answers(Order::Reference);
            let expected: Vec<Option<&str>> = instance.answers().into_iter().map(Some).collect();
            assert_eq!(answers, expected, "{mode:?}: {}", instance.output);
            let recalls = ran.calls().flat_map(|c| &c.steps).flat_map(|s| &s.recalls);
            n_hits += recalls.filter(|r| r.is_hit).count();
        }
        assert_eq!(n_hits > 0, capacity > 0);
        assert!(executor.memory().entries().count() <= capacity);
    }
}

#[test]
fn every_other_call_says_what_is_missing() {
    for (name, _) in FILES.iter().filter(|(n, _)| !n.starts_with("graph_")) {
        let Some(all) = instances(name) else { return };
        let mut executor = Executor::new(Hubs::new().unwrap(), Mode::Ours);
        for instance in &all {
            let ran = executor.run(&instance.output);
            for call in ran.calls() {
                let is_missing = matches!(&call.error, Some(CallError::NoData { dataset, .. }) if dataset == name);
                assert!(is_missing, "{:?}: {}", call.error, instance.output);
            }
            assert_eq!(ran.text, instance.output);
        }
    }
}
