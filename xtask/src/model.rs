//! The worker that runs model files: a module of its own with the 128-bit instructions of
//! WebAssembly, once for one thread and once for several.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::site::{Names, Parts, glue};
use crate::steps::{root, run};
use crate::threads;
use crate::toolchain::{TARGET, Toolchain};

/// The module.
pub const MODEL: &str = "model_worker";
/// The folders of the two in the page's `wasm`.
pub const FOLDERS: [&str; 2] = ["model", "model-threads"];

/// Products of whole rows take a quarter of the time with them; every current browser has them.
const SIMD: &str = "-Ctarget-feature=+simd128";
/// The most that the memory may grow to, as of the module with threads (`modelfiles::MEMORY_BYTES`).
const MEMORY: &str = "-Clink-arg=--max-memory=1073741824";

/// Builds the module for one thread into `wasm/model`.
pub fn build(toolchain: &Toolchain, wasm: &Path, profile: &str) -> Result<()> {
    let folder = "target/web-model";
    let mut cargo = toolchain.cargo_build_into(folder);
    cargo.arg("--config").arg(format!("target.{TARGET}.rustflags=['{SIMD}','{MEMORY}']"));
    cargo.args(["--profile", profile, "--package", "graphground-model-worker"]);
    run("building the worker for model files", &mut cargo)?;
    let input = root().join(format!("{folder}/{TARGET}/{profile}/{MODEL}.wasm"));
    glue(&input, &wasm.join(FOLDERS[0]), Names::Drop, Parts::Join)
}

/// Builds the module with threads into `wasm/model-threads`, where this machine can.
pub fn build_with_threads(toolchain: &Toolchain, wasm: &Path, profile: &str) -> Result<()> {
    let out = wasm.join(FOLDERS[1]);
    let Some(mut cargo) = threads::cargo_with(toolchain, "target/web-model-threads", &[SIMD])
    else {
        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        return Ok(());
    };
    cargo.args(["--profile", profile, "--package", "graphground-model-worker"]);
    cargo.args(["--features", "threads"]);
    run("building the worker for model files with threads", &mut cargo)?;
    let input = root().join(format!("target/web-model-threads/{TARGET}/{profile}/{MODEL}.wasm"));
    glue(&input, &out, Names::Drop, Parts::Join)?;
    threads::modern(&out.join("snippets"))
}
