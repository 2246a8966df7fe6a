//! Holds the list of licences against what the page's modules are made of.

use std::collections::BTreeSet;

use crate::site;
use crate::steps::{cargo, output, root};
use crate::toolchain::TARGET;

#[test]
fn licences_are_listed_of_every_crate_that_the_page_ships() {
    let mut cargo = cargo();
    // Atomics bring what only the modules with threads have; that this compiler knows them it admits
    // with this variable alone. Nothing is compiled.
    cargo.env("RUSTC_BOOTSTRAP", "1").arg("tree").args(site::PACKAGES);
    cargo.args(["--target", TARGET, "--config"]);
    cargo.arg(format!("target.{TARGET}.rustflags=['-Ctarget-feature=+atomics']"));
    cargo.args(["--edges", "normal,no-proc-macro", "--prefix", "none"]);
    cargo.args(["--format", "| {p} | {l} |"]);
    let tree = output(&mut cargo).unwrap_or_else(|| panic!("`cargo tree` failed"));
    // Packages of this workspace have their folder behind their version.
    let is_other = |line: &&str| line.starts_with("| ") && !line.contains("(/");
    let others = tree.lines().filter(is_other).map(|line| line.replace(" (*)", ""));
    let found: BTreeSet<String> = others.collect();
    assert!(found.len() > 200, "{found:?}");
    let document = std::fs::read_to_string(root().join("docs/licences.md")).unwrap();
    // Below "Crates": a licence, a colon, and the crates under it.
    let crates = document.lines().skip_while(|line| *line != "## Crates");
    let listed: BTreeSet<String> = crates
        .filter_map(|line| line.strip_prefix("- ")?.split_once(": "))
        .flat_map(|(licence, crates)| {
            crates.split(", ").map(move |name| format!("| {name} | {licence} |"))
        })
        .collect();
    let missing: Vec<&String> = found.difference(&listed).collect();
    let gone: Vec<&String> = listed.difference(&found).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not listed: {missing:?}; gone: {gone:?}");
}
