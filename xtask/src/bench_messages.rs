//! Messages between page and worker, as text and as values of JavaScript, in Chromium:
//! `cargo xtask bench-messages`.

use anyhow::{Context as _, Result};

use crate::bench_kg::page;

/// Times both ways and prints the figures.
pub fn run_all() -> Result<()> {
    let result = page("messages")?;
    println!("\n{}", result["browser"].as_str().unwrap_or_default());
    println!("\n| payload | as one JSON text, ms | as values, ms | values / text |");
    println!("|---|---:|---:|---:|");
    for payload in result["payloads"].as_array().context("no payloads")? {
        let ms = |way: &str| payload[way].as_f64().unwrap_or(f64::NAN);
        let (text, value) = (ms("text"), ms("value"));
        let name = payload["name"].as_str().unwrap_or_default();
        println!("| {name} | {text:.2} | {value:.2} | {:.1} |", value / text);
    }
    println!(
        "\nresults of the functions' examples that come back changed as values: {} of {}",
        result["changed"], result["results"]
    );
    Ok(())
}
