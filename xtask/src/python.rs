//! Python environments for third-party programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::steps::{output, run, say};

/// A Python in an environment of its own that has exactly these packages; none, and a line that says
/// so, where they cannot be had.
pub fn python(folder: &Path, packages: &[&str]) -> Result<Option<PathBuf>> {
    let python = folder.join("bin/python");
    if !python.exists() {
        run(
            "making a Python environment under target/",
            Command::new("python3").args(["-m", "venv"]).arg(folder),
        )?;
    }
    // Does nothing, and asks nobody, where the versions are there.
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "-q", "--disable-pip-version-check"]).args(packages);
    if output(&mut install).is_none() {
        say(&format!("skipped: {} cannot be installed (is there a network?)", packages.join(", ")));
        return Ok(None);
    }
    Ok(Some(python))
}
