//! Two example pages out of runs of the scripts: one that is read, one that checks itself again.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::steps::{root, run as step, say};
use crate::{one_file, server, setup, site};

/// What is run: every task at its easiest, with tools and without, by a careful and a mistaken
/// script.
const BENCH: &[&str] = &[
    "bench",
    "--difficulty",
    "easy",
    "--n",
    "3",
    "--seed",
    "1",
    "--system",
    "grounded,standalone",
    "--model",
    "script,mistaken",
    "--out",
    "runs.jsonl",
];

/// Writes the one-file page, the runs and both pages into a folder.
pub fn run(out: &Path) -> Result<()> {
    site::build(&setup::page(false)?)?;
    std::fs::create_dir_all(out)?;
    let out = out.canonicalize()?;
    one_file::beside(&out)?;
    step(
        "building the companion",
        Command::new("cargo").args(["build", "--package", "graphground"]).current_dir(root()),
    )?;
    let companion = || {
        let mut command = Command::new(root().join("target/debug/graphground"));
        command.current_dir(&out).stdout(std::process::Stdio::null());
        command
    };
    step("runs of the scripts", companion().args(BENCH))?;
    let report = ["report", "runs.jsonl", "--title", "Scripts on easy problems", "--html"];
    step("the page that is read", companion().args(report).arg("example-static.html"))?;
    step(
        "the page that checks itself again",
        companion().args(report).args(["example-live.html", "--live", "--app", "graphground.html"]),
    )?;
    say(&format!("{}: example-static.html and example-live.html open from a disk", out.display()));
    Ok(())
}

/// Times thousands of runs in the page and on the command line, and the pages that hold them.
pub fn time() -> Result<()> {
    let site = site::build(&setup::page(false)?)?;
    setup::browser(false)?;
    step(
        "building the companion, optimised",
        Command::new("cargo")
            .args(["build", "--release", "--package", "graphground"])
            .current_dir(root()),
    )?;
    let single_file = one_file::beside(&site)?;
    let url = server::Server::bind(0)?.spawn(site);
    step(
        "thousands of runs",
        Command::new("cargo")
            .args(["test", "--quiet", "--package", "browser-tests"])
            .args(["--", "--ignored", "bench_runs::", "--nocapture", "--test-threads", "1"])
            .current_dir(root())
            .env("GRAPHGROUND_URL", url)
            .env("GRAPHGROUND_COMPANION", root().join("target/release/graphground"))
            .env("GRAPHGROUND_SINGLE_FILE", single_file),
    )
}
