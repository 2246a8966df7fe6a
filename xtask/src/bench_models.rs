//! A model file in the page beside wllama, llama.cpp for browsers: `cargo xtask bench-models`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::real_server::model_file;
use crate::site::copy_tree;
use crate::steps::{root, run, say};
use crate::{bench_page, server, setup, site};

/// The version is part of what the measurement says.
const WLLAMA: &str = "@wllama/wllama@3.13.0";

/// Builds the page, fetches wllama and the model, times both in Chromium, and prints the table.
pub fn run_all() -> Result<()> {
    let toolchain = setup::page(false)?;
    setup::browser(false)?;
    let built = site::build(&toolchain)?;
    let folder = laid(&built)?;
    let url = server::Server::bind(0)?.spawn(folder);
    say("timing; about ten minutes, in which nothing else should run");
    let result = bench_page::result(&format!("{url}models.html"))?;
    fs::write(root().join("target/bench-models.json"), result.to_string())?;
    print(&result)
}

/// What the browser loads, in a folder of its own: nothing of wllama's is part of the page.
fn laid(built: &std::path::Path) -> Result<PathBuf> {
    let folder = root().join("target/bench-models-site");
    copy_tree(&root().join("benches/page"), &folder)?;
    copy_tree(&built.join("wasm"), &folder.join("wasm"))?;
    let npm = root().join("target/bench-npm");
    fs::create_dir_all(&npm)?;
    let package = npm.join("node_modules/@wllama/wllama/esm");
    if !package.join("index.js").exists() {
        let mut install = Command::new("npm");
        install.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        run("installing wllama under target/", install.arg(&npm).arg(WLLAMA))?;
    }
    copy_tree(&package, &folder.join("wllama"))?;
    fs::copy(model_file()?, folder.join("model.gguf"))?;
    Ok(folder)
}

type Speeds = BTreeMap<&'static str, f64>;

/// The best of the rounds: what else the machine does only ever takes from them.
fn print(result: &Value) -> Result<()> {
    let mut best: BTreeMap<(u64, u64), Speeds> = BTreeMap::new();
    for cell in result["cells"].as_array().context("no cells")? {
        let number = |key: &str| cell[key].as_f64().with_context(|| format!("no {key}"));
        let is_ours = cell["which"] == "ours";
        let size = match cell["size"].as_str() {
            Some("short") => 0,
            Some("middle") => 1,
            _ => 2,
        };
        let row = best.entry((cell["threads"].as_u64().unwrap_or(0), size)).or_default();
        let names = if is_ours {
            ["prompt", "ours, read", "ours, written"]
        } else {
            ["their prompt", "wllama, read", "wllama, written"]
        };
        for (name, key) in names.into_iter().zip(["prompt", "read", "written"]) {
            let value = number(key)?;
            let kept = row.entry(name).or_insert(value);
            *kept = kept.max(value);
        }
    }
    println!("\n{}\n", result["browser"].as_str().unwrap_or_default());
    println!(
        "| threads | prompt, tokens | read, tokens/s | wllama | ours / wllama | written, tokens/s | wllama | ours / wllama |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for ((threads, _), row) in &best {
        let of = |name: &str| row.get(name).copied().unwrap_or(f64::NAN);
        let (read, their_read) = (of("ours, read"), of("wllama, read"));
        let (written, their_written) = (of("ours, written"), of("wllama, written"));
        println!(
            "| {threads} | {} | {read:.0} | {their_read:.0} | {:.2} | {written:.0} | {their_written:.0} | {:.2} |",
            of("prompt"),
            read / their_read,
            written / their_written
        );
    }
    Ok(())
}
