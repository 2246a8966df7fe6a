//! A page of `benches/page` in Chromium: opened, waited for, and its result read.

use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::steps::root;

/// What the page at an address says in the end.
pub fn result(address: &str) -> Result<Value> {
    let out = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["test", "--quiet", "--package", "browser-tests"])
        .args(["--", "--ignored", "bench_page::", "--nocapture"])
        .current_dir(root())
        .env("GRAPHGROUND_BENCH_PAGE", address)
        .output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    if !out.status.success() {
        bail!("the browser's part failed:\n{text}\n{}", String::from_utf8_lossy(&out.stderr));
    }
    let line = text.lines().find_map(|l| l.split_once("CELLS ").map(|(_, json)| json));
    let result: Value = serde_json::from_str(line.context("the browser said nothing")?)?;
    if let Some(error) = result["error"].as_str() {
        bail!("{address} failed: {error}");
    }
    Ok(result)
}
