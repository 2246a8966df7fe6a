//! Builds the page: WebAssembly, its JavaScript glue, and the static files beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use anyhow::{Context as _, Result, anyhow};

use crate::steps::{root, run, say};
use crate::toolchain::{TARGET, Toolchain};
use crate::{packed, threads};

/// What every visitor needs: the page and the engine that runs in a worker.
pub const BINS: [&str; 2] = ["app", "engine_worker"];
/// The packages that have them. They are always built together: by itself each would be built with
/// other features of what both stand on, and so twice.
pub const PACKAGES: [&str; 4] = ["--package", "graphground-app", "--package", "graphground-worker"];
/// The engine with knowledge graphs, which is loaded when one of their pages is opened.
pub const KNOWLEDGE: &str = "knowledge_worker";

/// An engine that is loaded when something needs it. It has every feature of `engine_worker`.
pub struct Later {
    /// The module.
    pub bin: &'static str,
    /// What it is for people.
    pub what: &'static str,
    /// The feature of its package that it needs.
    pub feature: &'static str,
}

/// Those that there are.
pub const LATER: [Later; 4] = [
    Later { bin: KNOWLEDGE, what: "knowledge graphs", feature: "knowledge" },
    Later { bin: "rdf_worker", what: "knowledge graphs and SPARQL", feature: "rdf" },
    Later { bin: "ml_worker", what: "knowledge graphs and models", feature: "ml" },
    Later {
        bin: "toolformer_worker",
        what: "inline tool calls with trained models",
        feature: "ml",
    },
];

/// Where the built page lies.
pub fn folder() -> PathBuf {
    root().join("target/site")
}

/// Builds everything and gives the folder to serve.
pub fn build(toolchain: &Toolchain) -> Result<PathBuf> {
    build_wasm(toolchain)?;
    let site = folder();
    // What is no longer in www/ must not be served: everything but the modules is made afresh.
    for entry in fs::read_dir(&site)?.flatten() {
        let path = entry.path();
        if path.is_dir() && entry.file_name() != "wasm" {
            fs::remove_dir_all(path)?;
        } else if path.is_file() {
            fs::remove_file(path)?;
        }
    }
    // They are of modules that may have been built anew since.
    packed::remove(&site.join("wasm"))?;
    copy_tree(&root().join("www"), &site)?;
    copy_tree(&root().join("assets"), &site.join("assets"))?;
    Ok(site)
}

/// Compiles all modules, and the engine once more with threads where that can be, and writes them
/// with their glue into `target/site/wasm`.
pub fn build_wasm(toolchain: &Toolchain) -> Result<()> {
    let bins: Vec<&str> = BINS.into_iter().chain(LATER.map(|later| later.bin)).collect();
    let mut cargo = toolchain.cargo_build();
    // All in one go: what they stand on is compiled once, and they are linked beside each other.
    cargo.args(["--profile", "wasm"]).args(PACKAGES);
    for bin in &bins {
        cargo.args(["--bin", bin]);
    }
    run("building the page and its engines (the first time takes some minutes)", &mut cargo)?;
    let out = folder().join("wasm");
    fs::create_dir_all(&out)?;
    for bin in bins {
        glue(&compiled(bin), &out, Names::Drop)?;
    }
    threads::build(toolchain, &out, "wasm")
}

/// Whether a module keeps the names of its functions, for whoever reads a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// It does.
    Keep,
    /// They would be a fifth of what a visitor loads.
    Drop,
}

/// Writes a module with its glue into a folder, unless that is newer.
pub fn glue(input: &Path, out: &Path, names: Names) -> Result<()> {
    let bin = input.file_stem().unwrap_or_default().to_string_lossy();
    if newer(&out.join(format!("{bin}_bg.wasm")), input) {
        return Ok(());
    }
    let start = Instant::now();
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(input)
        .web(true)
        .map_err(|e| anyhow!("{e}"))?
        .typescript(false)
        .omit_default_module_path(false)
        .remove_name_section(names == Names::Drop)
        .remove_producers_section(true)
        .generate(out)
        .map_err(|e| anyhow!("wasm-bindgen on {bin}: {e:#}"))?;
    say(&format!("glue for {bin}: {:.1} s", start.elapsed().as_secs_f32()));
    Ok(())
}

/// Tells the page whether there is an engine with threads.
pub fn write_bundles(wasm: &Path, threads: bool) -> Result<()> {
    let words = format!(
        "// Written by the build: whether there is an engine with threads.\n\
         export const threads = {threads};\n",
    );
    fs::write(wasm.join("bundles.js"), words)?;
    Ok(())
}

/// A module as the compiler made it, before it has its glue.
pub fn compiled(bin: &str) -> PathBuf {
    root().join(format!("target/web/{TARGET}/wasm/{bin}.wasm"))
}

fn newer(a: &Path, b: &Path) -> bool {
    let time = |p: &Path| fs::metadata(p).and_then(|m| m.modified()).ok();
    match (time(a), time(b)) {
        (Some(a), Some(b)) => a > b,
        (_, None) => false,
        (None, _) => SystemTime::UNIX_EPOCH > SystemTime::now(),
    }
}

/// Copies a folder into another; files that are there are replaced.
pub fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    if !from.exists() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("cannot write {}", target.display()))?;
        }
    }
    Ok(())
}
