//! What Lighthouse says of the pages: `cargo xtask lighthouse`. It comes from npm, is kept under
//! `target/`, and never ships.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::server::Server;
use crate::steps::{root, run, say};
use crate::{pack, setup, site};

const PACKAGE: &str = "lighthouse@12.8.2";
/// Pages that somebody may be sent to.
const PAGES: [&str; 5] = ["", "#/solve", "#/lessons?l=friends", "#/compare", "#/traces"];
const CATEGORIES: [&str; 4] = ["performance", "accessibility", "best-practices", "seo"];

/// Builds what is shipped, serves it as a server would, and prints the four scores of some pages.
pub fn run_all() -> Result<()> {
    let toolchain = setup::page(false)?;
    setup::browser(false)?;
    let program = fetch()?;
    let site = site::build(&toolchain)?;
    pack::compress(&site)?;
    let url = Server::bind(0)?.spawn(site);
    let folder = root().join("target/lighthouse/reports");
    fs::create_dir_all(&folder)?;
    println!(
        "| page | performance | accessibility | best practices | SEO |\n|---|---:|---:|---:|---:|"
    );
    let mut faults = Vec::new();
    for page in PAGES {
        let name = page.split('?').next().unwrap_or_default().trim_start_matches("#/");
        let name = if name.is_empty() { "home" } else { name };
        let report = folder.join(format!("{name}.json"));
        let out = Command::new(&program)
            .arg(format!("{url}/{page}"))
            .args(["--output", "json", "--quiet", "--preset", "desktop", "--output-path"])
            .arg(&report)
            .arg("--chrome-flags=--headless=new --no-sandbox")
            .output()
            .context("Lighthouse does not start")?;
        if !out.status.success() {
            bail!("Lighthouse failed on {name}:\n{}", String::from_utf8_lossy(&out.stderr));
        }
        let report: Value = serde_json::from_slice(&fs::read(&report)?)?;
        let scores = CATEGORIES.map(|category| {
            let score = report["categories"][category]["score"].as_f64();
            score.map_or_else(|| "–".to_owned(), |s| format!("{:.0}", s * 100.0))
        });
        println!("| {name} | {} |", scores.join(" | "));
        for category in &CATEGORIES[1..] {
            let audits = report["categories"][*category]["auditRefs"].as_array();
            for audit in audits.into_iter().flatten() {
                let id = audit["id"].as_str().unwrap_or_default();
                let found = &report["audits"][id];
                let counts = audit["weight"].as_f64().unwrap_or_default() > 0.0;
                if counts && found["score"].as_f64().is_some_and(|s| s < 1.0) {
                    let title = found["title"].as_str().unwrap_or_default();
                    faults.push(format!("{name}: {category}: {id}: {title}"));
                }
            }
        }
    }
    for fault in faults {
        println!("{fault}");
    }
    say(
        "in Lighthouse's setting for a desktop, over the loopback; the reports are under target/lighthouse",
    );
    Ok(())
}

/// The program; fetches it where it is missing.
fn fetch() -> Result<PathBuf> {
    let folder = root().join("target/lighthouse");
    let program = folder.join("node_modules/.bin/lighthouse");
    if !program.is_file() {
        fs::create_dir_all(&folder)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        run(&format!("fetching {PACKAGE} under target/"), npm.arg(&folder).arg(PACKAGE)).context(
            "Lighthouse could not be fetched. It needs npm and a network that reaches its registry",
        )?;
    }
    Ok(program)
}
