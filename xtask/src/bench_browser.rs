//! Our functions in a browser beside graphology and networkx in Pyodide: `cargo xtask bench-browser`.
//!
//! The other libraries come from their registries into a folder under `target`; nothing of them is
//! part of the project, and no test needs them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::pack::glue;
use crate::peers::python;
use crate::site::{Names, Parts, copy_tree};
use crate::steps::{root, run, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{bench_kg, bench_page, server, setup, threads};

/// What npm installs. The versions are part of what the measurements say.
const PACKAGES: [&str; 3] = ["graphology@0.26.0", "graphology-library@0.8.0", "pyodide@314.0.7"];
/// networkx for Pyodide, which brings none.
const WHEEL: &str = "networkx==3.6.1";
/// The files of those packages that the page loads.
const FILES: [(&str, &str); 6] = [
    ("graphology/dist/graphology.umd.min.js", "graphology.umd.min.js"),
    ("graphology-library/dist/graphology-library.min.js", "graphology-library.min.js"),
    ("pyodide/pyodide.mjs", "pyodide/pyodide.mjs"),
    ("pyodide/pyodide.asm.mjs", "pyodide/pyodide.asm.mjs"),
    ("pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.wasm"),
    ("pyodide/pyodide-lock.json", "pyodide/pyodide-lock.json"),
];

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Libraries {
    /// Ours, with and without threads, graphology, petgraph, and networkx in Pyodide.
    All,
    /// Ours with and without threads.
    Threads,
    /// Ours and petgraph, which need nothing from a registry.
    Petgraph,
}

/// Times our functions beside petgraph's, natively and in Chromium, and prints both tables.
pub fn petgraph() -> Result<()> {
    let mut native = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    native.args(["run", "--release", "--package", "bench-page", "--example", "petgraph"]);
    run("timing natively", native.current_dir(root()))?;
    run_all(Libraries::Petgraph)
}

/// Builds the page, runs it in Chromium, and prints the table.
pub fn run_all(libraries: Libraries) -> Result<()> {
    let toolchain = setup::page(false)?;
    setup::browser(false)?;
    let peers = if libraries == Libraries::Petgraph { None } else { Some(peers()?) };
    let site = build(&toolchain, peers.as_deref())?;
    let url = server::Server::bind(0)?.spawn(site);
    let address = match libraries {
        Libraries::All => url,
        Libraries::Threads => format!("{url}?threads"),
        Libraries::Petgraph => format!("{url}?petgraph"),
    };
    say("timing; slow libraries on large graphs take some minutes");
    let result = bench_page::result(&address)?;
    fs::write(root().join("target/bench-browser.json"), result.to_string())?;
    match libraries {
        Libraries::Threads => print_threads(&result),
        Libraries::All | Libraries::Petgraph => print(&result),
    }
}

/// The best time of each on one thread and on all: what else the machine does only ever adds.
fn print_threads(result: &Value) -> Result<()> {
    let mut best: BTreeMap<(String, u64), BTreeMap<String, f64>> = BTreeMap::new();
    let list = |key: &str| result[key].as_array().cloned().unwrap_or_default();
    for cell in list("cells").iter().chain(&list("datasets")) {
        let name = cell["name"].as_str().unwrap_or("problems parsed, solved and verified").into();
        let n = cell["n"].as_u64().or(cell["right"].as_u64()).unwrap_or(0);
        let which = cell["which"].as_str().unwrap_or_default().to_owned();
        let ms = cell["best"].as_f64().context("a cell without a time")?;
        let least = best.entry((name, n)).or_default().entry(which).or_insert(ms);
        *least = least.min(ms);
    }
    println!("\n| function | nodes | one thread | {} threads | times as fast |", result["cores"]);
    println!("|---|---:|---:|---:|---:|");
    for ((name, n), times) in &best {
        if let (Some(one), Some(all)) = (times.get("ours"), times.get("threads")) {
            println!("| {name} | {n} | {} | {} | {:.2} |", shown(*one), shown(*all), one / all);
        }
    }
    Ok(())
}

/// The other libraries in a folder of their own.
fn peers() -> Result<PathBuf> {
    let folder = root().join("target/bench-npm");
    fs::create_dir_all(&folder)?;
    let modules = folder.join("node_modules");
    if FILES.iter().any(|(file, _)| !modules.join(file).exists()) {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        run("installing graphology and Pyodide under target/", npm.arg(&folder).args(PACKAGES))?;
    }
    if wheel(&folder).is_none() {
        run(
            "fetching networkx for Pyodide",
            Command::new(python()?)
                .args(["-m", "pip", "download", "-q", "--no-deps", "--dest"])
                .arg(&folder)
                .arg(WHEEL),
        )?;
    }
    Ok(folder)
}

fn wheel(folder: &Path) -> Option<PathBuf> {
    let mut files = fs::read_dir(folder).ok()?.flatten().map(|f| f.path());
    files.find(|f| f.extension().is_some_and(|e| e == "whl"))
}

/// The benchmark's page with everything that it loads.
fn build(toolchain: &Toolchain, peers: Option<&Path>) -> Result<PathBuf> {
    let site = root().join("target/bench-site");
    let wasm = site.join("wasm");
    copy_tree(&root().join("benches/page"), &site)?;
    fs::create_dir_all(wasm.join("threads"))?;
    if let Some(peers) = peers {
        fs::create_dir_all(site.join("pyodide"))?;
        for (from, to) in FILES {
            fs::copy(peers.join("node_modules").join(from), site.join(to))?;
        }
        let library = peers.join("node_modules/pyodide/python_stdlib.zip");
        fs::copy(library, site.join("pyodide/python_stdlib.zip"))?;
        fs::copy(wheel(peers).context("there is no networkx")?, site.join("networkx.whl"))?;
    }

    bench_kg::build(toolchain, &wasm)?;
    // Nothing of petgraph's is shared between threads.
    let threaded = peers.and_then(|_| threads::cargo(toolchain));
    let has_threads = threaded.is_some();
    if let Some(mut cargo) = threaded {
        cargo.args(bench_kg::PACKAGE);
        run("building our functions with threads", &mut cargo)?;
        let module = format!("{}/{TARGET}/wasm/bench_page.wasm", threads::FOLDER);
        glue(&root().join(module), &wasm.join("threads"), Names::Drop, Parts::Join)?;
    }
    fs::write(wasm.join("bundles.js"), format!("export const threads = {has_threads};\n"))?;
    Ok(site)
}

/// One row: a function on graphs of one size.
#[derive(Default)]
struct Row {
    ms: BTreeMap<String, f64>,
    values: BTreeMap<String, f64>,
}

impl Row {
    fn ratio(&self, to: &str) -> Option<f64> {
        Some(self.ms.get(to)? / self.ms.get("ours")?)
    }
}

/// The table with its ratios, after all results are held against ours.
fn print(result: &Value) -> Result<()> {
    let mut order: Vec<(String, u64)> = Vec::new();
    let mut rows: BTreeMap<(String, u64), Row> = BTreeMap::new();
    for cell in result["cells"].as_array().context("no cells")? {
        let text = |key: &str| cell[key].as_str().unwrap_or_default().to_owned();
        let key = (text("name"), cell["n"].as_u64().unwrap_or(0));
        if !rows.contains_key(&key) {
            order.push(key.clone());
        }
        let row = rows.entry(key).or_default();
        row.ms.insert(text("which"), cell["ms"].as_f64().unwrap_or(f64::NAN));
        row.values.insert(text("which"), cell["value"].as_f64().unwrap_or(f64::NAN));
    }
    let differ = differences(&rows);
    if !differ.is_empty() {
        bail!("the libraries do not agree:\n{}", differ.join("\n"));
    }
    println!("\n{} ({} cores)\n", result["browser"].as_str().unwrap_or(""), result["cores"]);
    println!(
        "| function | nodes | ours | ours, threads | graphology | petgraph | networkx | graphology / ours | petgraph / ours | networkx / ours | one / many threads |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    order.sort_by_key(|key| first_of(&key.0, result));
    for key in &order {
        let row = &rows[key];
        let time = |which: &str| row.ms.get(which).map_or("–".into(), |ms| shown(*ms));
        let ratio = |r: Option<f64>| r.map_or("–".into(), |r| format!("{r:.1}"));
        let many = row.ratio("threads").map(|r| 1.0 / r);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            key.0,
            key.1,
            time("ours"),
            time("threads"),
            time("graphology"),
            time("petgraph"),
            time("networkx"),
            ratio(row.ratio("graphology")),
            ratio(row.ratio("petgraph")),
            ratio(row.ratio("networkx")),
            ratio(many),
        );
    }
    println!();
    for (which, name) in [
        ("graphology", "graphology"),
        ("petgraph", "petgraph"),
        ("networkx", "networkx in Pyodide"),
    ] {
        let ratios: Vec<f64> = rows.values().filter_map(|row| row.ratio(which)).collect();
        if ratios.is_empty() {
            continue;
        }
        let slower = ratios.iter().filter(|r| **r < 1.0).count();
        let functions: std::collections::BTreeSet<&String> =
            rows.iter().filter(|r| r.1.ratio(which).is_some()).map(|r| &r.0.0).collect();
        println!(
            "- {name}: {:.1} times our time in the geometric mean of {} rows ({} functions); \
             ours is slower in {slower}",
            mean(&ratios),
            ratios.len(),
            functions.len()
        );
    }
    for broke in result["broken"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let text = |key: &str| broke[key].as_str().unwrap_or_default();
        if matches!(text("which"), "ours" | "threads") {
            bail!("ours broke: {broke}");
        }
        println!("- {}, {}, {} nodes: {}", text("which"), text("name"), broke["n"], text("broke"));
    }
    let large = |row: &&Row| row.ms.get("ours").is_some_and(|ms| *ms > 10.0);
    let many: Vec<f64> =
        rows.values().filter(large).filter_map(|r| r.ratio("threads")).map(|r| 1.0 / r).collect();
    if !many.is_empty() {
        println!("- threads: {:.2} times as fast where one takes over 10 ms", mean(&many));
    }
    Ok(())
}

/// Results that are not ours, in words.
fn differences(rows: &BTreeMap<(String, u64), Row>) -> Vec<String> {
    let mut found = Vec::new();
    for ((name, n), row) in rows {
        let Some(ours) = row.values.get("ours") else { continue };
        for (which, value) in row.values.iter().filter(|(which, _)| *which != "ours") {
            // Sums of many floating-point numbers in another order; the iteration of pagerank ends
            // where it changes little.
            let near = (ours - value).abs() <= 1e-8 * ours.abs().max(1e-3);
            // With threads nothing is summed in another order.
            if if which == "threads" { ours != value } else { !near } {
                found.push(format!("{name}, {n} nodes: ours {ours}, {which} {value}"));
            }
        }
    }
    found
}

fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}

fn shown(ms: f64) -> String {
    match ms {
        ..0.001 => format!("{:.0} ns", ms * 1e6),
        ..1.0 => format!("{:.1} µs", ms * 1e3),
        ..1000.0 => format!("{ms:.1} ms"),
        _ => format!("{:.2} s", ms / 1e3),
    }
}

/// Functions in the order in which they were timed, sizes ascending.
fn first_of(name: &str, result: &Value) -> usize {
    let cells = result["cells"].as_array().map(Vec::as_slice).unwrap_or_default();
    cells.iter().position(|c| c["name"] == name).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_not_ours_is_told() {
        let row = |ours: f64, which: &str, theirs: f64| Row {
            values: BTreeMap::from([("ours".into(), ours), (which.into(), theirs)]),
            ..Row::default()
        };
        let told = |row| differences(&BTreeMap::from([(("f".into(), 10), row)])).len();
        assert_eq!(told(row(2.0, "graphology", 2.0 + 1e-12)), 0);
        assert_eq!(told(row(2.0, "graphology", 2.1)), 1);
        assert_eq!(told(row(2.0, "threads", 2.0 + 1e-12)), 1);
        assert_eq!(told(row(f64::NAN, "networkx", 2.0)), 1);
    }

    #[test]
    fn the_mean_is_geometric() {
        assert!((mean(&[1.0, 100.0]) - 10.0).abs() < 1e-12);
    }
}
