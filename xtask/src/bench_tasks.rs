//! Solver and judge on problems of every task, natively and in Chromium: `cargo xtask bench-tasks`.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::bench_kg::page;
use crate::steps::{root, say};

/// Problems of each task and level.
const N: usize = 20;

/// Times both and prints the table.
pub fn run_all() -> Result<()> {
    say("timing natively");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["run", "--quiet", "--release", "--package", "bench-page", "--example", "tasks"])
        .args(["--", &N.to_string()])
        .current_dir(root())
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout)?;
    let native: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;

    let result = page("tasks")?;
    println!("\n{}\n", result["browser"].as_str().unwrap_or_default());
    println!(
        "| task | level | nodes at most | solved, ms | longest, ms | in the page, ms | longest there, ms | page / native | solved and judged in the page, ms | judged right |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let cases = result["cases"].as_array().context("no cases")?;
    ensure!(cases.len() == native.len(), "{} cases and {}", cases.len(), native.len());
    for (here, there) in native.iter().zip(cases) {
        ensure!(here["name"] == there["name"], "{} and {}", here["name"], there["name"]);
        ensure!(here["right"] == there["right"], "{here} and {there}");
        let name = here["name"].as_str().context("no name")?.replace(' ', " | ");
        let ms = |of: &Value, what: &str| of[what].as_f64().unwrap_or(f64::NAN);
        println!(
            "| {name} | {:.3} | {:.2} | {:.3} | {:.2} | {:.1} | {:.3} | {} of {N} |",
            ms(here, "solve"),
            ms(here, "longest"),
            ms(there, "solve"),
            ms(there, "longest"),
            ms(there, "solve") / ms(here, "solve"),
            ms(there, "both"),
            here["right"],
        );
    }
    Ok(())
}
