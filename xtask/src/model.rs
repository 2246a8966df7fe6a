//! The worker that runs model files: a module of its own with the 128-bit instructions of
//! WebAssembly, once for one thread and once for several.

use std::path::Path;

use anyhow::Result;

use crate::pack::glue;
use crate::site::{self, Names, Parts};
use crate::steps::{root, run};
use crate::toolchain::{TARGET, Toolchain};

/// The package.
pub const PACKAGE: &str = "graphground-model-worker";
/// The module.
pub const MODEL: &str = "model_worker";
/// The folders of the two in the page's `wasm`.
pub const FOLDERS: [&str; 2] = ["model", "model-threads"];

/// Products of whole rows take a quarter of the time with them; every browser that can draw the page has
/// them.
pub const SIMD: &str = "-Ctarget-feature=+simd128";

/// Builds the module for one thread by itself into `wasm/model`.
pub fn build(toolchain: &Toolchain, wasm: &Path, profile: &str) -> Result<()> {
    let mut cargo = toolchain.cargo_build();
    cargo.arg("--config").arg(format!("target.{TARGET}.rustflags=['{SIMD}']"));
    cargo.args(["--profile", profile]).args(site::PACKAGES).args(["--bin", MODEL]);
    run("building the worker for model files", &mut cargo)?;
    let input = root().join(format!("target/web/{TARGET}/{profile}/{MODEL}.wasm"));
    glue(&input, &wasm.join(FOLDERS[0]), Names::Drop, Parts::Join)
}
