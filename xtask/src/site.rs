//! Builds the page: WebAssembly, its JavaScript glue, and the static files beside it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use crate::pack::glue;
use crate::steps::{linted, root, run};
use crate::toolchain::{TARGET, Toolchain};
use crate::{compressed, model, one_file, pyodide, setup, threads};

/// The modules of the page: what draws, and the engine that runs in workers.
pub const BINS: [&str; 2] = ["app", ENGINE];
/// The engine with everything in it.
pub const ENGINE: &str = "engine_worker";
/// What every engine answers: without oxigraph, candle and readers of documents, and so compiled sooner.
pub const CORE: &str = "core_worker";
/// The engine of the page as one file, which has all of it in itself.
pub const ONE_FILE: &str = "one_file_worker";
/// The packages of the page's modules. A build names all of them and chooses by module: cargo unifies the
/// features of what is named, so another choice would compile what they share once more.
pub const PACKAGES: [&str; 8] = [
    "--package",
    "graphground-app",
    "--package",
    "graphground-worker",
    "--package",
    "graphground-whole-worker",
    "--package",
    model::PACKAGE,
];

/// Without these a module cannot be cut.
const RELOCATIONS: &str = "-Clink-arg=--emit-relocs";

/// Where the built page lies.
pub fn folder() -> PathBuf {
    root().join("target/site")
}

/// Builds what is shipped and gives the folder to serve.
pub fn build(toolchain: &Toolchain) -> Result<PathBuf> {
    build_wasm(toolchain)?;
    let site = folder();
    // They are of modules that may have been built again since.
    compressed::remove(&site.join("wasm"))?;
    lay_files(&site)?;
    Ok(site)
}

/// Cargo's profile for the page that tests open and `cargo xtask serve` begins with: quick to compile,
/// and quick where it computes.
pub const QUICK: &str = "wasm-quick";

/// Builds what tests open, and gives its folder and the page as one file. Each module is compiled once
/// and stays whole: the page, one engine with everything in it, and the worker for model files. Parts,
/// threads and sizes are of what is shipped, which `cargo xtask dist --check` builds.
pub fn build_for_tests(toolchain: &Toolchain) -> Result<(PathBuf, PathBuf)> {
    let mut cargo = toolchain.cargo_build();
    cargo.arg("--config").arg(format!("target.{TARGET}.rustflags=['{}']", model::SIMD));
    cargo.args(["--profile", QUICK]).args(PACKAGES);
    let modules = [("app", "app"), (ENGINE, ENGINE), (model::MODEL, model::FOLDERS[0])];
    for (bin, _) in modules {
        cargo.args(["--bin", bin]);
    }
    // Clippy needs the target's standard library as rustup has it.
    let what = match toolchain {
        Toolchain::Rustup => {
            setup::component("clippy", "clippy")?;
            linted(&mut cargo);
            "building and linting the page for tests"
        }
        Toolchain::Debian { .. } => "building the page for tests",
    };
    run(what, &mut cargo)?;
    let site = root().join("target/site-test");
    let wasm = site.join("wasm");
    fs::create_dir_all(&wasm)?;
    let compiled = |bin: &str| root().join(format!("target/web/{TARGET}/{QUICK}/{bin}.wasm"));
    for (bin, folder) in modules {
        glue(&compiled(bin), &wasm.join(folder), Names::Drop, Parts::Join)?;
    }
    write_bundles(&wasm, false, false)?;
    lay_files(&site)?;
    let file = site.join(one_file::NAME);
    crate::pack::one_file(&compiled("app"), &compiled(ENGINE), &file)?;
    Ok((site, file))
}

/// Lays everything but modules into a page's folder; what is no longer in `www` is gone.
fn lay_files(site: &Path) -> Result<()> {
    for entry in fs::read_dir(site)?.flatten() {
        let path = entry.path();
        if path.is_dir() && entry.file_name() != "wasm" {
            fs::remove_dir_all(path)?;
        } else if path.is_file() {
            fs::remove_file(path)?;
        }
    }
    copy_tree(&root().join("www"), site)?;
    copy_tree(&root().join("assets"), &site.join("assets"))?;
    pyodide::lay_beside(site)
}

/// Compiles all modules, and those that can have threads once more with them, and writes them
/// with their glue, each into its folder in `target/site/wasm`.
pub fn build_wasm(toolchain: &Toolchain) -> Result<()> {
    let mut cargo = toolchain.cargo_build();
    // All in one go: what they stand on is compiled once, and they are linked beside each other.
    cargo.arg("--config");
    cargo.arg(format!("target.{TARGET}.rustflags=['{RELOCATIONS}','{}']", model::SIMD));
    cargo.args(["--profile", "wasm"]).args(PACKAGES);
    for bin in BINS.into_iter().chain([ONE_FILE, model::MODEL]) {
        cargo.args(["--bin", bin]);
    }
    run("building the page and its engines (the first time takes some minutes)", &mut cargo)?;
    let out = folder().join("wasm");
    fs::create_dir_all(&out)?;
    for bin in BINS {
        glue(&compiled(bin), &out.join(bin), Names::Drop, Parts::Cut)?;
    }
    glue(&compiled(model::MODEL), &out.join(model::FOLDERS[0]), Names::Drop, Parts::Join)?;
    let has_threads = threads::build(toolchain, &out, "wasm")?;
    write_bundles(&out, has_threads, false)
}

/// Whether a module keeps the names of its functions, for whoever reads a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// It does.
    Keep,
    /// They would be a fifth of what a visitor loads.
    Drop,
}

/// Whether a module is cut where its code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Parts of it load when they are needed.
    Cut,
    /// All of it loads at once, which takes less time to make.
    Join,
}

/// The parts of a module that a first visit loads before it has drawn a problem: those of the page that
/// opens where an address names none.
pub fn first(bin: &str) -> &'static [&'static str] {
    if bin == ENGINE { &["problems"] } else { &["home"] }
}

/// Beside a module: which files each of its parts needs. `xtask/pack` writes it.
pub const PARTS: &str = "parts.json";

/// The part of the engine that it loads then, for the first answers.
pub const FOR_ANSWERS: &str = "runs";

/// Writes what `www/boot.js`, `www/worker.js` and `www/model.js` read: whether there is an engine with
/// threads, whether there is a first engine beside the whole one, and a model's worker with threads. The page
/// reads the name of the build.
pub fn write_bundles(wasm: &Path, threads: bool, core: bool) -> Result<()> {
    let model = wasm.join(model::FOLDERS[1]).exists();
    // The page's module is there before its bundles are told; how large it is says the loading screen.
    let page = fs::metadata(wasm.join("app/app_bg.wasm")).map_or(0, |file| file.len());
    let words = format!(
        "// Written by the build: whether there is an engine with threads, whether there is a first \
         engine beside the whole one, whether there is a model's worker with threads, the bytes of the \
         page's module, and a name for this build.\n\
         export const threads = {threads};\nexport const core = {core};\n\
         export const modelThreads = {model};\nexport const appBytes = {page};\n\
         export const build = \"{}\";\n",
        name_of(wasm)?
    );
    fs::write(wasm.join("bundles.js"), words)?;
    Ok(())
}

/// A name for what is in a folder of modules, which no other content has.
fn name_of(wasm: &Path) -> Result<String> {
    let mut modules = Vec::new();
    for entry in fs::read_dir(wasm)? {
        let folder = entry?.path();
        if folder.is_dir() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                modules.extend(path.extension().is_some_and(|e| e == "wasm").then_some(path));
            }
        }
    }
    modules.sort();
    let mut hash = Sha256::new();
    for module in modules {
        hash.update(fs::read(module)?);
    }
    let hash = hash.finalize();
    Ok(hash[..8].iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A module as the compiler made it, before it has its glue.
pub fn compiled(bin: &str) -> PathBuf {
    root().join(format!("target/web/{TARGET}/wasm/{bin}.wasm"))
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
