//! Holds that each crate of ours is compiled once for a target and a profile, whichever part of the
//! program is built: cargo says what it would compile.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

use crate::site;
use crate::steps::{cargo, output};
use crate::toolchain::TARGET;

/// What cargo would compile for a command.
fn units(args: &[&str]) -> Vec<Value> {
    let mut cargo = cargo();
    // Only nightly compilers, or this variable, print the graph. Nothing is compiled.
    cargo.env("RUSTC_BOOTSTRAP", "1").args(args).args(["--unit-graph", "-Zunstable-options"]);
    let text = output(&mut cargo).unwrap_or_else(|| panic!("cargo {args:?}: no graph of units"));
    let graph: Value = serde_json::from_str(&text).unwrap();
    graph["units"].as_array().unwrap().clone()
}

/// All that makes a unit another one: its features, and the units that it is compiled with.
fn signature(units: &[Value], i: usize, known: &mut BTreeMap<usize, u64>) -> u64 {
    if let Some(known) = known.get(&i) {
        return *known;
    }
    let unit = &units[i];
    let uses = unit["dependencies"].as_array().unwrap();
    let of = |used: &Value| used["index"].as_u64().unwrap() as usize;
    let mut uses: Vec<u64> = uses.iter().map(|u| signature(units, of(u), known)).collect();
    uses.sort();
    let text =
        format!("{} {} {} {uses:?}", unit["pkg_id"], unit["target"]["name"], unit["features"]);
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    known.insert(i, hasher.finish());
    hasher.finish()
}

/// The libraries of ours, each with the signatures that commands compile it in.
fn ours(commands: &[Vec<&str>]) -> BTreeMap<String, BTreeSet<u64>> {
    let mut found: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for args in commands {
        let (units, mut known) = (units(args), BTreeMap::new());
        for (i, unit) in units.iter().enumerate() {
            let id = unit["pkg_id"].as_str().unwrap();
            let kinds = unit["target"]["kind"].as_array().unwrap();
            let is_library = kinds.iter().any(|kind| kind == "lib" || kind == "rlib");
            if !id.starts_with("path+") || !is_library || unit["mode"] != "build" {
                continue;
            }
            let profile = &unit["profile"]["name"];
            let name = id.rsplit('/').next().unwrap();
            let key = format!("{name} {profile} {}", unit["platform"]);
            assert_eq!(unit["features"], serde_json::json!([]), "{name} has features");
            found.entry(key).or_default().insert(signature(&units, i, &mut known));
        }
    }
    found
}

#[test]
fn each_crate_of_ours_is_compiled_once_for_a_target_and_a_profile() {
    let page = |bins: &[&'static str]| -> Vec<&'static str> {
        let mut args = vec!["build", "--target", TARGET, "--profile", site::QUICK];
        args.extend(site::PACKAGES);
        args.extend(bins.iter().flat_map(|bin| ["--bin", bin]));
        args
    };
    let commands = [
        page(&["app", site::CORE]),
        page(&[site::ENGINE]),
        page(&[crate::model::MODEL]),
        page(&["app", site::ENGINE, crate::model::MODEL]),
        vec!["build", "--package", "graphground"],
        vec!["test", "--workspace", "--exclude", "pack", "--no-run"],
    ];
    let found = ours(&commands);
    assert!(found.len() > 30, "{found:?}");
    let twice: Vec<&String> = found.iter().filter(|(_, s)| s.len() > 1).map(|(k, _)| k).collect();
    assert!(twice.is_empty(), "compiled more than once: {twice:?}");
    // Another choice of packages does compile some twice: what this test is for.
    let alone =
        vec!["build", "--target", TARGET, "--profile", site::QUICK, "--package", "graphground-app"];
    let with = ours(&[alone, page(&["app", site::CORE])]);
    assert!(with.values().any(|signatures| signatures.len() > 1));
}
