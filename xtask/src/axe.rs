//! axe-core, by which the browser tests look for what a screen reader or a keyboard cannot use. It comes
//! from npm, is kept under `target/`, checked by its hash, and never ships.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::steps::{root, run};

const PACKAGE: &str = "axe-core@4.14.1";
const SHA256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";

/// The script; fetches it where it is missing.
pub fn fetch() -> Result<PathBuf> {
    let folder = root().join("target/axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.is_file() {
        fs::create_dir_all(&folder)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        run(&format!("fetching {PACKAGE} under target/"), npm.arg(&folder).arg(PACKAGE)).context(
            "axe-core could not be fetched. It needs npm and a network that reaches its registry; \
             `cargo xtask test --no-browser` tests without it",
        )?;
    }
    let bytes = fs::read(&script).with_context(|| format!("cannot read {}", script.display()))?;
    let found: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    ensure!(
        found == SHA256,
        "{}: its SHA-256 is {found}; expected {SHA256}. Remove {} and try again",
        script.display(),
        folder.display()
    );
    Ok(script)
}
