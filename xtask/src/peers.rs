//! Comparisons with other people's programs, each in one command.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::steps::{root, run};

/// A Python with networkx, in an environment of its own under `target`.
fn python() -> Result<PathBuf> {
    let folder = root().join("target/peers-venv");
    let python = folder.join("bin/python");
    if !python.exists() {
        run(
            "making a Python environment",
            Command::new("python3").args(["-m", "venv"]).arg(&folder),
        )?;
        run(
            "installing networkx into it",
            Command::new(&python).args(["-m", "pip", "install", "-q", "networkx", "scipy"]),
        )?;
    }
    Ok(python)
}

/// The graph functions against networkx.
pub fn functions(n: u32) -> Result<()> {
    let mut command = Command::new(python()?);
    command.current_dir(root()).arg("crates/graph/peers/peers.py");
    run("comparing with networkx", command.args(["--n", &n.to_string()]))
}

/// The whole dataset: native, browser, Python.
pub fn dataset() -> Result<()> {
    python().map(|_| ())
}
