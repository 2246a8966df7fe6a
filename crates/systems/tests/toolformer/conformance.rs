//! The public prompt files, where they are at hand.
//!
//! The data is not part of the project: `GRAPHGROUND_SHARED` names the folder that has it, else
//! `../shared` beside the workspace is looked at. Without it these tests say so and pass.

use std::io::Read as _;
use std::path::PathBuf;

use systems::toolformer::{Bracket, Instance, sites};

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
    let shared = std::env::var_os("GRAPHGROUND_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let folder = shared.join("data/toolformer");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: the prompt files are not at hand (GRAPHGROUND_SHARED names their folder)");
    None
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
