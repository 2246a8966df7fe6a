//! A knowledge graph of 2.3 million edges, read and stepped through natively and in Chromium:
//! `cargo xtask bench-kg`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::Value;

use crate::pack::glue;
use crate::site::{Names, Parts, copy_tree};
use crate::steps::{root, run};
use crate::toolchain::{TARGET, Toolchain};
use crate::{bench_page, server, setup};

/// Times both and prints the figures.
pub fn run_all() -> Result<()> {
    let native = ["run", "--quiet", "--release", "--package", "bench-page", "--example", "kg"];
    run("timing natively", Command::new("cargo").args(native).current_dir(root()))?;

    let result = page("kg")?;
    let ms = |what: &str, n: f64| result[what]["ms"].as_f64().unwrap_or(f64::NAN) / n;
    println!("\n{}", result["browser"].as_str().unwrap_or_default());
    println!("lines read: {:.0} ms, {} edges", ms("parse", 1.0), result["parse"]["found"]);
    println!("read and built: {:.0} ms", ms("load", 1.0));
    println!("one hop over all types from a node: {:.4} ms", ms("one_hop", 1000.0));
    println!("two hops from a node: {:.3} ms", ms("two_hops", 100.0));
    let memory = result["wasm_memory"].as_f64().unwrap_or(f64::NAN) / 1e6;
    println!(
        "{} bytes an edge; {memory:.0} MB of WebAssembly's memory at most",
        result["bytes_per_edge"]
    );
    Ok(())
}

/// What cargo is to build of our functions for a page.
pub const PACKAGE: [&str; 4] = ["--profile", "wasm", "--package", "bench-page"];

/// Builds our functions for a page, with their glue.
pub fn build(toolchain: &Toolchain, wasm: &Path) -> Result<()> {
    run("building our functions", toolchain.cargo_build().args(PACKAGE))?;
    let module = root().join(format!("target/web/{TARGET}/wasm/bench_page.wasm"));
    glue(&module, wasm, Names::Drop, Parts::Join)
}

/// Builds a page of `benches/page`, opens it in Chromium, and gives its result.
pub fn page(name: &str) -> Result<Value> {
    let toolchain = setup::page(false)?;
    setup::browser(false)?;
    let site = root().join("target/bench-pages");
    let wasm = site.join("wasm");
    copy_tree(&root().join("benches/page"), &site)?;
    fs::create_dir_all(&wasm)?;
    build(&toolchain, &wasm)?;
    let url = server::Server::bind(0)?.spawn(site);
    bench_page::result(&format!("{url}{name}.html"))
}
