//! Licences, bans and sources of dependencies, by cargo-deny and `deny.toml`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::steps::{cargo, output, root, run as step};

/// The version that is built where there is none.
const VERSION: &str = "0.20.2";

/// The program, built into the clone's `target` where the system has none.
fn program() -> Result<PathBuf> {
    if output(Command::new("cargo-deny").arg("--version")).is_some() {
        return Ok("cargo-deny".into());
    }
    let tools = root().join("target/tools");
    let program = tools.join("bin/cargo-deny");
    if !program.exists() {
        step(
            "building cargo-deny (the first time takes some minutes)",
            cargo()
                .args(["install", "cargo-deny", "--locked", "--debug", "--version", VERSION])
                .arg("--root")
                .arg(&tools)
                .arg("--target-dir")
                .arg(tools.join("build"))
                // Nobody looks for a fault in it.
                .env("CARGO_PROFILE_DEV_DEBUG", "0"),
        )
        .context("cargo-deny checks the licences; install it with `cargo install cargo-deny`")?;
    }
    Ok(program)
}

/// Checks everything that needs no network.
pub fn run() -> Result<()> {
    step(
        "licences, bans and sources of dependencies",
        Command::new(program()?)
            .current_dir(root())
            .args(["--log-level", "error", "check", "--hide-inclusion-graph"])
            .args(["bans", "licenses", "sources"]),
    )
}
