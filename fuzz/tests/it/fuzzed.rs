//! What a plain test of the workspace runs of the fuzzer: every target once over its seeds, and
//! over the inputs that once failed.

use std::collections::BTreeSet;
use std::path::Path;

use fuzz::{Places, targets};

/// So many seeds of a target are enough here; a fuzzer takes all.
const MAX_SEEDS: usize = 12;

#[test]
fn every_target_takes_its_seeds() {
    let places = Places::here();
    for target in targets() {
        let seeds = target.cut_seeds(&places);
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        for seed in seeds.iter().take(MAX_SEEDS) {
            (target.run)(seed);
            (target.run)(&seed[..seed.len() / 2]);
        }
        (target.run)(b"");
        (target.run)(&[0xff; 64]);
    }
}

#[test]
fn a_name_is_unique_and_can_be_a_folder() {
    let mut names = BTreeSet::new();
    for target in targets() {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        assert!(target.name.chars().all(is_plain) && target.max_len > 0, "{}", target.name);
        assert!(names.insert(target.name.clone()), "{} comes twice", target.name);
    }
}

/// Every format, protocol and store has a target: those that are listed get one by themselves, and
/// this holds the fuzzer to the lists.
#[test]
fn every_list_is_walked() {
    let names: BTreeSet<String> = targets().into_iter().map(|t| t.name).collect();
    let wanted = graph::formats::FORMATS
        .iter()
        .map(|f| format!("graph_{}", f.id))
        .chain(kg::formats::FORMATS.iter().map(|f| format!("kg_{}", f.id)))
        .chain(trace::formats::FORMATS.iter().map(|f| format!("trace_{}", f.id)))
        .chain(kg::stores::STORES.iter().map(|s| format!("store_{}", s.id)))
        .chain(
            llm::PROVIDERS
                .iter()
                .flat_map(|p| [format!("answer_{}", p.id), format!("stream_{}", p.id)]),
        );
    for name in wanted {
        assert!(names.contains(&name), "there is no target {name}");
    }
}

/// Inputs that once failed: `regressions/TARGET/` has one file each.
#[test]
fn what_once_failed_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    for target in targets() {
        let Ok(files) = std::fs::read_dir(folder.join(&target.name)) else { continue };
        for file in files {
            (target.run)(&std::fs::read(file.unwrap().path()).unwrap());
        }
    }
}
