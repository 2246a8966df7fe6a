//! Comparisons with third-party programs, each in one command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::steps::{output, root, run, say};
use crate::{server, setup, site};

/// How often each of the three is timed, in turn.
const ROUNDS: usize = 5;
/// Problems made by the generator, beside those of the benchmark's training files.
const MADE: usize = 1000;

/// A Python with networkx, and what its edit distance wants, in an environment of its own under `target`.
pub(crate) fn python() -> Result<PathBuf> {
    let folder = root().join("target/peers-venv");
    let python = folder.join("bin/python");
    if output(Command::new(&python).args(["-c", "import networkx, numpy, scipy"])).is_none() {
        run(
            "making a Python environment under target/",
            Command::new("python3").args(["-m", "venv"]).arg(&folder),
        )?;
        run(
            "installing networkx into it",
            Command::new(&python)
                .args(["-m", "pip", "install", "-q", "networkx", "numpy", "scipy"]),
        )?;
    }
    Ok(python)
}

/// The graph functions against networkx.
pub fn functions(n: u32) -> Result<()> {
    let mut command = Command::new(python()?);
    command.current_dir(root()).arg("crates/graph/peers/peers.py");
    command.args(["--n", &n.to_string()]);
    // The table in the documents is of the full number; a quick look does not replace it.
    if n >= 10_000 {
        command.args(["--output", "docs/peers.md"]);
    }
    run("comparing the functions with networkx", &mut command)
}

/// What is read of calls and thoughts in text, beside another reader. That one is no part of the
/// workspace: it brings a runtime and licences that ours does not have.
pub fn calls() -> Result<()> {
    let folder = root().join("crates/llm/peers");
    run(
        "reading inline tool calls with tool-parser and reasoning-parser (the first build takes minutes)",
        Command::new("cargo")
            .args(["run", "--quiet", "--target-dir"])
            .arg(root().join("target/peers-calls"))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .current_dir(folder),
    )
}

/// One program's times.
struct Times {
    name: &'static str,
    compute: Vec<f64>,
    whole: Vec<f64>,
}

impl Times {
    fn new(name: &'static str) -> Self {
        Self { name, compute: Vec::new(), whole: Vec::new() }
    }
}

/// The whole dataset, parsed, solved and verified: native, in the browser, in Python, in turn.
pub fn dataset() -> Result<()> {
    let toolchain = setup::page(false)?;
    setup::browser(false)?;
    let python = python()?;
    let site = site::build(&toolchain)?;
    run(
        "building the companion",
        Command::new("cargo")
            .args(["build", "--release", "--package", "graphground"])
            .current_dir(root()),
    )?;
    let companion = root().join("target/release/graphground");
    let files = files(&companion)?;
    let url = server::Server::bind(0)?.spawn(site);
    let peer = root().join("companion/peers/verify_peer.py");
    let mut all = [
        Times::new("native"),
        Times::new("Chromium, dropped at once"),
        Times::new("Chromium, dropped after 3 s"),
        Times::new("Python, networkx"),
    ];
    let mut questions = 0;
    for round in 1..=ROUNDS {
        say(&format!("round {round} of {ROUNDS}"));
        let (report, whole) =
            time(Command::new(&companion).arg("verify").arg("--json").args(&files))?;
        all[0].compute.push(seconds(&report)?);
        all[0].whole.push(whole);
        questions = report["totals"]["questions"].as_u64().unwrap_or(0);
        for (page, times) in browser(&url, &companion, &files)?.iter().zip(&mut all[1..3]) {
            if page["questions"].as_u64() != Some(questions) {
                bail!("the browser saw {} problems, the companion {questions}", page["questions"]);
            }
            times.compute.push(page["worker_ms"].as_f64().unwrap_or(f64::NAN) / 1e3);
            times.whole.push(page["page_ms"].as_f64().unwrap_or(f64::NAN) / 1e3);
        }
        let (report, whole) = time(Command::new(&python).arg(&peer).args(&files))?;
        if report["totals"]["questions"].as_u64() != Some(questions) {
            bail!("Python saw {} problems", report["totals"]["questions"]);
        }
        all[3].compute.push(seconds(&report)?);
        all[3].whole.push(whole);
    }
    let slowest = median(&all[3].compute);
    println!("\n{questions} problems, {ROUNDS} rounds in turn, medians in seconds\n");
    println!(
        "| program | parse + solve + verify | Python takes so many times as long | whole (start, reading, printing) |"
    );
    println!("|---|---:|---:|---:|");
    for times in &all {
        let compute = median(&times.compute);
        println!(
            "| {} | {compute:.3} | {:.1} | {:.3} |",
            times.name,
            slowest / compute,
            median(&times.whole)
        );
    }
    Ok(())
}

/// The benchmark's training files where they are, and enough of our own problems beside them.
fn files(companion: &Path) -> Result<Vec<PathBuf>> {
    let shared = std::env::var_os("GRAPHGROUND_SHARED")
        .map_or_else(|| root().join("../shared/data"), PathBuf::from)
        .join("nlgraph");
    let mut files: Vec<PathBuf> = fs::read_dir(&shared)
        .map(|entries| {
            entries
                .flatten()
                .map(|e| e.path())
                .filter(|p| p.to_string_lossy().ends_with(".train.json"))
                .collect()
        })
        .unwrap_or_default();
    files.sort();
    let made = if files.is_empty() {
        say("no NLGraph files beside the clone: timing 6,022 problems of our own instead");
        6022
    } else {
        MADE
    };
    let out = root().join("target/bench-made.json");
    run(
        &format!("making {made} problems"),
        Command::new(companion)
            .args(["generate", "--task", "all", "--n", &made.to_string(), "--seed", "1", "--out"])
            .arg(&out),
    )?;
    files.push(out);
    files.into_iter().map(|f| fs::canonicalize(&f).context("a file went away")).collect()
}

/// What a command prints as JSON, and the seconds that the whole of it took.
fn time(command: &mut Command) -> Result<(Value, f64)> {
    let start = Instant::now();
    let text = output(command).with_context(|| format!("{command:?} failed"))?;
    Ok((serde_json::from_str(&text)?, start.elapsed().as_secs_f64()))
}

fn seconds(report: &Value) -> Result<f64> {
    let totals = &report["totals"];
    for fault in ["parse_failures", "disagreements", "reference_rejected", "solution_rejected"] {
        if totals[fault].as_u64() != Some(0) {
            bail!("{fault}: {}", totals[fault]);
        }
    }
    totals["seconds"].as_f64().context("no seconds in the report")
}

/// What the page found and took: with the files dropped at once, and a little later.
fn browser(url: &str, companion: &Path, files: &[PathBuf]) -> Result<[Value; 2]> {
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    let out = Command::new("cargo")
        .args(["test", "--quiet", "--package", "browser-tests"])
        // One after the other: they time.
        .args(["--", "--ignored", "bench::", "--nocapture", "--test-threads", "1"])
        .current_dir(root())
        .env("GRAPHGROUND_URL", url)
        .env("GRAPHGROUND_COMPANION", companion)
        .env("GRAPHGROUND_BENCH_FILES", names.join("\n"))
        .output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    if !out.status.success() {
        bail!("the browser's part failed:\n{text}\n{}", String::from_utf8_lossy(&out.stderr));
    }
    if let Some((_, words)) = text.lines().find_map(|l| l.split_once("TRACE ")) {
        say(&format!("30,000 steps of a trace: {words}"));
    }
    let mut said = text.lines().filter_map(|l| l.split_once("BENCH ").map(|(_, json)| json));
    let mut next = || {
        let line = said.next().context("the browser said too little")?;
        Ok::<Value, anyhow::Error>(serde_json::from_str(line)?)
    };
    Ok([next()?, next()?])
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
